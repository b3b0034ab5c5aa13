"""Every contact scene for thousands of steps under four methods at two steps, each committed state looked at anew.

    python -m benchmarks.soak                       # all: hours on two cores
    python -m benchmarks.soak --steps 200 dice-roll # some of it

A run passes if it ends without a failed step, an intersection, an inversion, a NaN or a ledger that does not close. What was run
stays in `results/soak.json`; a run that is there with as many steps is not repeated.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import jounce as jn
from jounce import gallery

RESULTS = Path(__file__).parent / "results" / "soak.json"
METHODS = ("implicit-euler", "bdf2", "a-1", "a-search")
STEPS = (1 / 60, 1 / 120)
SIZES = {
    "block-on-incline": {},
    "bouncing-ball": {"nodes": 150},
    "bouncing-ditto": {"nodes": 157},
    "box-stack": {"rows": 3, "cells": 1},
    "dice-roll": {"dice": 4, "cells": 2},
    "five-cube-stack": {"cells": 1},
    "hard-shelled-ball": {"resolution": 2},
    "hare-splash": {"nodes": 150, "columns": 2, "layers": 3, "cells": 1},
    "hare-stairs": {"nodes": 200},
    "torus-drop": {"rings": 1},
}
"""Options that make each scene small; the guarantee does not depend on them."""


def soak(scene: str, method: str, step: float, steps: int) -> dict:
    """One run, verified at every step, with the gallery's own target where the method takes one."""
    entry = gallery.entry(scene)
    integrator = entry.method() if entry.integrator == method else jn.integrators.create(method)
    begun = time.perf_counter()
    run = jn.simulate(
        gallery.scene(scene, **SIZES[scene]),
        integrator=integrator,
        step=step,
        steps=steps,
        record_every=steps,
        on_failure="stop",
        verify=True,
    )
    finite = bool(np.all(np.isfinite(run.q)) and np.all(np.isfinite(run.ledger.total)))
    return {
        "steps": steps,
        "reached": run.end.t / step,
        "passed": run.outcome.ok and finite,
        "outcome": str(run.outcome),
        "residual": float(run.ledger.residual().max()),
        "newton_per_step": float(run.ledger.newton_iterations[1:].mean()),
        "ms_per_step": 1e3 * (time.perf_counter() - begun) / max(run.end.t / step, 1.0),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenes", nargs="*", metavar="scene", help=", ".join(SIZES))
    parser.add_argument("--steps", type=int, default=2000)
    chosen = parser.parse_args()
    if unknown := set(chosen.scenes) - set(SIZES):
        parser.error(f"unknown scenes: {', '.join(sorted(unknown))}; valid: {', '.join(SIZES)}")
    done = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for scene in chosen.scenes or SIZES:
        for method in METHODS:
            for step in STEPS:
                name = f"{scene}, {method}, 1/{1 / step:.0f} s"
                if done.get(name, {}).get("steps", 0) < chosen.steps:
                    done[name] = soak(scene, method, step, chosen.steps)
                    RESULTS.write_text(json.dumps(dict(sorted(done.items())), indent=1) + "\n")
                found = done[name]
                verdict = "passed" if found["passed"] else f"FAILED at step {found['reached']:.0f}: {found['outcome']}"
                print(f"{name}: {verdict}, {found['ms_per_step']:.1f} ms per step", flush=True)
    failed = [name for name in done if not done[name]["passed"]]
    print(f"{len(done) - len(failed)} of {len(done)} runs passed.")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()

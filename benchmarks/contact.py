"""Time per step of scenes with contact, and the share of it that contact takes: search, collision times, barrier, friction.

The ball of 1.6k nodes falls 0.3 m and rebounds under implicit Euler (tolerance 0.01 m/s, conjugate gradients to 1e-2), with its
compiled kernels at hand; the splash is the gallery's, from before the hare's impact to after it.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numpy as np

import jounce as jn
from jounce import gallery
from jounce.contact.barrier import BarrierTerm

PARTS = {
    "groups": "barrier",
    "value": "barrier",
    "longest_step": "collision times",
    "friction": "friction",
    "pairs": "search of pairs",
}
STEP = 1 / 120


@contextmanager
def timed(spent: dict[str, float]) -> Iterator[None]:
    """Adds up the seconds inside each of the barrier's doors; a door inside another counts for itself."""
    kept = {name: getattr(BarrierTerm, name) for name in PARTS}
    open_doors: list[float] = []

    def watched(name: str, door: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(door)
        def call(*args: Any, **options: Any) -> Any:
            begun = time.perf_counter()
            open_doors.append(0.0)
            try:
                return door(*args, **options)
            finally:
                took = time.perf_counter() - begun
                spent[PARTS[name]] = spent.get(PARTS[name], 0.0) + took - open_doors.pop()
                if open_doors:
                    open_doors[-1] += took

        return call

    for name, door in kept.items():
        setattr(BarrierTerm, name, watched(name, door))
    try:
        yield
    finally:
        for name, door in kept.items():
            setattr(BarrierTerm, name, door)


def run(scene: jn.Scene, method: str, steps: int, skip: int, solver: jn.NewtonSolver) -> dict[str, Any]:
    """Milliseconds per step after the first `skip`, and the parts of contact in them."""
    system = jn.build(scene)
    jn.simulate(system, integrator=method, step=STEP, steps=skip + steps, solver=solver)  # loads what is compiled
    before = jn.simulate(system, integrator=method, step=STEP, steps=skip, solver=solver)
    spent: dict[str, float] = {}
    with timed(spent):
        begun = time.perf_counter()
        after = jn.simulate(system, integrator=method, step=STEP, steps=steps, solver=solver, resume=before)
        took = time.perf_counter() - begun
    return {
        "nodes": len(system.masses),
        "steps": steps,
        "ms_per_step": 1e3 * took / steps,
        "newton_per_step": float(np.mean(after.ledger.newton_iterations[1:])),
        "linear_per_step": float(np.mean(after.ledger.linear_iterations[1:])),
        "contact_share": sum(spent.values()) / took,
        "contact_ms": {part: 1e3 * s / steps for part, s in sorted(spent.items())},
    }


def measure() -> dict:
    loose = jn.NewtonSolver(tolerance=0.01, linear_tolerance=1e-2)
    scenes = {
        "ball": (gallery.scene("bouncing-ball", drop=0.3), "implicit-euler", 60, 0, loose),
        "splash": (gallery.scene("hare-splash"), "a-search", 20, 22, jn.NewtonSolver()),
    }
    found = {}
    for name, options in scenes.items():
        found[name] = run(*options)
        print(f"  {name}: {found[name]}")
    return found


def goals(found: dict) -> list[tuple[str, str, str, bool]]:
    ball, splash = found["ball"], found["splash"]
    return [
        (
            f"ball of {ball['nodes']} nodes, per step",
            f"{ball['ms_per_step']:.0f} ms",
            "at most 20 ms",
            ball["ms_per_step"] <= 20,
        ),
        (
            f"contact's share of a step, splash of {splash['nodes']} nodes",
            f"{splash['contact_share']:.0%}",
            "under 35 %",
            splash["contact_share"] < 0.35,
        ),
    ]

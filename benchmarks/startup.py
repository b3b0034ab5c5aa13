"""How long a user waits before the first step: `jounce --help`, a warm start of a scene, a cold one that compiles."""

import os
import subprocess
import sys
import tempfile
import time

SCENES = ("rotating-cube", "untwisting-cuboid")
FIRST_STEP = (
    "import jounce as jn; from jounce import gallery; system = jn.build(gallery.scene('{name}'));"
    "jn.simulate(system, integrator='a-search', step=1/60, steps=1)"
)


def _wall(*command: str, **environment: str) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **environment})
    return time.perf_counter() - begun


def measure() -> dict:
    found: dict = {
        "help_s": min(_wall(sys.executable, "-m", "jounce.cli.main", "--help") for _ in range(5)),
        "scenes": {},
    }
    for name in SCENES:
        command = (sys.executable, "-c", FIRST_STEP.format(name=name))
        with tempfile.TemporaryDirectory() as cache:
            cold = _wall(*command, JOUNCE_CACHE=cache)
            warm = min(_wall(*command, JOUNCE_CACHE=cache) for _ in range(3))
        found["scenes"][name] = {"cold_s": cold, "warm_s": warm}
    print(f"  {found}")
    return found


def goals(found: dict) -> list[tuple[str, str, str, bool]]:
    out = [("jounce --help", f"{found['help_s']:.2f} s", "under 0.6 s", found["help_s"] < 0.6)]
    for name, times in found["scenes"].items():
        out.append((f"{name}: warm start to first step", f"{times['warm_s']:.2f} s", "under 2 s", times["warm_s"] < 2))
        out.append((f"{name}: cold start, compiling", f"{times['cold_s']:.1f} s", "under 20 s", times["cold_s"] < 20))
    return out

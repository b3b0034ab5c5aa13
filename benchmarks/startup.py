"""How long a user waits before the first step: `jounce --help`, a warm start of a scene, a cold one.

python benchmarks/startup.py
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIRST_STEP = (
    "import time; t = time.perf_counter(); import jounce as jn; from jounce import gallery;"
    "scene = gallery.scene('{name}'); system = jn.build(scene);"
    "jn.simulate(system, integrator='a-search', step=1/60, steps=1); print(time.perf_counter() - t)"
)


def wall(*command: str, **environment: str) -> tuple[float, str]:
    begun = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **environment})
    return time.perf_counter() - begun, done.stdout


def main() -> None:
    results: dict[str, float] = {}
    results["help_s"] = min(wall(sys.executable, "-m", "jounce.cli.main", "--help")[0] for _ in range(5))
    for name in ("rotating-cube", "untwisting-cuboid"):
        with tempfile.TemporaryDirectory() as cache:
            cold = wall(sys.executable, "-c", FIRST_STEP.format(name=name), JOUNCE_CACHE=cache)[0]
            warm = min(
                wall(sys.executable, "-c", FIRST_STEP.format(name=name), JOUNCE_CACHE=cache)[0] for _ in range(3)
            )
        results[f"{name}_cold_s"], results[f"{name}_warm_s"] = cold, warm
    for name, seconds in results.items():
        print(f"{name:32s} {seconds:6.2f}")
    out = Path(__file__).parent / "results" / "startup.json"
    out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

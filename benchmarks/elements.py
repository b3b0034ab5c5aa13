"""Elements per second and core: energy, gradient, and gradient with projected Hessian of 100k tetrahedra of every solid."""

import numba
import numpy as np

import jounce as jn
from benchmarks.timing import best
from jounce import materials
from jounce.elements import Tets
from jounce.kernels.compile import config

CELLS = 26
RUNS = 12


def measure() -> dict:
    mesh = jn.meshes.box(size=(1, 1, 1), cells=(CELLS, CELLS, CELLS))
    x = mesh.vertices + np.random.default_rng(0).normal(size=mesh.vertices.shape) * 0.05 / CELLS
    threads = range(1, min(2, config.NUMBA_NUM_THREADS) + 1)
    found = {"tetrahedra": len(mesh.tets), "materials": {}}
    print(f"{found['tetrahedra']} tetrahedra, strain about 10 %; M elements/s per core with {list(threads)} threads")
    for name in materials.names("solid"):
        tets = Tets(mesh.vertices, mesh.tets, materials.create(name, youngs=1e6, poisson=0.3))
        rates = found["materials"][name] = {}
        for part, task in {
            "energy": lambda t=tets: t.energies(x),
            "gradient": lambda t=tets: t.gradients(x),
            "gradient and Hessian": lambda t=tets: t.linearise(x, psd=True),
        }.items():
            seconds = {}
            for n in threads:
                numba.set_num_threads(n)
                seconds[n] = best(task, RUNS)
            rates[part] = {
                "M_per_s_per_core": [len(mesh.tets) / seconds[n] / n / 1e6 for n in threads],
                "two_threads": seconds[1] / seconds[threads[-1]],
            }
        print(f"  {name:20s}", {part: [round(r, 2) for r in rate["M_per_s_per_core"]] for part, rate in rates.items()})
    return found


def goals(found: dict) -> list[tuple[str, str, str, bool]]:
    rate = found["materials"]["neo-hookean"]["gradient and Hessian"]
    per_core, speedup = min(rate["M_per_s_per_core"]), rate["two_threads"]
    return [
        ("neo-Hookean gradient and Hessian, per core", f"{per_core:.2f} M/s", "at least 1.7 M/s", per_core >= 1.7),
        ("the same on two threads", f"{speedup:.2f} x one", "at least 1.9 x", speedup >= 1.9),
    ]

"""Elements per second and core of gradient and projected Hessian: ``python benchmarks/elements.py [material]``."""

import argparse
import time

import numba
import numpy as np

from jounce import materials
from jounce.elements import Tets


def box(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """A unit cube of cells^3 cubes with six tetrahedra each around the diagonal: positions and nodes."""
    n = cells + 1
    axis = np.linspace(0.0, 1.0, n)
    positions = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    corner = np.arange(n**3).reshape(n, n, n)[:-1, :-1, :-1].reshape(-1, 1)
    cube = np.array([0, 1, n, n + 1, n * n, n * n + 1, n * n + n, n * n + n + 1])
    paths = np.array([(0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7)])
    return positions, (corner[:, :, None] + cube[paths][None]).reshape(-1, 4)


def best(function, runs: int) -> float:
    """Shortest time of several runs in seconds: other work on the machine can only add."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("material", nargs="?", default="neo-hookean", choices=materials.names("solid"))
    parser.add_argument("--cells", type=int, default=26, help="cubes along each edge; six tetrahedra each")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()

    rest, nodes = box(options.cells)
    tets = Tets(rest, nodes, materials.create(options.material, youngs=1e6, poisson=0.3))
    x = rest + np.random.default_rng(0).normal(size=rest.shape) * 0.05 / options.cells
    tasks = {
        "energies": lambda: tets.energies(x),
        "gradients": lambda: tets.gradients(x),
        "linearise": lambda: tets.linearise(x, psd=True),
    }
    print(f"{len(nodes)} tetrahedra, {options.material}, strain about 10 %, best of {options.runs} runs")
    for name, task in tasks.items():
        start = time.perf_counter()
        task()
        first = time.perf_counter() - start
        seconds = {}
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            seconds[threads] = best(task, options.runs)
            rate = len(nodes) / seconds[threads] / threads / 1e6
            print(f"  {name:10} {threads} thread(s): {rate:5.2f} M elements/s per core")
        print(f"  {name:10} two threads are {seconds[1] / min(seconds.values()):.2f} x one; first call {first:.2f} s")
    print(f"  threading layer: {numba.threading_layer()}")


if __name__ == "__main__":
    main()

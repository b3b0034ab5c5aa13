"""Times the sparse product, assembly and linear solvers: python -m benchmarks.linear [cells per edge].

The product is compared with the copy bandwidth of the machine, measured with the same threads. Every time is the best
of several runs, since cores may be shared.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import scipy.sparse.linalg as spla

from jounce.core.assembly import Assembler
from jounce.core.blocks import BlockMatrix, BlockPattern
from jounce.kernels import block_sparse
from jounce.solvers import factors, linear
from tests.solvers.problems import bar, bar_mesh, right_side


def best(action: Callable[[], object], repeats: int = 15) -> float:
    """Shortest time of several runs, in seconds; one run before warms up."""
    action()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return min(times)


@numba.njit(parallel=True)
def copy(source, target):
    for i in numba.prange(source.size):
        target[i] = source[i]


def copy_bandwidth() -> float:
    """Bytes read plus bytes written per second, for arrays far larger than the caches."""
    source = np.ones(20_000_000)
    target = np.ones_like(source)
    return 2 * source.nbytes / best(lambda: copy(source, target))


def product(A: BlockMatrix, copied: float) -> None:
    p, x = A.pattern, right_side(A.shape[0])
    y = np.empty_like(x)
    moved = A.values.nbytes + p.indices.nbytes + p.indptr.nbytes + x.nbytes + y.nbytes
    seconds = best(lambda: block_sparse.multiply(p.indptr, p.indices, A.values, x, y))
    csr = A.tocsr()
    scipy_seconds = best(lambda: csr @ x, 5)
    print(
        f"  product   {seconds * 1e3:8.3f} ms  {moved / seconds / 1e9:6.1f} GB/s of {moved / 1e6:.0f} MB, "
        f"{moved / seconds / copied:.0%} of copy, {scipy_seconds / seconds:.1f} x scipy csr (one thread)"
    )


def assembly(cells: int) -> None:
    X, T = bar_mesh(cells, cells, cells, 0.1)
    everyone = np.arange(len(X))
    begin = time.perf_counter()
    pattern = BlockPattern.from_elements([T], everyone, len(X))
    assembler = Assembler(pattern, T, everyone)
    setup = time.perf_counter() - begin
    rng = np.random.default_rng(0)
    blocks, gradients = rng.standard_normal((len(T), 10, 3, 3)), rng.standard_normal((len(T), 4, 3))
    values, force = np.empty((pattern.nnz, 9)), np.empty(3 * len(X))
    for name, seconds, moved in (
        ("matrix", best(lambda: assembler.matrix(blocks, out=values)), blocks.nbytes + values.nbytes),
        ("vector", best(lambda: assembler.vector(gradients, out=force)), gradients.nbytes + force.nbytes),
    ):
        print(f"  {name}    {seconds * 1e3:8.3f} ms  {moved / seconds / 1e9:6.1f} GB/s for {len(T)} tetrahedra")
    print(f"  set up    {setup * 1e3:8.0f} ms, once per pattern")


def solvers(A: BlockMatrix) -> None:
    b = right_side(A.shape[0])
    for tolerance in (1e-3, 1e-8):
        pcg = linear.create("pcg", tolerance=tolerance)
        seconds, solution = best(lambda solver=pcg: solver.solve(A, b), 3), pcg.solve(A, b)
        csr, inverse = A.tocsr(), 1.0 / A.diagonal()
        operator: Any = spla.LinearOperator
        jacobi = operator(csr.shape, matvec=lambda r, d=inverse: d * r)
        reference = best(lambda t=tolerance, c=csr, m=jacobi: spla.cg(c, b, rtol=t, M=m), 1)
        print(
            f"  pcg {tolerance:.0e} {seconds * 1e3:8.1f} ms  {solution.iterations} iterations; "
            f"scipy cg with Jacobi {reference * 1e3:.1f} ms"
        )
    for name in factors.installed():
        if name == "superlu" and A.shape[0] > 20_000:
            continue
        direct = linear.create("direct", factorisation=name)
        print(f"  {name:9s} {best(lambda solver=direct: solver.solve(A, b), 2) * 1e3:8.1f} ms")


def main() -> None:
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 26
    K, masses, _ = bar(cells, cells, cells)
    for threads in range(1, numba.get_num_threads() + 1):
        numba.set_num_threads(threads)
        copied = copy_bandwidth()
        print(f"{threads} threads, copy {copied / 1e9:.1f} GB/s, {K}")
        product(K, copied)
        assembly(cells)
    solvers(K.plus_diagonal(100.0 * masses))


if __name__ == "__main__":
    main()

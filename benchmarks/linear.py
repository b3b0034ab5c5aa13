"""The sparse product against the machine's copy bandwidth, assembly, and the linear solvers beside scipy's."""

from typing import Any

import numba
import numpy as np
import scipy.sparse.linalg as spla

import jounce as jn
from benchmarks.scenes import bar
from benchmarks.timing import best, copy_bandwidth
from jounce.core.blocks import BlockMatrix
from jounce.core.matrices import combine
from jounce.kernels import block_sparse
from jounce.kernels.compile import config
from jounce.solvers import factors, linear

PRODUCT_NODES = 80_000
"""A matrix of 70 MB: larger than the caches."""
SOLVER_NODES = 10_000
STEP = 1 / 60


def product(A: BlockMatrix) -> dict:
    p, x = A.pattern, np.random.default_rng(0).standard_normal(A.shape[0])
    y, seconds = np.empty_like(x), np.inf
    moved = A.values.nbytes + p.indices.nbytes + p.indptr.nbytes + x.nbytes + y.nbytes
    found = []
    for threads in range(1, min(2, config.NUMBA_NUM_THREADS) + 1):
        numba.set_num_threads(threads)
        copied = copy_bandwidth()
        seconds = best(lambda: block_sparse.multiply(p.indptr, p.indices, A.values, x, y), 30)
        found.append({"threads": threads, "GB_per_s": moved / seconds / 1e9, "of_copy": moved / seconds / copied})
    csr = A.tocsr()
    return {"megabytes": moved / 1e6, "runs": found, "scipy_csr_over_ours": best(lambda: csr @ x, 10) / seconds}


def assembly(system: Any) -> dict:
    elastic, term = system.prepare(system.initial_state(), STEP)[0].elastic, system.terms[0]
    assembler = elastic.layout.assemblers[id(term)]
    gradients, blocks = term.linearise(system.start, True)
    values = np.empty((elastic.layout.pattern.nnz, 9))
    matrix = best(lambda: assembler.matrix(blocks, out=values), 15)
    return {
        "tetrahedra": len(term.nodes),
        "matrix_ms": 1e3 * matrix,
        "matrix_GB_per_s": (blocks.nbytes + values.nbytes) / matrix / 1e9,
        "vector_ms": 1e3 * best(lambda: assembler.vector(gradients), 15),
    }


def solvers(A: BlockMatrix) -> dict:
    b = np.random.default_rng(1).standard_normal(A.shape[0])
    csr, inverse = A.tocsr(), 1.0 / A.diagonal()
    operator: Any = spla.LinearOperator
    jacobi = operator(csr.shape, matvec=lambda r: inverse * r)
    pcg = linear.create("pcg", tolerance=1e-6)
    found = {
        "pcg_ms": 1e3 * best(lambda: pcg.solve(A, b), 3),
        "pcg_iterations": pcg.solve(A, b).iterations,
        "scipy_cg_ms": 1e3 * best(lambda: spla.cg(csr, b, rtol=1e-6, M=jacobi), 1),
    }
    for name in factors.installed():
        direct = linear.create("direct", factorisation=name)
        found[f"{name}_ms"] = 1e3 * best(lambda solver=direct: solver.solve(A, b), 1)
    return found


def matrix(nodes: int) -> tuple[Any, BlockMatrix]:
    """A bar of that many nodes, and the matrix of its first Newton iteration."""
    system = jn.build(bar(nodes))
    mech, start = system.prepare(system.initial_state(), STEP)
    A = combine([(1.0, mech.elastic.hessian(start.q, psd=True))], mass=mech.mass, weight=1 / STEP**2)
    assert isinstance(A, BlockMatrix)
    return system, A


def measure() -> dict:
    large, A = matrix(PRODUCT_NODES)
    small, B = matrix(SOLVER_NODES)
    found = {"product": product(A), "assembly": assembly(large), "solvers": {"nodes": len(small.masses), **solvers(B)}}
    for part, numbers in found.items():
        print(f"  {part}: {numbers}")
    return found


def goals(found: dict) -> list[tuple[str, str, str, bool]]:
    run = found["product"]["runs"][-1]
    what = f"block-sparse product, {run['threads']} thread(s)"
    return [(what, f"{run['of_copy']:.0%} of copy bandwidth", "at least 80 %", run["of_copy"] >= 0.8)]

"""Conjugate gradients preconditioned by the inverses of the 3x3 diagonal blocks.

The stop on negative curvature is that of Gast, Schroeder, Stomakhin, Jiang and Teran (2015), section 3.1. Dot products
sum chunks of fixed size and then the chunk sums in order, so the result has the same bits on any number of threads.
"""

import numba
import numpy as np
import scipy.sparse as sp

from jounce.core.blocks import BlockMatrix
from jounce.kernels.conjugate_gradients import (
    BROKEN,
    CAPPED,
    CONVERGED,
    INDEFINITE,
    STALLED,
    invert_blocks,
    iterate,
)
from jounce.solvers.solution import Array, LinearSolution, Matrix, checked_right_side, refusal, relative_residual

ROWS_PER_THREAD = 512  # with fewer block rows, waiting for each other costs threads more than the work
DRIFT = 1.1  # how far above its tolerance the true residual may end


class PCGSolver:
    """Block-Jacobi preconditioned conjugate gradients.

    `tolerance` bounds |b - A x| / |b|. On negative curvature it stops with the last iterate, in the first iteration
    with the right side itself, which is still a descent direction for a minimiser.
    """

    def __init__(self, *, tolerance: float = 1e-6, max_iterations: int = 2000) -> None:
        if not 0.0 < tolerance < 1.0:
            raise ValueError(f"The tolerance of PCG is relative and lies between 0 and 1, not {tolerance}.")
        if max_iterations < 1:
            raise ValueError(f"PCG needs at least one iteration, not {max_iterations}.")
        self.tolerance = tolerance
        self.max_iterations = max_iterations

    def solve(
        self, A: Matrix, b: Array, *, tolerance: float | None = None, guess: Array | None = None
    ) -> LinearSolution:
        """Solve A x = b, from zero or from `guess`."""
        b = checked_right_side(A, b)
        answered = refusal(A, b, "pcg")
        if answered is not None:
            return answered
        matrix = as_blocks(A)
        n, padded = b.size, matrix.shape[0]
        scale = 2.0 ** float(np.frexp(np.abs(b).max())[1])  # keeps squares of tiny or huge forces in range
        right, x = np.zeros(padded), np.zeros(padded)
        right[:n] = b / scale
        if guess is not None:
            x[:n] = np.reshape(guess, -1) / scale
        limit = self.tolerance if tolerance is None else tolerance
        p = matrix.pattern
        inverses, bad = np.empty((p.n_blocks, 9)), np.zeros(p.n_blocks, dtype=np.bool_)
        invert_blocks(matrix.values, p.diagonal, inverses, bad)
        iterations, state, residual = 0, STALLED, np.inf
        threads = numba.get_num_threads()
        numba.set_num_threads(max(1, min(threads, p.n_blocks // ROWS_PER_THREAD)))
        while iterations < self.max_iterations:
            left = self.max_iterations - iterations
            more, state = iterate(p.indptr, p.indices, matrix.values, inverses, right, x, limit, left)
            if state == INDEFINITE and iterations + more == 0:
                x = right.copy()
            iterations += more
            if not np.isfinite(x).all():
                x, state = right.copy(), BROKEN
            last, residual = residual, relative_residual(matrix, x, right)
            if state != CONVERGED or residual <= DRIFT * limit:
                break
            state = STALLED  # the updated residual drifted from b - A x: restart, unless that did not help
            if residual > 0.5 * last:
                break
        numba.set_num_threads(threads)
        indefinite = state == INDEFINITE or bool(bad.any())
        note = stop_note(state, iterations, residual, limit)
        return LinearSolution(x[:n] * scale, iterations, residual, "pcg", state == CONVERGED, indefinite, note)


def as_blocks(A: Matrix) -> BlockMatrix:
    """A as a block matrix; where its size is no multiple of three, ones are added on the diagonal."""
    if isinstance(A, BlockMatrix):
        return A
    sparse = sp.csr_array(A)
    missing = -A.shape[0] % 3
    return BlockMatrix.from_scipy(sp.block_diag([sparse, sp.eye_array(missing)]) if missing else sparse)


def stop_note(state: int, iterations: int, residual: float, limit: float) -> str:
    """A sentence on why the iterations stopped; empty when they converged."""
    if state == CAPPED:
        return (
            f"The solver stopped at its cap of {iterations} iterations with residual {residual:.1e}, wanted "
            f"{limit:.1e}; use the direct or multigrid solver, or a looser tolerance."
        )
    if state == INDEFINITE:
        return f"The matrix is not positive definite: negative curvature in iteration {iterations + 1}."
    if state == STALLED:
        return f"Roundoff stopped the iterations at residual {residual:.1e}, wanted {limit:.1e}; use the direct solver."
    if state == BROKEN:
        return "The iterations broke down: their numbers overflowed; look for extreme stiffness or mass ratios."
    return ""

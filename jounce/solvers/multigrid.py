"""Conjugate gradients preconditioned by smoothed aggregation multigrid, through pyamg."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.core.blocks import BlockMatrix
from jounce.kernels.conjugate_gradients import BROKEN, CAPPED, CONVERGED, EPSILON, INDEFINITE
from jounce.solvers.pcg import as_blocks, stop_note
from jounce.solvers.solution import (
    Array,
    LinearSolution,
    Matrix,
    checked_right_side,
    dot,
    norm,
    refusal,
    relative_residual,
)


class MultigridSolver:
    """PCG whose preconditioner is one V-cycle of smoothed aggregation; for large or nearly incompressible systems.

    `positions` (n, 3) of the block rows give the three rotations among the modes of zero energy; without them only the
    three translations are known, which costs iterations. The hierarchy is built anew for each matrix.
    Reference: Vanek, Mandel and Brezina (1996).
    """

    def __init__(
        self, *, positions: ArrayLike | None = None, tolerance: float = 1e-6, max_iterations: int = 500
    ) -> None:
        self.positions = None if positions is None else np.asarray(positions, dtype=np.float64).reshape(-1, 3)
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        try:
            self._pyamg: Any = importlib.import_module("pyamg")
        except ImportError as error:
            raise ImportError("The multigrid solver needs pyamg: pip install 'jounce[fast]'.") from error

    def solve(
        self, A: Matrix, b: Array, *, tolerance: float | None = None, guess: Array | None = None
    ) -> LinearSolution:
        """Solve A x = b, from zero or from `guess`."""
        b = checked_right_side(A, b)
        answered = refusal(A, b, "multigrid")
        if answered is not None:
            return answered
        matrix, n = as_blocks(A), b.size
        right, start = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[0])
        right[:n] = b
        if guess is not None:
            start[:n] = np.reshape(guess, -1)
        limit = self.tolerance if tolerance is None else tolerance
        cycle = self._preconditioner(matrix)
        x, iterations, state = preconditioned(matrix, right, start, cycle, limit, self.max_iterations)
        x = x[:n].copy()
        residual = relative_residual(A, x, b)
        note = stop_note(state, iterations, residual, limit)
        return LinearSolution(x, iterations, residual, "multigrid", state == CONVERGED, state == INDEFINITE, note)

    def _preconditioner(self, matrix: BlockMatrix) -> Callable[[Array], Array]:
        modes = rigid_modes(self.positions, matrix.pattern.n_blocks)
        hierarchy = self._pyamg.smoothed_aggregation_solver(matrix.tobsr(), B=modes, symmetry="symmetric")
        return hierarchy.aspreconditioner(cycle="V").matvec


def rigid_modes(positions: Array | None, n_blocks: int) -> Array:
    """Translations, and rotations about the centre where positions are known; (3n, 3) or (3n, 6)."""
    modes = np.tile(np.eye(3), (n_blocks, 1))
    if positions is None:
        return modes
    if len(positions) != n_blocks:
        raise ValueError(f"Multigrid was given {len(positions)} positions for {n_blocks} block rows.")
    arms = positions - positions.mean(axis=0)
    turns = [np.cross(axis, arms).reshape(-1, 1) for axis in np.eye(3)]
    return np.hstack([modes, *turns]).astype(np.float64)


def preconditioned(
    A: BlockMatrix, b: Array, x: Array, precondition: Callable[[Array], Array], tolerance: float, cap: int
) -> tuple[Array, int, int]:
    """Conjugate gradients with any symmetric preconditioner; stops as the compiled loop of `pcg` does."""
    r = b - A @ x
    z = precondition(r)
    p, rz = z.copy(), dot(r, z)
    target = tolerance * norm(b)
    for iteration in range(cap + 1):
        size = norm(r)
        if size <= target:
            return x, iteration, CONVERGED
        if not (np.isfinite(size) and np.isfinite(rz)):
            return (x if np.isfinite(x).all() else b.copy()), iteration, BROKEN
        if iteration == cap:
            break
        q = A @ p
        curvature = dot(p, q)
        if curvature <= EPSILON * norm(p) * norm(q) or rz <= 0.0:
            return (b.copy() if iteration == 0 else x), iteration, INDEFINITE
        x = x + (rz / curvature) * p
        r = r - (rz / curvature) * q
        z = precondition(r)
        rz, last = dot(r, z), rz
        p = z + (rz / last) * p
    return x, cap, CAPPED

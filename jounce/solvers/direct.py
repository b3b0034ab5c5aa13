"""Direct solution: the fastest sparse factorisation installed, every answer checked by its residual."""

import warnings
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from jounce.core.blocks import BlockMatrix, BlockPattern
from jounce.solvers.factors import (
    CHOLESKY,
    Factor,
    NotPositiveDefiniteError,
    SingularError,
    SuperLU,
    installed,
)
from jounce.solvers.solution import Array, LinearSolution, Matrix, checked_right_side, refusal, relative_residual

DENSE_BELOW = 120  # unknowns; below, a dense Cholesky is as fast as a sparse one
WORKING_PRECISION = 1e-15


class DirectSolver:
    """Cholesky where A is positive definite, else LU with pivoting.

    `factorisation` is one of `factors.installed()`, by default the first. The ordering is kept only while the pattern
    of a `BlockMatrix` is the same object; numbers are always factored anew.
    """

    def __init__(self, *, factorisation: str | None = None, tolerance: float = 1e-8) -> None:
        choices = installed()
        if factorisation is not None and factorisation not in choices:
            raise ValueError(f"No factorisation '{factorisation}' is installed; there is {', '.join(choices)}.")
        self.factorisation = factorisation or choices[0]
        self.tolerance = tolerance
        self._cholesky = CHOLESKY[self.factorisation]() if self.factorisation in CHOLESKY else None

    def solve(
        self, A: Matrix, b: Array, *, tolerance: float | None = None, guess: Array | None = None
    ) -> LinearSolution:
        """Solve A x = b. A residual above `tolerance` (default 1e-8) is reported; `guess` is not needed."""
        b = checked_right_side(A, b)
        answered = refusal(A, b, "direct")
        if answered is not None:
            return answered
        limit = self.tolerance if tolerance is None else max(tolerance, WORKING_PRECISION)
        if isinstance(A, np.ndarray):
            return _dense(A, b, limit)
        if b.size < DENSE_BELOW:
            return _dense(A.toarray(), b, limit)
        return self._sparse(A, b, limit)

    def _sparse(self, A: Matrix, b: Array, limit: float) -> LinearSolution:
        pattern = A.pattern if isinstance(A, BlockMatrix) else None
        matrix = sp.csc_array(A.tocsr() if isinstance(A, BlockMatrix) else A)
        matrix.sort_indices()
        indefinite, best = False, _failed(b, matrix, "direct (superlu)")
        for pivoting in (False, True):
            try:
                factor, name = self._factor(matrix, pattern, pivoting)
            except SingularError:
                indefinite = True
                continue
            indefinite = indefinite or (not pivoting and factor.negative != 0)
            x = _refined(factor, matrix, b)
            if x is None:
                continue
            solution = _judged(matrix, b, x, f"direct ({name})", indefinite, limit)
            if solution.converged:
                return solution
            if solution.residual < best.residual:
                best = solution
        return best

    def _factor(self, matrix: sp.csc_array, pattern: BlockPattern | None, pivoting: bool) -> tuple[Factor, str]:
        if self._cholesky is not None and not pivoting:
            try:
                return self._cholesky.factor(matrix, pattern), self.factorisation
            except NotPositiveDefiniteError:
                pass
        return SuperLU(matrix, pivoting=pivoting), "superlu"


def _refined(factor: Factor, matrix: Matrix, b: Array) -> Array | None:
    """The solution after one step of iterative refinement, if that helped; None where it is not finite."""
    x = factor.solve(b)
    if not np.isfinite(x).all():
        return None
    better = x + factor.solve(b - matrix @ x)
    improves = np.isfinite(better).all() and relative_residual(matrix, better, b) < relative_residual(matrix, x, b)
    return better if improves else x


def _dense(A: Array, b: Array, limit: float) -> LinearSolution:
    """Cholesky; if A is not positive definite, symmetric elimination; if that is singular, least squares."""
    try:
        x = la.cho_solve(la.cho_factor(A, lower=True, check_finite=False), b, check_finite=False)
        return _judged(A, b, x, "direct (dense)", False, limit)
    except la.LinAlgError:
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", la.LinAlgWarning)  # reciprocal condition below roundoff
            x = la.solve(A, b, check_finite=False)
    except (la.LinAlgError, la.LinAlgWarning):
        x = np.full_like(b, np.nan)
    if np.isfinite(x).all() and not _grew(A, b, x):
        return _judged(A, b, x, "direct (dense)", True, limit)
    least: Any = la.lstsq(A, b)
    x = np.asarray(least[0])
    residual = relative_residual(A, x, b)
    note = "The matrix is singular; the least squares solution of smallest norm was taken. " + REMEDY
    return LinearSolution(x, 1, residual, "direct (least squares)", residual <= limit, True, note)


REMEDY = "Clamp the body, give it mass, or regularise the stiffness."


def _grew(A: Matrix, b: Array, x: Array) -> bool:
    """Whether x is so large that A is singular to working precision."""
    return float(abs(A).max()) * float(np.abs(x).max()) * WORKING_PRECISION > float(np.abs(b).max())


def _judged(A: Matrix, b: Array, x: Array, method: str, indefinite: bool, limit: float) -> LinearSolution:
    if not np.isfinite(x).all():
        return _failed(b, A, method)
    residual = relative_residual(A, x, b)
    note = ""
    if _grew(A, b, x):
        note = f"The matrix is singular to working precision: |x| reached {np.abs(x).max():.1e}. {REMEDY}"
    elif residual > limit:
        note = f"The direct solution has residual {residual:.1e}, wanted {limit:.1e}; the matrix is ill-conditioned."
    elif indefinite:
        note = "The matrix is not positive definite."
    return LinearSolution(x, 1, residual, method, residual <= limit and not _grew(A, b, x), indefinite, note)


def _failed(b: Array, A: Matrix, method: str) -> LinearSolution:
    """The right side stands in for the solution, as in PCG."""
    note = f"The matrix is singular; the right side was taken in place of the solution. {REMEDY}"
    return LinearSolution(b.copy(), 1, relative_residual(A, b, b), method, False, True, note)

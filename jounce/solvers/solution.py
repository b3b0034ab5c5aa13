"""What every linear solver takes and gives."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from jounce.core.blocks import BlockMatrix

Array = NDArray[np.float64]
Matrix = Any  # BlockMatrix, scipy sparse matrix or dense array; symmetric


@dataclass(frozen=True)
class LinearSolution:
    """The answer to A x = b, and how far it can be trusted.

    `residual` is |b - A x| / |b|. `indefinite` says that A is known not to be positive definite; x may still solve the
    system. When `converged` is false, `note` says why in a sentence.
    """

    x: Array
    iterations: int
    residual: float
    method: str
    converged: bool
    indefinite: bool = False
    note: str = ""


class LinearSolver(Protocol):
    """Solves A x = b for symmetric A; reports failure in the solution, never by an exception."""

    def solve(
        self, A: Matrix, b: Array, *, tolerance: float | None = None, guess: Array | None = None
    ) -> LinearSolution: ...


def checked_right_side(A: Matrix, b: Array) -> Array:
    """b as a flat float vector that fits A."""
    vector = np.ascontiguousarray(b, dtype=np.float64).reshape(-1)
    if A.shape[0] != A.shape[1] or A.shape[0] != vector.size:
        raise ValueError(f"A matrix of shape {A.shape} and a right side of {vector.size} numbers do not fit.")
    return vector


def relative_residual(A: Matrix, x: Array, b: Array) -> float:
    """|b - A x| / |b|, or |A x| where b is zero."""
    return norm(b - A @ x) / (norm(b) or 1.0)


def dot(a: Array, b: Array) -> float:
    """a.b by numpy's own sum: unlike with BLAS, threads neither change the bits nor are left spinning."""
    return float(np.sum(a * b))


def norm(a: Array) -> float:
    """Euclidean length."""
    return dot(a, a) ** 0.5


def entries(A: Matrix) -> Array:
    """The stored numbers of A."""
    if isinstance(A, BlockMatrix):
        return A.values
    return np.asarray(sp.csr_array(A).data if sp.issparse(A) else A, dtype=np.float64)


def refusal(A: Matrix, b: Array, method: str) -> LinearSolution | None:
    """The answer where there is nothing to solve: b is zero, or something is not finite."""
    if not np.isfinite(b).all():
        return LinearSolution(
            np.zeros_like(b), 0, np.nan, method, False, note="The right side of the linear system is not finite."
        )
    if not np.isfinite(entries(A)).all():
        return LinearSolution(
            np.zeros_like(b), 0, np.nan, method, False, note="The matrix of the linear system has entries not finite."
        )
    if not b.any():
        return LinearSolution(np.zeros_like(b), 0, 0.0, method, True)
    return None

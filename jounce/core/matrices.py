"""Sums of matrices of any kind: dense, scipy sparse, or 3 x 3 blocks."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from .arrays import Matrix
from .blocks import BlockMatrix, linear_combination
from .mass import DenseMass, DiagonalMass, Mass


def combine(terms: Sequence[tuple[float, Matrix]], *, mass: Mass | None = None, weight: float = 0.0) -> Matrix:
    """sum_k c_k A_k + weight M; a matrix that is None counts as zero, and so does an empty sum."""
    present = [(c, a) for c, a in terms if a is not None and c != 0.0]
    if present and all(isinstance(a, BlockMatrix) for _, a in present):
        if mass is None:
            return linear_combination(present)
        if isinstance(mass, DiagonalMass):
            return linear_combination(present, diagonal=weight * mass.diagonal)
    total: Matrix = None
    for c, a in present:
        total = c * a if total is None else total + c * a
    if mass is None or weight == 0.0:
        return total
    inertia = _matrix_of(mass, weight, like=total)
    return inertia if total is None else total + inertia


def _matrix_of(mass: Mass, weight: float, *, like: Matrix) -> Matrix:
    if isinstance(mass, DenseMass):
        return weight * mass.matrix
    assert isinstance(mass, DiagonalMass)
    if isinstance(like, np.ndarray) or mass.diagonal.size <= 64:
        return np.diag(weight * mass.diagonal)
    return sparse.diags_array(weight * mass.diagonal, format="csr")

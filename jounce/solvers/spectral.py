"""The lowest vibration modes of a stiffness and a mass: K v = lambda M v, lambda = omega^2."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from jounce.core.blocks import BlockMatrix
from jounce.solvers.factors import Factor, NotPositiveDefiniteError, SingularError, definite_factor
from jounce.solvers.solution import Array, Matrix

DENSE_BELOW = 400  # unknowns


@dataclass(frozen=True)
class Modes:
    """Eigenvalues lambda (1/s^2), ascending, and vectors (n, count) with V^T M V = 1."""

    eigenvalues: Array
    vectors: Array

    @property
    def frequencies(self) -> Array:
        """Frequencies in Hz; zero for rigid and for unstable modes."""
        return np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2.0 * np.pi)


def lowest_modes(stiffness: Matrix, mass: Any, count: int) -> Modes:
    """The `count` lowest modes, by dense algebra when small and by shift-invert Lanczos when large.

    `mass` is a diagonal (n,) or a positive definite matrix. Free bodies (six zero eigenvalues) and indefinite
    stiffness are allowed: the shift is put below the lowest eigenvalue. The same input gives the same bits.
    """
    n = stiffness.shape[0]
    if not 1 <= count <= n:
        raise ValueError(f"A system of {n} unknowns has modes 1 to {n}; {count} were asked for.")
    K, M = _sparse(stiffness), _mass_matrix(mass, n)
    if n <= DENSE_BELOW or 2 * count >= n:
        values, vectors = la.eigh(K.toarray(), M.toarray(), subset_by_index=(0, count - 1))
        return Modes(values, vectors)
    shift, factor = _factor_below(K, M)
    operator: Any = spla.LinearOperator
    inverse = operator((n, n), matvec=lambda b: factor.solve(np.asarray(b).reshape(-1)), dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(n)
    _, vectors = spla.eigsh(K, k=count, M=M, sigma=shift, which="LM", OPinv=inverse, v0=start)
    # A last Rayleigh-Ritz step makes clusters, such as the six rigid modes, exactly orthonormal.
    values, turn = la.eigh(vectors.T @ (K @ vectors), vectors.T @ (M @ vectors))
    return Modes(values, vectors @ turn)


def _factor_below(K: sp.csc_array, M: sp.csc_array) -> tuple[float, Factor]:
    """A shift below the lowest eigenvalue, and the factor of K - shift M.

    The shift goes down tenfold until no pivot is negative; then K - shift M is positive definite.
    """
    scale = float(np.max(np.abs(K.diagonal()) / M.diagonal())) or 1.0
    shift = -1e-8 * scale
    for _ in range(20):
        try:
            return shift, definite_factor(sp.csc_array(K - shift * M))
        except (NotPositiveDefiniteError, SingularError):
            shift *= 10.0
    raise ValueError(f"No shift down to {shift:.1e} makes stiffness and mass positive definite; is the mass positive?")


def _sparse(matrix: Matrix) -> sp.csc_array:
    sparse = sp.csc_array(matrix.tocsr() if isinstance(matrix, BlockMatrix) else matrix)
    if not np.isfinite(sparse.data).all():
        raise ValueError("The matrix of an eigenvalue problem has entries that are not finite.")
    return sparse


def _mass_matrix(mass: Any, n: int) -> sp.csc_array:
    M = _sparse(sp.diags_array(np.asarray(mass)) if isinstance(mass, np.ndarray) and mass.ndim == 1 else mass)
    if M.shape != (n, n):
        raise ValueError(f"The mass has shape {M.shape} but the stiffness has {n} rows.")
    worst = int(np.argmin(M.diagonal()))
    if not M.diagonal()[worst] > 0.0:
        raise ValueError(
            f"The mass of unknown {worst} (node {worst // 3}) is {M.diagonal()[worst]:.3g}; modes need positive ones. "
            "Is the node part of any element?"
        )
    return M

"""The frame in which a material's law is written: singular vectors of F, or the fixed axes of linear elasticity.

In both frames the derivative of the stress has the same form. With G = U^T dF V it is

    dP_ii = sum_j A_ij G_jj,      dP_ij = m_ij G_ij + d_ij G_ji   (i != j),
    m = (flip + twist) / 2,       d = (flip - twist) / 2,

where (flip, twist) belong to the symmetric and antisymmetric parts of G in the planes 01, 02, 12. A `Frame` gives
``split``: F -> U, s, V and ``join``: U, p, V -> P; a law maps s to energy, stress p and stiffness, and never sees F.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jounce.kernels.algebra import Matrix, Symmetric, Vector, conjugate, positive_part
from jounce.kernels.compile import element_function
from jounce.kernels.svd import svd


class Frame(NamedTuple):
    """How F is split into axes and strain, and how a stress in these axes becomes P."""

    split: Any
    join: Any


@element_function
def _join_principal(U: Matrix, p: Vector, V: Matrix) -> Matrix:
    """P = U diag(p) V^T"""
    return conjugate(U, (p[0], 0.0, 0.0, 0.0, p[1], 0.0, 0.0, 0.0, p[2]), V)


@element_function
def _split_fixed(F: Matrix) -> tuple[Matrix, Symmetric, Matrix]:
    """U = V = I and the symmetric part of F - I."""
    eye = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    strain = (
        F[0] - 1.0, 0.5 * (F[1] + F[3]), 0.5 * (F[2] + F[6]), F[4] - 1.0, 0.5 * (F[5] + F[7]), F[8] - 1.0,
    )  # fmt: skip
    return eye, strain, eye


@element_function
def _join_fixed(U: Matrix, p: Symmetric, V: Matrix) -> Matrix:
    """The symmetric stress itself."""
    return (p[0], p[1], p[2], p[1], p[3], p[4], p[2], p[4], p[5])


PRINCIPAL = Frame(svd, _join_principal)
"""s: the three stretches (singular values, the last one signed); p: the three principal stresses."""

FIXED = Frame(_split_fixed, _join_fixed)
"""s: the six components (00, 01, 02, 11, 12, 22) of the small strain; p: those of the stress."""


@element_function
def clamp_stiffness(A: Symmetric, flips: Vector, twists: Vector) -> tuple[Symmetric, Vector, Vector]:
    """The nearest positive semi-definite stiffness: every negative eigenvalue of dP/dF set to zero."""
    f0, f1, f2 = flips
    t0, t1, t2 = twists
    return (
        positive_part(A),
        (0.0 if f0 < 0.0 else f0, 0.0 if f1 < 0.0 else f1, 0.0 if f2 < 0.0 else f2),
        (0.0 if t0 < 0.0 else t0, 0.0 if t1 < 0.0 else t1, 0.0 if t2 < 0.0 else t2),
    )


SMALLEST_SUM = 1e-8
"""Floor of s_i + s_j where a law divides by it."""


@element_function
def pair_sums(s: Vector) -> Vector:
    """s_i + s_j in the planes 01, 02, 12, but at least SMALLEST_SUM.

    The rotation in F = R S is not defined where s1 + s2 = 0 (half a turn from the nearest rotation), and the twist
    eigenvalue of every energy that contains R has a pole there. The floor keeps it finite.
    """
    a, b, c = s[0] + s[1], s[0] + s[2], s[1] + s[2]
    return (
        SMALLEST_SUM if a < SMALLEST_SUM else a,
        SMALLEST_SUM if b < SMALLEST_SUM else b,
        SMALLEST_SUM if c < SMALLEST_SUM else c,
    )


@element_function
def row1(table: Any, e: int) -> tuple[float]:
    """Row e of a table of one column."""
    return (table[e, 0],)


@element_function
def row2(table: Any, e: int) -> tuple[float, float]:
    """Row e of a table of two columns."""
    return table[e, 0], table[e, 1]


@element_function
def row3(table: Any, e: int) -> tuple[float, float, float]:
    """Row e of a table of three columns."""
    return table[e, 0], table[e, 1], table[e, 2]


@element_function
def row4(table: Any, e: int) -> tuple[float, float, float, float]:
    """Row e of a table of four columns."""
    return table[e, 0], table[e, 1], table[e, 2], table[e, 3]


ROW = {1: row1, 2: row2, 3: row3, 4: row4}
"""How an element reads its material constants, by their number."""

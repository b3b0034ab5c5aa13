"""Rotation-variant singular value decomposition of a 3 x 3 matrix, and the polar decomposition from it.

F = U diag(s) V^T with det U = det V = +1 and s0 >= s1 >= |s2|: the sign of det F is carried by s2 (Irving, Teran and
Fedkiw 2004). One-sided Jacobi (Hestenes 1958) turns V until the columns of B = F V are orthogonal. It never forms
F^T F, so small singular values keep their digits, and a rank-deficient F needs no special case before U is completed.
"""

from __future__ import annotations

import math

from jounce.kernels.algebra import SWEEPS, Matrix, Vector, _rotate, _turn, conjugate, cross, dot
from jounce.kernels.compile import element_function

ORTHOGONAL = 1e-30
"""Two columns are orthogonal when the squared cosine of their angle is below this."""

SHORTEST = 1e-140
"""A column shorter than this has no direction: its square underflows."""


@element_function
def _negated(a: Vector) -> Vector:
    return (-a[0], -a[1], -a[2])


@element_function
def _unit(a: Vector, length: float) -> Vector:
    return (a[0] / length, a[1] / length, a[2] / length)


@element_function
def _perpendicular(a: Vector) -> Vector:
    """A unit vector perpendicular to the unit vector a."""
    b = (0.0, -a[2], a[1]) if abs(a[0]) < 0.6 else (-a[1], a[0], 0.0)
    return _unit(b, math.sqrt(dot(b, b)))


@element_function
def svd(F: Matrix) -> tuple[Matrix, Vector, Matrix]:
    """U, s, V with F = U diag(s) V^T. A NaN or an overflow in F gives NaN, never an endless loop."""
    v0, v1, v2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    b0, b1, b2 = (F[0], F[3], F[6]), (F[1], F[4], F[7]), (F[2], F[5], F[8])
    for _ in range(SWEEPS):
        turned = False
        n0, n1, g = dot(b0, b0), dot(b1, b1), dot(b0, b1)
        if g * g > ORTHOGONAL * n0 * n1:
            c, s, _ = _turn(n0, n1, g)
            b0, b1 = _rotate(b0, b1, c, s)
            v0, v1 = _rotate(v0, v1, c, s)
            turned = True
        n0, n2, g = dot(b0, b0), dot(b2, b2), dot(b0, b2)
        if g * g > ORTHOGONAL * n0 * n2:
            c, s, _ = _turn(n0, n2, g)
            b0, b2 = _rotate(b0, b2, c, s)
            v0, v2 = _rotate(v0, v2, c, s)
            turned = True
        n1, n2, g = dot(b1, b1), dot(b2, b2), dot(b1, b2)
        if g * g > ORTHOGONAL * n1 * n2:
            c, s, _ = _turn(n1, n2, g)
            b1, b2 = _rotate(b1, b2, c, s)
            v1, v2 = _rotate(v1, v2, c, s)
            turned = True
        if not turned:
            break
    # Sort by length, each exchange with one sign so that V stays a rotation.
    n0, n1, n2 = dot(b0, b0), dot(b1, b1), dot(b2, b2)
    if n0 < n1:
        b0, b1, v0, v1, n0, n1 = b1, _negated(b0), v1, _negated(v0), n1, n0
    if n1 < n2:
        b1, b2, v1, v2, n1, n2 = b2, _negated(b1), v2, _negated(v1), n2, n1
    if n0 < n1:
        b0, b1, v0, v1, n0, n1 = b1, _negated(b0), v1, _negated(v0), n1, n0
    s0, s1 = math.sqrt(n0), math.sqrt(n1)
    u0 = (1.0, 0.0, 0.0) if s0 < SHORTEST else _unit(b0, s0)
    u1 = _perpendicular(u0) if s1 < SHORTEST else _unit(b1, s1)
    u2 = cross(u0, u1)
    U = (u0[0], u1[0], u2[0], u0[1], u1[1], u2[1], u0[2], u1[2], u2[2])
    V = (v0[0], v1[0], v2[0], v0[1], v1[1], v2[1], v0[2], v1[2], v2[2])
    return U, (s0, s1, dot(b2, u2)), V


@element_function
def polar(F: Matrix) -> tuple[Matrix, Matrix]:
    """R, S with F = R S: R the rotation nearest to F, S symmetric (indefinite where F is inverted)."""
    U, s, V = svd(F)
    R = conjugate(U, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), V)
    S = conjugate(V, (s[0], 0.0, 0.0, 0.0, s[1], 0.0, 0.0, 0.0, s[2]), V)
    return R, S

"""3 x 3 matrices as tuples of nine scalars, row by row: products, determinant, inverse, and the symmetric PSD clamp."""

from __future__ import annotations

import math

from jounce.kernels.compile import element_function

Vector = tuple[float, float, float]
Symmetric = tuple[float, float, float, float, float, float]
"""The upper triangle, row by row: (00, 01, 02, 11, 12, 22)."""
Matrix = tuple[float, float, float, float, float, float, float, float, float]

SWEEPS = 12
"""Cyclic Jacobi converges quadratically: 4 to 6 sweeps are usual. The limit only bounds what a NaN can cost."""


@element_function
def dot(a: Vector, b: Vector) -> float:
    """a . b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@element_function
def cross(a: Vector, b: Vector) -> Vector:
    """a x b"""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@element_function
def apply(M: Matrix, a: Vector) -> Vector:
    """M a"""
    return (
        M[0] * a[0] + M[1] * a[1] + M[2] * a[2],
        M[3] * a[0] + M[4] * a[1] + M[5] * a[2],
        M[6] * a[0] + M[7] * a[1] + M[8] * a[2],
    )


@element_function
def apply_transposed(M: Matrix, a: Vector) -> Vector:
    """M^T a"""
    return (
        M[0] * a[0] + M[3] * a[1] + M[6] * a[2],
        M[1] * a[0] + M[4] * a[1] + M[7] * a[2],
        M[2] * a[0] + M[5] * a[1] + M[8] * a[2],
    )


@element_function
def transpose(M: Matrix) -> Matrix:
    """M^T"""
    return (M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8])


@element_function
def multiply(A: Matrix, B: Matrix) -> Matrix:
    """A B"""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@element_function
def determinant(M: Matrix) -> float:
    """det M"""
    return M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) + M[2] * (M[3] * M[7] - M[4] * M[6])


@element_function
def inverse(M: Matrix) -> Matrix:
    """M^-1 from cofactors; inf or NaN where M is singular."""
    a = M[4] * M[8] - M[5] * M[7]
    b = M[5] * M[6] - M[3] * M[8]
    c = M[3] * M[7] - M[4] * M[6]
    d = 1.0 / (M[0] * a + M[1] * b + M[2] * c)
    return (
        a * d, (M[2] * M[7] - M[1] * M[8]) * d, (M[1] * M[5] - M[2] * M[4]) * d,
        b * d, (M[0] * M[8] - M[2] * M[6]) * d, (M[2] * M[3] - M[0] * M[5]) * d,
        c * d, (M[1] * M[6] - M[0] * M[7]) * d, (M[0] * M[4] - M[1] * M[3]) * d,
    )  # fmt: skip


@element_function
def conjugate(U: Matrix, K: Matrix, V: Matrix) -> Matrix:
    """U K V^T"""
    return multiply(multiply(U, K), transpose(V))


@element_function
def _turn(app: float, aqq: float, apq: float) -> Vector:
    """Cosine, sine and tangent of the Jacobi rotation that makes the off-diagonal entry apq vanish."""
    d = aqq - app
    g = 2.0 * apq
    t = math.copysign(1.0, d) * g / (abs(d) + math.sqrt(d * d + g * g))
    c = 1.0 / math.sqrt(1.0 + t * t)
    return c, t * c, t


@element_function
def _rotate(vp: Vector, vq: Vector, c: float, s: float) -> tuple[Vector, Vector]:
    """The pair of columns turned by the rotation (c, s)."""
    return (
        (c * vp[0] - s * vq[0], c * vp[1] - s * vq[1], c * vp[2] - s * vq[2]),
        (s * vp[0] + c * vq[0], s * vp[1] + c * vq[1], s * vp[2] + c * vq[2]),
    )


@element_function
def symmetric_eigen(A: Symmetric) -> tuple[Vector, Vector, Vector, Vector]:
    """Eigenvalues (unsorted) and the three orthonormal eigenvectors of a symmetric matrix, by cyclic Jacobi."""
    a00, a01, a02, a11, a12, a22 = A
    v0, v1, v2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    tiny = 1e-17 * (abs(a00) + abs(a11) + abs(a22) + abs(a01) + abs(a02) + abs(a12))
    for _ in range(SWEEPS):
        if not (abs(a01) + abs(a02) + abs(a12) > tiny):
            break
        if a01 != 0.0:
            c, s, t = _turn(a00, a11, a01)
            a00, a11, a01 = a00 - t * a01, a11 + t * a01, 0.0
            a02, a12 = c * a02 - s * a12, s * a02 + c * a12
            v0, v1 = _rotate(v0, v1, c, s)
        if a02 != 0.0:
            c, s, t = _turn(a00, a22, a02)
            a00, a22, a02 = a00 - t * a02, a22 + t * a02, 0.0
            a01, a12 = c * a01 - s * a12, s * a01 + c * a12
            v0, v2 = _rotate(v0, v2, c, s)
        if a12 != 0.0:
            c, s, t = _turn(a11, a22, a12)
            a11, a22, a12 = a11 - t * a12, a22 + t * a12, 0.0
            a01, a02 = c * a01 - s * a02, s * a01 + c * a02
            v1, v2 = _rotate(v1, v2, c, s)
    return (a00, a11, a22), v0, v1, v2


@element_function
def positive_part(A: Symmetric) -> Symmetric:
    """The nearest positive semi-definite matrix: the negative eigenvalues of a symmetric matrix set to zero."""
    minor = A[0] * A[3] - A[1] * A[1]
    det = A[5] * minor - A[0] * A[4] * A[4] - A[3] * A[2] * A[2] + 2.0 * A[1] * A[2] * A[4]
    if A[0] > 0.0 and minor > 0.0 and det > 0.0:  # Sylvester: the common case needs no eigenvalues
        return A
    w, a, b, c = symmetric_eigen(A)
    # Written so that a NaN passes through: max(0, NaN) would hide it.
    x = 0.0 if w[0] < 0.0 else w[0]
    y = 0.0 if w[1] < 0.0 else w[1]
    z = 0.0 if w[2] < 0.0 else w[2]
    return (
        x * a[0] * a[0] + y * b[0] * b[0] + z * c[0] * c[0],
        x * a[0] * a[1] + y * b[0] * b[1] + z * c[0] * c[1],
        x * a[0] * a[2] + y * b[0] * b[2] + z * c[0] * c[2],
        x * a[1] * a[1] + y * b[1] * b[1] + z * c[1] * c[1],
        x * a[1] * a[2] + y * b[1] * b[2] + z * c[1] * c[2],
        x * a[2] * a[2] + y * b[2] * b[2] + z * c[2] * c[2],
    )

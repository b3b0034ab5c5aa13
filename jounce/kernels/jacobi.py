"""Symmetric matrices of any small size: the nearest positive semi-definite one, by Jacobi's rotations."""

from __future__ import annotations

import math
from typing import Any

from jounce.kernels.compile import element_function

SWEEPS = 16
"""Cyclic Jacobi converges quadratically: 5 to 8 sweeps are usual for twelve rows."""


@element_function
def clamp_symmetric(A: Any, V: Any, w: Any) -> None:
    """Overwrite A by V max(w, 0) V^T; V (n, n) and w (n,) are scratch and end as eigenvectors and eigenvalues."""
    n = A.shape[0]
    size = 0.0
    for i in range(n):
        for j in range(n):
            V[i, j] = 1.0 if i == j else 0.0
            size += A[i, j] * A[i, j]
    for _ in range(SWEEPS):
        off = 0.0
        for i in range(n):
            for j in range(i + 1, n):
                off += A[i, j] * A[i, j]
        if off <= 1e-30 * size:  # false with a NaN, which then spreads
            break
        for i in range(n):
            for j in range(i + 1, n):
                if A[i, j] == 0.0:
                    continue
                theta = (A[j, j] - A[i, i]) / (2.0 * A[i, j])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
                cos = 1.0 / math.sqrt(t * t + 1.0)
                sin = t * cos
                for k in range(n):
                    p, q = A[k, i], A[k, j]
                    A[k, i], A[k, j] = cos * p - sin * q, sin * p + cos * q
                for k in range(n):
                    p, q = A[i, k], A[j, k]
                    A[i, k], A[j, k] = cos * p - sin * q, sin * p + cos * q
                    p, q = V[k, i], V[k, j]
                    V[k, i], V[k, j] = cos * p - sin * q, sin * p + cos * q
    for i in range(n):
        w[i] = A[i, i]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                if not w[k] <= 0.0:
                    total += V[i, k] * w[k] * V[j, k]
            A[i, j] = total

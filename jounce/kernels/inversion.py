"""How far a tetrahedron may move before it is flat: the first root of a cubic (Smith and Schaefer 2015)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.algebra import Matrix, determinant
from jounce.kernels.compile import element_function, kernel
from jounce.kernels.tet import edges

FLOOR = 1e-10
"""A volume below this part of the present one counts as inverted, so that a touching double root is not missed."""


@element_function
def _cofactor_dot(A: Matrix, B: Matrix) -> float:
    """cof(A) : B, the derivative of det A in the direction B"""
    return (
        (A[4] * A[8] - A[5] * A[7]) * B[0] + (A[5] * A[6] - A[3] * A[8]) * B[1] + (A[3] * A[7] - A[4] * A[6]) * B[2]
        + (A[2] * A[7] - A[1] * A[8]) * B[3] + (A[0] * A[8] - A[2] * A[6]) * B[4] + (A[1] * A[6] - A[0] * A[7]) * B[5]
        + (A[1] * A[5] - A[2] * A[4]) * B[6] + (A[2] * A[3] - A[0] * A[5]) * B[7] + (A[0] * A[4] - A[1] * A[3]) * B[8]
    )  # fmt: skip


@element_function
def _cubic(a: float, b: float, c: float, t: float) -> float:
    return 1.0 + t * (c + t * (b + t * a)) - FLOOR


@element_function
def _first_root(a: float, b: float, c: float, limit: float) -> float:
    """A point just before the first root of 1 + c t + b t^2 + a t^3 - FLOOR in (0, limit], or limit."""
    if 1.0 - limit * (abs(c) + limit * (abs(b) + limit * abs(a))) > FLOOR:
        return limit
    # The critical points split (0, limit] into intervals on which the cubic is monotone.
    low, high = limit, limit
    discriminant = b * b - 3.0 * a * c
    if discriminant >= 0.0:
        q = -(b + math.copysign(math.sqrt(discriminant), b))
        r0, r1 = q / (3.0 * a), c / q  # a division by zero gives inf or NaN, which the next two lines pass over
        low = r0 if 0.0 < r0 < limit else limit
        high = r1 if 0.0 < r1 < limit else limit
    first, second = (low, high) if low < high else (high, low)
    start, end = 0.0, limit
    if _cubic(a, b, c, first) <= 0.0:
        end = first
    elif _cubic(a, b, c, second) <= 0.0:
        start, end = first, second
    elif _cubic(a, b, c, limit) <= 0.0:
        start = second
    else:
        return limit
    for _ in range(60):
        middle = 0.5 * (start + end)
        if _cubic(a, b, c, middle) > 0.0:
            start = middle
        else:
            end = middle
    return start


@element_function
def fraction_before_inversion(x: Any, dx: Any, nodes: Any, e: int, limit: float) -> float:
    """The part of the move dx, at most limit, after which element e becomes flat; limit if it is flat already."""
    D, M = edges(x, nodes, e), edges(dx, nodes, e)
    volume = determinant(D)
    if not volume > 0.0:
        return limit
    return _first_root(determinant(M) / volume, _cofactor_dot(M, D) / volume, _cofactor_dot(D, M) / volume, limit)


@kernel
def fractions_before_inversion(x: Any, dx: Any, nodes: Any, limit: float, fractions: Any) -> None:
    """fractions[e] for every element; see `fraction_before_inversion`."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        fractions[e] = fraction_before_inversion(x, dx, nodes, e, limit)

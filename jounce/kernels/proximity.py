"""How far triangles' corners and edges are apart, and which of their parts are the nearest.

The closest points of two edges and of a point and a triangle are found by clamping the unconstrained ones to the boundary
(Ericson 2005, Real-Time Collision Detection, sections 5.1.5 and 5.1.9).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.compile import element_function, kernel

FACE = 6
"""The nearest part of a triangle: 0 to 2 a corner, 3 to 5 the edge from corner n - 3 to the next, 6 its inside."""

PARTS: Any = np.array([[0, 1, 6], [2, 3, 7], [4, 5, 8]])
"""The nearest parts of two edges, each given as 0 (its start), 1 (its end) or 2 (between), in the order of
`ipctk.EdgeEdgeDistanceType`."""


@element_function
def clipped(p: float, q: float) -> float:
    """p / q between 0 and 1; 0 where q is."""
    if not q > 0.0 or p <= 0.0:
        return 0.0
    return 1.0 if p >= q else p / q


@element_function
def part(s: float) -> int:
    return 0 if s <= 0.0 else (1 if s >= 1.0 else 2)


@element_function
def dot(x: Any, a: int, b: int, c: int, d: int) -> float:
    """(x_b - x_a) . (x_d - x_c)"""
    total = 0.0
    for i in range(3):
        total += (x[b, i] - x[a, i]) * (x[d, i] - x[c, i])
    return total


@element_function
def edge_edge(x: Any, a: int, b: int, c: int, d: int) -> tuple[float, int, float]:
    """Squared distance of the edges ab and cd, their nearest parts, and |u x v|^2 of their directions."""
    uu, vv, uv = dot(x, a, b, a, b), dot(x, c, d, c, d), dot(x, a, b, c, d)
    uw, vw = dot(x, a, b, c, a), dot(x, c, d, c, a)
    crossing = max(uu * vv - uv * uv, 0.0)
    s = clipped(uv * vw - vv * uw, crossing)
    t = clipped(uv * s + vw, vv)
    if part(t) != 2:
        s = clipped(uv * t - uw, uu)
    total = 0.0
    for i in range(3):
        gap = x[a, i] + s * (x[b, i] - x[a, i]) - x[c, i] - t * (x[d, i] - x[c, i])
        total += gap * gap
    return total, PARTS[part(s), part(t)], crossing


@element_function
def point_triangle(x: Any, p: int, a: int, b: int, c: int) -> tuple[float, int]:
    """Squared distance of a point from a triangle, and the part of it that is nearest."""
    d1, d2 = dot(x, a, b, a, p), dot(x, a, c, a, p)
    d3, d4 = dot(x, a, b, b, p), dot(x, a, c, b, p)
    d5, d6 = dot(x, a, b, c, p), dot(x, a, c, c, p)
    ab, bc, ca = d1 * d4 - d3 * d2, d3 * d6 - d5 * d4, d5 * d2 - d1 * d6
    v, w, where = 0.0, 0.0, FACE  # barycentric weights of b and c
    if d1 <= 0.0 and d2 <= 0.0:
        where = 0
    elif d3 >= 0.0 and d4 <= d3:
        v, where = 1.0, 1
    elif d6 >= 0.0 and d5 <= d6:
        w, where = 1.0, 2
    elif ab <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v, where = d1 / (d1 - d3), 3
    elif bc <= 0.0 and d4 >= d3 and d5 >= d6:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        v, where = 1.0 - w, 4
    elif ca <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w, where = d2 / (d2 - d6), 5
    else:
        area = ab + bc + ca
        v, w = ca / area, ab / area
    total = 0.0
    for i in range(3):
        gap = x[p, i] - x[a, i] - v * (x[b, i] - x[a, i]) - w * (x[c, i] - x[a, i])
        total += gap * gap
    return total, where


@kernel
def proximity_loop(x: Any, corners: Any, edges: bool, squares: Any, nearest: Any, crossings: Any) -> None:
    """Squared distances (m^2) and nearest parts of pairs (n, 4): both ends of two edges, or a point and a triangle's corners;
    `crossings` is |u x v|^2 of two edges (m^4)."""
    for i in prange(corners.shape[0]):
        e = np.uint64(i)
        a, b, c, d = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        if edges:
            squares[e], nearest[e], crossings[e] = edge_edge(x, a, b, c, d)
        else:
            squares[e], nearest[e] = point_triangle(x, a, b, c, d)

"""Closest points of points, edges and triangles: the vector between them, and how it turns as the corners move.

The vector is t = sum_a c_a x_a with coefficients c(u) that are affine in up to two parameters u: t = t_0 + B u with the columns
b_j = sum_a (dc_a/du_j) x_a, and u minimises |t|^2. So B^T t = 0, the distance d = |t| has the gradient c_a n with n = t/d, and

    d2d/dx2 = ((c (x) R) (c (x) R)^T - sum_jk W_jk [(d_j (x) t)(d_k (x) t)^T + (d_j (x) t)(c (x) b_k)^T + (c (x) b_j)(d_k (x) t)^T]) / d

with W = (B^T B)^-1, d_j = dc/du_j and R the projection on what is square to n and to B. One formula serves every pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.kernels.compile import element_function

POINT_POINT, POINT_EDGE, POINT_TRIANGLE, EDGE_EDGE = 2, 3, 4, 5
"""Kinds of pairs. Corners: the point first, then those of the edge or triangle; for two edges, both ends of each."""

MOLLIFIED = 1e-3
"""Two edges count as nearly parallel where |u x v|^2 is below this share of |U|^2 |V|^2 at rest (Li et al. 2020, section 6.2)."""

INTERIOR = 8
"""Both closest points lie inside their edges (`ipctk.EdgeEdgeDistanceType.EA_EB`)."""


@element_function
def parameters(kind: int, nearest: int, dc: Any, start: Any) -> int:
    """Fill dc[j, a] and the coefficients start[a] at u = 0; returns the number of parameters.

    `nearest` says for two edges which corners are the closest points, in the order of `ipctk.EdgeEdgeDistanceType`:
    0 to 3 corner to corner, 4 and 5 inside the first edge, 6 and 7 inside the second, 8 inside both.
    """
    for a in range(4):
        start[a] = 0.0
        dc[0, a] = 0.0
        dc[1, a] = 0.0
    if kind != EDGE_EDGE:
        start[0], start[1] = 1.0, -1.0
        for j in range(kind - 2):
            dc[j, 1] = 1.0
            dc[j, 2 + j] = -1.0
        return kind - 2
    m = 0
    first = 1 if nearest in (2, 3, 7) else 0
    second = 1 if nearest in (1, 3, 5) else 0
    start[first] = 1.0
    start[2 + second] = -1.0
    if nearest in (4, 5, 8):
        dc[m, 0], dc[m, 1] = -1.0, 1.0
        m += 1
    if nearest in (6, 7, 8):
        dc[m, 2], dc[m, 3] = 1.0, -1.0
        m += 1
    return m


@element_function
def separation(x: Any, nodes: Any, e: int, kind: int, nearest: int, c: Any, dc: Any, b: Any, W: Any, t: Any) -> int:
    """Fill c, dc, b[j], W and t of one pair at positions x; returns the number of parameters."""
    m = parameters(kind, nearest, dc, c)
    for i in range(3):
        t[i], b[0, i], b[1, i] = 0.0, 0.0, 0.0
        for a in range(nodes.shape[1]):
            p = x[nodes[e, a], i]
            t[i] += c[a] * p
            b[0, i] += dc[0, a] * p
            b[1, i] += dc[1, a] * p
    for j in range(2):
        for k in range(2):
            W[j, k] = 0.0
    bb, cc, bc, bt, ct = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        bb += b[0, i] * b[0, i]
        cc += b[1, i] * b[1, i]
        bc += b[0, i] * b[1, i]
        bt += b[0, i] * t[i]
        ct += b[1, i] * t[i]
    if m == 1 and bb > 0.0:
        W[0, 0] = 1.0 / bb
    elif m == 2:
        determinant = bb * cc - bc * bc
        if determinant > 0.0:
            W[0, 0], W[1, 1] = cc / determinant, bb / determinant
            W[0, 1], W[1, 0] = -bc / determinant, -bc / determinant
    for j in range(m):
        u = -(W[j, 0] * bt + W[j, 1] * ct)
        for a in range(nodes.shape[1]):
            c[a] += dc[j, a] * u
        for i in range(3):
            t[i] += b[j, i] * u
    return m


@element_function
def distance_curvature(
    c: Any, dc: Any, b: Any, W: Any, t: Any, n: Any, d: float, m: int, a: int, i: int, g: int, j: int
) -> float:
    """d2d / dx_ai dx_gj of the pair that `separation` described"""
    rest = (1.0 if i == j else 0.0) - n[i] * n[j]
    turning = 0.0
    for k in range(m):
        for l in range(m):
            rest -= b[k, i] * W[k, l] * b[l, j]
            turning += W[k, l] * (
                dc[k, a] * t[i] * (dc[l, g] * t[j] + c[g] * b[l, j]) + c[a] * b[k, i] * dc[l, g] * t[j]
            )
    return (c[a] * c[g] * rest - turning) / d


@element_function
def crossing(x: Any, nodes: Any, e: int, slope: Any) -> float:
    """|u x v|^2 of the edges u, v of a pair of edges, and its gradient slope[i] and slope[3 + i] by u_i and v_i (m^4, m^3)."""
    uu, vv, uv = 0.0, 0.0, 0.0
    for i in range(3):
        u = x[nodes[e, 1], i] - x[nodes[e, 0], i]
        v = x[nodes[e, 3], i] - x[nodes[e, 2], i]
        uu += u * u
        vv += v * v
        uv += u * v
    for i in range(3):
        u = x[nodes[e, 1], i] - x[nodes[e, 0], i]
        v = x[nodes[e, 3], i] - x[nodes[e, 2], i]
        slope[i] = 2.0 * (vv * u - uv * v)
        slope[3 + i] = 2.0 * (uu * v - uv * u)
    square = uu * vv - uv * uv
    return 0.0 if square < 0.0 else square


@element_function
def crossing_curvature(u: Any, v: Any, r: int, s: int) -> float:
    """d2 |u x v|^2 by components r and s of (u, v)"""
    if (r < 3) == (s < 3):
        w = v if r < 3 else u
        i, j = (r, s) if r < 3 else (r - 3, s - 3)
        ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
        return 2.0 * ((ww if i == j else 0.0) - w[i] * w[j])
    i, j = (r, s - 3) if r < 3 else (s, r - 3)
    uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    return 2.0 * (2.0 * u[i] * v[j] - v[i] * u[j] - (uv if i == j else 0.0))


@element_function
def edge_vectors(x: Any, nodes: Any, e: int, u: Any, v: Any) -> None:
    for i in range(3):
        u[i] = x[nodes[e, 1], i] - x[nodes[e, 0], i]
        v[i] = x[nodes[e, 3], i] - x[nodes[e, 2], i]


SIDE = np.array([-1.0, 1.0, -1.0, 1.0])
"""How each corner of a pair of edges moves its edge's vector."""

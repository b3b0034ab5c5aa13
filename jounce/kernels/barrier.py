"""The energy of pairs that come close: weight m(x) beta(d / dhat), with d their distance and m the mollifier of two edges.

beta is one of two clamped logarithms of r = d / dhat, zero with two derivatives at r = 1:
    metric    -(r - 1)^2 ln r          (You et al. 2026, appendix E)
    squared   -(r^2 - 1)^2 ln r^2      (Li et al. 2020, the form of the IPC toolkit)
Nearly parallel edges are mollified by m = (2 - e) e with e = |u x v|^2 / threshold below 1 (Li et al. 2020, equation 24).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.closest import (
    EDGE_EDGE,
    SIDE,
    crossing,
    crossing_curvature,
    distance_curvature,
    edge_vectors,
    separation,
)
from jounce.kernels.compile import element_function, kernel
from jounce.kernels.jacobi import clamp_symmetric

VALUE, GRADIENT, HESSIAN, PROJECTED = 0, 1, 2, 3
"""How much a loop computes."""


@element_function
def barrier(r: float, squared: bool) -> tuple[float, float, float]:
    """beta, dbeta/dr and d2beta/dr2; +inf where r <= 0"""
    if r >= 1.0:
        return 0.0, 0.0, 0.0
    if not r > 0.0:
        return math.inf, -math.inf, math.inf
    s = r * r if squared else r
    log, gap = math.log(s), s - 1.0
    value = -gap * gap * log
    slope = -2.0 * gap * log - gap * gap / s
    curvature = -2.0 * log - 4.0 * gap / s + gap * gap / (s * s)
    if squared:
        return value, 2.0 * r * slope, 2.0 * slope + 4.0 * s * curvature
    return value, slope, curvature


@element_function
def mollifier(e: float, threshold: float) -> tuple[float, float, float]:
    """m and its derivatives by |u x v|^2 (1/m^4, 1/m^8)"""
    if e >= threshold:
        return 1.0, 0.0, 0.0
    return (2.0 - e / threshold) * e / threshold, 2.0 * (1.0 - e / threshold) / threshold, -2.0 / threshold**2


@kernel
def pair_loop(
    x: Any, nodes: Any, kind: int, nearest: Any, thresholds: Any, weights: Any, dhats: Any, squared: bool, level: int,
    energies: Any, gradients: Any, blocks: Any,
) -> None:  # fmt: skip
    """Energy, gradient and upper Hessian blocks of every pair, as far as `level` asks.

    PROJECTED keeps of a plain pair the curvature along its normal, which is positive; a mollified pair's Hessian is clamped.
    """
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        k = nodes.shape[1]
        c, dc, b, W = np.empty(4), np.empty((2, 4)), np.empty((2, 3)), np.empty((2, 2))
        t, n = np.empty(3), np.empty(3)
        m = separation(x, nodes, e, kind, nearest[e], c, dc, b, W, t)
        d = math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
        dhat = dhats[e]
        value, slope, curvature = barrier(d / dhat, squared)
        slope, curvature = slope / dhat, curvature / (dhat * dhat)
        soft, dsoft, ddsoft = 1.0, 0.0, 0.0
        turn = np.zeros(6)
        if kind == EDGE_EDGE:
            soft, dsoft, ddsoft = mollifier(crossing(x, nodes, e, turn), thresholds[e])
        energies[e] = 0.0 if soft == 0.0 else weights[e] * soft * value
        if level == VALUE:
            continue
        for j in range(3):
            n[j] = t[j] / d
        for a in range(k):
            for j in range(3):
                g = soft * slope * c[a] * n[j]
                if dsoft != 0.0:
                    g += dsoft * value * SIDE[a] * turn[j if a < 2 else 3 + j]
                gradients[e, a, j] = weights[e] * g
        if level == GRADIENT:
            continue
        if dsoft == 0.0:
            block = 0
            for a in range(k):
                for g in range(a, k):
                    for j in range(3):
                        for l in range(3):
                            h = max(curvature, 0.0) if level == PROJECTED else curvature
                            h *= c[a] * c[g] * n[j] * n[l]
                            if level == HESSIAN:
                                h += slope * distance_curvature(c, dc, b, W, t, n, d, m, a, j, g, l)
                            blocks[e, block, j, l] = weights[e] * h
                    block += 1
            continue
        A, V, w = np.empty((12, 12)), np.empty((12, 12)), np.empty(12)
        u, v = np.empty(3), np.empty(3)
        edge_vectors(x, nodes, e, u, v)
        for a in range(4):
            for j in range(3):
                p = j if a < 2 else 3 + j
                for g in range(4):
                    for l in range(3):
                        q = l if g < 2 else 3 + l
                        h = soft * curvature * c[a] * c[g] * n[j] * n[l]
                        h += soft * slope * distance_curvature(c, dc, b, W, t, n, d, m, a, j, g, l)
                        h += slope * dsoft * (c[a] * n[j] * SIDE[g] * turn[q] + SIDE[a] * turn[p] * c[g] * n[l])
                        bend = ddsoft * turn[p] * turn[q] + dsoft * crossing_curvature(u, v, p, q)
                        A[3 * a + j, 3 * g + l] = weights[e] * (h + value * SIDE[a] * SIDE[g] * bend)
        if level == PROJECTED:
            clamp_symmetric(A, V, w)
        block = 0
        for a in range(4):
            for g in range(a, 4):
                for j in range(3):
                    for l in range(3):
                        blocks[e, block, j, l] = A[3 * a + j, 3 * g + l]
                block += 1


@kernel
def plane_loop(
    x: Any, nodes: Any, up: Any, height: float, weights: Any, dhat: float, squared: bool, level: int,
    energies: Any, gradients: Any, blocks: Any,
) -> None:  # fmt: skip
    """The same for nodes above the plane up . x = height."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        d = -height
        for j in range(3):
            d += up[j] * x[nodes[e], j]
        value, slope, curvature = barrier(d / dhat, squared)
        energies[e] = weights[e] * value
        if level == VALUE:
            continue
        for j in range(3):
            gradients[e, 0, j] = weights[e] * slope / dhat * up[j]
        if level == GRADIENT:
            continue
        for j in range(3):
            for l in range(3):
                blocks[e, 0, j, l] = weights[e] * curvature / (dhat * dhat) * up[j] * up[l]


@kernel
def distance_loop(x: Any, nodes: Any, kind: int, nearest: Any, distances: Any) -> None:
    """The distance of every pair (m)."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        c, dc, b, W = np.empty(4), np.empty((2, 4)), np.empty((2, 3)), np.empty((2, 2))
        t = np.empty(3)
        separation(x, nodes, e, kind, nearest[e], c, dc, b, W, t)
        distances[e] = math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])


@kernel
def normal_loop(
    x: Any, nodes: Any, kind: int, nearest: Any, thresholds: Any, weights: Any, dhats: Any, squared: bool,
    coefficients: Any, normals: Any, forces: Any,
) -> None:  # fmt: skip
    """What friction keeps of every pair: the coefficients of its closest points, its normal, its normal force (N)."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        c, dc, b, W = np.empty(4), np.empty((2, 4)), np.empty((2, 3)), np.empty((2, 2))
        t, turn = np.empty(3), np.empty(6)
        separation(x, nodes, e, kind, nearest[e], c, dc, b, W, t)
        d = math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
        _, slope, _ = barrier(d / dhats[e], squared)
        soft = 1.0
        if kind == EDGE_EDGE:
            soft, _, _ = mollifier(crossing(x, nodes, e, turn), thresholds[e])
        forces[e] = -weights[e] * soft * slope / dhats[e]
        for a in range(nodes.shape[1]):
            coefficients[e, a] = c[a]
        for j in range(3):
            normals[e, j] = t[j] / d

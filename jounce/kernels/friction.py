"""Smoothed Coulomb friction of pairs whose normal forces are known: a potential of velocity.

D(v) = sum load f0(|u|),  u = (1 - n n^T) sum_a c_a v_a, with load = mu times the normal force (N) and

    f0(y) = y^2 / eps - y^3 / (3 eps^2) + eps / 3  below the speed eps, y above it      (Li et al. 2020, equation 13)

so that f0' rises from 0 (sticking) to 1 (sliding) and D is convex: its Hessian needs no projection.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.compile import element_function, kernel


@element_function
def sliding(y: float, eps: float) -> tuple[float, float, float]:
    """f0, f0'(y) / y and f0''"""
    if y >= eps:
        return y, 1.0 / y, 0.0
    return y * y * (1.0 / eps - y / (3.0 * eps * eps)) + eps / 3.0, (2.0 - y / eps) / eps, 2.0 * (1.0 - y / eps) / eps


@kernel
def friction_loop(
    v: Any, nodes: Any, coefficients: Any, normals: Any, loads: Any, eps: float, level: int,
    energies: Any, gradients: Any, blocks: Any,
) -> None:  # fmt: skip
    """Potential (W), gradient (N) and upper Hessian blocks (N s/m) of every pair; `level` 0, 1 or 2 says how far."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        k = nodes.shape[1]
        u = np.zeros(3)
        for a in range(k):
            for j in range(3):
                u[j] += coefficients[e, a] * v[nodes[e, a], j]
        along = u[0] * normals[e, 0] + u[1] * normals[e, 1] + u[2] * normals[e, 2]
        for j in range(3):
            u[j] -= along * normals[e, j]
        y = math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        value, ratio, curvature = sliding(y, eps)
        energies[e] = loads[e] * value
        if level == 0:
            continue
        for a in range(k):
            for j in range(3):
                gradients[e, a, j] = loads[e] * ratio * coefficients[e, a] * u[j]
        if level == 1:
            continue
        tangent = (curvature - ratio) / (y * y) if y > 0.0 else 0.0
        block = 0
        for a in range(k):
            for g in range(a, k):
                f = loads[e] * coefficients[e, a] * coefficients[e, g]
                for j in range(3):
                    for l in range(3):
                        flat = (1.0 if j == l else 0.0) - normals[e, j] * normals[e, l]
                        blocks[e, block, j, l] = f * (ratio * flat + tangent * u[j] * u[l])
                block += 1

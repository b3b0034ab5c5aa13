"""An energy of one vector y = sum_a w_a x_a, linear in the positions: fibres in a tetrahedron, springs on an edge.

With I = |y|^2 the Hessian in y is t (1 - n n^T) + l n n^T, where n = y/|y|, t = 2 psi' across y and l = 2 psi' +
4 psi'' I along it; the Hessian in the positions is w w^T (x) that, so clamping t and l is the whole projection.
The loops at the end are templates: `jounce.kernels.compile.specialise` binds the law of a material.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.algebra import Vector, dot
from jounce.kernels.compile import UNBOUND, element_function

row = energy = across = along = UNBOUND


@element_function
def vector(x: Any, nodes: Any, w: Any, e: int) -> Vector:
    """y = sum_a w_a x_a of element e."""
    a, b, c = 0.0, 0.0, 0.0
    for k in range(nodes.shape[1]):
        node = nodes[e, k]
        a += w[e, k] * x[node, 0]
        b += w[e, k] * x[node, 1]
        c += w[e, k] * x[node, 2]
    return a, b, c


@element_function
def write_line_gradient(y: Vector, t: float, weight: float, w: Any, e: int, gradients: Any) -> None:
    """gradients[e, a] = weight w_a t y"""
    for k in range(w.shape[1]):
        f = weight * w[e, k] * t
        gradients[e, k, 0] = f * y[0]
        gradients[e, k, 1] = f * y[1]
        gradients[e, k, 2] = f * y[2]


@element_function
def write_line_blocks(y: Vector, I: float, t: float, l: float, weight: float, w: Any, e: int, blocks: Any) -> None:
    """blocks[e, (a, b)] = weight w_a w_b (t + (l - t) n n^T), with n = 0 where y = 0 has no direction"""
    r = 1.0 / math.sqrt(I) if I > 0.0 else 0.0
    n = (r * y[0], r * y[1], r * y[2])
    k = 0
    for a in range(w.shape[1]):
        for b in range(a, w.shape[1]):
            f = weight * w[e, a] * w[e, b]
            for i in range(3):
                for j in range(3):
                    blocks[e, k, i, j] = f * (l - t) * n[i] * n[j]
                blocks[e, k, i, i] += f * t
            k += 1


def energy_loop(x: Any, nodes: Any, w: Any, weights: Any, table: Any, energies: Any) -> None:
    """energies[e] = weight psi(|y|^2)"""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        y = vector(x, nodes, w, e)
        energies[e] = weights[e] * energy(dot(y, y), row(table, e))


def gradient_loop(x: Any, nodes: Any, w: Any, weights: Any, table: Any, gradients: Any) -> None:
    """gradients[e, a] = weight 2 psi' w_a y"""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        y = vector(x, nodes, w, e)
        write_line_gradient(y, across(dot(y, y), row(table, e)), weights[e], w, e, gradients)


def linearise_loop(
    x: Any, nodes: Any, w: Any, weights: Any, table: Any, psd: bool, gradients: Any, blocks: Any
) -> None:
    """Gradient and Hessian of every element."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        y = vector(x, nodes, w, e)
        I = dot(y, y)
        c = row(table, e)
        t, l = across(I, c), along(I, c)
        write_line_gradient(y, t, weights[e], w, e, gradients)
        if psd:
            t, l = 0.0 if t < 0.0 else t, 0.0 if l < 0.0 else l
        write_line_blocks(y, I, t, l, weights[e], w, e, blocks)

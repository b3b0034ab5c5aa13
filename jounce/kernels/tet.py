"""A linear tetrahedron: F from positions, nodal forces from P, and the ten blocks of the Hessian from the stiffness.

``shape[e]`` is the inverse of the rest edge matrix, row by row, so that F = [x1 - x0, x2 - x0, x3 - x0] shape.
The loops at the end are templates: `jounce.kernels.compile.specialise` binds the frame and the law of a material.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.algebra import Matrix, Symmetric, Vector, apply, apply_transposed, conjugate
from jounce.kernels.compile import UNBOUND, element_function
from jounce.kernels.frame import clamp_stiffness

split = join = row = energy = stress = stiffness = UNBOUND


@element_function
def edges(x: Any, nodes: Any, e: int) -> Matrix:
    """[x1 - x0, x2 - x0, x3 - x0] of tetrahedron e."""
    a, b, c, d = nodes[e, 0], nodes[e, 1], nodes[e, 2], nodes[e, 3]
    return (
        x[b, 0] - x[a, 0], x[c, 0] - x[a, 0], x[d, 0] - x[a, 0],
        x[b, 1] - x[a, 1], x[c, 1] - x[a, 1], x[d, 1] - x[a, 1],
        x[b, 2] - x[a, 2], x[c, 2] - x[a, 2], x[d, 2] - x[a, 2],
    )  # fmt: skip


@element_function
def gradient_rows(shape: Any, e: int) -> tuple[Vector, Vector, Vector]:
    """The rest gradients of the shape functions of nodes 1, 2, 3; that of node 0 is minus their sum."""
    return (
        (shape[e, 0], shape[e, 1], shape[e, 2]),
        (shape[e, 3], shape[e, 4], shape[e, 5]),
        (shape[e, 6], shape[e, 7], shape[e, 8]),
    )


@element_function
def deformation(x: Any, nodes: Any, shape: Any, e: int) -> Matrix:
    """F of tetrahedron e."""
    D = edges(x, nodes, e)
    g1, g2, g3 = gradient_rows(shape, e)
    return (
        D[0] * g1[0] + D[1] * g2[0] + D[2] * g3[0],
        D[0] * g1[1] + D[1] * g2[1] + D[2] * g3[1],
        D[0] * g1[2] + D[1] * g2[2] + D[2] * g3[2],
        D[3] * g1[0] + D[4] * g2[0] + D[5] * g3[0],
        D[3] * g1[1] + D[4] * g2[1] + D[5] * g3[1],
        D[3] * g1[2] + D[4] * g2[2] + D[5] * g3[2],
        D[6] * g1[0] + D[7] * g2[0] + D[8] * g3[0],
        D[6] * g1[1] + D[7] * g2[1] + D[8] * g3[1],
        D[6] * g1[2] + D[7] * g2[2] + D[8] * g3[2],
    )


@element_function
def write_gradient(P: Matrix, volume: float, shape: Any, e: int, gradients: Any) -> None:
    """gradients[e, a] = volume P grad N_a"""
    g1, g2, g3 = gradient_rows(shape, e)
    f1, f2, f3 = apply(P, g1), apply(P, g2), apply(P, g3)
    for i in range(3):
        gradients[e, 0, i] = -volume * (f1[i] + f2[i] + f3[i])
        gradients[e, 1, i] = volume * f1[i]
        gradients[e, 2, i] = volume * f2[i]
        gradients[e, 3, i] = volume * f3[i]


@element_function
def _block(U: Matrix, A: Symmetric, m: Vector, d: Vector, a: Vector, b: Vector) -> Matrix:
    """U K U^T, where K maps a move of the node with frame gradient b to the force at the node with frame gradient a."""
    x, y, z = a[0] * b[0], a[1] * b[1], a[2] * b[2]
    k00 = A[0] * x + m[0] * y + m[1] * z
    k11 = A[3] * y + m[0] * x + m[2] * z
    k22 = A[5] * z + m[1] * x + m[2] * y
    k01 = A[1] * a[0] * b[1] + d[0] * a[1] * b[0]
    k10 = A[1] * a[1] * b[0] + d[0] * a[0] * b[1]
    k02 = A[2] * a[0] * b[2] + d[1] * a[2] * b[0]
    k20 = A[2] * a[2] * b[0] + d[1] * a[0] * b[2]
    k12 = A[4] * a[1] * b[2] + d[2] * a[2] * b[1]
    k21 = A[4] * a[2] * b[1] + d[2] * a[1] * b[2]
    return conjugate(U, (k00, k01, k02, k10, k11, k12, k20, k21, k22), U)


@element_function
def write_blocks(
    U: Matrix, V: Matrix, A: Symmetric, flips: Vector, twists: Vector, volume: float, shape: Any, e: int, blocks: Any
) -> None:
    """The ten upper blocks of the Hessian of tetrahedron e; those of node 0 follow from translation invariance."""
    h = 0.5 * volume
    A = (volume * A[0], volume * A[1], volume * A[2], volume * A[3], volume * A[4], volume * A[5])
    m = (h * (flips[0] + twists[0]), h * (flips[1] + twists[1]), h * (flips[2] + twists[2]))
    d = (h * (flips[0] - twists[0]), h * (flips[1] - twists[1]), h * (flips[2] - twists[2]))
    g1, g2, g3 = gradient_rows(shape, e)
    b1, b2, b3 = apply_transposed(V, g1), apply_transposed(V, g2), apply_transposed(V, g3)
    K11, K12, K13 = _block(U, A, m, d, b1, b1), _block(U, A, m, d, b1, b2), _block(U, A, m, d, b1, b3)
    K22, K23, K33 = _block(U, A, m, d, b2, b2), _block(U, A, m, d, b2, b3), _block(U, A, m, d, b3, b3)
    for i in range(3):
        for j in range(3):
            k, t = 3 * i + j, 3 * j + i
            column1 = K11[k] + K12[t] + K13[t]
            column2 = K12[k] + K22[k] + K23[t]
            column3 = K13[k] + K23[k] + K33[k]
            blocks[e, 0, i, j] = column1 + column2 + column3
            blocks[e, 1, i, j] = -column1
            blocks[e, 2, i, j] = -column2
            blocks[e, 3, i, j] = -column3
            blocks[e, 4, i, j] = K11[k]
            blocks[e, 5, i, j] = K12[k]
            blocks[e, 6, i, j] = K13[k]
            blocks[e, 7, i, j] = K22[k]
            blocks[e, 8, i, j] = K23[k]
            blocks[e, 9, i, j] = K33[k]


def energy_loop(x: Any, nodes: Any, shape: Any, volumes: Any, table: Any, energies: Any) -> None:
    """energies[e] = volume psi(F)"""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        _, s, _ = split(deformation(x, nodes, shape, e))
        energies[e] = volumes[e] * energy(s, row(table, e))


def gradient_loop(x: Any, nodes: Any, shape: Any, volumes: Any, table: Any, gradients: Any) -> None:
    """gradients[e] = volume P : dF/dx"""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        U, s, V = split(deformation(x, nodes, shape, e))
        write_gradient(join(U, stress(s, row(table, e)), V), volumes[e], shape, e, gradients)


def linearise_loop(
    x: Any, nodes: Any, shape: Any, volumes: Any, table: Any, psd: bool, gradients: Any, blocks: Any
) -> None:
    """Gradient and Hessian of every element from one decomposition of F."""
    for i in prange(nodes.shape[0]):
        e = np.uint64(i)
        U, s, V = split(deformation(x, nodes, shape, e))
        c = row(table, e)
        write_gradient(join(U, stress(s, c), V), volumes[e], shape, e, gradients)
        A, flips, twists = stiffness(s, c)
        if psd:
            A, flips, twists = clamp_stiffness(A, flips, twists)
        write_blocks(U, V, A, flips, twists, volumes[e], shape, e, blocks)

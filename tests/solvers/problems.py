"""Matrices for the solver tests: a small elastic bar, in linear elasticity written out with numpy."""

from itertools import permutations

import numpy as np

from jounce.core.assembly import Assembler
from jounce.core.blocks import BlockMatrix, BlockPattern


def bar_mesh(nx: int, ny: int, nz: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """A bar of cubes of edge `size`, six tetrahedra each."""
    corners = np.stack(np.meshgrid(*(np.arange(n + 1) for n in (nx, ny, nz)), indexing="ij"), -1).reshape(-1, 3)
    cells = np.stack(np.meshgrid(*(np.arange(n) for n in (nx, ny, nz)), indexing="ij"), -1).reshape(-1, 3)
    strides = np.array([(ny + 1) * (nz + 1), nz + 1, 1])
    tets = []
    for order in permutations(range(3)):
        path = np.cumsum([np.zeros(3, dtype=int), *np.eye(3, dtype=int)[list(order)]], axis=0)
        tets.append(np.stack([(cells + step) @ strides for step in path], axis=1))
    return corners * size, np.concatenate(tets)


def bar(
    nx: int, ny: int, nz: int, *, size: float = 0.1, poisson: float = 0.3, clamped: bool = True
) -> tuple[BlockMatrix, np.ndarray, np.ndarray]:
    """Stiffness, lumped masses (3n,) and positions (n, 3) of the free nodes; E = 1 MPa, 1000 kg/m^3."""
    X, T = bar_mesh(nx, ny, nz, size)
    edges = (X[T[:, 1:]] - X[T[:, :1]]).transpose(0, 2, 1)
    volumes = np.abs(np.linalg.det(edges)) / 6
    slopes = np.linalg.inv(edges)
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    shear, lame = 1e6 / (2 * (1 + poisson)), 1e6 * poisson / ((1 + poisson) * (1 - 2 * poisson))
    blocks = np.empty((len(T), 10, 3, 3))
    for number, (a, b) in enumerate(zip(*np.triu_indices(4))):
        g, h = slopes[:, a], slopes[:, b]
        outer, inner = g[:, :, None] * h[:, None, :], np.sum(g * h, axis=1)[:, None, None]
        local = lame * outer + shear * (outer.transpose(0, 2, 1) + inner * np.eye(3))
        blocks[:, number] = volumes[:, None, None] * local
    free = np.flatnonzero(X[:, 0] > 0) if clamped else np.arange(len(X))
    block_of_node = np.full(len(X), -1)
    block_of_node[free] = np.arange(free.size)
    pattern = BlockPattern.from_elements([T], block_of_node, free.size)
    stiffness = BlockMatrix(pattern, Assembler(pattern, T, block_of_node).matrix(blocks))
    masses = np.zeros(len(X))
    np.add.at(masses, T.ravel(), np.repeat(250.0 * volumes, 4))
    return stiffness, np.repeat(masses[free], 3), X[free]


def right_side(n: int) -> np.ndarray:
    return np.random.default_rng(7).standard_normal(n)

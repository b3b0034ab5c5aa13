"""Meshes that the gallery's scenes share, and files in their place."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..core.arrays import Array
from ..meshes import TetMesh, read_tets

MeshSource = TetMesh | str | Path | None
"""A mesh, a file of tetrahedra, or None for the scene's own shape."""


def mesh_or(source: MeshSource, own: Callable[[], TetMesh]) -> TetMesh:
    """The mesh that was given, or the scene's own."""
    if source is None:
        return own()
    return source if isinstance(source, TetMesh) else read_tets(source)


def sized(mesh: TetMesh, height: float) -> TetMesh:
    """The mesh at a height (m), standing on y = 0 above the origin."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    centre = 0.5 * (low + high)
    return mesh.moved((-centre[0], -low[1], -centre[2])).scaled(height / float(high[1] - low[1]))


def twisted(x: Array, along: int, angle: float) -> Array:
    """Positions turned about an axis through their middle by an angle (radians) that grows from 0 at the low end."""
    low, high = x.min(axis=0), x.max(axis=0)
    centre = 0.5 * (low + high)
    theta = angle * (x[:, along] - low[along]) / (high[along] - low[along])
    i, j = (along + 1) % 3, (along + 2) % 3
    d, out = x - centre, x.copy()
    out[:, i] = centre[i] + np.cos(theta) * d[:, i] - np.sin(theta) * d[:, j]
    out[:, j] = centre[j] + np.sin(theta) * d[:, i] + np.cos(theta) * d[:, j]
    return out


def bent(x: Array, along: int, towards: int, angle: float) -> Array:
    """Positions bent into an arc: the low end stays, the far end turns by an angle (radians) towards another axis."""
    if angle == 0.0:
        return x.copy()
    low, high = x.min(axis=0), x.max(axis=0)
    length = float(high[along] - low[along])
    radius = length / angle
    phi = (x[:, along] - low[along]) / radius
    depth = radius - (x[:, towards] - 0.5 * (low[towards] + high[towards]))
    out = x.copy()
    out[:, along] = low[along] + depth * np.sin(phi)
    out[:, towards] = 0.5 * (low[towards] + high[towards]) + radius - depth * np.cos(phi)
    return out

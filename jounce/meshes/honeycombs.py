"""A honeycomb: the walls between hexagonal cells, extruded."""

import numpy as np

from jounce.meshes.checks import at_least, positive, whole_per_axis
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import Indices, Points
from jounce.meshes.prisms import split_prisms
from jounce.meshes.tetmesh import TetMesh


def honeycomb(
    *,
    cells: tuple[int, int] = (3, 3),
    side: float = 0.1,
    wall: float = 0.03,
    depth: float = 0.1,
    along: int = 4,
    layers: int = 3,
) -> TetMesh:
    """Columns x rows of hexagonal cells in the plane z = 0, extruded by `depth` along z, centred on the origin.

    side: edge of a cell between the middles of its walls; wall: thickness between two cells, half of it at the rim;
    all in metres. along, layers: divisions of a wall along its side and its depth. 36 `along` `layers` tets per cell.
    """
    columns, rows = whole_per_axis("cells", cells, 2)
    if positive("wall", wall) >= np.sqrt(3) * positive("side", side):
        raise MeshError(
            "This shape cannot be made:",
            [f"walls of {wall} m fill cells with sides of {side} m. Remedy: a wall below {np.sqrt(3) * side:.4g} m."],
        )
    points, triangles = comb(columns, rows, side, 1.0 - wall / (np.sqrt(3) * side), at_least("along", along))
    count, levels = len(points), np.linspace(-0.5, 0.5, at_least("layers", layers) + 1) * positive("depth", depth)
    x = np.concatenate([np.concatenate([points, np.full((count, 1), z)], axis=1) for z in levels])
    bottom = np.concatenate([triangles + k * count for k in range(layers)])
    # The diagonals turn from layer to layer, so no direction is preferred.
    rank = np.concatenate([triangles if k % 2 == 0 else -triangles for k in range(layers)])
    return TetMesh(x, split_prisms(bottom, bottom + count, rank))


def comb(columns: int, rows: int, side: float, inner: float, along: int) -> tuple[Points, Indices]:
    """Points (n, 2) and counter-clockwise triangles of the walls; a hole is its cell scaled by `inner`."""
    angle = np.pi / 6 + np.arange(6) * np.pi / 3
    corners = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    part = np.arange(along)[:, None] / along
    rim = np.concatenate([a + part * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0))])
    column, row = np.divmod(np.arange(columns * rows), rows)
    centres = np.stack([np.sqrt(3) * (column + 0.5 * (row % 2)), 1.5 * row], axis=1)
    centres -= (centres.min(axis=0) + centres.max(axis=0)) / 2
    rings = centres[:, None, None] + np.stack([rim, inner * rim])
    # Neighbouring cells share the nodes of their outer rings.
    _, first, number = np.unique(
        np.round(rings.reshape(-1, 2) * 1e6).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    points, number = rings.reshape(-1, 2)[first], number.reshape(len(centres), 2, len(rim))
    a, d = number[:, 0].reshape(-1), number[:, 1].reshape(-1)
    b, c = np.roll(number[:, 0], -1, axis=1).reshape(-1), np.roll(number[:, 1], -1, axis=1).reshape(-1)
    shorter = np.linalg.norm(points[a] - points[c], axis=1) < np.linalg.norm(points[b] - points[d], axis=1) - 1e-9
    one = np.where(shorter[:, None], np.stack([a, b, c], axis=1), np.stack([a, b, d], axis=1))
    two = np.where(shorter[:, None], np.stack([a, c, d], axis=1), np.stack([b, c, d], axis=1))
    return points * side, np.concatenate([one, two])

"""Elements that may come near each other, and the pairs that their nearest parts make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.arrays import Array, Indices
from ..kernels.closest import EDGE_EDGE, INTERIOR, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from ..kernels.proximity import FACE, proximity_loop
from ..kernels.tree import apart_loop
from .pairs import Pairs
from .surface import Surface


@dataclass(frozen=True, eq=False)
class Facing:
    """Elements that may come near: `corners` (n, 4), both ends of two edges, or a point and a triangle's corners, by the numbers of
    the surface's vertices; their shares of area (m^2), how far they feel each other (m), and below which |u x v|^2 two edges count
    as parallel (m^4; None for points and triangles)."""

    corners: Indices
    weights: Array
    reach: Array
    thresholds: Array | None = None

    def apart(self, y0: Array, y1: Array) -> Array:
        """How far each pair stays apart at least on a straight move (m)."""
        out = np.empty(len(self.corners))
        apart_loop(0.5 * (y0 + y1), y1 - y0, self.corners, self.thresholds is not None, out)
        return out

    def nearest(self, y: Array) -> tuple[Array, Indices, Array]:
        """Squared distances (m^2), the nearest parts, and |u x v|^2 of edges (m^4)."""
        n = len(self.corners)
        squares, parts, crossings = np.empty(n), np.empty(n, dtype=np.int64), np.empty(n)
        proximity_loop(y, self.corners, self.thresholds is not None, squares, parts, crossings)
        return squares, parts, crossings


class Met(NamedTuple):
    """Pairs of one kind by the surface's vertices, before those that several elements share are counted together."""

    corners: Indices
    weights: Array
    nearest: Indices
    thresholds: Array


def met(edges: Facing, faces: Facing, surface: Surface, y: Array) -> tuple[Pairs, ...]:
    """The pairs within reach at positions y of the surface's vertices, one entry per kind that occurs.

    Where the nearest parts are corners or edges, the pair is one of those; every element that shares it counts (Li et al. 2020).
    Nearly parallel edges stay pairs of edges, for the mollifier.
    """
    points: list[Met] = []
    lines: list[Met] = []
    inside: dict[int, Met] = {}

    squares, parts, crossings = edges.nearest(y)
    near = np.flatnonzero(squares < edges.reach**2)
    assert edges.thresholds is not None
    kinds = np.where(crossings[near] < edges.thresholds[near], INTERIOR, parts[near])
    for kind, ends in enumerate(CORNERS):
        chosen = near[kinds == kind]
        (points if len(ends) == 2 else lines).append(_part(edges, chosen, ends))
    chosen = near[kinds == INTERIOR]
    inside[EDGE_EDGE] = Met(edges.corners[chosen], edges.weights[chosen], parts[chosen], edges.thresholds[chosen])

    squares, parts, _ = faces.nearest(y)
    near = np.flatnonzero(squares < faces.reach**2)
    for kind, ends in enumerate(TRIANGLE_PARTS):
        chosen = near[parts[near] == kind]
        (points if len(ends) == 2 else lines).append(_part(faces, chosen, ends))
    inside[POINT_TRIANGLE] = _part(faces, near[parts[near] == FACE], (0, 1, 2, 3))

    found = {POINT_POINT: _together(points, 0), POINT_EDGE: _together(lines, 1), **inside}
    return tuple(_pairs(kind, m, surface) for kind, m in sorted(found.items()) if len(m.corners))


CORNERS = ((0, 2), (0, 3), (1, 2), (1, 3), (2, 0, 1), (3, 0, 1), (0, 2, 3), (1, 2, 3))
"""Which ends meet when the nearest parts of two edges are n: corner and corner, or corner and edge."""
TRIANGLE_PARTS = ((0, 1), (0, 2), (0, 3), (0, 1, 2), (0, 2, 3), (0, 3, 1))
"""Which corners meet when the nearest part of a triangle is n."""


def _part(facing: Facing, chosen: Indices, ends: tuple[int, ...]) -> Met:
    none = np.zeros(len(chosen))
    return Met(facing.corners[chosen][:, ends], facing.weights[chosen], none.astype(np.int64), none)


def _together(found: list[Met], fixed: int) -> Met:
    """Each pair once, with the weights of all that share it; the corners from `fixed` on may change places."""
    corners = np.concatenate([m.corners for m in found])
    weights = np.concatenate([m.weights for m in found])
    corners[:, fixed:].sort(axis=1)
    order = np.lexsort(corners.T[::-1])
    corners, weights = corners[order], weights[order]
    first = np.flatnonzero(np.append(True, np.any(corners[1:] != corners[:-1], axis=1))[: len(corners)])
    sums = np.add.reduceat(weights, first) if len(first) else weights
    none = np.zeros(len(first))
    return Met(corners[first], sums, none.astype(np.int64), none)


def _pairs(kind: int, m: Met, surface: Surface) -> Pairs:
    owners = surface.owners[m.corners[:, [0, -1]]]
    return Pairs(kind, surface.nodes[m.corners], owners, m.weights, m.nearest, m.thresholds)

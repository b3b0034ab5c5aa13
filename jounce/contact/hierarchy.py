"""A tree of boxes for each skin's edges or triangles, whose shape is fixed by their places at rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Array, Indices
from ..kernels import tree
from .surface import Surface


class Motion:
    """A straight move of all vertices from y by `move` (m), and the mean move of each skin."""

    def __init__(self, surface: Surface, y0: Array, y1: Array) -> None:
        self.start, self.move = np.ascontiguousarray(y0), np.ascontiguousarray(y1 - y0)
        self.middle = self.start + 0.5 * self.move
        self.drift = np.add.reduceat(self.move, surface.begins, axis=0) / surface.counts[:, None]


@dataclass(frozen=True, eq=False)
class Feel:
    """What feels what: the surface, from where on (m) its skins feel each other and `own` each itself, and whether a pair counts by
    its area or as one."""

    surface: Surface
    distance: float
    own: Array
    by_area: bool

    @property
    def widest(self) -> float:
        return max(self.distance, float(self.own.max()))

    @cached_property
    def reach(self) -> Array:
        """From where on two skins feel each other (m), as a table."""
        table = np.full((len(self.own), len(self.own)), self.distance)
        np.fill_diagonal(table, self.own)
        return table

    def weights(self, areas: Array) -> Array:
        return areas if self.by_area else np.ones_like(areas)


class Hierarchy:
    """The trees of elements (n, k), each element a leaf; those of one skin follow each other along a curve that fills space."""

    def __init__(self, surface: Surface, corners: Indices) -> None:
        self.surface, self.corners = surface, corners
        self.skins = surface.owners[corners[:, 0]]
        order = np.lexsort((_along_curve(surface.rest[corners].mean(axis=1)), self.skins))
        counts = np.bincount(self.skins, minlength=len(surface.skins))
        leaves = 2 ** np.ceil(np.log2(np.maximum(counts, 1))).astype(np.int64)
        self.roots = np.concatenate([[0], np.cumsum(2 * leaves)])
        rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        skins = self.skins[order]
        self.leaves = np.empty(len(order), dtype=np.int64)
        self.leaves[order] = self.roots[skins] + leaves[skins] + rank
        self.elements = np.full(self.roots[-1], -1, dtype=np.int64)
        self.elements[self.leaves] = np.arange(len(order))

    def near(self, motion: Motion, queries: Indices, feel: Feel, slack: float) -> Indices:
        """Pairs (n, 2) of a query, an edge or a point (m, 1), and an element that it can come near; every corner may be `slack` (m) off
        its way in each direction."""
        low, high = np.full((self.roots[-1], 3), np.inf), np.full((self.roots[-1], 3), -np.inf)
        tree.fit(motion.start, motion.move, motion.drift, self.corners, self.skins, self.leaves, self.roots, low, high)
        counts = np.zeros(len(queries), dtype=np.int64)
        skins = self.surface.owners[queries[:, 0]]
        most = ROOM
        while True:
            found = np.empty((len(queries), most), dtype=np.int64)
            tree.search(
                motion.start, motion.middle, motion.move, motion.drift, queries, skins, self.corners, self.roots, self.elements,
                low, high, self.surface.allowed, feel.reach, slack, self.corners.shape[1] == 2, counts, found,
            )  # fmt: skip
            if counts.max(initial=0) <= most:
                break
            most = int(counts.max())
        own = np.arange(most) < counts[:, None]
        return np.column_stack([np.nonzero(own)[0], found[own]])


ROOM = 96
"""Elements near a query that are expected at most; where there are more, they are searched again with room for them."""
BITS = 20


def _along_curve(points: Array) -> Indices:
    """Places of points along a Morton curve through their box: neighbours on it are neighbours in space."""
    low, size = points.min(axis=0), max(float(np.ptp(points, axis=0).max()), np.finfo(float).tiny)
    cells = np.minimum((points - low) / size * 2**BITS, 2**BITS - 1).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(BITS):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return code

"""Pairs of surface elements that are or come close, found once and used for all that lies nearby.

Positions are taken from the mean of what moves: what flies as a whole does not move, and stays near what it was found near.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import Array
from ..kernels.closest import MOLLIFIED
from .facing import Facing, met
from .hierarchy import Feel, Hierarchy, Motion
from .pairs import Pairs

PIECE = 4.0
"""The longest move that is searched at once, in mean lengths of edges: longer ones are taken in pieces, since the boxes of a long
move meet everything."""
ADVANCES = 1000
"""So many advances of a pair at most: one that slides along another at a tiny gap would take millions, and stops there instead."""
PIECES = 64
"""A move is followed over so many pieces at most; the rest of it counts as not feasible."""
SLACK = 0.05
"""How far vertices may leave a known move, in mean lengths of edges: twice that finds more than it saves, half as much is asked more
often."""
TOUCHING = 1e-3
"""Pairs that surely stay this share of the barrier's distance apart on a move are not asked when they touch."""
KEEPS = 0.9
"""Two points that move less than this share of the smallest gap between them cannot meet."""


class Neighbours:
    """All pairs that can come within reach of each other on a straight move of all vertices, each up to `slack` off its way.

    One set serves the collision times of the move, the points of its line search, and later moves that stay near.
    """

    def __init__(self, feel: Feel, edges: Hierarchy, faces: Hierarchy, y0: Array, y1: Array, slack: float) -> None:
        self._feel, self.surface, self._slack = feel, feel.surface, slack
        self._motion = motion = Motion(feel.surface, y0, y1)
        self._length = float(np.sum(motion.move**2))
        self._edge_ids = edges.near(motion, edges.corners, feel, slack)
        self._face_ids = faces.near(motion, np.arange(len(y0), dtype=np.int64)[:, None], feel, slack)
        self._edges, self._faces = _edges(feel, self._edge_ids), _faces(feel, self._face_ids)

    def covers(self, y: Array) -> bool:
        """Whether the pairs are all there are at these positions."""
        off = y - self._motion.start
        along = np.clip(np.vdot(off, self._motion.move) / self._length, 0.0, 1.0) if self._length > 0.0 else 0.0
        return bool(np.all(np.abs(off - along * self._motion.move) <= self._slack))

    def longest_step(self, y0: Array, y1: Array) -> float:
        """The longest fraction of a straight move without collision, by additive CCD (Li et al. 2021)."""
        import ipctk

        least = TOUCHING * self._feel.widest
        edges = self._edge_ids[self._edges.apart(y0, y1) <= least].tolist()
        faces = self._face_ids[self._faces.apart(y0, y1) <= least].tolist()
        if not (edges or faces):
            return 1.0
        candidates = ipctk.Candidates()
        candidates.ee_candidates = [ipctk.EdgeEdgeCandidate(a, b) for a, b in edges]
        candidates.fv_candidates = [ipctk.FaceVertexCandidate(f, v) for v, f in faces]
        y0, y1 = np.asfortranarray(y0), np.asfortranarray(y1)
        ccd = ipctk.AdditiveCCD(ADVANCES)
        return float(candidates.compute_collision_free_stepsize(self.surface.mesh, y0, y1, 0.0, ccd))

    def pairs(self, y: Array) -> tuple[Pairs, ...]:
        """The pairs within reach at these positions."""
        return met(self._edges, self._faces, self.surface, y)


def _edges(feel: Feel, ids: np.ndarray) -> Facing:
    surface = feel.surface
    corners = surface.edges[ids].reshape(-1, 4).astype(np.int64)
    areas = 0.25 * surface.edge_areas[ids].sum(axis=1)
    thresholds = MOLLIFIED * np.prod(surface.squared_lengths[ids], axis=1)
    owners = surface.owners[corners]
    return Facing(corners, feel.weights(areas), feel.reach[owners[:, 0], owners[:, 2]], thresholds)


def _faces(feel: Feel, ids: np.ndarray) -> Facing:
    surface = feel.surface
    corners = np.column_stack([ids[:, 0], surface.faces[ids[:, 1]]]).astype(np.int64)
    owners = surface.owners[corners]
    return Facing(corners, feel.weights(0.25 * surface.areas[ids[:, 0]]), feel.reach[owners[:, 0], owners[:, 1]])


class Neighbourhood:
    """The last few sets of neighbours, and whichever of them answers; x are positions of all nodes of the system."""

    KEPT = 3

    def __init__(self, feel: Feel) -> None:
        self.feel, self.surface = feel, feel.surface
        self._edges = Hierarchy(self.surface, self.surface.edges.astype(np.int64))
        self._faces = Hierarchy(self.surface, self.surface.faces.astype(np.int64))
        self._slack = SLACK * self.surface.edge_length
        self._sets: list[Neighbours] = []

    def pairs(self, x: Array) -> tuple[Pairs, ...]:
        """All pairs within reach at positions x."""
        y = self.surface.centred(x)
        return self._of(y, y).pairs(y)

    def longest_step(self, x0: Array, x1: Array, gap: float) -> float:
        """The longest fraction of a straight move without collision; no two surfaces are nearer than `gap` (m) at its start."""
        y0, y1 = self.surface.centred(x0), self.surface.centred(x1)
        move = y1 - y0
        longest = float(np.sqrt((move**2).sum(axis=1).max()))
        if 2.0 * longest < KEEPS * gap:
            return 1.0
        count = max(1, int(np.ceil(longest / (PIECE * self.surface.edge_length))))
        last = y0
        for i in range(1, min(count, PIECES) + 1):
            now = y0 + (i / count) * move
            free = self._of(last, now).longest_step(last, now)
            if free < 1.0:
                return (i - 1 + free) / count
            last = now
        return min(1.0, PIECES / count)

    def _of(self, y0: Array, y1: Array) -> Neighbours:
        """Neighbours for all positions between y0 and y1."""
        for known in self._sets:
            if known.covers(y0) and known.covers(y1):
                return known
        made = Neighbours(self.feel, self._edges, self._faces, y0, y1, self._slack)
        self._sets = [made, *self._sets][: self.KEPT]
        return made

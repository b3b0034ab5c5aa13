"""Pairs of surface elements that are or come close, found once and used for all that lies nearby.

Positions are taken from the mean of what moves: a body that flies has no moves within itself, and no candidates for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import Array
from .surface import Surface

PIECE = 2.0
"""The longest move that is searched at once, in mean lengths of edges: longer ones are taken in pieces, since the boxes of a long
move meet everything."""
KEEPS = 0.9
"""Two points that move less than this share of the smallest gap between them cannot meet."""
ADVANCES = 1000
"""So many advances of a pair at most: one that slides along another at a tiny gap would take millions, and stops there instead."""
PIECES = 64
"""A move is followed over so many pieces at most; the rest of it counts as not feasible."""


class Neighbours:
    """All pairs that can come within `reach` (m) of each other while every vertex stays in the box of its move, grown by `slack`.

    One set serves the collision times of a move, the points of its line search, and later moves that stay inside.
    """

    def __init__(self, surface: Surface, y0: Array, y1: Array, reach: float, slack: float) -> None:
        import ipctk

        self.surface = surface
        self._low, self._high = np.minimum(y0, y1) - slack, np.maximum(y0, y1) + slack
        self._candidates = ipctk.Candidates()
        self._candidates.build(surface.mesh, y0, y1, 0.5 * reach + slack, ipctk.LBVH())

    def covers(self, y: Array) -> bool:
        """Whether the pairs are all there are at these positions."""
        return bool(np.all(y >= self._low) and np.all(y <= self._high))

    def longest_step(self, y0: Array, y1: Array) -> float:
        """The longest fraction of a straight move without collision, by additive CCD (Li et al. 2021)."""
        import ipctk

        return float(
            self._candidates.compute_collision_free_stepsize(
                self.surface.mesh, y0, y1, 0.0, ipctk.AdditiveCCD(ADVANCES)
            )
        )

    def collisions(self, y: Array, dhat: float, by_area: bool) -> Any:
        """The toolkit's set of pairs nearer than dhat."""
        import ipctk

        found = ipctk.NormalCollisions()
        found.use_area_weighting = by_area
        found.build(self._candidates, self.surface.mesh, y, dhat)
        return found


class Neighbourhood:
    """The last few sets of neighbours, and whichever of them answers; x are positions of all nodes of the system."""

    KEPT = 3

    def __init__(self, surface: Surface, reach: float) -> None:
        self.surface, self.reach = surface, reach
        self._slack = max(0.5 * reach, 0.1 * surface.edge_length)
        self._sets: list[Neighbours] = []

    def collisions(self, x: Array, by_area: bool) -> Any:
        """The toolkit's pairs nearer than the reach at positions x."""
        y = self.surface.centred(x)
        return self._of(y, y).collisions(y, self.reach, by_area)

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
            now = np.asfortranarray(y0 + (i / count) * move)
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
        made = Neighbours(self.surface, y0, y1, self.reach, self._slack)
        self._sets = [made, *self._sets][: self.KEPT]
        return made

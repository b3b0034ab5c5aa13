"""How far apart the things of a scene are, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import Array, Indices
from .crossings import point
from .ground import Plane
from .pairs import Pairs
from .surface import Surface


class Gap(NamedTuple):
    """The smallest distance (m) of two things by name, the place, and the nodes of all their pairs that were looked at."""

    one: str
    other: str
    distance: float
    at: Array
    nodes: Indices

    def __str__(self) -> str:
        return f"The smallest gap, {self.distance:.3g} m, is between '{self.one}' and '{self.other}' near {point(self.at)} m."


def gaps(surface: Surface, planes: Sequence[Plane], pairs: Sequence[Pairs], x: Array, reach: float) -> list[Gap]:
    """The gap of every two things that have one among `pairs`, and of every body nearer than `reach` (m) to a ground; the
    smallest first."""
    found: dict[tuple[str, str], list[Gap]] = {}

    def add(one: str, other: str, d: Array, nodes: Indices) -> None:
        i = int(np.argmin(d))
        gap = Gap(one, other, float(d[i]), x[nodes[i]].mean(axis=0), nodes.ravel())
        found.setdefault((one, other), []).append(gap)

    for p in pairs:
        d, owners = p.distances(x), np.sort(p.owners, axis=1)
        for one, other in np.unique(owners, axis=0):
            own = (owners == (one, other)).all(axis=1)
            add(surface.skins[one].name, surface.skins[other].name, d[own], p.nodes[own])
    for p in planes:
        d = p.ground.distances(x[p.nodes])
        near = p.nodes[d < reach]
        for skin in np.unique(surface.owners_of(near)):
            own = surface.owners_of(near) == skin
            add(surface.skins[skin].name, p.ground.name, d[d < reach][own], near[own][:, None])
    smallest = [
        min(places, key=lambda gap: gap.distance)._replace(nodes=np.unique(np.concatenate([g.nodes for g in places])))
        for places in found.values()
    ]
    return sorted(smallest, key=lambda gap: gap.distance)

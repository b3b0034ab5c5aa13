"""Springs to the grounds, for models that push back what has entered: the part that penalty and repulsion share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Indices
from .friction import FrictionTerm, Slip
from .ground import Plane
from .registry import Group


@dataclass(frozen=True, eq=False)
class Springs:
    """Springs (n,) of a stiffness matrix (3, 3) in N/m from nodes to points (n, 3): energies (x - x_s).K (x - x_s) / 2."""

    nodes: Indices
    points: Array
    stiffness: Array

    def group(self, x: Array) -> Group:
        d = x[self.nodes] - self.points
        force = d @ self.stiffness
        blocks = np.broadcast_to(self.stiffness, (len(d), 1, 3, 3)).copy()
        return Group(self.nodes[:, None], 0.5 * np.sum(d * force, axis=1), force[:, None], blocks)


def slips(planes: tuple[Plane, ...], groups: list[Group], stick_speed: float) -> FrictionTerm | None:
    """Friction of nodes that are pressed into planes, group by group."""
    out = []
    for p, g in zip(planes, groups, strict=True):
        loads = p.friction[np.searchsorted(p.nodes, g.nodes[:, 0])] * -(g.gradients[:, 0] @ p.ground.up)
        own = loads > 0.0
        if own.any():
            up = np.tile(p.ground.up, (int(own.sum()), 1))
            out.append(Slip(g.nodes[own], np.ones((len(up), 1)), up, loads[own]))
    return FrictionTerm(tuple(out), stick_speed) if out else None

"""What can touch: the outer triangles and edges of all bodies and obstacles, as the collision toolkit sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Indices


@dataclass(frozen=True, eq=False)
class Skin:
    """The triangles of one body or obstacle in the system's node numbers; `fixed` ones do not meet each other."""

    name: str
    triangles: Indices
    fixed: bool = False


class Surface:
    """The skins of a system in one collision mesh.

    `nodes` are the system's nodes on it, `owners` the skin of each; `rest` (n, 3) the system's rest positions (m).
    """

    def __init__(self, rest: Array, skins: tuple[Skin, ...], collide: NDArray[np.bool_]) -> None:
        self.skins = skins
        used = [np.unique(s.triangles) for s in skins]
        self.nodes: Indices = np.concatenate(used).astype(np.int64)
        self.owners = np.repeat(np.arange(len(skins)), [len(u) for u in used])
        number = np.full(len(rest), -1, dtype=np.int32)
        number[self.nodes] = np.arange(len(self.nodes), dtype=np.int32)
        self.faces = np.asfortranarray(number[np.concatenate([s.triangles for s in skins])].astype(np.int32))
        self.rest = np.asfortranarray(rest[self.nodes])
        self._collide = collide

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        import ipctk

        return np.asfortranarray(ipctk.edges(self.faces).astype(np.int32))

    @cached_property
    def mesh(self) -> Any:
        """The toolkit's collision mesh."""
        import ipctk

        # Its remarks on small gaps and steps of zero are answered by our own outcomes.
        ipctk.set_logger_level(ipctk.LoggerLevel.off)
        mesh = ipctk.CollisionMesh(self.rest, self.edges, self.faces)
        mesh.vertex_areas = _grainy(mesh.vertex_areas)
        mesh.edge_areas = _grainy(mesh.edge_areas)
        allowed = self._filter()
        if allowed is not None:
            mesh.can_collide = allowed
        return mesh

    @cached_property
    def areas(self) -> Array:
        """A third of the area of its triangles for each vertex (m^2)."""
        return np.asarray(self.mesh.vertex_areas)

    @cached_property
    def size(self) -> float:
        """Diagonal of the bounding box of all that moves, at rest (m)."""
        return float(np.linalg.norm(np.ptp(self.rest[self.moving], axis=0)))

    @cached_property
    def edge_length(self) -> float:
        """The mean length of its edges at rest (m)."""
        ends = self.rest[self.edges]
        return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean())

    def positions(self, x: Array) -> Array:
        """Positions of the surface's vertices, as the toolkit wants them."""
        return np.asfortranarray(x[self.nodes])

    def centred(self, x: Array) -> Array:
        """Positions of the vertices from the mean of those that move."""
        y = x[self.nodes]
        return np.asfortranarray(y - y[self.moving].mean(axis=0))

    def owners_of(self, nodes: Indices) -> Indices:
        """The skins that nodes of the system belong to."""
        return self.owners[np.searchsorted(self.nodes, nodes)]

    def name_of(self, node: int) -> str:
        """The body or obstacle that a node of the system belongs to."""
        return self.skins[int(self.owners[np.searchsorted(self.nodes, node)])].name

    def rest_of(self, nodes: Indices) -> Array:
        """Rest positions of nodes of the system."""
        return self.rest[np.searchsorted(self.nodes, nodes)]

    def triangles_of(self, nodes: Indices) -> Indices:
        """The triangles that have one of these nodes as a corner, all in the system's numbers."""
        triangles = self.nodes[self.faces]
        return triangles[np.isin(triangles, nodes).any(axis=1)]

    @cached_property
    def moving(self) -> NDArray[np.bool_]:
        """Which vertices belong to bodies, not to obstacles."""
        return ~np.array([s.fixed for s in self.skins])[self.owners]

    def _filter(self) -> Any:
        """Which vertices may meet; None if all may."""

        out: Any = None
        fixed = np.array([s.fixed for s in self.skins])
        parts = [(fixed[self.owners], True)] if fixed.any() else []
        for i in range(len(self.skins)):
            for j in range(i, len(self.skins)):
                if not self._collide[i, j] and not (fixed[i] and fixed[j]):
                    parts.append((np.isin(self.owners, (i, j)), i == j))
        for members, within in parts:
            rule = _apart(members)
            if not within:
                for k in np.unique(self.owners[members]):
                    rule = rule | ~_apart(self.owners == k)
            out = rule if out is None else out & rule
        return out


def _apart(members: NDArray[np.bool_]) -> Any:
    """A filter that forbids pairs of which both vertices are members."""
    import ipctk

    labels = np.arange(1, len(members) + 1, dtype=np.int32)
    labels[members] = 0
    return ipctk.make_vertex_patches_filter(labels)


def _grainy(areas: Array) -> Array:
    """Areas rounded to 30 bits below the largest, so that their sums are exact, whichever thread adds them first."""
    grain = 2.0 ** (np.ceil(np.log2(max(float(np.max(areas)), np.finfo(float).tiny))) - 30)
    return np.maximum(np.round(areas / grain), 1.0) * grain

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
        self.counts = np.array([len(u) for u in used])
        self.begins = np.cumsum(self.counts) - self.counts
        self.owners = np.repeat(np.arange(len(skins)), self.counts)
        number = np.full(len(rest), -1, dtype=np.int32)
        number[self.nodes] = np.arange(len(self.nodes), dtype=np.int32)
        self.faces = np.asfortranarray(number[np.concatenate([s.triangles for s in skins])].astype(np.int32))
        self.rest = np.asfortranarray(rest[self.nodes])
        fixed = np.array([s.fixed for s in skins])
        n = len(skins)
        self.allowed = np.asarray(collide[:n, :n] & ~(fixed[:, None] & fixed))

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
        return ipctk.CollisionMesh(self.rest, self.edges, self.faces)

    @cached_property
    def areas(self) -> Array:
        """A third of the area of its triangles for each vertex (m^2)."""
        return np.asarray(self.mesh.vertex_areas)

    @cached_property
    def edge_areas(self) -> Array:
        """A third of the area of its triangles for each edge (m^2)."""
        return np.asarray(self.mesh.edge_areas)

    @cached_property
    def squared_lengths(self) -> Array:
        """The squared length of each edge at rest (m^2)."""
        ends = self.rest[self.edges]
        return np.sum((ends[:, 1] - ends[:, 0]) ** 2, axis=1)

    @cached_property
    def size(self) -> float:
        """Diagonal of the bounding box of all that moves, at rest (m)."""
        return float(np.linalg.norm(np.ptp(self.rest[self.moving], axis=0)))

    @cached_property
    def edge_length(self) -> float:
        """The mean length of its edges at rest (m)."""
        return float(np.sqrt(self.squared_lengths).mean())

    def positions(self, x: Array) -> Array:
        """Positions of the surface's vertices, as the toolkit wants them."""
        return np.asfortranarray(x[self.nodes])

    def centred(self, x: Array) -> Array:
        """Positions of the vertices from the mean of those that move."""
        y = x[self.nodes]
        return np.ascontiguousarray(y - y[self.moving].mean(axis=0))

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

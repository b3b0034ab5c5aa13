"""Pairs in contact as arrays: who, how heavy, and what the barrier and friction need of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Indices
from ..kernels import barrier as kernels
from ..kernels.closest import EDGE_EDGE, INTERIOR, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from .surface import Surface


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of one kind: their `nodes` (n, k) in the system's numbers, sorted so that the order does
    not depend on threads; `weights` count how many candidates met there, or their area (m^2). `owners` (n, 2) are the skins that meet.
    """

    kind: int
    nodes: Indices
    owners: Indices
    weights: Array
    nearest: NDArray[np.int64]
    thresholds: Array

    def __len__(self) -> int:
        return len(self.nodes)

    def distances(self, x: Array) -> Array:
        """How far apart the pairs are (m)."""
        out = np.empty(len(self))
        kernels.distance_loop(x, self.nodes, self.kind, self.nearest, out)
        return out

    def evaluate(self, x: Array, scales: Array, dhats: Array, squared: bool, level: int) -> tuple[Array, Array, Array]:
        """Energies (n,), gradients (n, k, 3) and upper Hessian blocks, as far as `level` asks; `scales` (n,) in J."""
        n, k = self.nodes.shape
        energies = np.empty(n)
        gradients = np.empty((n, k, 3) if level > kernels.VALUE else (0, k, 3))
        blocks = np.empty((n, k * (k + 1) // 2, 3, 3) if level > kernels.GRADIENT else (0, 1, 3, 3))
        kernels.pair_loop(
            x, self.nodes, self.kind, self.nearest, self.thresholds, scales, dhats, squared, level,
            energies, gradients, blocks,
        )  # fmt: skip
        return energies, gradients, blocks

    def normals(self, x: Array, scales: Array, dhats: Array, squared: bool) -> tuple[Array, Array, Array]:
        """Coefficients (n, k) of the closest points, normals (n, 3) and normal forces (n,) in N."""
        n, k = self.nodes.shape
        coefficients, normals, forces = np.empty((n, k)), np.empty((n, 3)), np.empty(n)
        kernels.normal_loop(
            x, self.nodes, self.kind, self.nearest, self.thresholds, scales, dhats, squared,
            coefficients, normals, forces,
        )  # fmt: skip
        return coefficients, normals, forces


def pairs_of(collisions: Any, surface: Surface) -> tuple[Pairs, ...]:
    """The toolkit's collisions as arrays, one entry per kind that occurs."""
    edges, faces = surface.edges, surface.faces
    out = []

    def add(
        kind: int, columns: list[NDArray], weights: list[float], extra: list[tuple[int, float]] | None = None
    ) -> None:
        vertices = np.column_stack(columns).astype(np.int64)
        nearest = np.full(len(vertices), INTERIOR, dtype=np.int64)
        thresholds = np.zeros(len(vertices))
        if extra is not None:
            nearest[:], thresholds[:] = zip(*extra, strict=True)
        order = np.lexsort((nearest, *vertices.T[::-1]))
        v = np.ascontiguousarray(vertices[order])
        owners = surface.owners[v[:, [0, -1]]]
        out.append(Pairs(kind, surface.nodes[v], owners, np.asarray(weights)[order], nearest[order], thresholds[order]))

    if found := collisions.vv_collisions:
        ids = np.array([(c.vertex0_id, c.vertex1_id) for c in found])
        add(POINT_POINT, [ids.min(axis=1), ids.max(axis=1)], [c.weight for c in found])
    if found := collisions.ev_collisions:
        ids = np.array([(c.edge_id, c.vertex_id) for c in found])
        add(POINT_EDGE, [ids[:, 1], edges[ids[:, 0]]], [c.weight for c in found])
    if found := collisions.fv_collisions:
        ids = np.array([(c.face_id, c.vertex_id) for c in found])
        add(POINT_TRIANGLE, [ids[:, 1], faces[ids[:, 0]]], [c.weight for c in found])
    if found := collisions.ee_collisions:
        ids = np.array([(c.edge0_id, c.edge1_id) for c in found])
        extra = [(int(c.dtype), c.eps_x) for c in found]
        ids, extra = _ordered(ids, extra)
        add(EDGE_EDGE, [edges[ids[:, 0]], edges[ids[:, 1]]], [c.weight for c in found], extra)
    return tuple(out)


SWAPPED = (0, 2, 1, 3, 6, 7, 4, 5, 8)
"""The nearest parts of two edges, when the edges change places."""


def _ordered(ids: Indices, extra: list[tuple[int, float]]) -> tuple[Indices, list[tuple[int, float]]]:
    """Pairs of edges with the lower number first."""
    return np.sort(ids, axis=1), [
        (SWAPPED[kind] if i > j else kind, threshold) for (i, j), (kind, threshold) in zip(ids, extra, strict=True)
    ]

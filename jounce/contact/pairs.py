"""Pairs in contact as arrays: who, how heavy, and what the barrier and friction need of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Indices
from ..kernels import barrier as kernels


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

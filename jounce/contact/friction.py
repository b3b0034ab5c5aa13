"""Friction with lagged normal forces: a potential of velocity that is fixed for one step (Li et al. 2020, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Indices
from ..kernels.friction import friction_loop


@dataclass(frozen=True, eq=False)
class Slip:
    """Pairs that slip on each other: `nodes` (n, k), the coefficients (n, k) of their closest points, normals (n, 3), and loads
    (n,): the coefficient of friction times the normal force (N)."""

    nodes: Indices
    coefficients: Array
    normals: Array
    loads: Array


@dataclass(frozen=True, eq=False)
class FrictionTerm:
    """sum load f0(|u|) over all pairs, u the slip velocity; `stick_speed` (m/s) is where sliding begins."""

    slips: tuple[Slip, ...]
    stick_speed: float

    def evaluate(self, v: Array, level: int) -> list[tuple[Array, Array, Array]]:
        """Potentials (W), gradients (N) and upper Hessian blocks (N s/m) of each group at velocities v of all nodes; `level`
        0, 1 or 2 says how far."""
        out = []
        for s in self.slips:
            n, k = s.nodes.shape
            energies = np.empty(n)
            gradients = np.empty((n, k, 3) if level > 0 else (0, k, 3))
            blocks = np.empty((n, k * (k + 1) // 2, 3, 3) if level > 1 else (0, 1, 3, 3))
            friction_loop(
                v, s.nodes, s.coefficients, s.normals, s.loads, self.stick_speed, level, energies, gradients, blocks
            )
            out.append((energies, gradients, blocks))
        return out

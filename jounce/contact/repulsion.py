"""Repulsion springs: nodes that have entered a ground are pulled to its surface; their set is fixed for each step."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import Array
from ..core.finding import Finding
from .friction import FrictionTerm
from .ground import Plane
from .registry import Group, Things, registry
from .rules import Pair, check_friction, check_lags, check_stick_speed
from .springs import Springs, slips


@registry.register("repulsion")
@dataclass(frozen=True, kw_only=True)
class Repulsion:
    """E = k ((x - x_s) . n)^2 for every surface node that lies below a ground when a step begins (Rojas et al. 2018).

    A spring goes when its node has left and moves away. Since springs come and go between steps, energy is not kept exactly: what
    they add or take is booked as the integrator's.

    stiffness  k (N/m)
    friction   coefficient of Coulomb friction with the grounds
    Bodies do not feel each other or obstacles.
    """

    stiffness: float
    friction: float = 0.0
    stick_speed: float = 1e-3
    lag_iterations: int = 0
    pairs: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        if not (np.isfinite(self.stiffness) and self.stiffness > 0):
            raise ValueError(f"The stiffness of repulsion must be positive and finite (N/m); it is {self.stiffness}.")
        check_friction(self.friction, "of repulsion")
        check_stick_speed(self.stick_speed, "of repulsion")
        check_lags(self.lag_iterations)

    def bind(self, things: Things) -> RepulsionTerm:
        return RepulsionTerm(things.planes, self.stiffness, self.stick_speed)


@dataclass(frozen=True, eq=False)
class RepulsionTerm:
    """The springs of one step."""

    planes: tuple[Plane, ...]
    stiffness: float
    stick_speed: float
    springs: tuple[Springs, ...] = ()
    guards = False

    def begun(self, x: Array, v: Array) -> RepulsionTerm:
        return replace(self, springs=tuple(self._springs(p, x) for p in self.planes))

    def value(self, x: Array) -> float:
        return float(sum(np.sum(s.group(x).energies) for s in self.springs))

    def groups(self, x: Array, level: int) -> tuple[Group, ...]:
        return tuple(s.group(x) for s in self.springs if len(s.nodes))

    def longest_step(self, x0: Array, x1: Array) -> float:
        return 1.0

    def friction(self, x: Array) -> FrictionTerm | None:
        return slips(self.planes, [s.group(x) for s in self.springs], self.stick_speed)

    def broken(self, x: Array) -> list[Finding]:
        return []

    def tightest(self, x: Array) -> str:
        return ""

    def _springs(self, p: Plane, x: Array) -> Springs:
        d = p.ground.distances(x[p.nodes])
        nodes = p.nodes[d < 0.0]
        n = p.ground.up
        points = x[nodes] - d[d < 0.0][:, None] * n
        return Springs(nodes, points, 2.0 * self.stiffness * np.outer(n, n))

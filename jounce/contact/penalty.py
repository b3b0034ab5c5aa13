"""Penalty contact with grounds: what is below is pushed back; cheap, and nothing is guaranteed."""

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


@registry.register("penalty")
@dataclass(frozen=True, kw_only=True)
class Penalty:
    """f = -K ((1 - a) n n^T + a I) (x - x_s) on every surface node below a ground, x_s the ground's point (McAdams et al. 2011).

    stiffness  K (N/m) of every node
    isotropic  a, between 0 and 1: the share of the spring that also holds nodes sideways, at the point of the ground that they were
               nearest to at the start of the step
    friction   coefficient of Coulomb friction with the grounds
    Bodies do not feel each other or obstacles. Nodes enter the ground by about their weight over K.
    """

    stiffness: float
    isotropic: float = 0.0
    friction: float = 0.0
    stick_speed: float = 1e-3
    lag_iterations: int = 0
    pairs: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        if not (np.isfinite(self.stiffness) and self.stiffness > 0):
            raise ValueError(f"The penalty's stiffness must be positive and finite (N/m); it is {self.stiffness}.")
        if not 0.0 <= self.isotropic <= 1.0:
            raise ValueError(f"The isotropic share of a penalty lies between 0 and 1; it is {self.isotropic}.")
        check_friction(self.friction, "of the penalty")
        check_stick_speed(self.stick_speed, "of the penalty")
        check_lags(self.lag_iterations)

    def bind(self, things: Things) -> PenaltyTerm:
        return PenaltyTerm(things.planes, self.stiffness, self.isotropic, self.stick_speed)


@dataclass(frozen=True, eq=False)
class PenaltyTerm:
    """The penalty of one step; `start` are the positions that it began with."""

    planes: tuple[Plane, ...]
    stiffness: float
    isotropic: float
    stick_speed: float
    start: Array | None = None
    guards = False

    def begun(self, x: Array, v: Array) -> PenaltyTerm:
        return replace(self, start=x)

    def value(self, x: Array) -> float:
        return float(sum(np.sum(g.energies) for g in self._all(x)))

    def groups(self, x: Array, level: int) -> tuple[Group, ...]:
        return tuple(g for g in self._all(x) if len(g.nodes))

    def longest_step(self, x0: Array, x1: Array) -> float:
        return 1.0

    def friction(self, x: Array) -> FrictionTerm | None:
        return slips(self.planes, self._all(x), self.stick_speed)

    def broken(self, x: Array) -> list[Finding]:
        return []

    def tightest(self, x: Array) -> str:
        return ""

    def _all(self, x: Array) -> list[Group]:
        return [self._springs(p, x).group(x) for p in self.planes]

    def _springs(self, p: Plane, x: Array) -> Springs:
        n = p.ground.up
        nodes = p.nodes[~(p.ground.distances(x[p.nodes]) >= 0.0)]  # a NaN is not above
        here = (x if self.start is None else self.start)[nodes]
        points = here - p.ground.distances(here)[:, None] * n
        normal = np.outer(n, n)
        return Springs(nodes, points, self.stiffness * ((1 - self.isotropic) * normal + self.isotropic * np.eye(3)))

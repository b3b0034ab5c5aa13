"""Explicit Euler: no solve, first order, unstable; for teaching and comparison."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.mechanics import Mechanics, State
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry


@registry.register("explicit-euler")
@dataclass(frozen=True, kw_only=True)
class ExplicitEuler(Method):
    """x1 = x0 + h v0,  M (v1 - v0) = h f(x0, v0)."""

    feasible: ClassVar[bool] = False

    @property
    def order(self) -> int:
        return 1

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        v = state.v + h * mech.acceleration(state)
        return Step(state.moved(h, state.q + h * state.v, v))

"""Symplectic Euler: no solve, first order, stable below a step that the stiffest mode sets."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.mechanics import Mechanics, State
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry


@registry.register("symplectic-euler")
@dataclass(frozen=True, kw_only=True)
class SymplecticEuler(Method):
    """M (v1 - v0) = h f(x0, v0),  x1 = x0 + h v1  (You et al. 2026, eqs. 4 and 5)."""

    feasible: ClassVar[bool] = False

    @property
    def order(self) -> int:
        return 1

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        v = state.v + h * mech.acceleration(state)
        return Step(state.moved(h, state.q + h * v, v))

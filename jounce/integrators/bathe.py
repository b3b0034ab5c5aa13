"""Bathe's method: a trapezoidal half step, then BDF2 over the whole step; second order, mildly dissipative."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry
from .tr_bdf2 import trapezoid_then_bdf2


@registry.register("bathe")
@dataclass(frozen=True, kw_only=True)
class Bathe(Method):
    """Bathe 2007: the composite of TR-BDF2 split in the middle."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        return trapezoid_then_bdf2(mech, state, h, 0.5, solver)

"""SDIRK2: two minimisations with one matrix, second order, L-stable."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry
from .runge_kutta import SDIRK2, run_stages


@registry.register("sdirk2")
@dataclass(frozen=True, kw_only=True)
class SDIRK2Method(Method):
    """Alexander 1977, with gamma = 1 - 1/sqrt(2)."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        end = run_stages(SDIRK2, mech, state, h, solver)
        return Step(state.moved(h, end.q, end.v), reports=end.reports)

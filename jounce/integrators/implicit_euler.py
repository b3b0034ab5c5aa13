"""Implicit Euler: one minimisation, first order, dissipative, the safe default."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..core.stage import Stage
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry, solve_stage


@registry.register("implicit-euler")
@dataclass(frozen=True, kw_only=True)
class ImplicitEuler(Method):
    """x1 = x0 + h v1,  M (v1 - v0) = h f(x1)."""

    @property
    def order(self) -> int:
        return 1

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        stage = Stage(anchor=state.q + h * state.v, scale=h**2, rate=1 / h, drift=-state.q / h)
        q, reports = solve_stage(mech, stage, state, h, solver)
        return Step(state.moved(h, q, stage.velocity(q)), reports=reports)

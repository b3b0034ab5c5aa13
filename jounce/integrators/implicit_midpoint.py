"""Implicit midpoint rule: second order, symplectic; it can leave the feasible set in between and explode."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..core.stage import Sample, Stage
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry, solve_stage


@registry.register("implicit-midpoint")
@dataclass(frozen=True, kw_only=True)
class ImplicitMidpoint(Method):
    """z1 = z0 + h f((z0 + z1) / 2); contact is felt at the end, so that the end stays feasible."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        stage = Stage(
            anchor=state.q + h * state.v,
            scale=h**2 / 2,
            rate=1 / h,
            drift=-state.q / h,
            samples=(Sample(0.5 * state.q, 0.5, fraction=0.5),),
        )
        q, reports = solve_stage(mech, stage, state, h, solver)
        return Step(state.moved(h, q, 2 * stage.velocity(q) - state.v), reports=reports)

"""The trapezoidal rule, which is Newmark's method with beta = 1/4 and gamma = 1/2: second order, no damping."""

from dataclasses import dataclass
from typing import Any

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State
from ..core.stage import Stage
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry, solve_stage


def trapezoidal_stage(mech: Mechanics, state: State, h: float, load: Array) -> Stage:
    """x1 = x0 + (h/2) (v0 + v1),  M (v1 - v0) = (h/2) (f0 + f1); `load` is -f0."""
    return Stage(
        anchor=state.q + h * state.v,
        scale=h**2 / 4,
        rate=2 / h,
        drift=-2 / h * state.q - state.v,
        load=load,
    )


@registry.register("trapezoidal")
@dataclass(frozen=True, kw_only=True)
class Trapezoidal(Method):
    """x1 = x0 + (h/2) (v0 + v1),  M (v1 - v0) = (h/2) (f0 + f1)."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        load = -mech.force(state)
        stage = trapezoidal_stage(mech, state, h, load)
        q, reports = solve_stage(mech, stage, state, h, solver, gradient=load)
        return Step(state.moved(h, q, stage.velocity(q)), reports=reports)

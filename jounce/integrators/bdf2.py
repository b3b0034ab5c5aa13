"""BDF2: one minimisation, second order, remembers the previous state; steps may change."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..core.stage import Stage
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry, solve_stage
from .implicit_euler import ImplicitEuler


@dataclass(frozen=True)
class Previous:
    """The state one step ago."""

    state: State


def bdf2_stage(before: State, state: State, h: float) -> Stage:
    """The stage of variable-step BDF2 with r = h / h_before:

    z1 = ((1+r)^2 z0 - r^2 z_before) / (1+2r) + (1+r) / (1+2r) h f(z1)    (Hairer, Norsett, Wanner 1993, III.5).
    """
    r = h / (state.t - before.t)
    now, then, b = (1 + r) ** 2 / (1 + 2 * r), r**2 / (1 + 2 * r), (1 + r) / (1 + 2 * r) * h
    q = now * state.q - then * before.q
    v = now * state.v - then * before.v
    return Stage(anchor=q + b * v, scale=b**2, rate=1 / b, drift=-q / b)


@registry.register("bdf2")
@dataclass(frozen=True, kw_only=True)
class BDF2(Method):
    """z1 = (4 z0 - z_before) / 3 + (2 h / 3) f(z1); the first step is implicit Euler's, whose error counts once."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        if memory is None:
            first = ImplicitEuler().step(mech, state, h, None, solver)
            return Step(first.state, memory=Previous(state), reports=first.reports)
        stage = bdf2_stage(memory.state, state, h)
        q, reports = solve_stage(mech, stage, state, h, solver)
        return Step(state.moved(h, q, stage.velocity(q)), memory=Previous(state), reports=reports)

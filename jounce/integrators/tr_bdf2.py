"""TR-BDF2: a trapezoidal substep, then BDF2 over the whole step; second order, L-stable."""

from dataclasses import dataclass
from typing import Any

from ..core.mechanics import Mechanics, State
from ..core.stage import Sample, Stage
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry, solve_stage
from .bdf2 import bdf2_stage
from .trapezoidal import trapezoidal_stage


def trapezoid_then_bdf2(mech: Mechanics, state: State, h: float, share: float, solver: NewtonSolver) -> Step:
    """The trapezoidal rule over share * h, then BDF2 through the start and that point."""
    felt = Sample(fraction=share)
    load = -mech.force(state)
    first = trapezoidal_stage(mech, state, share * h, load)
    middle_stage = Stage(
        first.anchor, first.scale, first.rate, first.drift, samples=(felt,), load=load, contact_sample=felt
    )
    q, first_reports = solve_stage(mech, middle_stage, state, share * h, solver, gradient=load)
    middle = state.moved(share * h, q, middle_stage.velocity(q))
    if not first_reports[0].outcome.ok:
        return Step(middle, reports=first_reports)
    stage = bdf2_stage(state, middle, (1 - share) * h)
    gradient = mech.potential.at(share).gradient(middle.q)
    q, reports = solve_stage(mech, stage, middle, (1 - share) * h, solver, gradient=gradient, begin=share)
    return Step(state.moved(h, q, stage.velocity(q)), reports=first_reports + reports)


@registry.register("tr-bdf2")
@dataclass(frozen=True, kw_only=True)
class TRBDF2(Method):
    """Bank et al. 1985 with the share 2 - sqrt(2), where both substeps have the same matrix."""

    @property
    def order(self) -> int:
        return 2

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        return trapezoid_then_bdf2(mech, state, h, 2 - 2**0.5, solver)

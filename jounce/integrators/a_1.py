"""A-1: implicit Euler's positions, explicit Euler's velocities; linearly symplectic and stable at any step."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.mechanics import Mechanics, State
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry
from .decoupled import corrected
from .runge_kutta import IMPLICIT_EULER


@registry.register("a-1")
@dataclass(frozen=True, kw_only=True)
class A1(Method):
    """x1 = x0 + h w,  M (w - v0) = -h grad P(x1),  v1 = w - h M^-1 (grad P(x0) - grad P(x1))   (You et al. 2026, section 4.3)."""

    newton_tolerance: ClassVar[float] = 1e-3

    @property
    def order(self) -> int:
        return 1

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        c = corrected(IMPLICIT_EULER, mech, state, h, memory, solver)
        return Step(state.moved(h, c.q, c.w - c.d), c.felt(mech), c.reports, alpha=1.0)

"""A-search: A-1 with its weight alpha chosen at every step so that the energy meets a target."""

import warnings
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..core.arrays import Array
from ..core.checks import alike
from ..core.mechanics import Mechanics, State
from ..energy.measure import energy_form
from ..energy.targets import Conserve, PerBody, Target, aimable
from ..solvers.newton import NewtonSolver
from .aim import Aim, aim
from .base import Method, Step, registry
from .decoupled import Felt, corrected, usable
from .per_body import BodyAims, correct_bodies
from .runge_kutta import Tableau

UNSTABLE = (
    "The sparse search is linearly unstable: a pattern of three steps may grow by up to 8.8 % a step. Give it a target that decays, "
    "such as Decay(tau=1.0)."
)


@dataclass(frozen=True)
class SearchMemory:
    """The last gradient, the target, and on which side of it A-1 would have ended in the last steps (sparse variant)."""

    felt: Felt
    aim: Aim | BodyAims | None
    sides: tuple[int, ...] = ()


@registry.register("a-search")
@dataclass(frozen=True, kw_only=True)
class ASearch(Method):
    """v1 = w - alpha d with alpha from E(alpha) = target, the root nearer to 1, clipped to a range (You et al. 2026, algorithm 1).

    alpha    the range; 0 is implicit Euler, 1 is A-1, and above 1 lets it regain what collisions took
    target   Conserve, Decay, Schedule, Curve or PerBody; each says in which measure its energy is taken
    sparse   correct only when A-1 has ended on the same side of the target three steps in a row. It keeps A-1's spectrum better, but
             it is linearly unstable: a period-3 pattern grows by up to 8.8 % a step. Use it with a decaying target
    tableau  the Runge-Kutta method underneath: a name, or a `jounce.integrators.Tableau`
    """

    newton_tolerance: ClassVar[float] = 1e-3

    alpha: tuple[float, float] = (0.0, 1.1)
    target: Target | PerBody = field(default_factory=Conserve)
    sparse: bool = False
    tableau: str | Tableau = "implicit-euler"

    def __post_init__(self) -> None:
        object.__setattr__(self, "feasible", usable(self.tableau).stiffly_accurate)
        aimable(self.target, per_body=True)
        alike(self.alpha, (0.0, 1.1), "The range alpha")
        if len(self.alpha) != 2 or not self.alpha[0] <= self.alpha[1] or not np.all(np.isfinite(self.alpha)):
            raise ValueError(f"alpha is a range (lowest, highest) of finite numbers; it is {self.alpha}.")
        if self.sparse and isinstance(self.target, PerBody):
            raise ValueError("The sparse search takes one target for all bodies; it does not go with PerBody.")
        if self.sparse and isinstance(self.target, Conserve):
            warnings.warn(UNSTABLE, stacklevel=2)

    @property
    def order(self) -> int:
        return self._tableau.order

    @property
    def _tableau(self) -> Tableau:
        return usable(self.tableau)

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        before: SearchMemory | None = memory
        c = corrected(self._tableau, mech, state, h, None if before is None else before.felt, solver)
        felt = c.felt(mech)
        if not all(r.outcome.ok for r in c.reports):
            return Step(state.moved(h, c.q, c.w), reports=c.reports)
        if isinstance(self.target, PerBody):
            aims = None if before is None or not isinstance(before.aim, BodyAims) else before.aim
            v, aims, alpha = correct_bodies(self.target, self.alpha, aims, mech, state, h, c)
            return Step(
                state.moved(h, c.q, v),
                SearchMemory(felt, aims),
                c.reports,
                alpha,
                aims.total_target,
                aims.total_measured,
            )
        last = None if before is None or not isinstance(before.aim, Aim) else before.aim
        level = aim(self.target, last, mech, state, h, c.q, c.old_gradient)
        parabola = energy_form(mech, self.target.measure, c.q, h, gradient=c.gradient).along(c.w, c.d)
        alpha = parabola.reach(level.target, *self.alpha)
        sides: tuple[int, ...] = ()
        if self.sparse:
            alpha, sides = _sparsely(alpha, parabola(1.0) - level.target, () if before is None else before.sides)
        v: Array = c.w - alpha * c.d
        return Step(
            state.moved(h, c.q, v), SearchMemory(felt, level, sides), c.reports, alpha, level.target, parabola(alpha)
        )


def _sparsely(alpha: float, excess: float, sides: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
    """alpha where three steps in a row ended on one side of the target, else 1 (You et al. 2026, section 5.6, variant 3)."""
    sides = (*sides, int(np.sign(excess)))[-3:]
    if len(sides) == 3 and len(set(sides)) == 1 and sides[0] != 0:
        return alpha, ()
    return 1.0, sides

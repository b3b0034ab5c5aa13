"""Decoupled alpha-methods: positions from a Runge-Kutta method, velocities between it and its adjoint.

    x1 = x~,   v1 = w - alpha d,   d = h M^-1 (sum_i b*_i grad P(x*_i) - sum_i b_i grad P(x_i))     (You et al. 2026, eqs. 6 to 13)

with (x~, w) the step of the method and x*_i the stages of its adjoint. Only conservative forces are corrected: friction and damping
stay as the implicit solve felt them. Positions are the method's own, so whatever contact and inversion guarantee it gives is kept.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..core.arrays import Array
from ..core.checks import real
from ..core.mechanics import Mechanics, State
from ..core.outcome import SolveReport
from ..core.registry import nearest
from ..solvers.newton import NewtonSolver
from .base import Method, Step, registry
from .runge_kutta import TABLEAUS, Tableau, run_stages


@dataclass(frozen=True)
class Felt:
    """The gradient of the potential at the coordinates where the last step ended, so that the next need not ask again.

    `uniform` is the share of gravity and loads in it, since a load may begin, end or jump between two steps.
    """

    q: Array
    gradient: Array
    uniform: Array

    def at(self, mech: Mechanics, state: State) -> Array | None:
        """The gradient at the start of a step of `mech`, if that is where the last one ended."""
        if not np.array_equal(self.q, state.q):
            return None
        uniform = mech.uniform.at(0.0).gradient(state.q)
        return self.gradient if np.array_equal(uniform, self.uniform) else self.gradient + (uniform - self.uniform)


class Correction(NamedTuple):
    """A method's own end (q, w), the correction d of its velocity, and the gradients at both ends of the step."""

    q: Array
    w: Array
    d: Array
    old_gradient: Array
    gradient: Array
    reports: tuple[SolveReport, ...]

    def felt(self, mech: Mechanics) -> Felt:
        """What the next step need not compute again."""
        return Felt(self.q, self.gradient, mech.uniform.at(1.0).gradient(self.q))


def corrected(
    tableau: Tableau, mech: Mechanics, state: State, h: float, felt: Felt | None, solver: NewtonSolver
) -> Correction:
    """One step of the method and what its adjoint would change in the velocity.

    For implicit Euler the adjoint is explicit Euler, which needs the old gradient alone: the step costs one gradient more than
    implicit Euler's, and that gradient is the next step's old one.
    """
    old = None if felt is None else felt.at(mech, state)
    if old is None:
        old = mech.potential.at(0.0).gradient(state.q)
    own = run_stages(tableau, mech, state, h, solver, gradient=old, with_push=True)
    if not all(r.outcome.ok for r in own.reports):
        return Correction(own.q, own.v, np.zeros_like(own.v), old, old, own.reports)
    end = own.last_gradient
    if end is None:  # the end is no stage
        end = mech.potential.at(1.0).gradient(own.q)
    other = run_stages(tableau.adjoint, mech.conservative(), state, h, solver, gradient=old, with_push=True)
    d = h * mech.mass.solve(other.push - own.push)
    return Correction(own.q, own.v, d, old, end, own.reports + other.reports)


def usable(tableau: str | Tableau) -> Tableau:
    """The tableau of that name, or the one given, if it and its adjoint can be solved stage by stage."""
    if isinstance(tableau, str) and tableau not in TABLEAUS:
        raise ValueError(f"There is no Runge-Kutta tableau named '{tableau}'; {nearest(tableau, sorted(TABLEAUS))}")
    found = TABLEAUS[tableau] if isinstance(tableau, str) else tableau
    if not isinstance(found, Tableau):
        raise TypeError(f"The tableau must be a Tableau or one of {', '.join(sorted(TABLEAUS))}; it is {tableau!r}.")
    if any(row[-1] < 0 for row in found.a):
        raise ValueError("A stage with a negative coefficient on the diagonal would feed on damping and friction.")
    if not found.sequential_adjoint:
        raise ValueError(
            "The adjoint of this tableau couples all its stages, which no sequence of minimisations solves: below the diagonal each "
            "a[i][j] must be b[j], as in implicit-euler, sdirk2, and any composition of theta-steps."
        )
    return found


@registry.register("decoupled")
@dataclass(frozen=True, kw_only=True)
class Decoupled(Method):
    """The decoupled method with a fixed weight: alpha = 0 is the tableau's own method, alpha = 1 the linearly symplectic one.

    On SDIRK2 it is stable for all steps but a bounded range (You et al. 2026, appendix D). `tableau` is a name, or any
    `jounce.integrators.Tableau` that composes theta-steps; one that does not end at a stage carries no guarantee on contact.
    """

    newton_tolerance: ClassVar[float] = 1e-3

    tableau: str | Tableau = "sdirk2"
    alpha: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "feasible", usable(self.tableau).stiffly_accurate)
        if not np.isfinite(real(self.alpha, "alpha")):
            raise ValueError(f"alpha must be a finite number; it is {self.alpha}.")

    @property
    def order(self) -> int:
        return usable(self.tableau).order

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        c = corrected(usable(self.tableau), mech, state, h, memory, solver)
        return Step(state.moved(h, c.q, c.w - self.alpha * c.d), c.felt(mech), c.reports, alpha=self.alpha)

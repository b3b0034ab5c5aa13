"""The contract of an integrator. Memory in, memory out: an integrator object never changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State
from ..core.outcome import Outcome, SolveReport
from ..core.registry import Registry
from ..core.stage import Stage, StageObjective
from ..solvers.newton import Minimum, NewtonSolver
from .approach import approach


@dataclass(frozen=True)
class Step:
    """What one step gave: the new state, what to remember, what the solves cost.

    `alpha` is the interpolation weight of velocity-correcting methods, `target` the energy they aimed at (J),
    `measured` that energy as they reached it, in their own measure (J).
    """

    state: State
    memory: Any = None
    reports: tuple[SolveReport, ...] = ()
    alpha: float = np.nan
    target: float = np.nan
    measured: float = np.nan

    @property
    def outcome(self) -> Outcome:
        """The first solve that failed, or success."""
        failed = [r.outcome for r in self.reports if not r.outcome.ok]
        return failed[0] if failed else Outcome()


class Integrator(Protocol):
    """One step of a method. `order` is its order of accuracy on smooth problems.

    `newton_tolerance` (m/s) is what its solves need by default; `feasible` says whether its end state is one that a
    stage resolved contact at.
    """

    name: ClassVar[str]
    newton_tolerance: ClassVar[float]
    feasible: ClassVar[bool]

    @property
    def order(self) -> int: ...

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step: ...


registry: Registry[Integrator] = Registry("integrator")
names: Callable[[], list[str]] = registry.names
create: Callable[..., Integrator] = registry.create


class Method:
    """Defaults that most methods share."""

    name: ClassVar[str] = ""
    newton_tolerance: ClassVar[float] = 0.01
    feasible: ClassVar[bool] = True


class Solved(NamedTuple):
    q: Array
    reports: tuple[SolveReport, ...]


def solve_stage(
    mech: Mechanics,
    stage: Stage,
    state: State,
    h: float,
    solver: NewtonSolver,
    *,
    gradient: Array | None = None,
    guess: Array | None = None,
    begin: float = 0.0,
) -> Solved:
    """Minimise a stage from the best of three guesses.

    `gradient` is that of the potential at `state` where the caller has it; `guess` replaces them. `begin` is the fraction of the step
    at which `state` is.
    """
    objective = StageObjective(mech, stage)
    finish = stage.contact_sample.fraction
    force_scale = float(np.linalg.norm(mech.mass @ np.ones_like(state.q))) / h

    def minimise(objective: StageObjective, start: Array, fraction: float, solver: NewtonSolver) -> Minimum:
        return solver.minimise(
            objective,
            [start],
            duration=h,
            block=mech.block,
            force_scale=force_scale,
            feasible_fraction=lambda a, b: mech.feasible_fraction(a, b, fraction, fraction),
        )

    if guess is None and solver.guesses == "state":
        guess = state.q
    elif guess is None:
        if gradient is None:
            gradient = mech.potential.at(begin).gradient(state.q)
        guess = _best_guess(objective, state.q, gradient, begin)
    elif not mech.scripted:
        fraction = mech.feasible_fraction(state.q, guess, begin, finish)
        guess = guess if fraction >= 1.0 else state.q + fraction * (guess - state.q)
    if not mech.scripted:
        found = minimise(objective, guess, finish, solver)
        return Solved(found.q, (found.report,))
    way = approach(mech, stage, state.q, guess, begin, minimise, solver)
    if not way.outcome.ok:
        return Solved(way.q, (SolveReport(way.outcome), *way.reports))
    found = minimise(objective, way.q, finish, solver)
    return Solved(found.q, (found.report, *way.reports))


OVERSHOT = 40.0
"""How many times the inertial energy of not moving a guess may lie above it, before not moving is the better start."""


def _best_guess(objective: StageObjective, q: Array, gradient: Array, begin: float) -> Array:
    """The better of inertia alone and inertia with the old forces (Gast et al. 2015), or q where both overshoot.

    Where elements ring faster than the step, both land far above the energy of not moving at all; Newton then took three times
    the iterations (twisted bar). But a stiff body that turns is better started where inertia sends it, though its value is higher
    (rotating cube: half the iterations). The bound was read off four scenes, between 14 and 64.
    """
    mech, stage = objective.mechanics, objective.stage
    weight = sum(p.weight for p in stage.samples)
    pushed = stage.anchor - stage.scale * mech.mass.solve(weight * gradient + stage.load)
    guesses = (stage.anchor, pushed)
    values = [objective.value(guess) for guess in guesses]
    guess = guesses[int(np.argmin([v if np.isfinite(v) else np.inf for v in values]))]
    fraction = mech.feasible_fraction(q, guess, begin, stage.contact_sample.fraction)
    if fraction >= 1.0:
        value = min(v if np.isfinite(v) else np.inf for v in values)
    elif mech.scripted:
        return guess  # the way there is found later
    else:
        guess = q + fraction * (guess - q)
        value = objective.value(guess)
    d = q - stage.anchor
    inertia = 0.5 * mech.mass.dot(d, d) / stage.scale
    return guess if value - objective.value(q) <= OVERSHOT * inertia else q

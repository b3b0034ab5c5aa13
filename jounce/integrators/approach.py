"""The way to a feasible start of a stage while obstacles and clamps move by script.

A stage is solved with the script at its end, where the old coordinates may intersect it. So both go together along straight lines as
far as they may; there the stage is solved with the script held, which gives way again; then on, along the way that the minimum
goes as the script does. Nothing is passed through, however far the script moves in one step.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..core.arrays import Array
from ..core.mechanics import Mechanics
from ..core.outcome import Outcome, SolveReport
from ..core.stage import Stage, StageObjective
from ..solvers.newton import Minimum, NewtonSolver

PASSES = 200
LATELY = 10
HARDLY = 0.01
"""Where the last ten solves brought the script on by less than this share of what was left, it is stuck. Fast plates need at most
28 solves, and ten of them go at least a fifth of the rest; what is crushed comes to a stop with ever more iterations."""
ROUGH = 10.0
"""How much looser than the stage itself the solves on the way may be."""
PROBE = 1e-7
"""The part of the script's way over which the change of the gradient is measured."""


class Way(NamedTuple):
    q: Array
    reports: tuple[SolveReport, ...]
    outcome: Outcome


def approach(
    mech: Mechanics,
    stage: Stage,
    q: Array,
    goal: Array,
    begin: float,
    minimise: Callable[[StageObjective, Array, float, NewtonSolver], Minimum],
    solver: NewtonSolver,
) -> Way:
    """Coordinates from which the stage can be minimised: `goal`, or as near to it as is feasible."""
    finish = stage.contact_sample.fraction
    free = mech.feasible_fraction(q, goal, begin, finish)
    if free >= 1.0:
        return Way(goal, (), Outcome())
    if not np.isfinite(StageObjective(mech, stage).value(goal)):
        goal = q
        free = mech.feasible_fraction(q, goal, begin, finish)
    rough = replace(solver, tolerance=ROUGH * (solver.tolerance or 0.01), linear=solver.linear_solver)
    progress, reports, past = 0.0, (), [0.0]
    for _ in range(PASSES):
        q, progress = q + free * (goal - q), progress + free * (1.0 - progress)
        past.append(progress)
        if len(past) > LATELY and progress - past[-1 - LATELY] < HARDLY * (1.0 - past[-1 - LATELY]):
            break
        now = begin + progress * (finish - begin)
        objective = StageObjective(mech, stage, progress, begin)
        found = minimise(objective, q, now, rough)
        reports += (found.report,)
        q = found.q
        if not np.isfinite(objective.value(q)):
            break
        if progress >= 1.0:
            return Way(q, reports, Outcome())
        goal = q + (1.0 - progress) * _course(mech, stage, q, progress, begin, solver)
        free = mech.feasible_fraction(q, goal, now, finish)
        if free >= 1.0:
            return Way(goal, reports, Outcome())
    return Way(q, reports, _crushed(progress))


def _course(mech: Mechanics, stage: Stage, q: Array, progress: float, begin: float, solver: NewtonSolver) -> Array:
    """How fast the minimum moves as the script goes on: -H^-1 dg/dprogress; nought where that cannot be found."""
    ahead = PROBE * (1.0 - progress)
    gradient, hessian = StageObjective(mech, stage, progress, begin).linearise(q, psd=True)
    change = (StageObjective(mech, stage, progress + ahead, begin).gradient(q) - gradient) / ahead
    if not np.isfinite(change).all():
        return np.zeros_like(q)
    course = solver.linear_solver.solve(hessian, -change, tolerance=1e-3).x
    return course if np.isfinite(course).all() else np.zeros_like(q)


def _crushed(progress: float) -> Outcome:
    return Outcome(
        "infeasible",
        f"what moves by script could go only {progress:.1%} of its way: there it leaves no room for what is in between, which cannot "
        "give way without inverting or touching. Let it move less, or slower, or let it go earlier.",
    )

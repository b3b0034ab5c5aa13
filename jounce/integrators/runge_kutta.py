"""Diagonally implicit Runge-Kutta methods: a method is a tableau, a stage is a minimisation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State
from ..core.outcome import SolveReport
from ..core.stage import Sample, Stage
from ..solvers.newton import NewtonSolver
from .base import solve_stage


@dataclass(frozen=True)
class Tableau:
    """Lower triangular coefficients a and weights b; `order` is the method's order."""

    order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]

    def __post_init__(self) -> None:
        if [len(row) for row in self.a] != list(range(1, len(self.b) + 1)):
            raise ValueError(
                "A diagonally implicit tableau has rows of 1, 2, ... coefficients, and as many weights as rows."
            )
        if not abs(sum(self.b) - 1.0) < 1e-12:
            raise ValueError(f"The weights of a tableau must add up to 1; they add up to {sum(self.b)}.")

    @cached_property
    def c(self) -> tuple[float, ...]:
        return tuple(sum(row) for row in self.a)

    @cached_property
    def stiffly_accurate(self) -> bool:
        """Whether the last stage is the end of the step, so that the end is where contact was resolved."""
        last = (*self.a[-1], *(0.0,) * (len(self.b) - len(self.a[-1])))
        return bool(np.allclose(last, self.b, rtol=0, atol=1e-15))

    @cached_property
    def sequential_adjoint(self) -> bool:
        """Whether the adjoint is diagonally implicit too: e b^T - A is upper triangular."""
        return all(np.allclose(row[:-1], self.b[: len(row) - 1], rtol=0, atol=1e-14) for row in self.a)

    @cached_property
    def adjoint(self) -> "Tableau":
        """The adjoint method (e b^T - A, b), its stages in reverse so that it is again lower triangular."""
        s = len(self.b)
        a = np.zeros((s, s))
        for i, row in enumerate(self.a):
            a[i, : len(row)] = row
        flipped = (np.asarray(self.b)[None, :] - a)[::-1, ::-1]
        rows = tuple(tuple(float(x) for x in flipped[i, : i + 1]) for i in range(s))
        return Tableau(self.order, rows, tuple(reversed(self.b)))


GAMMA = 1 - 0.5**0.5
IMPLICIT_EULER = Tableau(1, ((1.0,),), (1.0,))
IMPLICIT_MIDPOINT = Tableau(2, ((0.5,),), (1.0,))
SDIRK2 = Tableau(2, ((GAMMA,), (1 - GAMMA, GAMMA)), (1 - GAMMA, GAMMA))
"""Alexander 1977: second order, L-stable, stiffly accurate."""

TABLEAUS = {"implicit-euler": IMPLICIT_EULER, "implicit-midpoint": IMPLICIT_MIDPOINT, "sdirk2": SDIRK2}


@dataclass(frozen=True)
class Stages:
    """The end of a Runge-Kutta step and its last stage's gradient; `push` is sum_i b_i grad P(x_i), dissipation left out."""

    q: Array
    v: Array
    push: Array
    last_gradient: Array | None
    reports: tuple[SolveReport, ...]


def run_stages(
    tableau: Tableau,
    mech: Mechanics,
    state: State,
    h: float,
    solver: NewtonSolver,
    *,
    gradient: Array | None = None,
    with_push: bool = False,
) -> Stages:
    """All stages of one step; `gradient` is that of the potential at `state` where the caller has it.

    `with_push` evaluates the potential's gradient at each stage, which velocity corrections need.
    """
    vs: list[Array] = []
    accelerations: list[Array] = []
    reports: tuple[SolveReport, ...] = ()
    push = np.zeros_like(state.q)
    stage_gradient: Array | None = None
    q, v = state.q, state.v
    for row, weight, c in zip(tableau.a, tableau.b, tableau.c, strict=True):
        *lower, diagonal = row
        g = h * diagonal
        q_known = state.q + h * sum((k * v for k, v in zip(lower, vs, strict=True)), np.zeros_like(state.q))
        v_known = state.v + h * sum((k * a for k, a in zip(lower, accelerations, strict=True)), np.zeros_like(state.q))
        if diagonal == 0.0:
            q, v = q_known, v_known
            known = gradient if c == 0.0 and not lower else None
            stage_gradient = mech.potential.at(c).gradient(q) if known is None else known
            acceleration = -mech.mass.solve(stage_gradient + mech.drag(v))
        else:
            felt = Sample(fraction=c)
            stage = Stage(
                q_known + g * v_known, g**2, rate=1 / g, drift=-q_known / g, samples=(felt,), contact_sample=felt
            )
            q, solved = solve_stage(mech, stage, state, abs(g), solver, gradient=gradient)
            reports += solved
            v = stage.velocity(q)
            acceleration = (v - v_known) / g
            stage_gradient = mech.potential.at(c).gradient(q) if with_push else None
            if not solved[0].outcome.ok:
                return Stages(q, v, push, None, reports)
        if with_push and stage_gradient is not None:
            push = push + weight * stage_gradient
        vs.append(v)
        accelerations.append(acceleration)
    if tableau.stiffly_accurate:
        return Stages(q, v, push, stage_gradient, reports)
    q = state.q + h * sum((b * v for b, v in zip(tableau.b, vs, strict=True)), np.zeros_like(state.q))
    v = state.v + h * sum((b * a for b, a in zip(tableau.b, accelerations, strict=True)), np.zeros_like(state.q))
    return Stages(q, v, push, None, reports)

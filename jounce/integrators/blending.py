"""Blending: implicit midpoint and implicit Euler mixed so that the energy is kept; second solve, no guarantee on contact."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import root_scalar

from ..core.mechanics import Mechanics, State
from ..energy.targets import Conserve, Target, aimable
from ..solvers.newton import NewtonSolver
from .aim import aim
from .base import Method, Step, registry
from .implicit_euler import ImplicitEuler
from .implicit_midpoint import ImplicitMidpoint


@registry.register("blending")
@dataclass(frozen=True, kw_only=True)
class Blending(Method):
    """z1 = a z_midpoint + (1 - a) z_euler, a in [0, 1] such that H(z1) is the target (Dinev et al. 2018).

    A mix of two feasible states may be infeasible, so the move from implicit Euler's end to the mix is filtered.
    """

    target: Target = field(default_factory=lambda: Conserve(measure="plain"))
    feasible: ClassVar[bool] = False

    def __post_init__(self) -> None:
        aimable(self.target)

    @property
    def order(self) -> int:
        return 1

    def step(self, mech: Mechanics, state: State, h: float, memory: Any, solver: NewtonSolver) -> Step:
        euler = ImplicitEuler().step(mech, state, h, None, solver)
        midpoint = ImplicitMidpoint().step(mech, state, h, None, solver)
        level = aim(self.target, memory, mech, state, h, euler.state.q)

        def mix(a: float) -> tuple[np.ndarray, np.ndarray]:
            return (
                euler.state.q + a * (midpoint.state.q - euler.state.q),
                euler.state.v + a * (midpoint.state.v - euler.state.v),
            )

        def excess(a: float) -> float:
            q, v = mix(a)
            return mech.energy(State(state.t + h, q, v)) - level.target

        usable = midpoint.outcome.ok and bool(np.isfinite(excess(1.0)))
        weight = _crossing(excess) if usable else 0.0
        weight *= min(1.0, mech.feasible_fraction(euler.state.q, mix(weight)[0]))
        q, v = mix(weight)
        return Step(
            state.moved(h, q, v),
            memory=level,
            reports=euler.reports + tuple(r for r in midpoint.reports if usable),
            alpha=weight,
            target=level.target,
            measured=excess(weight) + level.target,
        )


def _crossing(excess: Callable[[float], float]) -> float:
    """Where the energy is met; the nearer end where it is not."""
    low, high = excess(0.0), excess(1.0)
    if low * high < 0.0:
        return float(root_scalar(excess, bracket=(0.0, 1.0), xtol=1e-12).root)
    return 0.0 if abs(low) < abs(high) else 1.0

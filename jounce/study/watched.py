"""Runs of scenes with contact, as studies read them: energy against target, flight, what broke, what they cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ..core.arrays import Array
from ..integrators.base import Integrator
from ..scene.build import build
from ..scene.scene import Scene
from ..simulation import Run, simulate
from ..solvers.newton import NewtonSolver
from .report import Check

SOLVER = NewtonSolver(tolerance=1e-3)
"""Of all methods alike (m/s): a body crushed between others takes up to 160 iterations, and halved steps take as many each."""
LOOKED_AT = 10
"""Every so many frames are searched for intersections and inversions."""
AFTER = 2
"""So many steps after the last one in contact the energy has settled."""


@dataclass(frozen=True)
class Watched:
    """A run of a scene, its cost (s), and the energy (J) that its own is counted above."""

    run: Run
    cost: float
    low: float = 0.0

    @property
    def t(self) -> Array:
        """Times of the ledger (s)."""
        return self.run.ledger.t

    @property
    def scale(self) -> float:
        """The energy at the start above `low` (J)."""
        return float(self.run.ledger.total[0]) - self.low

    @cached_property
    def energy(self) -> Array:
        """E* = (H - low) / (H0 - low), at every step."""
        return (self.run.ledger.total - self.low) / self.scale

    @cached_property
    def target(self) -> Array:
        """The target in the same shares, at every step; NaN at the start and for methods without."""
        return (self.run.ledger.target - self.low) / self.scale

    @cached_property
    def missed(self) -> Array:
        """The energy less its target, both in the target's measure, in the same shares; NaN at the start."""
        return (self.run.ledger.measured - self.run.ledger.target) / self.scale

    @cached_property
    def masses(self) -> Array:
        return self.run.system.masses  # type: ignore[attr-defined]

    @cached_property
    def centre(self) -> Array:
        """The centre of mass of all bodies in every frame (m)."""
        return np.einsum("n,fnd->fd", self.masses, self.run.positions) / self.masses.sum()

    @cached_property
    def flight(self) -> NDArray[np.bool_]:
        """Steps outside contact and the two steps after it."""
        touching = self.run.ledger.contact > 0.0
        near = touching.copy()
        for late in range(1, AFTER + 1):
            near[late:] |= touching[:-late]
        near[0] = True  # the start is no step
        return ~near

    @cached_property
    def vibration(self) -> Array:
        """Kinetic and elastic energy about the motion of the common centre, at every step (J)."""
        book = self.run.ledger
        return book.kinetic + book.elastic - 0.5 * (book.momentum**2).sum(axis=1) / self.masses.sum()

    @property
    def above(self) -> float:
        """The most that the energy lies above its target, in the target's measure; NaN for methods without."""
        return float(self.missed[1:].max()) if len(self.missed) > 1 else np.nan

    @property
    def newton(self) -> float:
        """Newton iterations per step."""
        n = self.run.ledger.newton_iterations[1:]
        return float(n.mean()) if n.size else np.nan

    @property
    def broken(self) -> int:
        """How many promises the frames break that are looked at: no intersection, no inversion, nothing below a ground."""
        frames = (*self.run.states[::LOOKED_AT], self.run.end)
        return sum(len(self.run.system.violations(s)) for s in frames)  # type: ignore[attr-defined]


def watch(
    scene: Scene, method: Integrator, h: float, seconds: float, *, low: float = 0.0, halvings: int = 4, every: int = 1
) -> Watched:
    """Run a scene to its end or to where a step fails, with one solver for all methods."""
    system = build(scene)
    begin = perf_counter()
    run = simulate(
        system,
        integrator=method,
        step=h,
        steps=round(seconds / h),
        solver=SOLVER,
        record_every=every,
        halvings=halvings,
        on_failure="stop",
    )
    return Watched(run, perf_counter() - begin, low)


def sound(runs: Mapping[str, Watched]) -> list[Check]:
    """That nothing intersects or inverts in the frames looked at, and that every ledger closes."""
    return [
        Check(
            "promises broken in all runs, every tenth frame",
            float(sum(r.broken for r in runs.values())),
            0.0,
            0.0,
            "at most",
        ),
        Check(
            "ledgers: largest gap, of the largest energy",
            max(float(r.run.ledger.residual().max()) for r in runs.values()),
            1e-12,
            kind="at most",
        ),
    ]


def draw_energies(
    axes: Sequence[Axes], runs: Mapping[str, Watched], labels: Mapping[str, str], colours: Mapping[str, str]
) -> None:
    """Total energy, and dashed its target, over time on the first axes; the weights alpha on the second if there is one."""
    for name, r in runs.items():
        axes[0].plot(r.t, r.energy, color=colours[name], linewidth=1.4, label=labels[name])
        if np.isfinite(r.target[1:]).any():
            axes[0].plot(r.t, r.target, color=colours[name], linewidth=1.0, linestyle=(0, (3, 2)), alpha=0.8)
            if len(axes) > 1:
                axes[1].plot(r.t, r.run.ledger.alpha, color=colours[name], linewidth=0.9)
    axes[0].set(ylim=(-0.05, 1.15))
    if len(axes) > 1:
        axes[1].set(ylim=(-0.08, 1.18))

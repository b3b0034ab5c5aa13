"""Average vector field in one dimension (Rojas et al. 2018, sections 2 and 4): energy kept to roundoff."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from scipy.optimize import brentq

from ..core.arrays import Array
from ..integrators.base import create
from ..solvers.newton import NewtonSolver
from ..systems.analytic import AnalyticSystem
from .march import march
from .plots import COLOURS, panels, save
from .report import Check, Report, Table

STEPS = 2000
SOLVER = NewtonSolver(tolerance=1e-9, hessian="tikhonov")
"""The true Hessian: these potentials are not convex; a projected one would converge too slowly for roundoff."""
METHODS = ("avf", "implicit-midpoint", "trapezoidal")
LABELS = {"avf": "AVF (Simpson)", "implicit-midpoint": "implicit midpoint", "trapezoidal": "Newmark (trapezoidal)"}


@dataclass(frozen=True)
class Particle:
    """A unit mass in a polynomial potential, its start and its time step."""

    name: str
    potential: Polynomial
    x: float
    v: float
    h: float

    def system(self) -> AnalyticSystem:
        slope, curvature = self.potential.deriv(), self.potential.deriv(2)
        return AnalyticSystem(
            1.0,
            lambda q: float(self.potential(q[0])),
            slope,
            lambda q: np.array([[curvature(q[0])]]),
            q=np.array([self.x]),
            v=np.array([self.v]),
        )

    def energy(self, x: Array, v: Array) -> Array:
        return 0.5 * v**2 + self.potential(x)

    def drift(self, method: str) -> Array:
        """(H_n - H_0) / H_0 after every step; it stops where the method does."""
        states = list(march(self.system(), create(method), self.h, STEPS, SOLVER))
        x, v = np.array([s.q[0] for s in states]), np.array([s.v[0] for s in states])
        start = float(self.energy(np.array(self.x), np.array(self.v)))
        return (self.energy(x, v) - start) / start

    def balance(self, x: Array | float, h: float) -> Array:
        """F(x1) = x1 - x0 - h v0 + h^2/2 times the mean slope on the way there; AVF's step is a root."""
        slope = self.potential.deriv()
        mean = (slope(self.x) + 4 * slope((self.x + x) / 2) + slope(x)) / 6
        return x - self.x - h * self.v + 0.5 * h**2 * mean

    def roots(self, h: float) -> list[float]:
        grid = np.linspace(-6, 6, 4801)
        F = self.balance(grid, h)
        crossings = np.flatnonzero(np.sign(F[:-1]) != np.sign(F[1:]))
        found: list[Any] = [brentq(self.balance, grid[i], grid[i + 1], args=(h,), xtol=1e-14) for i in crossings]
        return [float(x) for x in found]


x = Polynomial([0.0, 1.0])
QUARTIC = Particle("128 x⁴", 128 * x**4, 0.5, 0.0, 0.033)
SPRING = Particle("10 x + 1500 (x² − 1)²", 10 * x + 1500 * (x**2 - 1) ** 2, 0.6, -9.0, 0.04)
ROOT_STEPS = (0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15)

DRAWN = {"trapezoidal": "#e69f00", "implicit-midpoint": COLOURS["implicit-midpoint"], "avf": COLOURS["avf"]}


def run(out: Path, *, full: bool = False) -> Report:
    checks, rows = [], []
    drifts: dict[str, dict[str, Array]] = {}
    for particle in (QUARTIC, SPRING):
        drifts[particle.name] = {method: particle.drift(method) for method in METHODS}
        worst = {method: float(np.abs(d).max()) for method, d in drifts[particle.name].items()}
        rows.append((particle.name, *(f"{worst[m]:.1e}" for m in METHODS)))
        checks.append(Check(f"AVF, {particle.name}: largest drift, {STEPS} steps", worst["avf"], 1e-12, kind="at most"))
        for method in METHODS[1:]:
            checks.append(
                Check(f"{LABELS[method]}, {particle.name}: largest drift", worst[method], 1e-3, kind="at least")
            )
    roots = {h: SPRING.roots(h) for h in ROOT_STEPS}
    step = next(iter(march(SPRING.system(), create("avf"), SPRING.h, 1, SOLVER)))
    checks += [
        Check("figure 3, h = 0.04: number of roots", len(roots[0.04]), 1),
        Check("figure 3, h = 0.04: the root", roots[0.04][0], 1.101847, 1e-6),
        Check("figure 3, h = 0.04: where our AVF step goes", float(step.q[0]), 1.101847, 1e-6),
        *(Check(f"number of roots at h = {h:g}", len(roots[h]), 1 if h < 0.08 else 3) for h in ROOT_STEPS if h != 0.04),
    ]
    drift_table = Table(
        f"Largest |H − H₀| / H₀ in {STEPS} steps", ("potential", *(LABELS[m] for m in METHODS)), tuple(rows)
    )
    root_rows = tuple((f"{h:g}", str(len(r)), ", ".join(f"{x:.6f}" for x in r)) for h, r in roots.items())
    root_table = Table("Roots of the step from x = 0.6, v = −9", ("h (s)", "number", "x"), root_rows)
    notes = (
        "Rojas et al. find their minimisation to converge from any start: so it does at h = 0.04 s, with its one root. "
        "From h = 0.08 s on there are three, two of them minima, and the start decides.",
    )
    files = (_plot_drift(out, drifts), _plot_roots(out, roots))
    title = "Average vector field in one dimension (Rojas et al. 2018)"
    return Report("avf-1d", title, tuple(checks), (drift_table, root_table), files, notes)


def _plot_drift(out: Path, drifts: dict[str, dict[str, Array]]) -> Path:
    figure, axes = panels(1, 2, width=4.6, height=3.4, sharey=True)
    for ax, (name, by_method) in zip(axes, drifts.items(), strict=True):
        for method, colour in DRAWN.items():
            worst = np.maximum.accumulate(np.maximum(np.abs(by_method[method]), 1e-17))
            ax.plot(np.arange(1, worst.size + 1), worst, color=colour, linewidth=1.8, label=LABELS[method])
        ax.set(yscale="log", xlabel="step", ylim=(1e-17, 1e6))
        ax.set_title(f"E(x) = {name}", fontsize=9, loc="left")
    axes[0].set_ylabel("largest |H − H₀| / H₀ so far")
    axes[0].legend(frameon=False, fontsize=8, loc="center right")
    return save(figure, out / "avf-1d-drift.png")


def _plot_roots(out: Path, roots: dict[float, list[float]]) -> Path:
    figure, axes = panels(1, 3, width=3.6, height=3.2)
    grid = np.linspace(-2.2, 2.2, 600)
    for ax, h in zip(axes, (0.04, 0.08, 0.1), strict=True):
        F = SPRING.balance(grid, h)
        ax.axhline(0.0, color="#999999", linewidth=0.8)
        ax.plot(grid, F, color=COLOURS["avf"], linewidth=1.8)
        ax.plot(roots[h], np.zeros(len(roots[h])), "o", color="#222222", markersize=4)
        for i, root in enumerate(roots[h]):
            left = len(roots[h]) > 1 and i == 0
            ax.annotate(
                f"{root:.3f}", (root, 0.0), xytext=(-4 if left else 4, 4), textcoords="offset points", fontsize=8,
                ha="right" if left else "left",
            )  # fmt: skip
        ax.set(xlabel="x₁", ylim=(-6, 6))
        ax.set_title(f"h = {h:g} s: {len(roots[h])} root{'s' if len(roots[h]) > 1 else ''}", fontsize=9, loc="left")
    axes[0].set_ylabel("F(x₁), whose roots are AVF's steps")
    return save(figure, out / "avf-1d-roots.png")

"""One particle against a barrier at huge steps (You et al. 2026, appendix E): who comes back, and how fast.

The barrier acts for x < 0, where the particle comes from x > 0 with v = -1. Two corrections to the paper: the third
velocity of A-search is min(alpha_max (1 + v2), 1), and with an over-estimated energy V > 1 the particle may leave
faster than 1.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..core.arrays import Array
from ..energy.targets import Conserve, Curve
from ..integrators.base import Integrator, create
from ..solvers.newton import NewtonSolver
from ..systems.analytic import AnalyticSystem
from .march import march
from .plots import COLOURS, panels, save
from .report import Check, Report, Table

HBAR = 1e6
PHASES = np.linspace(0.0, 1.0, 61)
STEPS = 8
ALPHA_MAX = 1.1
KAPPA = 1.0
IPC_STEP = 1e3

SystemAt = Callable[[float], AnalyticSystem]


def quadratic(beta: float) -> AnalyticSystem:
    """P(x) = k x^2 / 2 for x < 0, unit mass, unit step, k = hbar."""
    return AnalyticSystem(
        1.0,
        lambda q: 0.5 * HBAR * min(float(q[0]), 0.0) ** 2,
        lambda q: HBAR * np.minimum(q, 0.0),
        lambda q: np.array([[HBAR if q[0] < 0.0 else 0.0]]),
        q=np.array([beta]),
        v=np.array([-1.0]),
    )


def ipc(beta: float) -> AnalyticSystem:
    """P(x) = -kappa (x - 1)^2 ln x for x < 1 (lengths in dhat)."""

    def gradient(q: Array) -> Array:
        x = float(q[0])
        return np.array([0.0 if x >= 1.0 else -KAPPA * (x - 1) * (2 * np.log(x) + (x - 1) / x)])

    def hessian(q: Array) -> Array:
        x = float(q[0])
        return np.array([[0.0 if x >= 1.0 else -KAPPA * (2 * np.log(x) + 4 * (x - 1) / x - ((x - 1) / x) ** 2)]])

    def value(q: Array) -> float:
        x = float(q[0])
        return 0.0 if x >= 1.0 else -KAPPA * (x - 1) ** 2 * float(np.log(x)) if x > 0.0 else np.inf

    def longest_step(start: Array, end: Array) -> float:
        taken = float((start[0] - end[0]) / start[0])
        return 1.0 if taken <= 0.9 else 0.9 / taken

    return AnalyticSystem(
        1.0,
        value,
        gradient,
        hessian,
        q=np.array([1.0 + beta * IPC_STEP]),
        v=np.array([-1.0]),
        longest_step=longest_step,
    )


def velocities(system: AnalyticSystem, method: Integrator, h: float) -> list[float]:
    """v after each step."""
    return [float(s.v[0]) for s in march(system, method, h, STEPS, NewtonSolver(tolerance=1e-9))]


def _searching(limit: float = ALPHA_MAX, assumed: float | None = None) -> Integrator:
    """A-search up to a weight; `assumed` is the speed whose energy it takes for the truth."""
    if assumed is None:
        return create("a-search", alpha=(0.0, limit), target=Conserve(measure="plain"))
    level = 0.5 * assumed**2
    return create(
        "a-search", alpha=(0.0, limit), target=Curve(energy=lambda t: level, add_energy=True, measure="plain")
    )


def search_velocities(beta: float, alpha_max: float, V: float = 1.0) -> list[float]:
    """A-search's velocities as h grows without bound, if it takes V^2 / 2 for the energy; positions in units of h.

    A move that would end at -y inside the barrier ends at its edge, with the push y; the last push and the new one
    correct the velocity, as far as alpha_max and V let them.
    """
    x, v, push = beta, -1.0, 0.0
    out: list[float] = []
    for _ in range(STEPS):
        end, new_push = max(x + v, 0.0), max(-x - v, 0.0)
        v = float(np.clip(end - x + alpha_max * (push - new_push), -V, V)) if push != new_push else end - x
        x, push = end, new_push
        out.append(v)
    return out


def closed_form(beta: float, alpha_max: float) -> list[float]:
    """v2, v3 and v4 for the true energy."""
    v2 = -min(alpha_max * beta, 1.0)
    return [v2, min(alpha_max * (1.0 + v2), 1.0), 1.0]


def trapezoidal_speed(beta: float) -> float:
    return 3 - 4 * beta if beta < 2 / 3 else 8 * beta - 5


def run(out: Path, *, full: bool = False) -> Report:
    methods = {
        "A-1": create("a-1"),
        "A-search": _searching(),
        "trapezoidal": create("trapezoidal"),
        "implicit Euler": create("implicit-euler"),
    }
    left = {label: np.array([velocities(quadratic(b), m, 1.0) for b in PHASES]) for label, m in methods.items()}
    exact = np.array([trapezoidal_speed(b) for b in PHASES])
    search = np.array([closed_form(b, ALPHA_MAX) for b in PHASES])
    over = {V: np.array([velocities(quadratic(b), _searching(assumed=V), 1.0) for b in PHASES]) for V in (1.2, 2.0)}
    checks = [
        Check(
            "A-1: largest distance from 1 of the speed it leaves with",
            _miss(left["A-1"][:, -1], 1.0),
            2e-6,
            kind="at most",
        ),
        Check(
            "trapezoidal: largest misfit from 3 − 4β, 8β − 5",
            _miss(left["trapezoidal"][:, -1], exact),
            1e-4,
            kind="at most",
        ),
        Check(
            "implicit Euler: highest speed it leaves with",
            float(left["implicit Euler"][:, -1].max()),
            0.01,
            kind="at most",
        ),
        Check(
            "A-search: largest distance from 1 of the speed it leaves with",
            _miss(left["A-search"][:, -1], 1.0),
            2e-6,
            kind="at most",
        ),
        Check(
            "A-search: v2, v3 and v4 from their formulas", _miss(left["A-search"][:, 1:4], search), 1e-5, kind="at most"
        ),
    ]
    for V, v in over.items():
        theirs = np.array([search_velocities(b, ALPHA_MAX, V) for b in PHASES])
        checks.append(
            Check(f"A-search taking V = {V:g} for the speed: all velocities", _miss(v, theirs), 1e-5, kind="at most")
        )
    half = velocities(quadratic(0.5), _searching(assumed=1.2), 1.0)
    checks.append(Check("β = 0.5, alpha_max = 1.1, V = 1.2: leaves with (paper: 1)", half[-1], 1.155, 1e-5))

    barrier = {label: np.array([velocities(ipc(b), m, IPC_STEP)[-1] for b in PHASES]) for label, m in methods.items()}
    checks.append(Check("IPC barrier, A-1: largest distance from 1", _miss(barrier["A-1"], 1.0), 0.02, kind="at most"))
    checks.append(
        Check("IPC barrier, trapezoidal: highest speed (paper: up to 3)", float(barrier["trapezoidal"].max()), 3.0, 0.1)
    )
    rows = tuple(
        (
            label,
            f"{left[label][:, -1].min():.6f}",
            f"{left[label][:, -1].max():.6f}",
            f"{barrier[label].min():.4f}",
            f"{barrier[label].max():.4f}",
        )
        for label in methods
    )
    columns = ("method", "quadratic, lowest", "highest", "IPC, lowest", "highest")
    table = Table(f"Speed after the collision over all phases, ħ = {HBAR:g}", columns, rows)
    files = (_plot(out, left, barrier, over),)
    return Report(
        "appendix-e", "One particle against a barrier (You et al. 2026, appendix E)", tuple(checks), (table,), files
    )


def _miss(ours: Array, theirs: Array | float) -> float:
    return float(np.abs(ours - theirs).max())


def _plot(out: Path, left: dict[str, Array], barrier: dict[str, Array], over: dict[float, Array]) -> Path:
    figure, (a, b, c) = panels(1, 3, width=4.0, height=3.4)
    colours = {label: COLOURS[label.lower().replace(" ", "-")] for label in left}
    wide: dict[str, Any] = {"linewidth": 5.0, "alpha": 0.45, "zorder": 1.5}
    thin: dict[str, Any] = {"linewidth": 1.8}
    for ax, data in ((a, {k: v[:, -1] for k, v in left.items()}), (b, barrier)):
        for label, v in data.items():
            ax.plot(PHASES, v, color=colours[label], **(wide if label == "A-search" else thin))
        ax.set(xlabel="phase β of the collision", ylim=(-0.1, 3.2))
    a.set_ylabel("speed after the collision")
    a.text(0.06, 2.95, "trapezoidal", color=colours["trapezoidal"], fontsize=8)
    a.text(0.02, 1.1, "A-1, A-search (wide)", color=colours["A-1"], fontsize=8)
    a.text(0.02, 0.06, "implicit Euler", color="#666666", fontsize=8)
    a.set_title("Quadratic barrier, ħ = 10⁶", fontsize=9, loc="left")
    b.set_title(f"IPC barrier, h = {IPC_STEP:.0f} d̂ / v", fontsize=9, loc="left")
    shades = {1.2: "#5a2500", 2.0: "#e8893c"}
    for V, v in reversed(over.items()):
        c.plot(PHASES, v[:, -1], color=shades[V], linewidth=1.8 if V < 2 else 5.0)
    c.text(0.05, 1.228, "taken for the speed: V = 2 (wide), V = 1.2 (thin)", color=shades[2.0], fontsize=8)
    c.plot(PHASES, left["A-search"][:, -1], color="#444444", linewidth=1.2, linestyle="--")
    c.text(0.98, 0.975, "true energy", fontsize=8, color="#444444", ha="right")
    c.set(xlabel="phase β of the collision", ylim=(0.95, 1.25))
    c.set_title("A-search told too high an energy", fontsize=9, loc="left")
    return save(figure, out / "appendix-e-phases.png")

"""Linear stability (You et al. 2026, appendices C and D): step matrices of our integrators against the formulas.

The formulas are corrected: the lower left entries carry h k / m, the discriminant hbar^2 alpha (4 - alpha), and
Tr Q of the midpoint rule is 2 (4 - hbar) / (4 + hbar).
"""

from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from ..core.arrays import Array
from ..integrators.runge_kutta import SDIRK2, Tableau
from .linear import determinant, discriminant, largest_growth, step_matrix
from .plots import COLOURS, panels, save
from .report import Check, Report, Table

HBAR = np.geomspace(1e-3, 1e4, 22)
ALPHAS = (0.0, 0.5, 1.0, 1.1, 2.0)


def q_alpha(hbar: float, alpha: float) -> Array:
    """A-search with a fixed weight."""
    return np.array([[1.0, 1.0], [-hbar * (1 + alpha * hbar), 1 + alpha * hbar]]) / (1 + hbar)


def q_symplectic(hbar: float) -> Array:
    return np.array([[1 - hbar, 1.0], [-hbar, 1.0]])


def q_midpoint(hbar: float) -> Array:
    return np.array([[1 - hbar / 4, 1.0], [-hbar, 1 - hbar / 4]]) / (1 + hbar / 4)


def stability_trace(tableau: Tableau, hbar: float) -> float:
    """Tr Q = Re(R(i h) + R*(i h)), with R(z) = det(I + z A*) / det(I - z A) and A* the adjoint's (appendix C)."""
    n = len(tableau.b)
    A = np.array([[*row, *(0.0,) * (n - len(row))] for row in tableau.a])
    dagger = np.outer(np.ones(n), tableau.b) - A
    z, one = 1j * np.sqrt(hbar), np.eye(n)
    det = np.linalg.det
    own = det(one + z * dagger) / det(one - z * A)
    adjoint = det(one + z * A) / det(one - z * dagger)
    return float((own + adjoint).real)


def _misfit(method: str, formula: Any, **options: Any) -> dict[str, float]:
    """The largest differences over hbar, each relative to the size of what is subtracted in it."""
    worst = {"matrix": 0.0, "det": 0.0, "trace": 0.0, "disc": 0.0}
    for hbar in HBAR:
        ours, theirs = step_matrix(method, hbar, **options), formula(hbar)
        size = float(np.abs(theirs).max())
        terms = abs(theirs[0, 0] * theirs[1, 1]) + abs(theirs[0, 1] * theirs[1, 0])
        trace = max(float(np.abs(np.diag(theirs)).max()), 1.0)
        misses = {
            "matrix": float(np.abs(ours - theirs).max()) / size,
            "det": abs(determinant(ours) - determinant(theirs)) / terms,
            "trace": abs(float(np.trace(ours - theirs))) / trace,
            "disc": abs(discriminant(ours) - discriminant(theirs)) / max(trace**2, 4 * terms),
        }
        worst = {key: max(worst[key], misses[key]) for key in worst}
    return worst


def _closed_forms() -> float:
    """How far Q(alpha) is from the determinant, trace and discriminant that the paper derives from it."""
    worst = 0.0
    for hbar in HBAR:
        for alpha in ALPHAS:
            Q = q_alpha(hbar, alpha)
            det = 1 + (alpha - 1) * hbar / (1 + hbar)
            trace = (2 + alpha * hbar) / (1 + hbar)
            disc = -(4 * hbar + hbar**2 * alpha * (4 - alpha)) / (1 + hbar) ** 2
            misses = (determinant(Q) - det, np.trace(Q) - trace, discriminant(Q) - disc)
            worst = max(worst, *(abs(float(m)) / max(1.0, alpha * hbar) for m in misses))
    return worst


def sdirk2_trace(hbar: float) -> float:
    return float(np.trace(step_matrix("decoupled", hbar, tableau="sdirk2", alpha=1.0)))


def run(out: Path, *, full: bool = False) -> Report:
    rows, checks = [], []
    cases: list[tuple[str, str, Any, dict[str, Any]]] = [
        (f"alpha = {a:g}", "decoupled", lambda x, a=a: q_alpha(x, a), {"tableau": "implicit-euler", "alpha": a})
        for a in ALPHAS
    ]
    cases += [
        ("A-1", "a-1", lambda x: q_alpha(x, 1.0), {}),
        ("symplectic Euler", "symplectic-euler", q_symplectic, {}),
        ("implicit midpoint", "implicit-midpoint", q_midpoint, {}),
        ("trapezoidal", "trapezoidal", q_midpoint, {}),
    ]
    for label, method, formula, options in cases:
        miss = _misfit(method, formula, **options)
        rows.append((label, *(f"{miss[key]:.1e}" for key in ("matrix", "det", "trace", "disc"))))
        checks.append(
            Check(f"{label}: largest misfit of Q, det, Tr, Tr² − 4 det", max(miss.values()), 1e-12, kind="at most")
        )
    checks.append(Check("det, Tr and discriminant as derived from Q(alpha)", _closed_forms(), 1e-12, kind="at most"))

    growth = max(largest_growth(step_matrix("a-1", x)) for x in np.geomspace(1e-6, 1e12, 55))
    checks.append(Check("A-1: spectral radius, hbar from 1e-6 to 1e12", growth, 1 + 1e-9, kind="at most"))
    eigenvalue = max(np.linalg.eigvals(step_matrix("a-1", 1e12)), key=lambda z: z.imag)
    checks.append(
        Check(
            "A-1: eigenvalue at hbar 1e12 from exp(i pi/3)",
            abs(eigenvalue - np.exp(1j * np.pi / 3)),
            1e-9,
            kind="at most",
        )
    )
    middle = step_matrix("trapezoidal", 1e12)
    checks.append(Check("trapezoidal: trace at hbar 1e12 (eigenvalues −1)", float(np.trace(middle)), -2.0, 1e-9))

    misses = [abs(sdirk2_trace(x) - stability_trace(SDIRK2, x)) for x in HBAR]
    checks.append(Check("SDIRK2-based: trace against its stability functions", max(misses), 1e-10, kind="at most"))
    checks.append(
        Check("SDIRK2-based: trace at hbar 1e10 (paper −√2 − 1/2)", sdirk2_trace(1e10), -(2**0.5) - 0.5, 1e-6)
    )
    lowest = minimize_scalar(
        lambda s: sdirk2_trace(float(np.exp(s))), bounds=(np.log(10), np.log(200)), method="bounded"
    )
    checks.append(Check("SDIRK2-based: lowest trace (paper about −2.16)", float(lowest.fun), -2.16, 0.01))
    checks.append(Check("SDIRK2-based: hbar of the lowest trace (paper about 44)", float(np.exp(lowest.x)), 44.0, 1.0))
    table = Table("Largest misfit over hbar = 1e-3 … 1e4", ("method", "Q", "det Q", "Tr Q", "Tr² − 4 det"), tuple(rows))
    return Report(
        "appendix-c", "Linear stability (You et al. 2026, appendices C and D)", tuple(checks), (table,), (_plot(out),)
    )


def _plot(out: Path) -> Path:
    figure, (ax,) = panels(1, 1, width=7.0, height=4.2)
    hbar = np.geomspace(1e-2, 1e5, 180)
    curves = (
        ("A-1", "a-1", {}, COLOURS["a-1"], 1.0),
        ("implicit midpoint, trapezoidal", "trapezoidal", {}, COLOURS["trapezoidal"], -1.93),
        ("decoupled on SDIRK2", "decoupled", {"tableau": "sdirk2"}, COLOURS["sdirk2"], -1.91),
        ("symplectic Euler", "symplectic-euler", {}, COLOURS["symplectic-euler"], 0.0),
    )
    for label, method, options, colour, _ in curves:
        traces = np.array([np.trace(step_matrix(method, x, **options)) for x in hbar])
        traces[traces < -2.6] = np.nan
        ax.plot(hbar, traces, color=colour, linewidth=1.8, label=label)
    ax.axhspan(-2.6, -2.0, color="#f3dcd4", zorder=0)
    ax.text(1.2e-2, -2.35, "unstable: |Tr Q| > 2", fontsize=8, color="#8a3a1c")
    ax.axhline(1.0, color="#bbbbbb", linewidth=0.8, linestyle=":")
    ax.text(1e5, 1.06, r"eigenvalues $e^{\pm i\pi/3}$", fontsize=8, ha="right", color="#555555")
    ax.set(xscale="log", ylim=(-2.6, 2.15), xlabel=r"$\hbar = h^2 k / m$", ylabel="Tr Q")
    ax.set_title("Trace of the step matrix: −2 is where a method turns unstable", fontsize=10, loc="left")
    ax.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(0.0, 0.42))
    return save(figure, out / "appendix-c-trace.png")

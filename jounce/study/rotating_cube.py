"""The rotating cube (You et al. 2026, figures 8 and 9): which methods keep it turning for ten seconds.

Energies are shares of what the cube has above hanging still: E* = (H - Hmin) / (H0 - Hmin).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np

from .. import gallery
from ..core.arrays import Array
from ..energy.targets import MEASURES, Conserve
from ..integrators.base import Integrator, create
from ..scene.build import build
from ..simulation import Run, simulate
from ..view.camera import Camera
from .pictures import motion, overlays
from .plots import COLOURS, panels, save
from .report import Check, Report, Table

H = 1 / 30
SECONDS = 10.0
STIFFNESSES = {"soft": 5e4, "stiff": 1e6}
"""Young's moduli (Pa)."""
UNREACHED = 0.01
"""How far the shadow may lie above a target that no weight reaches, of E*."""
EDGE = np.array([-0.05, -0.05, 0.0])
"""A point of the edge that the cube turns about (m)."""
LABELS = {
    "plain": "A-search, plain",
    "flight": "A-search, flight",
    "shadow": "A-search, shadow",
    "a-1": "A-1",
    "bdf2": "BDF2",
    "bdf2-fine": "BDF2, h = 1/60 s",
    "implicit-euler": "implicit Euler",
    "implicit-midpoint": "implicit midpoint",
    "blending": "blending",
}
STYLES = {
    "plain": COLOURS["plain"],
    "flight": COLOURS["flight"],
    "shadow": COLOURS["shadow"],
    "a-1": COLOURS["a-1"],
    "bdf2": COLOURS["bdf2"],
    "bdf2-fine": "#555555",
    "implicit-euler": "#bdbdbd",
    "implicit-midpoint": COLOURS["implicit-midpoint"],
    "blending": "#56b4e9",
}


def methods(full: bool) -> dict[str, Integrator]:
    found = {m: create("a-search", target=Conserve(measure=m)) for m in MEASURES}
    names = ("a-1", "bdf2", "implicit-euler", "implicit-midpoint") + (("blending",) if full else ())
    return found | {name: create(name) for name in names}


@dataclass(frozen=True)
class Turning:
    """A run of the cube, read: `hanging` is its energy at rest under the edge (J), `cost` what it took (s)."""

    run: Run
    hanging: float
    cost: float

    @property
    def scale(self) -> float:
        return float(self.run.ledger.total[0]) - self.hanging

    @cached_property
    def energy(self) -> Array:
        """E* at every step."""
        return (self.run.ledger.total - self.hanging) / self.scale

    @cached_property
    def missed(self) -> Array:
        """Measured less target at every step, of the energy above hanging; NaN for methods without target."""
        book = self.run.ledger
        return (book.measured[1:] - book.target[1:]) / self.scale

    @cached_property
    def centre(self) -> Array:
        """The centre of mass from the edge, in every frame (m)."""
        masses = self.run.system.masses  # type: ignore[attr-defined]
        return np.einsum("n,fnd->fd", masses, self.run.positions) / masses.sum() - EDGE

    @cached_property
    def spin(self) -> Array:
        """Angular momentum about the edge, at every step (kg m^2/s)."""
        book = self.run.ledger
        return book.angular_momentum[:, 2] - np.cross(EDGE, book.momentum)[:, 2]

    @property
    def turns(self) -> float:
        angle = np.unwrap(np.arctan2(self.centre[:, 1], self.centre[:, 0]))
        return float(angle[-1] - angle[0]) / (2 * np.pi)

    @property
    def top(self) -> float:
        """The highest that the centre comes above the edge in the last two seconds of ten (m)."""
        late = self.centre[self.run.t > SECONDS - 2.0 + 1e-9, 1]
        return float(late.max()) if late.size else -np.inf


def hanging(youngs: float, cells: int) -> float:
    """The energy of the cube at rest under its edge (J), settled by implicit Euler with large steps."""
    scene = gallery.scene("rotating-cube", youngs=youngs, cells=cells)
    return float(simulate(scene, integrator="implicit-euler", step=1 / 5, steps=60).ledger.total[-1])


def turn(
    method: Integrator, youngs: float, low: float, *, cells: int = 10, h: float = H, seconds: float = SECONDS
) -> Turning:
    """Turn the cube until the end or until a step fails."""
    system = build(gallery.scene("rotating-cube", youngs=youngs, cells=cells))
    begin = perf_counter()
    run = simulate(system, integrator=method, step=h, steps=round(seconds / h), on_failure="stop", halvings=0)
    return Turning(run, low, perf_counter() - begin)


def run(out: Path, *, full: bool = False) -> Report:
    turned: dict[str, dict[str, Turning]] = {}
    for case, youngs in STIFFNESSES.items():
        low = hanging(youngs, 10)
        turned[case] = {name: turn(method, youngs, low) for name, method in methods(full).items()}
        if full:
            turned[case]["bdf2-fine"] = turn(create("bdf2"), youngs, low, h=H / 2)
    rows = tuple(row(f"{case}, {LABELS[name]}", t) for case, by in turned.items() for name, t in by.items())
    table = Table(
        "Ten seconds, h = 1/30 s. E*: energy above hanging, of the start's; above, within: of the target, own measure",
        (
            "cube, method",
            "E* lowest",
            "highest",
            "last",
            "turns",
            "top (m)",
            "above",
            "steps",
            "within 2 %",
            "Newton",
            "s",
        ),
        rows,
    )
    checks = tuple(c for case, by in turned.items() for c in checks_of(case, by))
    files = (plot(out, turned), *(_picture(out, case, by) for case, by in turned.items()))
    return Report(
        "rotating-cube", "The rotating cube (You et al. 2026, figures 8 and 9)", checks, (table,), files, NOTES
    )


NOTES = (
    "The paper: implicit Euler and BDF2 settle at the bottom, implicit midpoint explodes, A-1 and A-search turn on, "
    "and A-search keeps total energy about constant.",
    "Where the shadow is above its target, every weight leaves it there: its parabola has no root, and its vertex is "
    "taken. That is the term h² |g|² / 2 of positions already chosen; a tighter Newton changes nothing.",
)


def row(label: str, t: Turning) -> tuple[str, ...]:
    aimed = bool(np.isfinite(t.missed).any())
    n = t.run.ledger.newton_iterations[1:]
    return (
        label,
        f"{t.energy.min():.3f}",
        f"{t.energy.max():.3g}" if t.energy.max() > 9.5 else f"{t.energy.max():.3f}",
        f"{t.energy[-1]:.3g}" if t.energy[-1] > 9.5 else f"{t.energy[-1]:.3f}",
        f"{t.turns:.1f}",
        f"{t.top:+.3f}" if np.isfinite(t.top) else "–",
        f"{100 * t.missed.max():.2f} %" if aimed else "–",
        str(int(np.sum(t.missed > 1e-9))) if aimed else "–",
        f"{100 * np.mean(np.abs(t.missed) < 0.02):.0f} %" if aimed else "–",
        f"{n.mean():.1f}",
        f"{t.cost:.0f}",
    )


def checks_of(case: str, by: Mapping[str, Turning]) -> list[Check]:
    checks = []
    for name in MEASURES:
        above = float(by[name].missed.max())
        most = UNREACHED if name == "shadow" else 0.005
        checks.append(Check(f"{case}, {LABELS[name]}: most above its target, of E*", above, most, kind="at most"))
    for name in MEASURES:
        checks.append(
            Check(
                f"{case}, {LABELS[name]}: centre's height over the edge at the end (m)",
                by[name].top,
                0.06,
                kind="at least",
            )
        )
    near = {name: float(np.mean(np.abs(by[name].missed) < 0.02)) for name in ("plain", "flight")}
    checks.append(Check(f"{case}, A-search, plain: share of steps within 2 %", near["plain"], 0.5, 0.05))
    checks.append(Check(f"{case}, A-search, flight: share of steps within 2 %", near["flight"], 0.85, kind="at least"))
    checks.append(Check(f"{case}, A-1: turns", abs(by["a-1"].turns), 10.0, kind="at least"))
    for name in ("implicit-euler", "bdf2"):
        checks.append(Check(f"{case}, {LABELS[name]}: E* at the end", float(by[name].energy[-1]), 0.1, kind="at most"))
    most = float(by["implicit-midpoint"].energy.max())
    checks.append(Check(f"{case}, implicit midpoint: highest E* before it stops", most, 10.0, kind="at least"))
    return checks


def plot(out: Path, turned: Mapping[str, Mapping[str, Turning]]) -> Path:
    figure, axes = panels(3, len(turned), width=5.4, height=2.5, sharex=True)
    rows = [axes[i : i + len(turned)] for i in range(0, len(axes), len(turned))]
    for energy, own, spin, (case, by) in zip(*rows, turned.items(), strict=True):
        for name, t in by.items():
            line = {"color": STYLES[name], "linewidth": 1.6 if name in MEASURES else 1.2}
            energy.plot(t.run.ledger.t, t.energy, label=LABELS[name], **line)
            if name in MEASURES:
                own.plot(t.run.ledger.t[1:], 1.0 + t.missed, **line)
            spin.plot(t.run.ledger.t, t.spin, **line)
        reach = 1.25 * max(float(np.abs(by[name].spin).max()) for name in MEASURES)
        energy.set(ylim=(-0.05, 1.4))
        own.set(ylim=(0.7, 1.1))
        spin.set(xlabel="time (s)", ylim=(-0.35 * reach, reach))
        energy.set_title(
            f"{case}: E = {STIFFNESSES[case]:.0e} Pa, h = 1/30 s".replace("e+0", "e"), fontsize=9, loc="left"
        )
    for ax, label in zip(
        (row[0] for row in rows),
        ("total energy, E*", "E* in A-search's\nown measure", "angular momentum\nabout the edge (kg m²/s)"),
        strict=True,
    ):
        ax.set_ylabel(label)
    figure.legend(*axes[0].get_legend_handles_labels(), frameon=False, fontsize=8, loc="outside upper center", ncols=4)
    return save(figure, out / "rotating-cube.png")


def _picture(out: Path, case: str, by: Mapping[str, Turning]) -> Path:
    scene = gallery.scene("rotating-cube")
    camera = Camera(eye=(-0.02, 0.0, 1.0), target=(-0.05, -0.05, 0.0), field_of_view=25.0)
    shown = {LABELS[name]: motion(t.run, scene, STYLES[name]) for name, t in by.items() if name != "bdf2-fine"}
    times = np.linspace(0.0, SECONDS, 20)
    return overlays(out / f"rotating-cube-{case}.png", shown, list(times), camera, size=(360, 360), columns=4)

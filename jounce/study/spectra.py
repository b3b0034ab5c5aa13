"""Modal energies after the bounce (You et al. 2026, figures 17 to 19), and what the measure of the target does to them.

Aimed at the energy itself, A-search feeds the highest modes (section 5.6 names this as its limitation). Aimed at the
energy that A-1 conserves, the shadow, it does not.
"""

from pathlib import Path
from typing import Any

import numpy as np

from ..core.arrays import Array
from ..energy.targets import MEASURES, Conserve
from ..integrators.base import Integrator, create
from .bar import DURATION, GAP, SPEED, WAVE_SPEEDS, Bar
from .march import last, march
from .plots import COLOURS, panels, save
from .report import Check, Report, Table
from .table_2 import SOLVER

RATE = 300
COARSE = 30
PHASES = (0.0, 0.25, 0.5, 0.75)
"""Where in a step the bar meets the wall; spectra are means over these."""
HIGH = slice(21, 31)
LABELS = {
    "reference": "reference",
    "a-1": "A-1",
    "plain": "A-search, plain",
    "flight": "A-search, flight",
    "shadow": "A-search, shadow",
}

STYLES: dict[str, dict[str, Any]] = {
    "reference": {"color": "#c4c4c4", "linewidth": 5.0},
    "a-1": {"color": "#7fb8d9", "linewidth": 3.5},
    "plain": {"color": COLOURS["plain"], "linewidth": 1.6},
    "flight": {"color": COLOURS["flight"], "linewidth": 1.6, "linestyle": (0, (2, 2))},
    "shadow": {"color": COLOURS["shadow"], "linewidth": 1.6},
}


def methods() -> dict[str, Integrator]:
    return {"a-1": create("a-1"), **{m: create("a-search", target=Conserve(measure=m)) for m in MEASURES}}


def spectrum(
    wave_speed: float, method: Integrator, rate: int, phases: tuple[float, ...] = PHASES
) -> tuple[Array, float]:
    """Energy of each mode after five seconds and the true energy then, means over phases (J)."""
    modal, total = [], []
    for phase in phases:
        bar = Bar(wave_speed, gap=GAP + phase * SPEED / rate)
        system = bar.system()
        end = last(system, method, 1.0 / rate, round(DURATION * rate), SOLVER)
        modal.append(bar.spectrum(end.q, end.v))
        total.append(system.prepare(end, 1.0 / rate)[0].energy(end))
    return np.mean(modal, axis=0), float(np.mean(total))


def swing(wave_speed: float, method: Integrator) -> tuple[float, float]:
    """The lowest and the highest true energy in the second half of the run, at the coarse step (J)."""
    system = Bar(wave_speed).system()
    h, steps = 1.0 / COARSE, round(DURATION * COARSE)
    mech = system.prepare(system.initial_state(), h)[0]
    H = [mech.energy(s) for s in march(system, method, h, steps, SOLVER)][steps // 2 :]
    return min(H), max(H)


def run(out: Path, *, full: bool = False) -> Report:
    reference_rate = 30000 if full else 3000
    spectra: dict[str, dict[str, Array]] = {}
    rows, checks = [], []
    for case, c in WAVE_SPEEDS.items():
        found = {"reference": spectrum(c, create("bdf2"), reference_rate, (0.0,))}
        found |= {name: spectrum(c, m, RATE) for name, m in methods().items()}
        spectra[case] = {name: s for name, (s, _) in found.items()}
        for name, (s, total) in found.items():
            rows.append(
                (
                    f"{case}, {LABELS[name]}",
                    f"{s[0]:.3f}",
                    f"{s[1:11].sum():.4f}",
                    f"{s[11:21].sum():.4f}",
                    f"{s[HIGH].sum():.5f}",
                    f"{total:.3f}",
                )
            )
    high = {name: float(s[HIGH].sum()) for name, s in spectra["medium"].items()}
    ranges = {(case, name): swing(c, m) for case, c in WAVE_SPEEDS.items() for name, m in methods().items()}
    price = tuple(
        (case, *("{:.3f} to {:.3f}".format(*ranges[case, name]) for name in methods())) for case in WAVE_SPEEDS
    )
    checks += [
        Check("medium, 1/300, modes 21 to 30, shadow (J)", high["shadow"], 0.03, kind="at most"),
        Check("medium, 1/300, modes 21 to 30, plain (J)", high["plain"], 0.09, 0.03),
        Check("medium, 1/300, modes 21 to 30, A-1 (J)", high["a-1"], 0.014, 0.005),
        Check("medium, 1/30, highest true energy, shadow (J)", ranges["medium", "shadow"][1], 5.6, 0.1),
        Check("stiff, 1/30, lowest true energy, shadow (J)", ranges["stiff", "shadow"][0], 4.99, kind="at least"),
    ]
    columns = ("bar, method", "centroid", "modes 1–10", "11–20", "21–30", "total")
    scope = f"h = 1/{RATE} s, {len(PHASES)} phases; reference: BDF2, 1/{reference_rate} s"
    title = f"Modal energy after 5 s (J) of 5 J, {scope}"
    notes = (
        "Without gravity the flight measure is the plain one. Modes are those of the bar linearised at rest, so for a "
        "soft bar, strained by a third, they are indicative. The total is the true energy: with the shadow "
        "measure it swings and may end off its start.",
    )
    tables = (
        Table(title, columns, tuple(rows)),
        Table(
            f"Range of the true energy in the last half (J) of 5 J, h = 1/{COARSE} s",
            ("bar", *(LABELS[name] for name in methods())),
            price,
        ),
    )
    files = (_plot(out, spectra, reference_rate),)
    return Report("spectra", "Modal energies of the bouncing bars", tuple(checks), tables, files, notes)


def _plot(out: Path, spectra: dict[str, dict[str, Array]], reference_rate: int) -> Path:
    figure, axes = panels(1, 3, width=4.3, height=3.8, sharey=True)
    for ax, (case, by_method) in zip(axes, spectra.items(), strict=True):
        for name, s in by_method.items():
            label = f"BDF2, h = 1/{reference_rate} s" if name == "reference" else LABELS[name]
            ax.plot(np.arange(1, s.size), np.maximum(s[1:], 1e-12), label=label, **STYLES[name])
        ax.set(yscale="log", ylim=(1e-8, 3), xlabel="mode of the bar at rest")
        ax.set_title(f"{case}: wave speed {WAVE_SPEEDS[case]:g} m/s", fontsize=9, loc="left")
    axes[0].set_ylabel("energy after 5 s (J)")
    axes[0].legend(frameon=False, fontsize=8, loc="lower left")
    figure.suptitle(f"Energy per mode, h = 1/{RATE} s, mean of {len(PHASES)} phases", fontsize=10, x=0.01, ha="left")
    return save(figure, out / "spectra.png")

"""Modal energies after the bounce (You et al. 2026, figures 17 to 19), and what the measure of the target does to them.

Aimed at the energy itself, A-search feeds the highest modes (section 5.6 names this as its limitation). Aimed at the energy that A-1
conserves, the shadow, it does not.
"""

from pathlib import Path

import numpy as np

from ..core.arrays import Array
from ..energy.targets import MEASURES, Conserve
from ..integrators.base import Integrator, create
from .bar import DURATION, GAP, SPEED, WAVE_SPEEDS, Bar
from .march import last
from .plots import COLOURS, panels, save
from .report import Check, Report, Table
from .table_2 import SOLVER

RATE = 300
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


def methods() -> dict[str, Integrator]:
    return {"a-1": create("a-1"), **{m: create("a-search", target=Conserve(measure=m)) for m in MEASURES}}


def spectrum(wave_speed: float, method: Integrator, rate: int, phases: tuple[float, ...] = PHASES) -> tuple[Array, float]:
    """Energy of each mode after five seconds and the true energy then, means over phases (J)."""
    modal, total = [], []
    for phase in phases:
        bar = Bar(wave_speed, gap=GAP + phase * SPEED / rate)
        system = bar.system()
        end = last(system, method, 1.0 / rate, round(DURATION * rate), SOLVER)
        modal.append(bar.spectrum(end.q, end.v))
        total.append(system.prepare(end, 1.0 / rate)[0].energy(end))
    return np.mean(modal, axis=0), float(np.mean(total))


def run(out: Path, *, full: bool = False) -> Report:
    reference_rate = 30000 if full else 3000
    spectra: dict[str, dict[str, Array]] = {}
    rows, checks = [], []
    for case, c in WAVE_SPEEDS.items():
        found = {"reference": spectrum(c, create("bdf2"), reference_rate, (0.0,))}
        found |= {name: spectrum(c, m, RATE) for name, m in methods().items()}
        spectra[case] = {name: s for name, (s, _) in found.items()}
        for name, (s, total) in found.items():
            rows.append((f"{case}, {LABELS[name]}", f"{s[0]:.3f}", f"{s[1:11].sum():.4f}", f"{s[11:21].sum():.4f}", f"{s[HIGH].sum():.5f}", f"{total:.3f}"))
    high = {name: float(s[HIGH].sum()) for name, s in spectra["medium"].items()}
    checks += [
        Check("medium, 1/300, modes 21 to 30, shadow (J)", high["shadow"], 0.03, kind="at most"),
        Check("medium, 1/300, modes 21 to 30, plain (J)", high["plain"], 0.09, 0.03),
        Check("medium, 1/300, modes 21 to 30, A-1 (J)", high["a-1"], 0.014, 0.005),
    ]
    columns = ("bar, method", "centroid", "modes 1–10", "11–20", "21–30", "total")
    title = f"Modal energy after 5 s (J) of 5 J, h = 1/{RATE} s, mean of {len(PHASES)} phases; reference: BDF2, 1/{reference_rate} s"
    notes = (
        "Modes are those of the bar linearised at rest, so for the soft bar, which is strained by a third, energies are indicative. "
        "The total is the true energy: with the shadow measure it may end off its start.",
    )
    files = (_plot(out, spectra, reference_rate),)
    return Report("spectra", "Modal energies of the bouncing bars", tuple(checks), (Table(title, columns, tuple(rows)),), files, notes)


def _plot(out: Path, spectra: dict[str, dict[str, Array]], reference_rate: int) -> Path:
    figure, axes = panels(1, 3, width=4.3, height=3.8, sharey=True)
    for ax, (case, by_method) in zip(axes, spectra.items(), strict=True):
        for name, s in by_method.items():
            wide = name == "reference"
            modes = np.arange(s.size)
            ax.plot(
                modes[1:], np.maximum(s[1:], 1e-12), color=COLOURS[name] if not wide else "#b8b8b8", linewidth=4 if wide else 1.5,
                label=f"BDF2, h = 1/{reference_rate} s" if wide else LABELS[name],
            )  # fmt: skip
        ax.set(yscale="log", ylim=(1e-8, 3), xlabel="mode of the bar at rest")
        ax.set_title(f"{case}: wave speed {WAVE_SPEEDS[case]:g} m/s", fontsize=9, loc="left")
    axes[0].set_ylabel("energy after 5 s (J)")
    axes[0].legend(frameon=False, fontsize=8, loc="lower left")
    figure.suptitle(f"Energy per mode, h = 1/{RATE} s, mean of {len(PHASES)} phases", fontsize=10, x=0.01, ha="left")
    return save(figure, out / "spectra.png")

"""A hare falls down stairs (You et al. 2026, figures 6, 13 and 14): three energy targets, BDF2 and implicit Euler."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from .. import gallery
from ..energy.targets import Conserve, Decay
from ..integrators.base import Integrator, create
from .pictures import followed, motion
from .plots import COLOURS, panels, save
from .report import Check, Report, Table
from .watched import Watched, draw_energies, sound, watch

H = 1 / 120
SECONDS = 2.5
STILL = 1.8
"""The paper's hare with the fast decay stops bouncing about then (s)."""
SHOWN = (0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.5, 2.0)
"""The bounce, then what becomes of it (s)."""
LABELS = {
    "conserve": "A-search, no decay",
    "slow": "A-search, tau = 2 s",
    "fast": "A-search, tau = 1 s",
    "bdf2": "BDF2",
    "implicit-euler": "implicit Euler",
}
STYLES = {
    "conserve": COLOURS["a-search"],
    "slow": COLOURS["flight"],
    "fast": COLOURS["a-1"],
    "bdf2": "#555555",
    "implicit-euler": "#b0b0b0",
}


def methods() -> dict[str, Integrator]:
    return {
        "conserve": create("a-search", target=Conserve()),
        "slow": create("a-search", target=Decay(tau=2.0)),
        "fast": create("a-search", target=Decay(tau=1.0)),
        "bdf2": create("bdf2"),
        "implicit-euler": create("implicit-euler"),
    }


def fall(method: Integrator, *, nodes: int, seconds: float = SECONDS) -> Watched:
    return watch(gallery.scene("hare-stairs", nodes=nodes), method, H, seconds)


def run(out: Path, *, full: bool = False) -> Report:
    nodes = 4670 if full else 500
    falls = {name: fall(m, nodes=nodes) for name, m in methods().items()}
    rows = tuple(row(LABELS[name], f) for name, f in falls.items())
    columns = (
        "method",
        "H* at 1 s",
        "at the end",
        "in motion after 1 s",
        "above target",
        "alpha at 0",
        f"after {STILL:g} s",
        "Newton",
        "s",
    )
    table = Table(
        f"{SECONDS:g} s, h = 1/120 s, a hare of about {nodes} nodes; H*: energy above the floor, of the "
        "start's; in motion: kinetic and elastic energy, mean, of the start's; alpha at 0: share of steps",
        columns,
        rows,
    )
    notes = (
        "The paper: without decay the hare moves in a wide range that implicit Euler and BDF2 hardly have; tau = 2 s bounces on; "
        "tau = 1 s falls back on implicit Euler at about 1.8 s, when the hare has more energy than the target and none to take.",
    )
    title = "A hare falls down stairs (You et al. 2026, figures 6, 13 and 14)"
    files = (plot(out, falls), picture(out, falls, nodes))
    return Report("stairs", title, tuple(checks_of(falls)), (table,), files, notes)


def stopped(f: Watched, since: float = 0.0) -> float:
    """The share of steps after a time (s) in which alpha is at 0."""
    alpha = f.run.ledger.alpha[1:][f.t[1:] > since]
    return float(np.mean(alpha < 1e-9))


def moving(f: Watched, since: float = 1.0) -> float:
    """Mean kinetic and elastic energy after a time (s), of the start's energy."""
    book = f.run.ledger
    return float((book.kinetic + book.elastic)[f.t > since].mean()) / f.scale


def row(label: str, f: Watched) -> tuple[str, ...]:
    aimed = bool(np.isfinite(f.run.ledger.alpha[1:]).any())
    return (
        label,
        f"{np.interp(1.0, f.t, f.energy):.3f}",
        f"{f.energy[-1]:.3f}",
        f"{moving(f):.3f}",
        f"{f.above:.3f}" if aimed else "–",
        f"{stopped(f):.0%}" if aimed else "–",
        f"{stopped(f, STILL):.0%}" if aimed else "–",
        f"{f.newton:.1f}",
        f"{f.cost:.0f}",
    )


def checks_of(falls: Mapping[str, Watched]) -> list[Check]:
    checks = []
    end = {name: float(f.energy[-1]) for name, f in falls.items()}
    for more, less in pairwise(("conserve", "slow", "fast")):
        gap = end[more] - end[less]
        checks.append(Check(f"H* at the end: {LABELS[more]} less {LABELS[less]}", gap, 0.0, kind="at least"))
    near = abs(end["fast"] - end["implicit-euler"]) / (end["conserve"] - end["implicit-euler"])
    checks.append(
        Check("H* at the end: tau = 1 s from implicit Euler, of no decay's distance from it", near, 0.5, kind="at most")
    )
    for other in ("bdf2", "implicit-euler"):
        gap = moving(falls["conserve"]) - moving(falls[other])
        checks.append(Check(f"energy in motion after 1 s: no decay less {LABELS[other]}", gap, 0.0, kind="at least"))
    checks.append(
        Check(
            f"tau = 1 s: share of steps after {STILL:g} s with alpha at 0",
            stopped(falls["fast"], STILL),
            0.5,
            kind="at least",
        )
    )
    above = falls["conserve"].above
    checks.append(Check(f"{LABELS['conserve']}: most above the target, of the start's", above, 0.005, kind="at most"))
    return [*checks, *sound(falls)]


def plot(out: Path, falls: Mapping[str, Watched]) -> Path:
    aimed = [name for name in falls if np.isfinite(falls[name].target[1:]).any()]
    figure, axes = panels(1 + len(aimed), 1, width=8.4, height=1.9, sharex=True)
    draw_energies(axes[:1], falls, LABELS, STYLES)
    axes[0].set_ylabel("total energy,\nof the start's")
    figure.legend(*axes[0].get_legend_handles_labels(), frameon=False, fontsize=8, loc="outside upper center", ncols=5)
    for ax, name in zip(axes[1:], aimed, strict=True):
        ax.plot(falls[name].t, falls[name].run.ledger.alpha, color=STYLES[name], linewidth=1.0)
        ax.set(ylim=(-0.08, 1.18), ylabel="alpha")
        ax.set_title(LABELS[name], fontsize=9, loc="left")
    axes[0].set_title("Energy (figure 13), dashed: target; below it alpha (figure 14)", fontsize=9, loc="left")
    axes[-1].set_xlabel("time (s)")
    return save(figure, out / "stairs.png")


def picture(out: Path, falls: Mapping[str, Watched], nodes: int) -> Path:
    scene = gallery.scene("hare-stairs", nodes=nodes)
    shown = {LABELS[name]: motion(f.run, scene, STYLES[name]) for name, f in falls.items()}
    return followed(out / "stairs-frames.png", shown, SHOWN, (-0.4, 0.45, 1.35), size=(230, 200))

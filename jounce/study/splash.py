"""A hare falls into columns of cubes (You et al. 2026, figure 2): friction, and a decay in two stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import gallery
from ..contact import Barrier
from ..core.arrays import Array
from ..integrators.base import create
from .pictures import followed, motion
from .plots import COLOURS, panels, save
from .report import Check, Report, Table
from .watched import Watched, draw_energies, sound, watch

H = 1 / 120
SHOWN = (0.0, 0.2, 0.25, 0.3, 0.4, 0.6, 1.0, 1.5)
LABELS = {"a-search": "A-search, two-stage decay", "bdf2": "BDF2"}
STYLES = {"a-search": COLOURS["a-search"], "bdf2": "#555555"}
COARSE = {"columns": 3, "layers": 3, "cells": 1, "nodes": 300}
PAPER = {"columns": 10, "layers": 5, "cells": 2, "nodes": 4670}


@dataclass(frozen=True)
class Splash(Watched):
    """A run of the scene: the hare comes first, then `columns` of `layers` cubes each, from below upwards."""

    columns: int = 0
    layers: int = 0

    @property
    def hare(self) -> slice:
        return slice(0, self.run.system.bodies[0].nodes[-1] + 1)  # type: ignore[attr-defined]

    @cached_property
    def impact(self) -> int:
        """The frame before the hare is as near to the cubes as their barrier reaches."""
        x = self.run.positions
        above = x[:, self.hare, 1].min(axis=1) - x[:, self.hare.stop :, 1].max(axis=1)
        near = np.flatnonzero(above < _barrier(self.columns, self.layers).distance)
        return int(near[0]) - 1 if near.size else len(x) - 1

    @cached_property
    def cubes(self) -> Array:
        """The centre of each cube in every frame (frames, columns, layers, 3), m."""
        count = self.columns**2 * self.layers
        x = self.run.positions[:, self.hare.stop :].reshape(len(self.run.t), count, -1, 3)
        m = self.masses[self.hare.stop :].reshape(count, -1)
        centres = np.einsum("cn,fcnd->fcd", m, x) / m.sum(axis=1)[:, None]
        return centres.reshape(len(x), self.columns**2, self.layers, 3)

    @property
    def slip(self) -> float:
        """The largest sideways way of a cube over the one below it until the impact (m)."""
        sideways = np.diff(self.cubes[: self.impact + 1, :, :, [0, 2]], axis=2)
        return float(np.linalg.norm(sideways - sideways[0], axis=-1).max())

    @cached_property
    def shares(self) -> tuple[Array, Array]:
        """Kinetic energy of the hare and of all cubes in every frame (J)."""
        v = self.run.v.reshape(len(self.run.t), -1, 3)
        per_node = 0.5 * self.masses * (v**2).sum(axis=2)
        return per_node[:, self.hare].sum(axis=1), per_node[:, self.hare.stop :].sum(axis=1)


def splash(name: str, seconds: float, **sizes: Any) -> Splash:
    entry = gallery.entry("hare-splash")
    method = entry.method() if name == "a-search" else create(name)
    seen = watch(gallery.scene("hare-splash", **sizes), method, H, seconds)
    return Splash(seen.run, seen.cost, 0.0, sizes["columns"], sizes["layers"])


def _barrier(columns: int, layers: int) -> Barrier:
    contact = gallery.scene("hare-splash", columns=columns, layers=layers).contact
    assert isinstance(contact, Barrier)
    return contact


def run(out: Path, *, full: bool = False) -> Report:
    sizes, seconds = (PAPER, 3.0) if full else (COARSE, 1.5)
    runs = {name: splash(name, seconds, **sizes) for name in LABELS}
    rows = tuple(
        (
            LABELS[name],
            f"{1e3 * s.slip:.4f}",
            f"{s.shares[1].max() / s.shares[0].max():.1%}",
            f"{s.run.ledger.friction_loss.sum() / s.scale:.3f}",
            f"{s.run.ledger.integrator_loss.sum() / s.scale:.3f}",
            f"{s.energy[-1]:.3f}",
            f"{s.newton:.1f}",
            f"{s.cost:.0f}",
        )
        for name, s in runs.items()
    )
    columns = ("method", "slip (mm)", "cubes' kinetic", "friction took", "method took", "H* at the end", "Newton", "s")
    table = Table(
        f"{seconds:g} s, h = 1/120 s, {len(runs['bdf2'].masses)} nodes. Slip: the largest inside a column before the impact; cubes' "
        "kinetic energy at its highest, of the hare's; the others are shares of the energy at the start above the floor",
        columns,
        rows,
    )
    notes = (
        "The target starts at 0.95 of the energy and decays with tau = 1 s from 1 s on, 0.5 s from 1.5 s on. The paper: static "
        "friction holds the columns together as they fall, and the hare's motion goes into that of the cubes.",
        *(() if full else ("The paper's 10 by 10 columns of 5, 4.7k nodes of hare and 3 s are run with --full.",)),
    )
    files = (plot(out, runs), picture(out, runs, sizes))
    title = "A hare falls into columns of cubes (You et al. 2026, figure 2)"
    return Report("splash", title, tuple(checks_of(runs)), (table,), files, notes)


def checks_of(runs: Mapping[str, Splash]) -> list[Check]:
    """Friction that sticks creeps at most at its stick speed."""
    checks = [
        Check(
            f"{LABELS[name]}: slip in a column before the impact, of what creep may be",
            s.slip / (_barrier(s.columns, s.layers).stick_speed * float(s.run.t[s.impact])),
            1.0,
            kind="at most",
        )
        for name, s in runs.items()
    ]
    more = float(runs["a-search"].shares[1].max() - runs["bdf2"].shares[1].max())
    checks.append(
        Check("highest kinetic energy of the cubes, A-search less BDF2 (J)", more, 0.0, kind="at least"),
    )
    return [*checks, *sound(runs)]


def plot(out: Path, runs: Mapping[str, Splash]) -> Path:
    figure, (energy, alpha, hare, cubes) = panels(2, 2, width=4.8, height=2.7, sharex=True)
    draw_energies((energy, alpha), runs, LABELS, STYLES)
    for name, s in runs.items():
        for ax, share in zip((hare, cubes), s.shares, strict=True):
            ax.plot(s.run.t, share, color=STYLES[name], linewidth=1.4)
    energy.set(ylabel="total energy, of the start's\n(dashed: target)")
    energy.legend(frameon=False, fontsize=8)
    alpha.set(ylabel="alpha")
    hare.set(xlabel="time (s)", ylabel="kinetic energy of the hare (J)")
    cubes.set(xlabel="time (s)", ylabel="kinetic energy of the cubes (J)")
    return save(figure, out / "splash.png")


def picture(out: Path, runs: Mapping[str, Splash], sizes: Mapping[str, Any]) -> Path:
    scene = gallery.scene("hare-splash", **sizes)
    shown = {LABELS[name]: motion(s.run, scene) for name, s in runs.items()}
    return followed(out / "splash-frames.png", shown, SHOWN, (-0.4, 0.45, 1.4), size=(240, 240))

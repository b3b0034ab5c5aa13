"""Plots of ledgers and spectra, made to be read: units, labels at the lines' ends, one colour per label."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import Array
from ..energy.ledger import Ledger
from .axes import Chart
from .palette import in_order

Colours = Mapping[str, str] | None
Runs = Mapping[str, Any]
"""Runs, or anything else with a `ledger`, or ledgers, by label."""

PARTS = {"kinetic": "vermilion", "elastic": "blue", "gravity": "green", "contact": "purple"}
BOOKS = {"work": "green", "friction_loss": "orange", "damping_loss": "sky", "integrator_loss": "vermilion"}
MOMENTA = {"momentum": ("momentum", "p", "kg m/s"), "angular_momentum": ("angular momentum", "L", "kg m²/s")}


def plot_energies(path: str | Path, runs: Runs, *, colours: Colours = None, title: str = "") -> Path:
    """Total energies of runs over time (J), their targets dashed; a run that blows up leaves the picture.

    The labels' order gives their colours; `colours` by label keeps them over plots of fewer runs.
    """
    books = _ledgers(runs)
    chart = Chart(path, "time (s)", "total energy (J)", title)
    targets = {label: b["target"] for label, b in books.items() if np.isfinite(b["target"]).any()}
    shared = _same(list(targets.values()))
    chart.limit([b["total"] for b in books.values()], list(targets.values()))
    for label, colour in _coloured(books, colours).items():
        ledger = books[label]
        if label in targets and not shared:
            chart.line(ledger["t"], targets[label], colour, dashed=True)
        chart.line(ledger["t"], ledger["total"], colour, label)
    if shared:
        label, target = next(iter(targets.items()))
        chart.line(books[label]["t"], target, "#555555", "target", dashed=True)
    return chart.save()


def plot_parts(path: str | Path, run: Any, *, stacked: bool = False, title: str = "") -> Path:
    """The parts of one run's energy over time (J) as lines, or stacked with the gravity's least value taken as zero."""
    ledger = _ledger(run, "the run")
    chart = Chart(path, "time (s)", "energy (J)", title)
    present = {part: colour for part, colour in PARTS.items() if np.any(ledger[part])}
    if stacked:
        shown = {p: ledger[p] - (ledger[p].min() if p == "gravity" else 0.0) for p in present}
        chart.stack(ledger["t"], shown, present)
    else:
        for part, colour in present.items():
            chart.line(ledger["t"], ledger[part], colour, part)
        chart.line(ledger["t"], ledger["total"], "black", "total")
    return chart.save()


def plot_changes(path: str | Path, run: Any, *, title: str = "") -> Path:
    """What has changed one run's energy since its start (J): work, and losses to friction, damping and the method."""
    ledger = _ledger(run, "the run")
    chart = Chart(path, "time (s)", "since the start (J)", title)
    for column, colour in BOOKS.items():
        if np.any(ledger[column]) or column == "integrator_loss":
            chart.line(ledger["t"], np.cumsum(ledger[column]), colour, column.replace("_", " "))
    return chart.save()


def plot_momenta(
    path: str | Path,
    runs: Runs,
    *,
    column: str = "angular_momentum",
    components: bool = False,
    colours: Colours = None,
    title: str = "",
) -> Path:
    """The size of runs' angular momentum, or `column="momentum"`, over time; or its components one above the other."""
    if column not in MOMENTA:
        raise ValueError(f"column is 'momentum' or 'angular_momentum'; it is '{column}'.")
    books = _ledgers(runs)
    name, letter, unit = MOMENTA[column]
    labels = [f"${letter}_{c}$ ({unit})" for c in "xyz"] if components else [f"{name} ({unit})"]
    chart = Chart(path, "time (s)", labels, title)
    for label, colour in _coloured(books, colours).items():
        vector = books[label][column].reshape(len(books[label]), 3)
        values = vector.T if components else [np.linalg.norm(vector, axis=1)]
        for row, value in enumerate(values):
            chart.line(books[label]["t"], value, colour, label, row=row)
    return chart.save()


def plot_alpha(path: str | Path, runs: Runs, *, colours: Colours = None, title: str = "") -> Path:
    """The weight alpha that runs' methods chose at each step."""
    books = {label: b for label, b in _ledgers(runs).items() if np.isfinite(b["alpha"]).any()}
    if not books:
        raise ValueError(f"No run has an alpha: the methods of {', '.join(runs)} do not choose one.")
    chart = Chart(path, "time (s)", "alpha", title)
    for level in (0.0, 1.0):
        chart.level(level)
    for label, colour in _coloured(books, colours).items():
        chart.line(books[label]["t"], books[label]["alpha"], colour, label, stepped=True)
    return chart.save()


def plot_spectra(
    path: str | Path, spectra: Mapping[str, tuple[ArrayLike, ArrayLike]], *, colours: Colours = None, title: str = ""
) -> Path:
    """Energy (J) in each mode of vibration by its number, on a logarithmic scale; modes without energy are left out."""
    chart = Chart(path, "mode", "energy (J)", title, log=True)
    for label, colour in _coloured(spectra, colours).items():
        modes, energies = (np.asarray(a, dtype=float) for a in spectra[label])
        if modes.shape != energies.shape or modes.ndim != 1:
            raise ValueError(f"'{label}' has {modes.shape} modes and {energies.shape} energies; give as many of both.")
        chart.line(modes, np.where(energies > 0, energies, np.nan), colour, label, dots=len(modes) <= 60)
    return chart.save()


def _ledger(run: Any, label: str) -> Ledger:
    ledger = run if isinstance(run, Ledger) else getattr(run, "ledger", None)
    if not isinstance(ledger, Ledger) or len(ledger) == 0:
        raise ValueError(f"{label} has no ledger, or an empty one; give a run, or the ledger of one.")
    return ledger


def _ledgers(runs: Runs) -> dict[str, Ledger]:
    if not runs:
        raise ValueError("There are no runs to plot.")
    return {label: _ledger(run, f"'{label}'") for label, run in runs.items()}


def _coloured(labels: Mapping[str, Any], colours: Colours) -> dict[str, str]:
    given = colours or {}
    return {label: given.get(label, colour) for label, colour in in_order(labels).items()}


def _same(arrays: list[Array]) -> bool:
    if not arrays or any(a.shape != arrays[0].shape for a in arrays):
        return False
    scale = max(float(np.nanmax(np.abs(a))) for a in arrays)
    return all(np.allclose(a, arrays[0], rtol=0, atol=1e-3 * scale, equal_nan=True) for a in arrays)

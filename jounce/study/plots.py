"""Figures made to be read: one colour per method in every study, quiet axes, drawn without a display."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

COLOURS = {
    "bdf2": "#8a8a8a",
    "implicit-euler": "#8a8a8a",
    "a-1": "#0072b2",
    "a-search": "#d55e00",
    "plain": "#d55e00",
    "flight": "#e69f00",
    "shadow": "#009e73",
    "avf": "#009e73",
    "trapezoidal": "#cc79a7",
    "implicit-midpoint": "#cc79a7",
    "symplectic-euler": "#e69f00",
    "sdirk2": "#009e73",
    "reference": "#222222",
}
"""Colours that stay apart for colour-blind readers (Okabe and Ito 2008)."""


def panels(
    rows: int, columns: int, *, width: float = 4.2, height: float = 3.2, **options: Any
) -> tuple[Figure, Sequence[Axes]]:
    """A figure and its axes in reading order."""
    figure = Figure(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = list(np.ravel(figure.subplots(rows, columns, squeeze=False, **options)))
    for ax in axes:
        ax.grid(True, color="#e4e4e4", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color("#999999")
        ax.tick_params(color="#999999", labelsize=8)
    return figure, axes


def save(figure: Figure, path: Path) -> Path:
    """Write the figure and return where."""
    figure.savefig(path)
    return path

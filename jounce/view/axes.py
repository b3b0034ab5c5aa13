"""One look for all plots: light grid, labels at the ends of lines, no global state."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array
from .image import destination
from .palette import rgb

WIDTH, HEIGHT = 7.2, 3.6
INK, GRID = "#33373d", "#dfe3e8"


class Chart:
    """A figure of one or several panels over a common abscissa, written by `save` as png, pdf or svg."""

    def __init__(self, path: str | Path, x: str, y: str | Sequence[str], title: str = "", *, log: bool = False):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.path = destination(path, ".png", ".pdf", ".svg")
        names = [y] if isinstance(y, str) else list(y)
        height = HEIGHT if len(names) == 1 else 1.9 * len(names) + 0.6
        self.figure = Figure(figsize=(WIDTH, height), dpi=160, layout="constrained")
        FigureCanvasAgg(self.figure)
        self.panels = self.figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        self.ends: list[list[tuple[float, str, tuple[float, ...]]]] = [[] for _ in names]
        self.limits: tuple[float, float] | None = None
        for panel, name in zip(self.panels, names):
            panel.set_ylabel(name, color=INK, fontsize=9 if len(names) == 1 else 8)
            panel.grid(True, color=GRID, linewidth=0.7)
            panel.set_axisbelow(True)
            panel.tick_params(colors=INK, labelsize=8, length=3, color=GRID)
            for side, spine in panel.spines.items():
                spine.set_visible(side in ("left", "bottom"))
                spine.set_color("#b8bec6")
            panel.margins(x=0.0, y=0.06)
            if log:
                panel.set_yscale("log")
            else:
                panel.ticklabel_format(axis="y", scilimits=(-3, 4), useMathText=True)
                panel.yaxis.get_offset_text().set_fontsize(8)
        self.panels[-1].set_xlabel(x, color=INK, fontsize=9)
        if title:
            self.panels[0].set_title(title, loc="left", color=INK, fontsize=10, fontweight="bold")

    def limit(self, curves: Sequence[Array], targets: Sequence[Array] = ()) -> None:
        """Let curves leave the panel that grow beyond 20 times the range of the middle one, targets and starts."""
        finite = [c[np.isfinite(c)] for c in curves]
        tops = sorted(float(c.max()) for c in finite)
        low = min(float(c.min()) for c in finite)
        calm = max(tops[(len(tops) - 1) // 2], *(float(c[0]) for c in finite), *(float(np.nanmax(t)) for t in targets))
        if tops[-1] - low > 20 * (calm - low) > 0:
            self.limits = (low - 0.15 * (calm - low), low + 3 * (calm - low))

    def line(
        self,
        x: Array,
        y: Array,
        colour: str,
        label: str = "",
        *,
        row: int = 0,
        dashed: bool = False,
        stepped: bool = False,
        dots: bool = False,
    ) -> None:
        shade = tuple(float(c) for c in rgb(colour))
        self.panels[row].plot(
            x,
            y,
            color=shade,
            linewidth=1.1 if dashed else 1.7,
            linestyle=(0, (5, 3)) if dashed else "-",
            drawstyle="steps-pre" if stepped else "default",
            marker="o" if dots else None,
            markersize=3,
            solid_capstyle="round",
            zorder=3 if dashed else 2,
        )
        finite = np.flatnonzero(np.isfinite(y))
        if label and finite.size:
            self.ends[row].append((float(y[finite[-1]]), label, shade))

    def stack(self, x: Array, parts: Mapping[str, Array], colours: Mapping[str, str]) -> None:
        base = np.zeros(len(x))
        for name, part in parts.items():
            shade = tuple(float(c) for c in rgb(colours[name]))
            self.panels[0].fill_between(x, base, base + part, color=shade, alpha=0.75, linewidth=0)
            self.ends[0].append((float(base[-1] + 0.5 * part[-1]), name, shade))
            base = base + part
        self.panels[0].plot(x, base, color=INK, linewidth=1.2)
        self.ends[0].append((float(base[-1]), "total", tuple(float(c) for c in rgb(INK))))

    def level(self, y: float) -> None:
        self.panels[0].axhline(y, color="#b8bec6", linewidth=0.9)

    def save(self) -> Path:
        for panel, ends in zip(self.panels, self.ends):
            if self.limits is not None:
                panel.set_ylim(self.limits)
            self._label(panel, ends)
        self.figure.savefig(self.path)
        return self.path

    def _label(self, panel: Any, ends: list[tuple[float, str, tuple[float, ...]]]) -> None:
        """Names at the right, each as near its line's end as the others allow."""
        points = 72 * self.figure.get_figheight() / len(self.panels) - 40
        low, high, *values = (
            panel.transScale.transform((1.0, y))[1] for y in (*panel.get_ylim(), *(e[0] for e in ends))
        )
        wanted = (np.array(values) - low) / (high - low)
        order = np.argsort(wanted, kind="stable")
        for i, place in zip(order, spread(np.clip(wanted[order], 0, 1), 10.5 / points)):
            gone = " ↑" if wanted[i] > 1 else " ↓" if wanted[i] < 0 else ""
            panel.annotate(
                ends[i][1] + gone,
                (1.0, place),
                xycoords="axes fraction",
                xytext=(5, 0),
                textcoords="offset points",
                color=ends[i][2],
                fontsize=8.5,
                va="center",
                annotation_clip=False,
            )


def spread(places: Array, gap: float) -> NDArray[np.floating]:
    """Sorted places moved as little as they must be to stand `gap` apart: groups that touch share their mean."""
    groups: list[tuple[float, int]] = []
    for place in places:
        groups.append((float(place), 1))
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < 0.5 * gap * (groups[-1][1] + groups[-2][1]):
            (a, m), (b, n) = groups[-2:]
            groups[-2:] = [((a * m + b * n) / (m + n), m + n)]
    return np.concatenate([[], *(c + gap * (np.arange(n) - 0.5 * (n - 1)) for c, n in groups)])

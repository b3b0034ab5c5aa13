"""Robustness (Gast et al. 2015, figures 2, 3, 6 and 8): one step per film frame where Newton's method needs several,
and cubes that find their shape again from random nodes or from a single point.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import gallery
from ..core.arrays import Array
from ..core.mechanics import State
from ..scene.build import build
from ..scene.scene import Solid
from ..simulation import Run, simulate
from ..solvers.newton import NewtonSolver
from ..view.camera import Camera
from ..view.image import side_by_side, write_image
from ..view.motion import Motion
from ..view.renderer import render
from .plots import panels, save
from .report import Check, Report, Table

FRAME = 1 / 24
FRAMES = 84
TEXTBOOK = NewtonSolver(hessian="plain", line_search="none", guesses="state", max_iterations=200)
"""Newton's method for the roots of the step's equation, with nothing to guide it."""
PATIENT = NewtonSolver(max_iterations=1000)
PULSES = {"stretch": 0.0, "stretch and pulse": 300.0}
"""Accelerations of the blow (m/s^2)."""
PAPER_SUBSTEPS = {"stretch": 3, "stretch and pulse": 5}
STIFFNESSES = {"soft": 1e3, "medium": 1e5, "stiff": 1e9}
"""Young's moduli (Pa)."""
PAPER_STEPS = {
    "random-start": {"soft": "100", "medium": "40", "stiff": "1"},
    "point-start": {"soft": "120", "medium": "5", "stiff": "1"},
}
STEPS_TO_TURN = {"random-start": {"medium": 40, "stiff": 1}, "point-start": {"medium": 5, "stiff": 1}}
"""Those of the paper's numbers that are ours to beat; from the soft starts a few elements swing through flat for long."""
LABELS = {"random-start": "random", "point-start": "point"}
COLOURS = {"soft": "#e69f00", "medium": "#009e73", "stiff": "#0072b2"}
LONGEST = 150
AFTER = 20
"""Steps shown after the last element has turned."""
RESTING = NewtonSolver(tolerance=1e-8, max_iterations=1000, guesses="state")


def frames_converged(pulse: float, solver: NewtonSolver, substeps: int = 1, cells: int = 8) -> tuple[int, Run]:
    """How many film frames of the stretched cube are passed before a solve fails, and the run."""
    scene = gallery.scene("stretched-cube", cells=cells, pulse=pulse)
    options: dict[str, Any] = {"solver": solver, "on_failure": "stop", "halvings": 0, "record_every": substeps}
    run = simulate(scene, integrator="implicit-euler", step=FRAME / substeps, steps=FRAMES * substeps, **options)
    return int(np.floor(run.end.t / FRAME + 1e-9)), run


@dataclass(frozen=True)
class Recovery:
    """A cube's way back: `inverted` elements at every step, of `elements`, until none is or the steps are over."""

    run: Run
    body: Solid
    inverted: Array
    cost: float

    @property
    def elements(self) -> int:
        return len(self.body.mesh.tets)

    @property
    def steps(self) -> int | None:
        """Steps until no element is inverted; None if some still is."""
        good = np.flatnonzero(self.inverted == 0)
        return int(good[0]) if good.size else None

    @cached_property
    def resting(self) -> Array:
        """Positions after steps so long that only the elastic energy counts: the nearest of its minima."""
        long: dict[str, Any] = {"step": 100.0, "steps": 3, "solver": RESTING, "resume": self.run, "on_failure": "stop"}
        return self.run.system.positions(simulate(self.run.system, integrator="implicit-euler", **long).end)

    @property
    def off(self) -> float:
        """Root mean square distance of the nodes at rest from those of the cube, laid upon it as well as can be (m)."""
        return distance(self.resting, np.asarray(self.body.mesh.vertices))


def distance(x: Array, shape: Array) -> float:
    """Root mean square distance of points from a shape, after the rotation and shift that fit best (Kabsch 1976)."""
    x, shape = x - x.mean(axis=0), shape - shape.mean(axis=0)
    U, _, Vt = np.linalg.svd(x.T @ shape)
    R = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    return float(np.sqrt(((x - shape @ R.T) ** 2).sum(axis=1).mean()))


def inverted(x: Array, tets: NDArray[np.integer]) -> int:
    """How many elements have no positive volume."""
    corners = x[tets]
    return int(np.sum(np.linalg.det(corners[:, 1:] - corners[:, :1]) <= 0.0))


def recover(
    start: str, youngs: float, *, cells: int = 8, steps: int = LONGEST, keep: int = 1, after: int = 0
) -> Recovery:
    """Implicit Euler with one step per film frame until no element is inverted, and some steps after that."""
    scene = gallery.scene(start, youngs=youngs, cells=cells)
    system = build(scene)
    body = scene.bodies[0]
    assert isinstance(body, Solid)
    tets = body.mesh.tets
    counts = [inverted(system.positions(system.initial_state()), tets)]

    def watch(state: State, ledger: object) -> bool:
        counts.append(inverted(system.positions(state), tets))
        return 0 not in counts[: len(counts) - after]

    begin = perf_counter()
    options: dict[str, Any] = {"solver": PATIENT, "on_failure": "stop", "halvings": 0, "record_every": keep}
    run = simulate(system, integrator="implicit-euler", step=FRAME, steps=steps, on_step=watch, **options)
    return Recovery(run, body, np.array(counts), perf_counter() - begin)


def run(out: Path, *, full: bool = False) -> Report:
    stretch, checks = _stretching()
    found = {start: {name: recover(start, E, after=AFTER) for name, E in STIFFNESSES.items()} for start in PAPER_STEPS}
    rows = [_row(start, name, 9, r) for start, by in found.items() for name, r in by.items()]
    for start, by in found.items():
        for name, r in by.items():
            failed = 0.0 if r.run.outcome.ok else 1.0
            checks.append(Check(f"{LABELS[start]}, {name}: solves that failed", failed, 0))
            checks.append(
                Check(f"{LABELS[start]}, {name}: elements inverted at rest", inverted(r.resting, r.body.mesh.tets), 0)
            )
        for name, most in STEPS_TO_TURN[start].items():
            checks.append(
                Check(
                    f"{LABELS[start]}, {name}: steps until none is inverted",
                    by[name].steps or np.inf,
                    most,
                    kind="at most",
                )
            )
        checks.append(
            Check(
                f"{LABELS[start]}, soft: elements inverted at the end, share",
                by["soft"].inverted[-1] / by["soft"].elements,
                0.01,
                kind="at most",
            )
        )
    for name in ("medium", "stiff"):
        off = found["point-start"][name].off
        checks.append(Check(f"point, {name}: distance from the cube at rest (m)", off, 1e-4, kind="at most"))
    if full:
        for cells in (16, 32):
            for start in PAPER_STEPS:
                rows += [
                    _row(start, n, cells + 1, recover(start, E, cells=cells, keep=1000), False)
                    for n, E in STIFFNESSES.items()
                ]
        rows.append(_row("point-start", "stiff", 65, recover("point-start", 1e9, cells=64, steps=3, keep=1000), False))
    table = Table(
        f"Cubes until no element is inverted, implicit Euler, h = 1/24 s, up to {LONGEST} steps; paper: 65³ nodes",
        (
            "start",
            "nodes",
            "steps",
            "paper's",
            "inverted: start, 1, 5, end",
            "at rest: inverted, off",
            "Newton: first, mean",
            "s",
            "peak GB",
        ),
        tuple(rows),
    )
    files = (_plot(out, found), *(_picture(out, start, by) for start, by in found.items()))
    title = "Large steps from bad starts (Gast et al. 2015, figures 2, 3, 6 and 8)"
    return Report("recovery", title, tuple(checks), (stretch, table), files, NOTES)


NOTES = (
    "No element inverted is not yet the cube: from a random start, and the soft one from a point, cubes come to rest in "
    "other minima of their energy, knotted, with every element the right way round. At rest: elements inverted, distance "
    "from the cube.",
    "The soft cubes keep a handful of inverted elements while they swing.",
)


def _stretching() -> tuple[Table, list[Check]]:
    rows, checks = [], []
    for case, pulse in PULSES.items():
        passed, ours = frames_converged(pulse, NewtonSolver())
        textbook = {n: frames_converged(pulse, TEXTBOOK, n)[0] for n in range(1, 9)}
        enough = [n for n, frames in textbook.items() if frames == FRAMES]
        iterations = ours.ledger.newton_iterations[1:]
        rows.append(
            (
                case,
                f"{passed} of {FRAMES}",
                f"{iterations.mean():.1f}, {iterations.max()}",
                ", ".join(str(f) for f in textbook.values()),
                str(enough[0]) if enough else "more than 8",
                str(PAPER_SUBSTEPS[case]),
            )
        )
        checks += [
            Check(f"{case}: frames that ours passes with one step each", passed, FRAMES),
            Check(
                f"{case}: frames that textbook Newton passes with one step each",
                textbook[1],
                FRAMES - 1,
                kind="at most",
            ),
        ]
    columns = (
        "cube", "ours, 1 per frame", "Newton mean, most", "textbook, 1 to 8 per frame", "textbook needs", "paper",
    )  # fmt: skip
    return Table(
        f"The stretched cube: film frames passed before a solve fails, of {FRAMES}", columns, tuple(rows)
    ), checks


def _row(start: str, name: str, side: int, r: Recovery, rested: bool = True) -> tuple[str, ...]:
    n = r.run.ledger.newton_iterations[1:]
    at = [int(r.inverted[min(i, len(r.inverted) - 1)]) for i in (0, 1, 5)]
    done = r.steps is not None
    ended = "" if r.run.outcome.ok else f" ({r.run.outcome.kind})"
    return (
        f"{LABELS[start]}, {name}",
        f"{side}³",
        (str(r.steps) if done else f"not in {len(r.inverted) - 1}") + ended,
        PAPER_STEPS[start][name],
        ", ".join(map(str, (*at, int(r.inverted[-1])))),
        f"{inverted(r.resting, r.body.mesh.tets)}, {100 * r.off:.1f} cm" if rested else "–",
        f"{n[0]}, {n.mean():.1f}" if n.size else "–",
        f"{r.cost:.1f}",
        f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024**2:.1f}",
    )


def _plot(out: Path, found: Mapping[str, Mapping[str, Recovery]]) -> Path:
    figure, axes = panels(1, 2, width=4.6, height=3.4, sharey=True)
    for ax, (start, by) in zip(axes, found.items(), strict=True):
        for name, r in by.items():
            share = np.maximum(r.inverted[: (r.steps or LONGEST) + 1] / r.elements, 1e-5)
            ax.plot(
                np.arange(share.size),
                share,
                color=COLOURS[name],
                linewidth=1.8,
                label=f"{name}, {STIFFNESSES[name]:.0e} Pa".replace("e+0", "e"),
            )
            if r.steps is not None:
                ax.plot(r.steps, share[-1], "o", color=COLOURS[name], markersize=5, clip_on=False)
        ax.set(xscale="symlog", yscale="log", xlabel="step of 1/24 s", ylim=(1e-5, 1.5), xlim=(0, LONGEST))
        ax.set_title(f"from a {LABELS[start]} start", fontsize=9, loc="left")
    axes[0].set_ylabel("share of elements inverted")
    axes[1].legend(frameon=False, fontsize=8, loc="upper right")
    return save(figure, out / "recovery.png")


def _picture(out: Path, start: str, by: Mapping[str, Recovery]) -> Path:
    shown = {name: Motion.of(r.run, [r.body], {r.body.name: COLOURS[name]}) for name, r in by.items()}
    corners = 0.75 * np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    steps = (0, 1, 2, 5, 15, 100)
    images = [
        render(m.at(n * FRAME), Camera.framing(corners, aspect=1.0), size=(240, 240))
        for m in shown.values()
        for n in steps
    ]
    captions = [f"{name}, step {n}" for name in shown for n in steps]
    return write_image(out / f"recovery-{LABELS[start]}.png", side_by_side(images, captions, columns=len(steps)))

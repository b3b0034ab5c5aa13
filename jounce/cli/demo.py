"""What `jounce demo` does: the bouncing ball under A-search beside BDF2."""

import time
from pathlib import Path

import numpy as np
from rich.console import Console

from .. import gallery
from ..core.arrays import Array
from ..integrators import create
from ..record.files import write_frames, write_ledger
from ..scene.build import build
from ..simulation import simulate
from ..view.film import film, framing, picture
from ..view.motion import Motion
from ..view.plots import plot_alpha, plot_energies
from .running import check_folder, followed

METHODS = ("a-search", "bdf2")
SECONDS = 3.0
PICTURE = (960, 640)
FRONT = (-0.12, -0.12, -1.0)
"""Where the camera of the pictures looks."""
SHOWN = 3
"""Rebounds that are told of."""
FRAMES = 4
"""Steps per recorded frame: thirty frames a second."""


def make(out: Path, seconds: float = SECONDS) -> list[Path]:
    """Simulate, draw and film the demo into a folder, and say what was written."""
    console = Console()
    begun = time.perf_counter()
    check_folder(out)
    entry = gallery.entry("bouncing-ball")
    scene = gallery.scene(entry.name, drift=0.4)
    with console.status("Compiling the kernels of elements and contact (the first time only, about 20 s) ..."):
        system = build(scene)
        simulate(system, integrator="a-search", step=entry.step, steps=1)
    steps = round(seconds / entry.step)
    runs = {
        name: followed(f"bouncing ball · {name}", system, create(name), entry.step, steps, False, record_every=FRAMES)
        for name in METHODS
    }
    console.print("Drawing and filming ...")
    out.mkdir(parents=True, exist_ok=True)
    motions = {name: Motion.of(run, scene.bodies, grounds=scene.grounds) for name, run in runs.items()}
    written = [
        film(out / "bouncing-ball.mp4", motions, size=(640, 560)),
        *(
            picture(
                out / f"bouncing-ball-{name}.png",
                m,
                list(np.arange(0.0, seconds, 1 / 15)),
                camera=framing(motions, PICTURE, FRONT),
                size=PICTURE,
            )
            for name, m in motions.items()
        ),
        plot_energies(out / "energy.png", runs, title="Bouncing ball, step 1/120 s"),
        plot_alpha(out / "alpha.png", {"a-search": runs["a-search"]}),
    ]
    for name, run in runs.items():
        written += [write_frames(out / f"{name}.npz", run), write_ledger(out / f"{name}.csv", run.ledger)]
        height = run.positions[:, :, 1].mean(axis=1)
        console.print(f"{name}: {rebounds(height, float(np.ptp(run.positions[0, :, 1])) / 2)}")
    console.print(f"Done in {time.perf_counter() - begun:.0f} s. Written:")
    for path in written:
        console.print(f"  {path}", highlight=False)
    return written


def rebounds(height: Array, radius: float) -> str:
    """How high the ball comes back, as shares of its drop; `height` (m) is its centre's, frame by frame."""
    drop = height - radius
    tops = [drop[i] / drop[0] for i in range(1, len(drop) - 1) if drop[i - 1] < drop[i] >= drop[i + 1]]
    shares = ", ".join(f"{top:.0%}" for top in tops[:SHOWN])
    return f"it bounces back to {shares} of its drop." if shares else "it does not come back up."

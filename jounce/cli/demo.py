"""What `jounce demo` does: the twisted bar under A-search beside BDF2."""

import time
from pathlib import Path

from rich.console import Console

from .. import gallery
from ..integrators import create
from ..record.files import write_frames, write_ledger
from ..scene.build import build
from ..simulation import simulate
from ..view.film import film, picture
from ..view.motion import Motion
from ..view.plots import plot_alpha, plot_energies
from .running import check_folder, followed

METHODS = ("a-search", "bdf2")


def make(out: Path, seconds: float | None = None) -> list[Path]:
    """Simulate, draw and film the demo into a folder, and say what was written."""
    console = Console()
    begun = time.perf_counter()
    check_folder(out)
    entry = gallery.entry("twisted-bar")
    scene = gallery.scene(entry.name)
    with console.status("Compiling the element kernels (the first time only, about 20 s) ..."):
        system = build(scene)
        simulate(system, integrator="a-search", step=entry.step, steps=1)
    steps = round((entry.seconds if seconds is None else seconds) / entry.step)
    runs = {name: followed(f"twisted bar · {name}", system, create(name), entry.step, steps, False) for name in METHODS}
    console.print("Drawing and filming ...")
    out.mkdir(parents=True, exist_ok=True)
    motions = {name: Motion.of(run, scene.bodies) for name, run in runs.items()}
    written = [
        film(out / "twisted-bar.mp4", motions, size=(480, 400)),
        picture(out / "twisted-bar.png", motions["a-search"], [0.0, 0.4, 0.8, 1.2]),
        plot_energies(out / "energy.png", runs, title="Twisted bar, step 1/30 s"),
        plot_alpha(out / "alpha.png", {"a-search": runs["a-search"]}),
    ]
    for name, run in runs.items():
        written += [write_frames(out / f"{name}.npz", run), write_ledger(out / f"{name}.csv", run.ledger)]
    for name, run in runs.items():
        kept = swing(run.ledger.kinetic[-30:].max(), run.ledger.kinetic.max())
        console.print(f"{name}: its fastest swing of the last second has {kept:.0%} of the largest kinetic energy.")
    console.print(f"Done in {time.perf_counter() - begun:.0f} s. Written:")
    for path in written:
        console.print(f"  {path}", highlight=False)
    return written


def swing(last: float, largest: float) -> float:
    return last / largest if largest > 0 else 0.0

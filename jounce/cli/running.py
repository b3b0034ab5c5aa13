"""What `jounce run` does."""

from pathlib import Path
from typing import Any

from rich.console import Console

from .. import gallery
from ..core.mechanics import State
from ..energy.ledger import Ledger
from ..gallery.registry import Entry
from ..integrators.base import Integrator, create
from ..record.files import write_run
from ..scene.build import build
from ..simulation import Run, simulate
from .progress import progress


def run_scene(
    name: str,
    *,
    integrator: str | None,
    step: float | None,
    seconds: float | None,
    out: Path,
    scene_options: dict[str, Any],
    method_options: dict[str, Any],
    video: bool,
    quiet: bool,
) -> None:
    """Simulate a scene of the gallery, write what came of it, and say where."""
    entry = gallery.entry(name)
    method = chosen_method(entry, integrator, method_options)
    h = entry.step if step is None else step
    length = entry.seconds if seconds is None else seconds
    if not (h > 0 and length > 0):
        raise ValueError(f"The step and the length must be positive (s); they are {h} and {length}.")
    scene = gallery.scene(name, **scene_options)
    console = Console(quiet=quiet)
    with console.status("Preparing the scene and compiling what it needs (the first time only) ..."):
        system = build(scene)
        simulate(system, integrator=method, step=h, steps=0)
    run = followed(f"{name} · {method.name}", system, method, h, max(1, round(length / h)), quiet)
    written = write_run(out, run)
    if video:
        from ..view.film import film
        from ..view.motion import Motion

        with console.status("Filming ..."):
            written.append(film(out / f"{name}.mp4", {method.name: Motion.of(run, scene.bodies)}))
    _report(console, run, written)


def chosen_method(entry: Entry, integrator: str | None, options: dict[str, Any]) -> Integrator:
    if integrator is None or integrator == entry.integrator:
        return create(entry.integrator, **{**entry.options, **options})
    return create(integrator, **options)


def followed(label: str, system: Any, method: Integrator, h: float, steps: int, quiet: bool) -> Run:
    """A run with a progress bar; Ctrl-C ends it after the current step, and failure is told, with all good frames kept."""
    stopped = False
    with progress(label, steps, quiet) as after:

        def on_step(state: State, ledger: Ledger) -> bool:
            after(state, ledger)
            return not stopped

        import signal

        def stop(number: int, frame: Any) -> None:
            nonlocal stopped
            stopped = True

        before = signal.signal(signal.SIGINT, stop)
        try:
            return simulate(system, integrator=method, step=h, steps=steps, on_failure="stop", on_step=on_step)
        finally:
            signal.signal(signal.SIGINT, before)


def _report(console: Console, run: Run, written: list[Path]) -> None:
    ledger = run.ledger
    console.print(
        f"{len(ledger) - 1} steps to t = {run.end.t:.3f} s; energy {ledger.total[0]:.5g} J at the start, {ledger.total[-1]:.5g} J at the end; "
        f"Newton {ledger.newton_iterations[1:].mean():.1f} per step; the ledger closes to {ledger.residual().max():.1g}."
    )
    for path in written:
        console.print(f"  {path}")
    if not run.outcome.ok:
        raise RuntimeError(f"The run stopped at t = {run.end.t:.6g} s: {run.outcome}")

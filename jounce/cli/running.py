"""What `jounce run` does."""

import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from .. import gallery
from ..core.mechanics import State
from ..energy.ledger import Ledger
from ..gallery.registry import Entry
from ..integrators.base import Integrator, create
from ..record.files import write_run
from ..scene.build import build
from ..simulation import Run, simulate
from ..solvers import linear as linear_solvers
from ..solvers.newton import NewtonSolver
from .progress import progress

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended, as shells have it."""


def run_scene(
    name: str,
    *,
    integrator: str | None,
    step: float | None,
    seconds: float | None,
    out: Path,
    scene_options: dict[str, Any],
    method_options: dict[str, Any],
    solver: str,
    video: bool,
    verify: bool,
    quiet: bool,
) -> None:
    """Simulate a scene of the gallery, write what came of it, and say where."""
    entry = gallery.entry(name)
    method = chosen_method(entry, integrator, method_options)
    h = entry.step if step is None else step
    length = entry.seconds if seconds is None else seconds
    for what, value in (("step", h), ("length", length)):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"The {what} must be a positive number of seconds; it is {value}.")
    linear = linear_solvers.create(solver)
    check_folder(out)
    scene = gallery.scene(name, **scene_options)
    console = plain_console(quiet)
    with console.status("Preparing the scene, and compiling what is not compiled yet ..."):
        system = build(scene)
    for remark in system.remarks:
        console.print(f"remark: {remark}", markup=False)
    run = followed(
        f"{name} · {method.name}",
        system,
        method,
        h,
        max(1, round(length / h)),
        quiet,
        solver=NewtonSolver(linear=linear),
        verify=verify,
    )
    written = write_run(out, run)
    if video:
        from ..view.film import film
        from ..view.motion import Motion

        with console.status("Filming ..."):
            motion = Motion.of(run, scene.bodies, obstacles=scene.obstacles, grounds=scene.grounds)
            written.append(film(out / f"{name}.mp4", {method.name: motion}))
    _report(console, run, written, _choices(linear))
    if not run.outcome.ok:
        raise RuntimeError(f"The run stopped at t = {run.end.t:.6g} s: {run.outcome} Its good frames are in {out}.")
    if len(run.t) <= round(length / h):
        print(f"jounce: interrupted at t = {run.end.t:.6g} s; the frames until then are in {out}.", file=sys.stderr)
        raise SystemExit(INTERRUPTED)


def chosen_method(entry: Entry, integrator: str | None, options: dict[str, Any]) -> Integrator:
    if integrator is None or integrator == entry.integrator:
        return create(entry.integrator, **{**entry.options, **options})
    return create(integrator, **options)


def check_folder(out: Path) -> None:
    """Refuse a folder that could not be written, before anything is computed; nothing is created."""
    there = next(p for p in (out.absolute(), *out.absolute().parents) if p.exists())
    if not there.is_dir():
        raise ValueError(f"{out} cannot be the run's folder: {there} is a file. Choose another with --out.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(
            f"{out} cannot be written: you have no permission to write to {there}. Choose another folder with --out."
        )


def plain_console(quiet: bool) -> Console:
    """Where to print; lines are neither wrapped nor coloured by what stands in them."""
    return Console(quiet=quiet, highlight=False, soft_wrap=True)


def followed(
    label: str,
    system: Any,
    method: Integrator,
    h: float,
    steps: int,
    quiet: bool,
    **options: Any,
) -> Run:
    """A run with a progress bar and the `options` of `simulate`.

    Ctrl-C ends it after the current step, and failure ends it: all good frames stay.
    """
    done, stopped = 0, False
    console = plain_console(quiet)
    with progress(console, label, steps) as after:

        def on_step(state: State, ledger: Ledger) -> bool:
            nonlocal done
            done += 1
            after(state, ledger, done)
            return not stopped

        def stop(number: int, frame: Any) -> None:
            nonlocal stopped
            stopped = True
            console.print("Interrupted: this step is finished first, and what there is will be written.")

        before = signal.signal(signal.SIGINT, stop)
        try:
            return simulate(
                system, integrator=method, step=h, steps=steps, on_failure="stop", on_step=on_step, **options
            )
        finally:
            signal.signal(signal.SIGINT, before)


def _choices(linear: Any) -> str:
    """What the automatic linear solver took, and why."""
    counts = Counter((c.method, c.reason) for c in getattr(linear, "log", ()))
    return "; ".join(f"{method} ({reason}) for {n} of the last solves" for (method, reason), n in counts.most_common())


def _report(console: Console, run: Run, written: list[Path], choices: str) -> None:
    ledger = run.ledger
    if len(ledger) > 1:
        console.print(
            f"{len(ledger) - 1} steps to t = {run.end.t:.3f} s; energy {ledger.total[0]:.5g} J at the start, "
            f"{ledger.total[-1]:.5g} J at the end; Newton {ledger.newton_iterations[1:].mean():.1f} per step; "
            f"the ledger closes to {ledger.residual().max():.1g}."
        )
    if choices:
        console.print(f"Linear solver: {choices}.")
    for path in written:
        console.print(f"  {path}", markup=False)

"""Files of a run: frames and ledger, each written whole or not at all."""

import csv
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ..core.outcome import SimulationError
from ..energy.ledger import Ledger
from ..simulation import Run
from .figures import figures_of


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary neighbour that takes the path's place when it is complete, and is removed when it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial{path.suffix}")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def write_ledger(path: Path, ledger: Ledger) -> Path:
    """The ledger as CSV, one row per step; numbers are written so that they read back exactly."""
    rows = list(ledger.rows())
    with whole(path) as partial, partial.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({k: repr(v) if isinstance(v, float) else v for k, v in row.items()} for row in rows)
    return path


def write_frames(path: Path, run: Run) -> Path:
    """Times, positions and velocities of all frames as npz."""
    velocities = run.v.reshape(run.positions.shape)
    with whole(path) as partial:
        np.savez_compressed(partial, t=run.t, positions=run.positions, velocities=velocities)
    return path


def write_run(out: Path, run: Run) -> list[Path]:
    """Frames, ledger and figures of a run, in a folder."""
    try:
        written = [write_frames(out / "frames.npz", run), write_ledger(out / "ledger.csv", run.ledger)]
        return written + figures_of(out, run)
    except OSError as fault:
        raise SimulationError(
            f"The run could not be written to {out}: {fault}. Check that the folder is writable and not full."
        ) from fault

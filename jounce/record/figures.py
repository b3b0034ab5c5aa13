"""The figures that every run gets: energies, what changed them, angular momentum, and alpha where there is one."""

from pathlib import Path

import numpy as np

from ..simulation import Run
from ..view.plots import plot_alpha, plot_changes, plot_momenta, plot_parts


def figures_of(out: Path, run: Run) -> list[Path]:
    """Draw a run's ledger into a folder; returns the files."""
    if len(run.ledger) < 2:
        return []
    files = [plot_parts(out / "energies.png", run), plot_changes(out / "changes.png", run)]
    if run.ledger.angular_momentum.shape[1] == 3:
        files.append(plot_momenta(out / "angular_momentum.png", {run.integrator.name: run}))
    if np.any(np.isfinite(run.ledger.alpha)):
        files.append(plot_alpha(out / "alpha.png", {run.integrator.name: run}))
    return files

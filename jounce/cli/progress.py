"""A progress bar with the energies of the run as it goes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ..core.mechanics import State
from ..energy.ledger import Ledger


@contextmanager
def progress(label: str, steps: int, quiet: bool) -> Iterator[Callable[[State, Ledger], None]]:
    """A function to call after every step."""
    if quiet:
        yield lambda state, ledger: None
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.completed}/{task.total}"), TimeRemainingColumn(),
        TextColumn("t {task.fields[t]:.2f} s  energy {task.fields[energy]:.4g} J  alpha {task.fields[alpha]:.2f}  Newton {task.fields[newton]}"),
    )  # fmt: skip
    with Progress(*columns) as bar:
        task = bar.add_task(label, total=steps, t=0.0, energy=float("nan"), alpha=float("nan"), newton=0)

        def after(state: State, ledger: Ledger) -> None:
            row = ledger.last()
            bar.update(
                task, advance=1, t=state.t, energy=row["total"], alpha=row["alpha"], newton=row["newton_iterations"]
            )

        yield after

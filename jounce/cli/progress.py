"""A progress bar with the energies of the run as it goes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from ..core.mechanics import State
from ..energy.ledger import Ledger

FIRST = "first step, which compiles what is not compiled yet ..."


@contextmanager
def progress(console: Console, label: str, steps: int) -> Iterator[Callable[[State, Ledger, int], None]]:
    """A function to call after every step, with the state, the ledger and the number of steps that are done.

    Until the first call the bar says that the first step compiles what it needs.
    """
    columns = (
        SpinnerColumn(finished_text=" "),
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        BarColumn(bar_width=12), TextColumn("{task.completed}/{task.total}"), TimeRemainingColumn(compact=True),
        _Energies(),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=steps, ledger=None, t=0.0)

        def after(state: State, ledger: Ledger, done: int) -> None:
            bar.update(task, completed=done, t=state.t, ledger=ledger)

        yield after


class _Energies(ProgressColumn):
    """Time, energy, alpha where the method chooses one, and Newton iterations, cut where the line ends."""

    def __init__(self) -> None:
        super().__init__(table_column=Column(no_wrap=True, overflow="ellipsis"))

    def render(self, task: Task) -> Text:
        ledger = task.fields["ledger"]
        if ledger is None:
            return Text(FIRST)
        row = ledger.last()
        alpha = "" if row["alpha"] != row["alpha"] else f"  alpha {row['alpha']:.2f}"
        return Text(f"t {task.fields['t']:.2f} s  {row['total']:.4g} J{alpha}  Newton {row['newton_iterations']}")

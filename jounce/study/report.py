"""What a reproduction hands back: checks, tables, notes and the files it wrote."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

WIDTH = 160
"""Characters of a line in a file."""


@dataclass(frozen=True)
class Check:
    """A number of ours against what is expected: within a tolerance of it, at most it, or at least it."""

    name: str
    ours: float
    expected: float
    tolerance: float = 0.0
    kind: Literal["within", "at most", "at least"] = "within"

    @property
    def passed(self) -> bool:
        if not np.isfinite(self.ours):
            return False
        if self.kind == "within":
            return abs(self.ours - self.expected) <= self.tolerance
        return self.ours <= self.expected if self.kind == "at most" else self.ours >= self.expected

    @property
    def wish(self) -> str:
        if self.kind == "within":
            return f"{self.expected:.6g} ± {self.tolerance:.2g}"
        return f"{'≤' if self.kind == 'at most' else '≥'} {self.expected:.6g}"


@dataclass(frozen=True)
class Table:
    """Rows of text under column heads."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Report:
    """One reproduction's outcome; `passed` when every check is."""

    name: str
    title: str
    checks: tuple[Check, ...] = ()
    tables: tuple[Table, ...] = ()
    files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        return all(c.passed for c in self.checks)

    def show(self, console: Console | None = None) -> None:
        """Print tables, checks, notes and files."""
        console = wide(Console()) if console is None else console
        console.rule(escape(self.title))
        for table in self.tables:
            console.print(Text(table.title, style="bold"))
            console.print(_rich(table.columns, table.rows))
        if self.checks:
            rows = tuple((c.name, f"{c.ours:.6g}", c.wish, "yes" if c.passed else "NO") for c in self.checks)
            console.print(_rich(("what", "ours", "expected", "met"), rows))
        for note in self.notes:
            console.print(escape(note))
        for file in self.files:
            console.print(f"wrote {file}", highlight=False)

    def write(self, path: Path) -> Path:
        """What `show` prints, as a text file."""
        with path.open("w", encoding="utf-8") as file:
            self.show(wide(Console(file=file)))
        return path


def wide(console: Console) -> Console:
    """The same console; where nobody reads along, lines are as long as our widest table."""
    if not console.is_terminal:
        console.width = max(console.width, WIDTH)
    return console


def _rich(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> RichTable:
    table = RichTable()
    for i, column in enumerate(columns):
        table.add_column(escape(column), justify="left" if i == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    return table

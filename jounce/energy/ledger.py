"""The ledger: every step's energies, what changed them, momenta and costs, as columns.

At every step  total = total before + work - friction_loss - damping_loss - integrator_loss.
The first four terms are computed from states and forces; the last is what remains: what the method itself took (positive) or added.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..core.arrays import Array
from ..core.mechanics import Changes, Mechanics, State
from ..core.outcome import SolveReport

COLUMNS = (
    "t", "kinetic", "elastic", "gravity", "contact", "total", "target", "measured", "alpha", "work", "friction_loss", "damping_loss",
    "integrator_loss", "newton_iterations", "linear_iterations", "momentum", "angular_momentum",
)  # fmt: skip


class Energies(NamedTuple):
    """The parts of the total energy (J)."""

    kinetic: float
    elastic: float
    gravity: float
    contact: float

    @property
    def total(self) -> float:
        return self.kinetic + self.elastic + self.gravity + self.contact


def energies(mech: Mechanics, s: State, at: float) -> Energies:
    """The parts of the energy of a state, at a fraction of the step that `mech` describes."""
    return Energies(
        0.5 * mech.mass.dot(s.v, s.v),
        mech.elastic.at(at).value(s.q),
        0.0 if mech.gravity is None else mech.gravity.at(at).value(s.q),
        0.0 if mech.contact is None else mech.contact.at(at).value(s.q),
    )


class Ledger:
    """Columns over time, the first row being the start. `ledger.total` and `ledger["total"]` are arrays (J, s, kg m/s, kg m^2/s)."""

    def __init__(self) -> None:
        self._rows: list[dict[str, float | int | Array]] = []
        self._largest = np.finfo(float).tiny

    def open(self, t: float, parts: Energies, momentum: Array, angular_momentum: Array) -> None:
        """The first row."""
        self._append(t, parts, momentum, angular_momentum, Changes(0.0, 0.0, 0.0), 0.0, np.nan, np.nan, np.nan, ())

    def add(
        self,
        t: float,
        parts: Energies,
        momentum: Array,
        angular_momentum: Array,
        changes: Changes,
        *,
        target: float,
        measured: float,
        alpha: float,
        reports: tuple[SolveReport, ...],
    ) -> None:
        before = self._rows[-1]["total"]
        lost = float(before + changes.net - parts.total)
        self._append(t, parts, momentum, angular_momentum, changes, lost, target, measured, alpha, reports)

    def _append(
        self,
        t: float,
        parts: Energies,
        momentum: Array,
        angular_momentum: Array,
        changes: Changes,
        lost: float,
        target: float,
        measured: float,
        alpha: float,
        reports: tuple[SolveReport, ...],
    ) -> None:
        self._largest = max(self._largest, abs(parts.total), parts.kinetic)
        self._rows.append(
            {
                "t": t,
                **parts._asdict(),
                "total": parts.total,
                "target": target,
                "measured": measured,
                "alpha": alpha,
                "work": changes.work,
                "friction_loss": changes.friction,
                "damping_loss": changes.damping,
                "integrator_loss": lost,
                "newton_iterations": sum(r.iterations for r in reports),
                "linear_iterations": sum(r.linear_iterations for r in reports),
                "momentum": momentum,
                "angular_momentum": angular_momentum,
            }
        )

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, column: str) -> Array:
        if column not in COLUMNS:
            raise KeyError(f"The ledger has no column '{column}'; it has {', '.join(COLUMNS)}.")
        return np.array([row[column] for row in self._rows])

    def __getattr__(self, column: str) -> Array:
        if column in COLUMNS:
            return self[column]
        raise AttributeError(f"The ledger has no column '{column}'; it has {', '.join(COLUMNS)}.")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *COLUMNS]

    def last(self) -> dict[str, float | int | Array]:
        return self._rows[-1]

    def residual(self, last: int | None = None) -> Array:
        """How far the columns of each step (or of the last few) are from closing, relative to the largest energy seen; roundoff, or a
        fault."""
        rows = self._rows if last is None else self._rows[-last - 1 :]
        total = np.array([row["total"] for row in rows])
        booked = [row["work"] - row["friction_loss"] - row["damping_loss"] - row["integrator_loss"] for row in rows[1:]]
        return np.abs(np.diff(total) - np.array(booked)) / self._largest

    def take_back(self) -> None:
        """Remove the last row: its step does not count."""
        self._rows.pop()

    def rows(self) -> Iterator[dict[str, float | int]]:
        """Rows of plain numbers, momenta as one column per component, for files."""
        for row in self._rows:
            flat: dict[str, float | int] = {}
            for column in COLUMNS:
                entry = row[column]
                if isinstance(entry, np.ndarray):
                    flat.update({f"{column}_{i}": float(x) for i, x in enumerate(entry)})
                else:
                    flat[column] = entry
            yield flat

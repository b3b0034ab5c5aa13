"""How far a move of all nodes may go: no element inverts whose material cannot bear it, and nothing touches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..contact.registry import ContactTerm
from ..core.arrays import Array
from ..elements.placed import Placed
from .layout import Frame


@dataclass(frozen=True)
class FeasibleMoves:
    """The step filter of nodes: straight moves of the free ones, the rest going along with the script."""

    frame: Frame
    terms: tuple[Placed, ...]
    contact: ContactTerm | None

    @classmethod
    def of(cls, frame: Frame, terms: Sequence[Placed], contact: ContactTerm | None) -> FeasibleMoves | None:
        """The filter, or None where nothing limits moves."""
        guarded = tuple(t for t in terms if t.guards_inversion)
        keeps_apart = contact if contact is not None and contact.guards else None
        return cls(frame, guarded, keeps_apart) if guarded or keeps_apart is not None else None

    def longest_step(self, start: Array, end: Array, begin: float = 1.0, finish: float = 1.0) -> float:
        x0, x1 = self.frame.positions(start, begin), self.frame.positions(end, finish)
        free = min((t.longest_step(x0, x1 - x0) for t in self.terms), default=1.0)
        return free if self.contact is None else free * self.contact.longest_step(x0, x0 + free * (x1 - x0))

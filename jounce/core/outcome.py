"""What came of a solve: a word, a sentence and a remedy."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["converged", "stalled", "iteration limit", "not finite", "breakdown", "infeasible", "violation"]


@dataclass(frozen=True)
class Outcome:
    """The end of a solve or step; `ok` is true when its answer may be used."""

    kind: Kind = "converged"
    message: str = ""

    @property
    def ok(self) -> bool:
        return self.kind == "converged"

    def with_note(self, note: str) -> "Outcome":
        """The same with one more sentence."""
        return Outcome(self.kind, f"{self.message} {note}".strip()) if note else self

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


class SimulationError(RuntimeError):
    """A run that could not go on; the message says where it stopped, why, and what to change."""


@dataclass(frozen=True)
class SolveReport:
    """What one minimisation cost and how it ended.

    `speed` is the largest nodal move of the last Newton step divided by the step's duration, in m/s;
    `residual` the norm of the objective's gradient before that move, in newtons.
    """

    outcome: Outcome
    iterations: int = 0
    linear_iterations: int = 0
    cuts: int = 0
    speed: float = 0.0
    residual: float = 0.0
    linear_method: str = ""

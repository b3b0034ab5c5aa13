"""The contract of a system: it turns a state into one step's mechanics, and the step's end back into a state."""

from typing import Protocol, runtime_checkable

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State


@runtime_checkable
class System(Protocol):
    """`prepare` gives the mechanics of one step and the state in their coordinates; `commit` takes their end state back.

    `positions` are what is drawn; `momenta` are linear and angular momentum (kg m/s, kg m^2/s). `violations` are sentences on what
    a state has that no committed one may have, found without what the solve and its filters use.
    """

    def initial_state(self) -> State: ...
    def prepare(self, s: State, h: float) -> tuple[Mechanics, State]: ...
    def commit(self, s: State, start: State, end: State) -> State: ...
    def positions(self, s: State) -> Array: ...
    def momenta(self, s: State) -> tuple[Array, Array]: ...
    def violations(self, s: State) -> tuple[str, ...]: ...

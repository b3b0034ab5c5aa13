"""An element term of one body, placed among the nodes of all bodies."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..core.remembered import Remembered
from .term import Array, ElementTerm


@dataclass(frozen=True, eq=False)
class Placed:
    """`term` acts on the nodes from `offset` on; the arrays it gives are its own."""

    term: ElementTerm
    offset: int
    count: int
    nodes: NDArray[np.int64] = field(init=False)
    _energy: Remembered[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", self.term.nodes + self.offset)
        object.__setattr__(self, "_energy", Remembered(lambda x: float(np.sum(self.term.energies(x)))))

    def _own(self, x: Array) -> Array:
        return x[self.offset : self.offset + self.count]

    @property
    def guards_inversion(self) -> bool:
        return self.term.guards_inversion

    def energy(self, x: Array) -> float:
        """The sum of all energies (J)."""
        return self._energy(self._own(x))

    def energies(self, x: Array) -> Array:
        return self.term.energies(self._own(x))

    def gradients(self, x: Array) -> Array:
        return self.term.gradients(self._own(x))

    def linearise(self, x: Array, psd: bool) -> tuple[Array, Array]:
        return self.term.linearise(self._own(x), psd)

    def longest_step(self, x: Array, dx: Array) -> float:
        return self.term.longest_step(self._own(x), self._own(dx))

    def inverted(self, x: Array) -> NDArray[np.int64]:
        return self.term.inverted(self._own(x))

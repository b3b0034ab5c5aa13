"""Which nodes are free, which follow a script, and where free ones stand in the matrix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Indices
from ..core.assembly import Assembler
from ..core.pattern import BlockPattern


class Couples(Protocol):
    """Anything that couples the nodes of each of its elements: `nodes` is (ne, k)."""

    @property
    def nodes(self) -> NDArray[np.int64]: ...


class Layout:
    """The free nodes of a system while the same clamps hold, with the matrix pattern and the assemblers of its terms."""

    def __init__(self, n_nodes: int, clamped: NDArray[np.int64], terms: Sequence[Couples]):
        self.n_nodes = n_nodes
        mask = np.ones(n_nodes, dtype=bool)
        mask[clamped] = False
        self.free = np.flatnonzero(mask)
        self.all_free = self.free.size == n_nodes
        self.block_of_node = np.full(n_nodes, -1, dtype=np.int64)
        self.block_of_node[self.free] = np.arange(self.free.size)
        self.terms = tuple(terms)

    @cached_property
    def pattern(self) -> BlockPattern:
        return BlockPattern.from_elements([t.nodes for t in self.terms], self.block_of_node, self.free.size)

    @cached_property
    def assemblers(self) -> dict[int, Assembler]:
        """The assembler of each term, by the term's identity."""
        return {id(t): Assembler(self.pattern, t.nodes, self.block_of_node) for t in self.terms}

    @cached_property
    def coordinates(self) -> Indices:
        """Positions in the flat full vector of the free coordinates."""
        return (3 * self.free[:, None] + np.arange(3)).ravel()

    def gathered(self, full: Array) -> Array:
        """The free part of a (n, 3) array, flat."""
        return np.ascontiguousarray(full if self.all_free else full[self.free]).reshape(-1)


@dataclass(frozen=True)
class Script:
    """Positions of all nodes over a step, of which only the clamped ones count: fraction -> (n, 3)."""

    positions: Callable[[float], Array]
    moving: bool

    @cached_property
    def displacement(self) -> Array:
        """How far clamped nodes move over the step (n, 3)."""
        return self.positions(1.0) - self.positions(0.0)


@dataclass(frozen=True)
class Frame:
    """Where all nodes are in one step: the free ones at q, the others where the script has them."""

    layout: Layout
    script: Script

    def positions(self, q: Array, fraction: float = 1.0) -> Array:
        """Positions (n, 3) of all nodes at a fraction of the step."""
        if self.layout.all_free:
            return q.reshape(-1, 3)
        x = self.script.positions(fraction).copy()
        x[self.layout.free] = q.reshape(-1, 3)
        return x

    @cached_property
    def held_moves(self) -> Array:
        """How far each node is moved by the script over the step (n, 3); free nodes are not."""
        moved = self.script.displacement.copy()
        moved[self.layout.free] = 0.0
        return moved

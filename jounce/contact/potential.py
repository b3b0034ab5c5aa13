"""Contact and friction as potentials of the free nodes, whatever model gives the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..core.arrays import Array, Indices, Matrix
from ..core.assembly import Assembler
from ..core.blocks import BlockMatrix
from ..core.pattern import BlockPattern
from ..kernels.barrier import GRADIENT, HESSIAN, PROJECTED
from .friction import FrictionTerm
from .registry import ContactTerm


class Frame(Protocol):
    """Where all nodes are in a step, the free ones being at q; `layout` says which block row each has, -1 where it is held."""

    @property
    def layout(self) -> Any: ...
    @property
    def script(self) -> Any: ...

    held_moves: Any

    def positions(self, q: Array, fraction: float = 1.0) -> Array: ...


class Sums:
    """Where the contributions of groups of nodes go, in the free nodes' vector and matrix."""

    def __init__(self, layout: Any, nodes: Sequence[Indices]) -> None:
        self.layout, self.nodes = layout, tuple(nodes)

    def fits(self, nodes: Sequence[Indices]) -> bool:
        """Whether these are the same groups."""
        return len(nodes) == len(self.nodes) and all(map(np.array_equal, nodes, self.nodes))

    def vector(self, gradients: Sequence[Array]) -> Array:
        """The sum of the groups' gradients, always added in the same order."""
        out = np.zeros((self.layout.free.size + 1, 3))  # the last row takes what falls on held nodes
        for nodes, gradient in zip(self.nodes, gradients, strict=True):
            np.add.at(out, self.layout.block_of_node[nodes], gradient)
        return out[:-1].reshape(-1)

    def matrix(self, blocks: Sequence[Array]) -> BlockMatrix:
        values = np.zeros((self._pattern.nnz, 9))
        for assembler, block in zip(self._assemblers, blocks, strict=True):
            assembler.matrix(block, out=values, accumulate=True)
        return BlockMatrix(self._pattern, values)

    @cached_property
    def _pattern(self) -> BlockPattern:
        return BlockPattern.from_elements(self.nodes, self.layout.block_of_node, self.layout.free.size)

    @cached_property
    def _assemblers(self) -> list[Assembler]:
        return [Assembler(self._pattern, nodes, self.layout.block_of_node) for nodes in self.nodes]


class ContactPotential:
    """The energy of contact, the free nodes being at q and the rest where the script has them at a fraction of the step."""

    def __init__(self, frame: Frame, term: ContactTerm, fraction: float = 1.0) -> None:
        self.frame, self.term, self.fraction = frame, term, fraction
        self._sums = Sums(frame.layout, ())

    def at(self, fraction: float) -> ContactPotential:
        if not self.frame.script.moving or fraction == self.fraction:
            return self
        return ContactPotential(self.frame, self.term, fraction)

    def value(self, q: Array) -> float:
        return self.term.value(self.frame.positions(q, self.fraction))

    def gradient(self, q: Array) -> Array:
        groups = self.term.groups(self.frame.positions(q, self.fraction), GRADIENT)
        return Sums(self.frame.layout, [g.nodes for g in groups]).vector([g.gradients for g in groups])

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        groups = self.term.groups(self.frame.positions(q, self.fraction), PROJECTED if psd else HESSIAN)
        if not groups:
            return np.zeros_like(q), None
        nodes = [g.nodes for g in groups]
        if not self._sums.fits(nodes):
            self._sums = Sums(self.frame.layout, nodes)
        return self._sums.vector([g.gradients for g in groups]), self._sums.matrix([g.blocks for g in groups])

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self.linearise(q, psd=psd)[1]

    def script_push(self, q: Array) -> float:
        """The energy's slope along the script's motion over the step: gradient . displacement of the held nodes (J)."""
        groups = self.term.groups(self.frame.positions(q, self.fraction), GRADIENT)
        return float(sum(np.sum(g.gradients * self.frame.held_moves[g.nodes]) for g in groups))


class FrictionPotential:
    """Friction of one step of h seconds, as a potential of the free nodes' velocities (W); held nodes move with the script."""

    def __init__(self, frame: Frame, term: FrictionTerm, h: float) -> None:
        self.frame, self.term, self.h = frame, term, h
        self._sums = Sums(frame.layout, [s.nodes for s in term.slips])

    def at(self, fraction: float) -> FrictionPotential:
        return self

    def value(self, q: Array) -> float:
        return float(sum(np.sum(energies) for energies, _, _ in self._evaluate(q, 0)))

    def gradient(self, q: Array) -> Array:
        return self._sums.vector([gradients for _, gradients, _ in self._evaluate(q, 1)])

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        found = self._evaluate(q, 2)
        return self._sums.vector([g for _, g, _ in found]), self._sums.matrix([b for _, _, b in found])

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self.linearise(q, psd=psd)[1]

    def script_push(self, v: Array) -> float:
        """What scripted nodes give through friction over the step (J)."""
        groups = zip(self.term.slips, self._evaluate(v, 1), strict=True)
        return float(sum(np.sum(gradients * self.frame.held_moves[s.nodes]) for s, (_, gradients, _) in groups))

    def _evaluate(self, q: Array, level: int) -> list[tuple[Array, Array, Array]]:
        v = self.frame.held_moves / self.h
        v[self.frame.layout.free] = q.reshape(-1, 3)
        return self.term.evaluate(v, level)

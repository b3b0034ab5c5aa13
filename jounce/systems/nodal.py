"""The energy of element terms as a potential of the free nodes; scripted nodes are where the script puts them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ..core.arrays import Array, Matrix
from ..core.blocks import BlockMatrix
from ..elements.placed import Placed
from .layout import Frame


class Pushed(Protocol):
    """A potential that feels the script's motion."""

    def at(self, fraction: float) -> "Pushed": ...
    def script_push(self, q: Array) -> float: ...


class NodalPotential:
    """sum over terms and elements of E_e(x), x = the script's positions with the free nodes at q."""

    def __init__(self, frame: Frame, terms: Sequence[Placed], fraction: float = 1.0):
        self.frame, self.layout, self.terms, self.fraction = frame, frame.layout, tuple(terms), fraction

    def at(self, fraction: float) -> "NodalPotential":
        if not self.frame.script.moving or fraction == self.fraction:
            return self
        return NodalPotential(self.frame, self.terms, fraction)

    def positions(self, q: Array) -> Array:
        return self.frame.positions(q, self.fraction)

    def value(self, q: Array) -> float:
        x = self.positions(q)
        total = sum(t.energy(x) for t in self.terms)
        return total if total == total else np.inf

    def gradient(self, q: Array) -> Array:
        x = self.positions(q)
        out = np.zeros(3 * self.layout.free.size)
        for t in self.terms:
            out += self.layout.assemblers[id(t)].vector(t.gradients(x))
        return out

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        x = self.positions(q)
        out = np.zeros(3 * self.layout.free.size)
        values = np.zeros((self.layout.pattern.nnz, 9))
        for i, t in enumerate(self.terms):
            gradients, blocks = t.linearise(x, psd)
            assembler = self.layout.assemblers[id(t)]
            out += assembler.vector(gradients)
            assembler.matrix(blocks, out=values, accumulate=i > 0)
        return out, BlockMatrix(self.layout.pattern, values)

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self.linearise(q, psd=psd)[1]

    def script_push(self, q: Array) -> float:
        """The energy's slope along the script's motion over the step: sum over clamped nodes of gradient . displacement (J)."""
        x, moved = self.positions(q), self.frame.held_moves
        total = 0.0
        for t in self.terms:
            pushed = moved[t.nodes].any(axis=(1, 2))
            if pushed.any():  # the rest may be inverted at x, without a gradient
                total += float(np.sum(t.gradients(x)[pushed] * moved[t.nodes[pushed]]))
        return total


def script_work(elastic: NodalPotential, contact: Pushed | None, q0: Array, q1: Array) -> float:
    """Work that scripted nodes do over a step, all nodes on straight lines (J).

    Of elastic forces by Simpson's rule, exact where the energy is a quartic of positions (St. Venant-Kirchhoff) and the script runs
    straight. Of contact by the mean of both ends: straight lines between them may cross, but the ends never do.
    """
    middle = elastic.at(0.5).script_push(0.5 * (q0 + q1))
    work = (elastic.at(0.0).script_push(q0) + 4 * middle + elastic.at(1.0).script_push(q1)) / 6
    if contact is None:
        return work
    return work + 0.5 * (contact.at(0.0).script_push(q0) + contact.at(1.0).script_push(q1))

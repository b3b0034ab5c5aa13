"""The energy of element terms as a potential of the free nodes; scripted nodes are where the script puts them."""

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Array, Matrix
from ..core.blocks import BlockMatrix
from ..elements.term import ElementTerm
from .layout import Layout, Script


class NodalPotential:
    """sum over terms and elements of E_e(x), x = the script's positions with the free nodes at q."""

    def __init__(self, layout: Layout, terms: Sequence[ElementTerm], script: Script, fraction: float = 1.0):
        self.layout, self.terms, self.script, self.fraction = layout, tuple(terms), script, fraction

    def at(self, fraction: float) -> "NodalPotential":
        if not self.script.moving or fraction == self.fraction:
            return self
        return NodalPotential(self.layout, self.terms, self.script, fraction)

    def positions(self, q: Array) -> Array:
        if self.layout.all_free:
            return q.reshape(-1, 3)
        x = self.script.positions(self.fraction).copy()
        x[self.layout.free] = q.reshape(-1, 3)
        return x

    def value(self, q: Array) -> float:
        x = self.positions(q)
        total = float(sum(np.sum(t.energies(x)) for t in self.terms))
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
        x = self.positions(q)
        moved = self.script.displacement.copy()
        moved[self.layout.free] = 0.0
        return float(sum(np.sum(t.gradients(x) * moved[t.nodes]) for t in self.terms))


def script_work(elastic: NodalPotential, q0: Array, q1: Array) -> float:
    """Work that scripted clamps do over a step, all nodes on straight lines, by Simpson's rule (J).

    It is exact where the energy is a quartic of positions (St. Venant-Kirchhoff) and the script runs straight.
    """
    middle = elastic.at(0.5).script_push(0.5 * (q0 + q1))
    return (elastic.at(0.0).script_push(q0) + 4 * middle + elastic.at(1.0).script_push(q1)) / 6

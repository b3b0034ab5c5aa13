"""Dissipation that is quadratic in velocity for one step: lagged Rayleigh damping, and wind."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array, Matrix
from ..core.blocks import BlockMatrix
from ..elements.placed import Placed
from .layout import Layout, Script


@dataclass(frozen=True)
class LaggedQuadratic:
    """v.C v / 2 + slope.v, with C positive semi-definite: a potential of the free nodes' velocities (W).

    Over the step scripted nodes give pull.v + held (J).
    """

    matrix: Matrix
    slope: Array
    pull: Array | None = None
    held: float = 0.0

    def value(self, q: Array) -> float:
        return 0.5 * float(np.dot(q, self.matrix @ q)) + float(np.dot(self.slope, q))

    def gradient(self, q: Array) -> Array:
        return self.matrix @ q + self.slope

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self.matrix

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        return self.gradient(q), self.matrix

    def at(self, fraction: float) -> "LaggedQuadratic":
        return self

    def script_push(self, v: Array) -> float:
        return self.held if self.pull is None else float(np.dot(self.pull, v)) + self.held


def rayleigh(
    layout: Layout, terms: Sequence[tuple[Placed, float]], mass_damping: Array, x: Array, script: Script, h: float
) -> LaggedQuadratic:
    """C = sum of coefficient * K(x), projected, + diag(mass_damping); clamped nodes drag with the speed of their script."""
    values = np.zeros((layout.pattern.nnz, 9))
    slope = np.zeros(3 * layout.free.size)
    held = 0.0
    for term, coefficient in terms:
        _, blocks = term.linearise(x, True)
        scaled = coefficient * blocks
        assembler = layout.assemblers[id(term)]
        assembler.matrix(scaled, out=values, accumulate=True)
        if script.moving:
            speeds = _speed(layout, script, h)[term.nodes]
            drag = _times(scaled, speeds)
            slope += assembler.vector(drag)
            held += h * float(np.sum(drag * speeds))
    matrix = BlockMatrix(layout.pattern, values).plus_diagonal(mass_damping)
    return LaggedQuadratic(matrix, slope, h * slope, held)


def _speed(layout: Layout, script: Script, h: float) -> Array:
    """Velocities (n, 3) of the clamped nodes over a step; zero where nodes are free."""
    v = script.displacement / h
    v[layout.free] = 0.0
    return v


def _times(blocks: Array, v: Array) -> Array:
    """Symmetric element matrices, given by their upper blocks (ne, k (k + 1) / 2, 3, 3), times element vectors (ne, k, 3)."""
    k = v.shape[1]
    out = np.zeros_like(v)
    for n, (a, b) in enumerate(combinations_with_replacement(range(k), 2)):
        out[:, a] += np.einsum("eij,ej->ei", blocks[:, n], v[:, b])
        if a != b:
            out[:, b] += np.einsum("eji,ej->ei", blocks[:, n], v[:, a])
    return out


class WindTerm:
    """Triangles that feel a pressure drag * ((u - v) . n) along their normal: power drag A ((u - v) . n)^2 / 2 each (W)."""

    def __init__(self, triangles: NDArray[np.int64]):
        self.nodes = triangles

    def drag_blocks(self, x: Array, velocity: Array, drag: float) -> tuple[Array, Array]:
        """Gradients at v = 0 (nt, 3, 3) and upper blocks (nt, 6, 3, 3) of the power, normals taken at x."""
        p = x[self.nodes]
        cross = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        area = np.linalg.norm(cross, axis=1)
        n = cross / np.maximum(area, np.finfo(float).tiny)[:, None]
        block = (drag * area / 9.0)[:, None, None] * n[:, :, None] * n[:, None, :]
        push = -(drag * area * (n @ velocity) / 3.0)[:, None] * n
        return np.repeat(push[:, None, :], 3, axis=1), np.repeat(block[:, None], 6, axis=1)


def wind(
    layout: Layout, terms: Sequence[tuple[WindTerm, Array, float]], x: Array, script: Script, h: float
) -> LaggedQuadratic:
    """The winds that blow in this step, as one potential of velocity; clamped nodes move with the speed of their script."""
    values = np.zeros((layout.pattern.nnz, 9))
    slope = np.zeros(3 * layout.free.size)
    for term, velocity, drag in terms:
        gradients, blocks = term.drag_blocks(x, velocity, drag)
        if script.moving:
            gradients = gradients + _times(blocks, _speed(layout, script, h)[term.nodes])
        assembler = layout.assemblers[id(term)]
        slope += assembler.vector(gradients)
        assembler.matrix(blocks, out=values, accumulate=True)
    return LaggedQuadratic(BlockMatrix(layout.pattern, values), slope)

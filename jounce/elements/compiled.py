"""What every compiled element term shares: its loops, the arrays they read, and the arrays they write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jounce.materials.fields import Array


class Loops(NamedTuple):
    """The compiled loops of one kind of element and one law."""

    energy: Callable[..., None]
    gradient: Callable[..., None]
    linearise: Callable[..., None]


class CompiledTerm:
    """An element term from three loops, which are called as ``loop(x, nodes, *data, *outputs)``.

    The arrays that the methods return belong to the term and are overwritten: see `jounce.elements.term.ElementTerm`.
    """

    def __init__(self, rest: Array, nodes: NDArray[np.int64], loops: Loops, data: tuple[Array, Array, Array]) -> None:
        self.rest = rest
        self.nodes = nodes
        self._loops = loops
        self._data = data
        self._energies: Array | None = None
        self._gradients: Array | None = None
        self._linear: tuple[Array, Array] | None = None

    @property
    def guards_inversion(self) -> bool:
        return False

    def energies(self, x: Array) -> Array:
        """Energy of every element, shape (ne,)."""
        if self._energies is None:
            self._energies = np.empty(len(self.nodes))
        self._loops.energy(self.checked(x), self.nodes, *self._data, self._energies)
        return self._energies

    def gradients(self, x: Array) -> Array:
        """dE/dx of every element, shape (ne, k, 3)."""
        if self._gradients is None:
            self._gradients = np.empty((*self.nodes.shape, 3))
        self._loops.gradient(self.checked(x), self.nodes, *self._data, self._gradients)
        return self._gradients

    def linearise(self, x: Array, psd: bool) -> tuple[Array, Array]:
        """Gradients (ne, k, 3) and the upper Hessian blocks (ne, k(k+1)/2, 3, 3) of every element."""
        if self._linear is None:
            ne, k = self.nodes.shape
            self._linear = np.empty((ne, k, 3)), np.empty((ne, k * (k + 1) // 2, 3, 3))
        self._loops.linearise(self.checked(x), self.nodes, *self._data, bool(psd), *self._linear)
        return self._linear

    def longest_step(self, x: Array, dx: Array) -> float:
        """1: this term does not limit a move."""
        return 1.0

    def inverted(self, x: Array) -> NDArray[np.int64]:
        """None: an element of this kind has no inside."""
        return np.zeros(0, dtype=np.int64)

    def checked(self, x: Array) -> Array:
        """Positions as the loops need them. Compiled loops check no bounds, so a wrong shape must not reach them."""
        if np.shape(x) != self.rest.shape:
            raise ValueError(f"Positions have shape {np.shape(x)}, but the mesh has nodes of shape {self.rest.shape}.")
        return np.ascontiguousarray(x, dtype=np.float64)


def checked_mesh(rest: ArrayLike, nodes: ArrayLike, corners: int) -> tuple[Array, NDArray[np.int64]]:
    """Rest positions (n, 3) and node numbers (ne, corners), or a sentence that says what is wrong with them."""
    points = np.array(rest, dtype=np.float64, order="C")
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"Rest positions must have shape (n, 3), but have {points.shape}.")
    given: NDArray[Any] = np.asarray(nodes)
    if given.ndim != 2 or given.shape[1] != corners or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(
            f"Elements must be whole numbers of shape (ne, {corners}), but are {given.dtype} {given.shape}."
        )
    bad = np.flatnonzero(((given < 0) | (given >= len(points))).any(axis=1))
    if len(bad):
        raise ValueError(
            f"{len(bad)} of {len(given)} elements name nodes that do not exist: element {bad[0]} has nodes "
            f"{given[bad[0]].tolist()}, but the mesh has nodes 0 to {len(points) - 1}."
        )
    # A copy that can be written: numba compiles another version of every loop for read-only arrays.
    return points, np.array(given, dtype=np.int64, order="C")

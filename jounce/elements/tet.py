"""Elastic tetrahedra with linear shape functions."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jounce.kernels import tet
from jounce.kernels.compile import specialise
from jounce.kernels.frame import ROW
from jounce.kernels.inversion import fractions_before_inversion
from jounce.materials.base import Array, Material

SAFETY = 0.9
"""The part of the way to inversion that a step may go."""


@cache
def _loops(cls: type[Material], width: int) -> tuple:
    law = cls.law
    bound = {
        "split": law.frame.split,
        "join": law.frame.join,
        "row": ROW[width],
        "energy": law.energy,
        "stress": law.stress,
        "stiffness": law.stiffness,
    }
    return tuple(specialise(t, cls.name, **bound) for t in (tet.energy_loop, tet.gradient_loop, tet.linearise_loop))


class Tets:
    """The elastic energy of a tetrahedral mesh: sum over elements of volume psi(F).

    ``rest`` (n, 3) are the positions without stress in m, ``nodes`` (ne, 4) index into them, wound so that volumes are
    positive. The arrays that the methods return are reused: see `jounce.elements.term.ElementTerm`.
    """

    def __init__(self, rest: ArrayLike, nodes: ArrayLike, material: Material) -> None:
        self.rest: Array = np.ascontiguousarray(rest, dtype=np.float64)
        self.nodes: NDArray[np.int64] = np.ascontiguousarray(nodes, dtype=np.int64).reshape(-1, 4)
        self.material = material
        corners = self.rest[self.nodes]
        edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        self.volumes: Array = np.linalg.det(edges) / 6
        _require_volume(self.volumes)
        self.centroids: Array = corners.mean(axis=1)
        self.shape: Array = np.linalg.inv(edges).reshape(-1, 9).astype(np.float64)
        """Inverse of the rest edge matrix, row by row: its rows are the gradients of the shape functions 1, 2, 3."""
        self.table: Array = material.parameters(self.centroids)
        self._energy, self._gradient, self._linearise = _loops(type(material), self.table.shape[1])
        self._energies: Array | None = None
        self._gradients: Array | None = None
        self._linear: tuple[Array, Array] | None = None

    @property
    def guards_inversion(self) -> bool:
        return self.material.guards_inversion

    def energies(self, x: Array) -> Array:
        """volume psi(F) of every element, shape (ne,)."""
        if self._energies is None:
            self._energies = np.empty(len(self.nodes))
        self._energy(self._checked(x), self.nodes, self.shape, self.volumes, self.table, self._energies)
        return self._energies

    def gradients(self, x: Array) -> Array:
        """dE/dx of every element, shape (ne, 4, 3)."""
        if self._gradients is None:
            self._gradients = np.empty((len(self.nodes), 4, 3))
        self._gradient(self._checked(x), self.nodes, self.shape, self.volumes, self.table, self._gradients)
        return self._gradients

    def linearise(self, x: Array, psd: bool) -> tuple[Array, Array]:
        """Gradients (ne, 4, 3) and the ten upper Hessian blocks (ne, 10, 3, 3) of every element."""
        if self._linear is None:
            self._linear = np.empty((len(self.nodes), 4, 3)), np.empty((len(self.nodes), 10, 3, 3))
        self._linearise(self._checked(x), self.nodes, self.shape, self.volumes, self.table, bool(psd), *self._linear)
        return self._linear

    def longest_step(self, x: Array, dx: Array) -> float:
        """The largest safe fraction of the move dx that inverts no element; 1 if the material does not mind inversion.

        Elements that are already inverted, and moves that are not finite, do not limit: the energy tells of those.
        """
        if not self.guards_inversion or not len(self.nodes):
            return 1.0
        fractions = np.empty(len(self.nodes))
        fractions_before_inversion(self._checked(x), self._checked(dx), self.nodes, 1 / SAFETY, fractions)
        return min(1.0, SAFETY * float(fractions.min()))

    def node_masses(self, density: ArrayLike) -> Array:
        """Lumped mass of every node in kg: a quarter of the mass of each of its elements. ``density`` in kg/m^3."""
        quarter = 0.25 * self.volumes * np.asarray(density, dtype=np.float64)
        masses = np.zeros(len(self.rest))
        np.add.at(masses, self.nodes, quarter[..., None])
        return masses

    def _checked(self, x: Array) -> Array:
        # A compiled loop does not check bounds, so a wrong shape must not reach it.
        if x.shape != self.rest.shape:
            raise ValueError(f"Positions have shape {x.shape}, but the mesh has nodes of shape {self.rest.shape}.")
        return np.ascontiguousarray(x, dtype=np.float64)


def _require_volume(volumes: Array) -> None:
    bad = np.flatnonzero(~(volumes > 0))
    if len(bad):
        worst = bad[np.argsort(volumes[bad])][:5]
        shown = ", ".join(f"{volumes[e]:.3g} m^3 (element {e})" for e in worst)
        raise ValueError(
            f"{len(bad)} of {len(volumes)} tetrahedra are flat or inverted at rest: {shown}. Swapping two nodes of an "
            "inverted one turns it right; a flat one must be removed or remeshed."
        )

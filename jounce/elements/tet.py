"""Elastic tetrahedra with linear shape functions."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jounce.elements.compiled import CompiledTerm, Loops, checked_mesh
from jounce.kernels import tet
from jounce.kernels.compile import specialise
from jounce.kernels.frame import ROW
from jounce.kernels.inversion import fractions_before_inversion
from jounce.materials.base import Material
from jounce.materials.fields import Array

SAFETY = 0.9
"""The part of the way to inversion that a step may go."""


class Tets(CompiledTerm):
    """The elastic energy of a tetrahedral mesh: sum over elements of volume psi(F).

    ``rest`` (n, 3) are the positions without stress in m, ``nodes`` (ne, 4) index into them, wound so that volumes are
    positive.
    """

    def __init__(self, rest: ArrayLike, nodes: ArrayLike, material: Material) -> None:
        points, corners = checked_mesh(rest, nodes, 4)
        self.material = material
        self.volumes, self.shape, self.centroids = rest_shape(points[corners])
        self.table: Array = material.parameters(self.centroids)
        loops = _loops(type(material), self.table.shape[1])
        super().__init__(points, corners, loops, (self.shape, self.volumes, self.table))

    @property
    def guards_inversion(self) -> bool:
        return self.material.guards_inversion

    def longest_step(self, x: Array, dx: Array) -> float:
        """The largest safe fraction of the move dx that inverts no element; 1 if the material does not mind inversion.

        Elements that are already inverted, and moves that are not finite, do not limit: the energy tells of those.
        """
        if not self.guards_inversion or not len(self.nodes):
            return 1.0
        fractions = np.empty(len(self.nodes))
        fractions_before_inversion(self.checked(x), self.checked(dx), self.nodes, 1 / SAFETY, fractions)
        return min(1.0, SAFETY * float(fractions.min()))

    def inverted(self, x: Array) -> NDArray[np.int64]:
        """Numbers of the tetrahedra whose volume is not positive."""
        return np.flatnonzero(~(np.linalg.det(_edges(self.checked(x)[self.nodes])) > 0.0))

    def node_masses(self, density: ArrayLike) -> Array:
        """Lumped mass of every node in kg: a quarter of the mass of each of its elements. ``density`` in kg/m^3."""
        quarter = 0.25 * self.volumes * np.asarray(density, dtype=np.float64)
        masses = np.zeros(len(self.rest))
        np.add.at(masses, self.nodes, quarter[:, None])
        return masses


def rest_shape(corners: Array) -> tuple[Array, Array, Array]:
    """Volumes (ne,), shape gradients (ne, 9) and centroids (ne, 3) of tetrahedra with corners (ne, 4, 3).

    A row of shape gradients is the inverse of the edge matrix, row by row; its rows belong to nodes 1, 2, 3.
    """
    edges = _edges(corners)
    volumes = np.linalg.det(edges) / 6
    bad = np.flatnonzero(~(volumes > 0))
    if len(bad):
        worst = bad[np.argsort(volumes[bad])][:5]
        shown = ", ".join(f"{volumes[e]:.3g} m^3 (element {e})" for e in worst)
        raise ValueError(
            f"{len(bad)} of {len(volumes)} tetrahedra are flat or inverted at rest: {shown}. Swapping two nodes of an "
            "inverted one turns it right; a flat one must be removed or remeshed."
        )
    return volumes, np.linalg.inv(edges).reshape(-1, 9).astype(np.float64), corners.mean(axis=1)


def _edges(corners: Array) -> Array:
    """Edge matrices (ne, 3, 3) of tetrahedra, a column for each edge from the first corner."""
    return np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)


@cache
def _loops(cls: type[Material], width: int) -> Loops:
    law = cls.law
    bound = {
        "split": law.frame.split,
        "join": law.frame.join,
        "row": ROW[width],
        "energy": law.energy,
        "stress": law.stress,
        "stiffness": law.stiffness,
    }
    return Loops(
        *(specialise(loop, cls.name, **bound) for loop in (tet.energy_loop, tet.gradient_loop, tet.linearise_loop))
    )

"""Fibres that run through tetrahedra and add to their elasticity."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from jounce.elements.compiled import CompiledTerm, checked_mesh
from jounce.elements.line import line_loops
from jounce.elements.tet import rest_shape
from jounce.materials.fields import Array
from jounce.materials.line import Fibre


class Fibres(CompiledTerm):
    """The energy of fibres in a tetrahedral mesh: sum over elements of volume psi(|F a|^2).

    F a is linear in the positions of the four nodes, with the weights ``weights`` (ne, 4).
    """

    def __init__(self, rest: ArrayLike, nodes: ArrayLike, material: Fibre) -> None:
        points, corners = checked_mesh(rest, nodes, 4)
        self.material = material
        self.volumes, shape, self.centroids = rest_shape(points[corners])
        inner = np.einsum("eki,ei->ek", shape.reshape(-1, 3, 3), material.directions(self.centroids))
        self.weights: Array = np.column_stack((-inner.sum(axis=1), inner))
        self.table: Array = material.parameters(self.centroids)
        loops = line_loops(type(material), self.table.shape[1])
        super().__init__(points, corners, loops, (self.weights, self.volumes, self.table))

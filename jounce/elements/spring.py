"""Springs along the edges of any mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from jounce.elements.compiled import CompiledTerm, checked_mesh
from jounce.elements.line import line_loops
from jounce.materials.fields import Array, require
from jounce.materials.line import Spring


class Springs(CompiledTerm):
    """The energy of springs between pairs of nodes (ne, 2).

    ``lengths`` are the rest lengths in m, one number or one per edge; by default those of the rest positions.
    """

    def __init__(
        self, rest: ArrayLike, nodes: ArrayLike, material: Spring, *, lengths: ArrayLike | None = None
    ) -> None:
        points, ends = checked_mesh(rest, nodes, 2)
        self.material = material
        start, end = points[ends[:, 0]], points[ends[:, 1]]
        given = np.linalg.norm(end - start, axis=1) if lengths is None else np.asarray(lengths, dtype=np.float64)
        self.lengths: Array = np.array(np.broadcast_to(given, len(ends)))
        require(self.lengths, np.isfinite(self.lengths) & (self.lengths >= 0), "lengths (of springs, m)", "at least 0")
        self.table: Array = material.parameters(0.5 * (start + end), self.lengths)
        ones = np.ones(len(ends))
        loops = line_loops(type(material), self.table.shape[1])
        super().__init__(points, ends, loops, (np.column_stack((-ones, ones)), ones, self.table))

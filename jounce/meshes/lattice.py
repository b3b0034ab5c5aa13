"""The body-centred cubic lattice and its tets, of which all are alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.geometry import Indices, Points


@dataclass(frozen=True)
class Lattice:
    """The points of a body-centred cubic lattice.

    cells: (3,) number of cells; places: (n, 3) integers, all even (corners of cells) or all odd (centres);
    points: (n, 3) metres.
    """

    cells: Indices
    places: Indices
    points: Points

    def tets_at(self, wanted: NDArray[np.bool_]) -> Indices:
        """The positive tets (m, 4) with a node among the wanted ones, an (n,) mask.

        Local nodes 0-1 and 2-3 are the long edges, as long as a cell; the other four edges are sqrt(3)/2 as long.
        Dihedral angles are 60 and 90 degrees.
        """
        cells, corners = self.cells, int(np.prod(self.cells + 1))
        centres = (self.places[corners:] - 1) // 2

        def corner(at: Indices) -> Indices:
            return (at[:, 0] * (cells[1] + 1) + at[:, 1]) * (cells[2] + 1) + at[:, 2]

        unit = np.eye(3, dtype=np.int64)
        blocks = []
        for axis in range(3):
            # Four tets around the line from each centre to the next one, one for each edge of the face between them.
            inner = centres[:, axis] < cells[axis] - 1
            below = corners + np.flatnonzero(inner)
            above = below + (cells[1] * cells[2], cells[2], 1)[axis]
            face, u, w = centres[inner] + unit[axis], unit[(axis + 1) % 3], unit[(axis + 2) % 3]
            ring = [corner(face), corner(face + u), corner(face + u + w), corner(face + w)]
            along = wanted[below] | wanted[above]
            for here, there in zip(ring, [*ring[1:], ring[0]]):
                rows = along | wanted[here] | wanted[there]
                blocks.append(np.stack([below[rows], above[rows], here[rows], there[rows]], axis=1))
        return np.concatenate(blocks)


def bcc(low: Points, high: Points, spacing: float) -> Lattice:
    """The lattice whose tets cover the box from `low` to `high` (metres); cells have edges of `spacing`."""
    # One cell of margin: tets lie between the centres of neighbouring cells, so half a cell at the rim has none.
    cells = np.ceil((high - low) / spacing).astype(np.int64) + 2
    corners = np.argwhere(np.ones(cells + 1, dtype=bool))
    centres = np.argwhere(np.ones(cells, dtype=bool))
    places = np.concatenate([2 * corners, 2 * centres + 1])
    return Lattice(cells, places, (low + high) / 2 + (places - cells) * (spacing / 2))

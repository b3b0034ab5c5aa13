"""The body-centred cubic lattice and its tets, of which all are alike."""

from dataclasses import dataclass

import numpy as np

from jounce.meshes.geometry import Indices, Points


@dataclass(frozen=True)
class Lattice:
    """Points of a body-centred cubic lattice and the tets between them.

    places: (n, 3) integers, all even (corners of cells) or all odd (centres); points: (n, 3) metres.
    tets: (m, 4) positive; local nodes 0-1 and 2-3 are the long edges, of length `spacing`, the other four edges are
    sqrt(3)/2 as long. Dihedral angles are 60 and 90 degrees.
    """

    places: Indices
    points: Points
    tets: Indices


def bcc(low: Points, high: Points, spacing: float) -> Lattice:
    """The lattice whose tets cover the box from `low` to `high` (metres)."""
    # One cell of margin: tets lie between the centres of neighbouring cells, so half a cell at the rim has none.
    cells = np.ceil((high - low) / spacing).astype(np.int64) + 2
    origin = (low + high) / 2 - cells * spacing / 2
    corners = np.argwhere(np.ones(cells + 1, dtype=bool))
    centres = np.argwhere(np.ones(cells, dtype=bool))
    places = np.concatenate([2 * corners, 2 * centres + 1])

    def corner(at: Indices) -> Indices:
        return (at[:, 0] * (cells[1] + 1) + at[:, 1]) * (cells[2] + 1) + at[:, 2]

    def centre(at: Indices) -> Indices:
        return len(corners) + (at[:, 0] * cells[1] + at[:, 1]) * cells[2] + at[:, 2]

    unit = np.eye(3, dtype=np.int64)
    tets = []
    for axis in range(3):
        below = centres[centres[:, axis] < cells[axis] - 1]
        u, w = unit[(axis + 1) % 3], unit[(axis + 2) % 3]
        face = below + unit[axis]
        ring = [corner(face), corner(face + u), corner(face + u + w), corner(face + w)]
        for here, there in zip(ring, [*ring[1:], ring[0]]):
            tets.append(np.stack([centre(below), centre(below + unit[axis]), here, there], axis=1))
    return Lattice(places, origin + places * (spacing / 2), np.concatenate(tets))

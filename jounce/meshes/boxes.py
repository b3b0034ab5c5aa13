"""Boxes, bars, sheets and stairs: cells of a grid, cut without preferring a direction."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.checks import at_least, per_axis, positive, whole_per_axis
from jounce.meshes.geometry import Indices, Points, boundary_triangles, without_unused_nodes
from jounce.meshes.surfacemesh import SurfaceMesh
from jounce.meshes.tetmesh import TetMesh

# Corners of a cell are numbered x + 2 y + 4 z. Even cells put the large tet on corners 0, 3, 5, 6 and odd cells on its
# mirror image 1, 2, 4, 7, so that the diagonals of shared faces agree.
EVEN_CELL = np.array([[0, 3, 6, 5], [0, 1, 3, 5], [0, 3, 2, 6], [0, 4, 5, 6], [3, 6, 5, 7]])
ODD_CELL = (EVEN_CELL ^ 1)[:, [0, 2, 1, 3]]
CORNERS = np.array([[c & 1, c >> 1 & 1, c >> 2 & 1] for c in range(8)])


def grid_tets(occupied: NDArray[np.bool_]) -> tuple[Points, Indices]:
    """Grid points (n, 3) and tets of the occupied cells of an (i, j, k) grid, five tets per cell."""
    cells = np.argwhere(occupied)
    points = cells[:, None] + CORNERS
    numbers = np.ravel_multi_index(tuple(np.moveaxis(points, -1, 0)), tuple(s + 1 for s in occupied.shape))
    odd = cells.sum(axis=1) % 2 == 1
    tets = np.where(odd[:, None, None], numbers[:, ODD_CELL], numbers[:, EVEN_CELL]).reshape(-1, 4)
    all_points = np.stack(np.unravel_index(np.arange(np.prod(np.array(occupied.shape) + 1)),
                                           tuple(s + 1 for s in occupied.shape)), axis=1)
    return without_unused_nodes(all_points, tets)


def box(*, size: Sequence[float] = (1.0, 1.0, 1.0), cells: Sequence[int] = (1, 1, 1)) -> TetMesh:
    """A box of (x, y, z) metres centred on the origin, cut into (i, j, k) cells.

    Every cell is one large tet and four corner tets, mirrored from cell to cell, so no diagonal direction is preferred;
    an even number of cells makes the mesh symmetric. (i+1)(j+1)(k+1) nodes, 5 i j k tets.
    Dihedral angles are 54.7 to 90 degrees for cubic cells.
    """
    shape = whole_per_axis("cells", cells, 3)
    lengths = per_axis("size", size, 3)
    points, tets = grid_tets(np.ones(shape, dtype=bool))
    return TetMesh((points / np.array(shape) - 0.5) * lengths, tets)


def bar(*, length: float = 1.0, width: float = 0.1, cells_across: int = 2) -> TetMesh:
    """A bar along x with a square section, centred on the origin, of nearly cubic cells.

    With c cells across and n = round(c length / width) along: (n+1)(c+1)^2 nodes, 5 n c^2 tets.
    """
    across = at_least("cells_across", cells_across)
    along = max(1, round(across * positive("length", length) / positive("width", width)))
    return box(size=(length, width, width), cells=(along, across, across))


def sheet(*, size: Sequence[float] = (1.0, 1.0), cells: Sequence[int] = (10, 10)) -> SurfaceMesh:
    """A flat rectangle of (x, z) metres in the plane y = 0, centred on the origin, normals up.

    Diagonals alternate like a chessboard. (i+1)(j+1) nodes, 2 i j triangles.
    """
    i, j = whole_per_axis("cells", cells, 2)
    lengths = per_axis("size", size, 2)
    points = np.stack(np.meshgrid(np.arange(i + 1), np.arange(j + 1), indexing="ij"), axis=-1).reshape(-1, 2)
    a = np.argwhere(np.ones((i, j), dtype=bool))
    first = a[:, 0] * (j + 1) + a[:, 1]
    corners = np.stack([first, first + 1, first + j + 2, first + j + 1], axis=1)
    odd = a.sum(axis=1) % 2 == 1
    corners[odd] = np.roll(corners[odd], 1, axis=1)
    triangles = corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)
    flat = (points / np.array([i, j]) - 0.5) * lengths
    return SurfaceMesh(np.stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]], axis=1), triangles)


def stairs(*, steps: int = 5, rise: float = 0.2, run: float = 0.3, width: float = 1.0, across: int = 1) -> SurfaceMesh:
    """A closed solid staircase for use as an obstacle; it climbs from x = 0 towards +x and stands on y = 0.

    Step s is `rise` (s+1) high and spans x from s `run` to (s+1) `run`; z is centred. Outward normals.
    """
    n = at_least("steps", steps)
    occupied = np.zeros((n, n, at_least("across", across)), dtype=bool)
    for step in range(n):
        occupied[step, : step + 1] = True
    points, tets = grid_tets(occupied)
    used, triangles = without_unused_nodes(points, boundary_triangles(tets))
    lengths = np.array([positive("run", run), positive("rise", rise), positive("width", width) / across])
    return SurfaceMesh(used * lengths - np.array([0.0, 0.0, width / 2]), triangles)

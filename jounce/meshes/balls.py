"""A ball of nearly regular tets in icosahedral shells."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.checks import at_least, positive
from jounce.meshes.geometry import Indices, Points, tet_volumes
from jounce.meshes.tetmesh import TetMesh


def icosahedron() -> tuple[Points, Indices]:
    """The 12 unit corners and 20 outward faces of a regular icosahedron."""
    golden = (1.0 + np.sqrt(5.0)) / 2.0
    corners = np.array([np.roll((0.0, s, t * golden), k) for k in range(3) for s, t in product((-1, 1), repeat=2)])
    distances = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    near = np.isclose(distances, 2.0)
    faces = [
        (i, j, k)
        for i in range(12)
        for j in range(12)
        for k in range(12)
        if i < j < k and near[i, j] and near[j, k] and near[i, k]
    ]
    a, b, c = (corners[[f[n] for f in faces]] for n in range(3))
    outward = np.einsum("ij,ij->i", np.cross(a, b), c) > 0
    wound = np.array([f if out else (f[0], f[2], f[1]) for f, out in zip(faces, outward)])
    return corners / np.linalg.norm(corners[0]), wound.astype(np.int64)


def simplex_cells(layers: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A tet cut into `layers` slices: small tets (., 4, 4) and octahedra (., 6, 4) in integer barycentric coordinates.

    Octahedra list their three pairs of opposite corners one after the other.
    """

    def places(total: int) -> NDArray[np.int64]:
        all_ = np.array(list(product(range(total + 1), repeat=3)), dtype=np.int64).reshape(-1, 3)
        inside = all_[all_.sum(axis=1) <= total]
        return np.concatenate([total - inside.sum(axis=1, keepdims=True), inside], axis=1)

    unit = np.eye(4, dtype=np.int64)
    pairs = np.array(
        [
            unit[[0, 1]].sum(0),
            unit[[2, 3]].sum(0),
            unit[[0, 2]].sum(0),
            unit[[1, 3]].sum(0),
            unit[[0, 3]].sum(0),
            unit[[1, 2]].sum(0),
        ]
    )
    tets = [places(layers - 1)[:, None] + unit]
    if layers >= 3:
        tets.append(places(layers - 3)[:, None] + (1 - unit))
    octahedra = places(layers - 2)[:, None] + pairs if layers >= 2 else np.empty((0, 6, 4), dtype=np.int64)
    return np.concatenate(tets), octahedra


def ball(*, radius: float = 0.5, resolution: int = 6) -> TetMesh:
    """A ball centred on the origin, of `resolution` shells; every surface node lies on the sphere.

    The 20 tets of an icosahedron around its centre are cut into `resolution` slices, and shell k is blown up to the
    sphere of radius k/resolution. With n = resolution: 20 n^3 tets and 1 + 2n + 5 n (n+1)(2n+1)/3 nodes.
    Dihedral angles stay between 37 and 118 degrees up to n = 24.
    """
    n = at_least("resolution", resolution)
    corners, faces = icosahedron()
    small, octahedra = simplex_cells(n)
    # Barycentric coordinates over (centre, three corners of a face) become rows over the 12 corners: exact integers,
    # equal for equal points, whichever icosahedral tet they come from.
    spread = np.zeros((len(faces), 4, 12), dtype=np.int64)
    for face, nodes in enumerate(faces):
        spread[face, [1, 2, 3], nodes] = 1
    cells = [np.einsum("cpb,fbk->fcpk", block, spread).reshape(-1, 12) for block in (small, octahedra)]
    unique, numbers = np.unique(np.concatenate(cells), axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    points = blown_up(unique, corners, n) * positive("radius", radius)
    tets = numbers[: len(cells[0])].reshape(-1, 4)
    octahedra_nodes = numbers[len(cells[0]) :].reshape(-1, 6)
    tets = np.concatenate([tets, split_octahedra(points, octahedra_nodes)])
    flip = tet_volumes(points, tets) < 0.0
    tets[flip] = tets[flip][:, [0, 2, 1, 3]]
    return TetMesh(points, tets)


def blown_up(weights: Indices, corners: Points, layers: int) -> Points:
    """Points of the icosahedron moved along rays so that shell k lies on the sphere of radius k / layers."""
    flat = weights @ corners
    shell = weights.sum(axis=1, keepdims=True) / layers
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    return flat / np.where(length == 0.0, 1.0, length) * shell


def split_octahedra(points: Points, octahedra: Indices) -> Indices:
    """Four tets around the shortest diagonal of every octahedron (opposite corners are neighbours in a row)."""
    pairs = octahedra.reshape(-1, 3, 2)
    lengths = np.linalg.norm(points[pairs[:, :, 0]] - points[pairs[:, :, 1]], axis=2)
    # Rounding must not decide between equal diagonals.
    shortest = np.argmin(np.round(lengths / max(lengths.max(initial=0.0), 1e-300), 9), axis=1)
    rows = np.arange(len(pairs))
    axis, p, q = (pairs[rows, (shortest + k) % 3] for k in range(3))
    ring = [(p[:, 0], q[:, 0]), (q[:, 0], p[:, 1]), (p[:, 1], q[:, 1]), (q[:, 1], p[:, 0])]
    tets = [np.stack([axis[:, 0], axis[:, 1], a, b], axis=1) for a, b in ring]
    return np.concatenate(tets)

"""Tet meshes with bounded dihedral angles inside any signed distance function (Labelle and Shewchuk 2007)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from jounce.meshes.checks import positive
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import TET_EDGES, Indices, Points, without_unused_nodes
from jounce.meshes.lattice import Lattice, bcc
from jounce.meshes.manifold import largest_part, manifold_part
from jounce.meshes.stencils import CutLattice
from jounce.meshes.tetmesh import TetMesh

Distance = Callable[[Points], Points]

# A lattice point closer to the surface than this fraction of an edge moves onto it (their table for uniform meshes).
ALPHA_LONG, ALPHA_SHORT = 0.24999, 0.41189
BISECTIONS = 8


def stuffed(
    distance: Distance, bounds: tuple[ArrayLike, ArrayLike], *, spacing: float, keep_largest: bool = True
) -> TetMesh:
    """Fill {distance < 0} with tets of a body-centred cubic lattice, its rim moved and cut to fit the surface.

    distance: maps (n, 3) points to (n,) metres, negative inside; need only have the right sign and vary smoothly near
    the surface. bounds: two corners of a box that holds the shape. spacing: long edge of the lattice in metres, about
    12 tets and 2 nodes per spacing^3. Parts thinner than `spacing` may be lost; `keep_largest` drops what is then no
    longer connected. The surface is a closed manifold with its nodes on {distance = 0} (to spacing / 500).
    Dihedral angles lie between 10.7 and 164.8 degrees for any shape, by Labelle and Shewchuk's proof.
    """
    low, high = (np.asarray(b, dtype=np.float64) for b in bounds)
    if low.shape != (3,) or high.shape != (3,) or not (low < high).all():
        raise MeshError("This shape cannot be meshed:", [f"bounds are {bounds}; give (low, high) corners, low < high."])
    lattice = bcc(low, high, positive("spacing", spacing))
    values = np.asarray(distance(lattice.points), dtype=np.float64)
    if values.shape != (len(lattice.points),) or np.isnan(values).any():
        raise MeshError(
            "This shape cannot be meshed:",
            [
                f"for {len(lattice.points)} points the distance returned shape {values.shape} with "
                f"{np.isnan(values).sum()} NaN. Remedy: return one number per row of points."
            ],
        )
    sign = np.sign(values).astype(np.int64)
    outside = ((lattice.points < low - 1e-9 * spacing) | (lattice.points > high + 1e-9 * spacing)).any(axis=1)
    if (sign[outside] < 0).any():
        worst = lattice.points[outside & (sign < 0)][:3].round(4).tolist()
        raise MeshError(
            "This shape cannot be meshed:",
            [
                f"the shape leaves its bounds {low} to {high}: {worst} are inside it. Likely cause: bounds too small, or a "
                "distance that is negative outside. Remedy: larger bounds, or the distance with the other sign."
            ],
        )
    tets = lattice.tets_at(sign < 0)
    if not len(tets):
        raise MeshError(
            "This shape cannot be meshed:",
            [
                f"no lattice point is inside the shape (spacing {spacing:.4g} m, bounds {low} to {high}). Likely cause: "
                "spacing larger than the shape, or a distance that is positive inside. Remedy: a smaller spacing."
            ],
        )
    edges, fraction = cut_edges(distance, lattice.points, tets, sign)
    edges, fraction = warp(lattice, sign, edges, fraction)
    cuts = lattice.points[edges[:, 0]] * (1 - fraction[:, None]) + lattice.points[edges[:, 1]] * fraction[:, None]
    cut = CutLattice(lattice.places, tets, sign, edges, np.concatenate([lattice.points, cuts]))
    filled = manifold_part(cut.cut_tets())
    if keep_largest:
        filled = largest_part(filled)
    return TetMesh(*without_unused_nodes(cut.points, filled))


def cut_edges(distance: Distance, points: Points, tets: Indices, sign: Indices) -> tuple[Indices, Points]:
    """Lattice edges (k, 2), sorted, from inside to outside or back, and the fraction at which the surface cuts them."""
    pairs = tets[:, TET_EDGES].reshape(-1, 2)
    pairs = np.unique(np.sort(pairs[sign[pairs].prod(axis=1) < 0], axis=1), axis=0)
    a, b = points[pairs[:, 0]], points[pairs[:, 1]]
    low, high = np.zeros(len(pairs)), np.ones(len(pairs))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        same = np.sign(distance(a + middle[:, None] * (b - a))) == sign[pairs[:, 0]]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return pairs, (low + high) / 2


def warp(lattice: Lattice, sign: Indices, edges: Indices, fraction: Points) -> tuple[Indices, Points]:
    """Move points that are too close to the surface onto it (in place) and return the cuts that remain.

    A moved point has sign 0 and takes the cuts on its edges away. Points without a common edge move together: corners
    and centres, each by the parity of their place, are four such classes.
    """
    long = (lattice.places[edges[:, 0]] % 2 == lattice.places[edges[:, 1]] % 2).all(axis=1)
    alpha = np.where(long, ALPHA_LONG, ALPHA_SHORT)
    length = np.where(long, 1.0, np.sqrt(3.0) / 2)
    group = lattice.places[:, 0] % 2 + 2 * (lattice.places.sum(axis=1) // 2 % 2)
    original = lattice.points.copy()
    alive = np.ones(len(edges), dtype=bool)
    nodes = edges.T.reshape(-1)
    distances = np.concatenate([fraction, 1 - fraction])
    violated = distances < np.tile(alpha, 2)
    distances = distances * np.tile(length, 2)
    for turn in range(4):
        ends = np.flatnonzero(violated & np.tile(alive, 2) & (group[nodes] == turn))
        ends = ends[np.lexsort((distances[ends], nodes[ends]))]
        moved, first = np.unique(nodes[ends], return_index=True)
        chosen = ends[first] % len(edges)
        a, b = original[edges[chosen, 0]], original[edges[chosen, 1]]
        lattice.points[moved] = a + fraction[chosen, None] * (b - a)
        sign[moved] = 0
        alive &= (sign[edges] != 0).all(axis=1)
    return edges[alive], fraction[alive]

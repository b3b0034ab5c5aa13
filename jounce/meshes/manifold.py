"""Removal of the tets that make a surface touch itself at an edge or a node, and of loose parts."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from jounce.meshes.geometry import FACES, Indices, boundary_triangles

TRIANGLE_EDGES = np.array([[1, 2], [2, 0], [0, 1]])


def components(pairs: Indices, count: int) -> Indices:
    """Number of the connected component of each of `count` things, given linked pairs (k, 2)."""
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def equal_pairs(keys: Indices) -> Indices:
    """Pairs (k, 2) of equal rows of `keys`, enough of them to link all rows that are equal."""
    order = np.lexsort(keys.T)
    same = (keys[order[1:]] == keys[order[:-1]]).all(axis=1)
    return np.stack([order[:-1][same], order[1:][same]], axis=1)


def surface_edges(triangles: Indices) -> Indices:
    """The three edges of every triangle, (3 m, 2), smaller node first; row 3 t + i is opposite corner i."""
    return np.sort(triangles[:, TRIANGLE_EDGES].reshape(-1, 2), axis=1)


def crowded_edges(triangles: Indices) -> tuple[Indices, Indices]:
    """Edges in more than two triangles, and in how many."""
    edges, counts = np.unique(surface_edges(triangles), axis=0, return_counts=True)
    return edges[counts > 2], counts[counts > 2]


def pinched_nodes(triangles: Indices) -> Indices:
    """Nodes around which the triangles form more than one fan."""
    links = equal_pairs(surface_edges(triangles))
    corners = []
    for shift in (1, 2):
        # The two ends of an edge are the corners after and before the opposite one; match them by node number.
        for other in (1, 2):
            b = links[:, 1] // 3 * 3 + (links[:, 1] % 3 + other) % 3
            a = links[:, 0] // 3 * 3 + (links[:, 0] % 3 + shift) % 3
            same = triangles.reshape(-1)[a] == triangles.reshape(-1)[b]
            corners.append(np.stack([a[same], b[same]], axis=1))
    fans = components(np.concatenate(corners), triangles.size)
    nodes = np.unique(np.stack([triangles.reshape(-1), fans], axis=1), axis=0)[:, 0]
    return np.unique(nodes[1:][nodes[1:] == nodes[:-1]])


def largest_part(tets: Indices) -> Indices:
    """The tets of the largest part that hangs together."""
    nodes = int(tets.max()) + 1
    part = components(np.concatenate([tets[:, [0, i]] for i in (1, 2, 3)]), nodes)[tets[:, 0]]
    return tets[part == np.bincount(part).argmax()]


def fans(tets: Indices) -> Indices:
    """Number of the face-connected group of each tet."""
    faces = np.sort(tets[:, FACES].reshape(-1, 3), axis=1)
    return components(equal_pairs(faces) // 4, len(tets))


def manifold_part(tets: Indices) -> Indices:
    """The tets without those that make the surface touch itself.

    Where tets meet at an edge or node in several groups, the largest group stays. Where they are one group all the same
    (a hole closes up in a point), the node is dug out.
    """
    while True:
        triangles = boundary_triangles(tets)
        places: list[NDArray[np.int64]] = [*crowded_edges(triangles)[0]]
        places = places or [node[None] for node in pinched_nodes(triangles)]
        if not places:
            return tets
        drop = np.zeros(len(tets), dtype=bool)
        for nodes in places:
            around = np.flatnonzero(np.isin(tets, nodes).sum(axis=1) == len(nodes))
            around = around[~drop[around]]
            if not len(around):
                continue
            group = fans(tets[around])
            sizes = np.bincount(group)
            drop[around[group != sizes.argmax()] if len(sizes) > 1 else around] = True
        tets = tets[~drop]

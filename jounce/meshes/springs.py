"""Which nodes of a surface a network of springs joins."""

import numpy as np

from jounce.meshes.geometry import Indices, unique_edges
from jounce.meshes.surfacemesh import SurfaceMesh


def bending_edges(surface: SurfaceMesh) -> Indices:
    """Pairs of nodes opposite each other across an edge of two triangles, (k, 2), smaller node first, sorted."""
    triangles = surface.triangles
    edges = np.sort(triangles[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2), axis=1)
    opposite = triangles.reshape(-1)
    order = np.lexsort(edges.T)
    same = (edges[order[1:]] == edges[order[:-1]]).all(axis=1)
    pairs = np.stack([opposite[order[:-1][same]], opposite[order[1:][same]]], axis=1)
    return np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)


def spring_edges(surface: SurfaceMesh) -> Indices:
    """The edges of the surface and its bending edges, each once, (k, 2), smaller node first, sorted."""
    return np.unique(np.concatenate([unique_edges(surface.triangles), bending_edges(surface)]), axis=0)

"""Sizes and angles of triangles and tets, and the connectivity that needs no checking."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]
Indices = NDArray[np.int64]

# Faces of a positive tet, wound so that their normals point outward; face i is opposite node i.
FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])
TET_EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])


def tet_volumes(vertices: Points, tets: Indices) -> Points:
    """Signed volumes det(b-a, c-a, d-a)/6 in cubic metres, shape (m,)."""
    a, b, c, d = (vertices[tets[:, i]] for i in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0


def triangle_normals(vertices: Points, triangles: Indices) -> Points:
    """Normals with the length of twice the area, shape (m, 3)."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return np.cross(b - a, c - a)


def longest_edges(vertices: Points, elements: Indices) -> Points:
    """Length of the longest edge of every triangle or tet, shape (m,)."""
    corners = vertices[elements]
    k = elements.shape[1]
    pairs = [(i, j) for i in range(k) for j in range(i)]
    return np.max([np.linalg.norm(corners[:, i] - corners[:, j], axis=1) for i, j in pairs], axis=0)


def dihedral_angles(vertices: Points, tets: Indices) -> Points:
    """The six dihedral angles of every tet in degrees, shape (m, 6), in the order of `TET_EDGES`."""
    normals = np.stack([triangle_normals(vertices, tets[:, face]) for face in FACES], axis=1)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    # The faces that meet at edge (i, j) are those opposite the two other nodes.
    others = TET_EDGES[::-1]
    cosine = -np.einsum("mei,mei->me", normals[:, others[:, 0]], normals[:, others[:, 1]])
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def triangle_angles(vertices: Points, triangles: Indices) -> Points:
    """The three angles of every triangle in degrees, shape (m, 3)."""
    corners = vertices[triangles]
    u = np.roll(corners, -1, axis=1) - corners
    w = np.roll(corners, 1, axis=1) - corners
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(u, w), axis=2), np.einsum("mki,mki->mk", u, w)))


def boundary_triangles(tets: Indices) -> Indices:
    """Faces that belong to one tet only, wound outward, in the order of the tets."""
    faces = tets[:, FACES].reshape(-1, 3)
    _, first, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[counts == 1])]


def unique_edges(elements: Indices) -> Indices:
    """Every edge of the triangles or tets once, smaller index first, sorted."""
    k = elements.shape[1]
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    edges = np.concatenate([elements[:, [i, j]] for i, j in pairs])
    return np.unique(np.sort(edges, axis=1), axis=0)


def rotation_matrix(axis: Points, angle: float) -> Points:
    """Rotation by `angle` radians about `axis` (right hand; Rodrigues' formula)."""
    n = axis / np.linalg.norm(axis)
    k = np.array([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def without_unused_nodes(vertices: ArrayLike, elements: ArrayLike) -> tuple[Points, Indices]:
    """The same elements on only the nodes that they use, in the old order."""
    used, renumbered = np.unique(elements, return_inverse=True)
    points = np.asarray(vertices, dtype=np.float64)[used]
    return points, renumbered.reshape(np.shape(elements)).astype(np.int64)

"""SurfaceMesh: nodes and triangles that have passed the checks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from jounce.meshes import checks, geometry
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import Indices, Points


@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """Triangles in space: a shell at rest or an obstacle. It may be open; `surface_report` says what it is.

    vertices: (n, 3) positions in metres; triangles: (m, 3) node numbers, outward when closed.
    The arrays are copied and read-only. A faulty mesh raises `MeshError`.
    """

    vertices: Points
    triangles: Indices

    def __post_init__(self) -> None:
        title = "This is not a valid surface mesh:"
        x, triangles = checks.as_arrays(title, self.vertices, self.triangles, 3)
        findings = [
            *checks.repeated_nodes(triangles, "triangle"),
            *checks.flat_triangles(x, triangles),
            *checks.unused_nodes(triangles, x),
        ]
        if findings:
            raise MeshError(title, findings)
        object.__setattr__(self, "vertices", x)
        object.__setattr__(self, "triangles", triangles)

    @property
    def surface(self) -> Indices:
        """The triangles, under the name that tet meshes use as well."""
        return self.triangles

    @cached_property
    def edges(self) -> Indices:
        """Every edge once, (k, 2), smaller node first."""
        return geometry.unique_edges(self.triangles)

    @cached_property
    def areas(self) -> Points:
        """Area of every triangle, square metres."""
        return np.linalg.norm(geometry.triangle_normals(self.vertices, self.triangles), axis=1) / 2.0

    @property
    def area(self) -> float:
        """Area of the whole surface, square metres."""
        return float(self.areas.sum())

    @property
    def centroids(self) -> Points:
        """Centre of every triangle, (m, 3)."""
        return self.vertices[self.triangles].mean(axis=1)

    @property
    def enclosed_volume(self) -> float:
        """Volume inside a closed surface by the divergence theorem; negative when wound inward."""
        a, b, c = (self.vertices[self.triangles[:, i]] for i in range(3))
        return float(np.einsum("ij,ij->", np.cross(a, b), c) / 6.0)

    def moved(self, translation: ArrayLike) -> "SurfaceMesh":
        """The mesh translated by (x, y, z) metres."""
        return SurfaceMesh(self.vertices + np.asarray(translation, dtype=np.float64), self.triangles)

    def scaled(self, factor: float) -> "SurfaceMesh":
        """The mesh scaled about the origin by a positive factor."""
        return SurfaceMesh(self.vertices * checks.positive("factor", factor), self.triangles)

    def rotated(self, axis: ArrayLike, angle: float) -> "SurfaceMesh":
        """The mesh turned about an axis through the origin by `angle` radians (right hand)."""
        rotation = geometry.rotation_matrix(np.asarray(axis, dtype=np.float64), angle)
        return SurfaceMesh(self.vertices @ rotation.T, self.triangles)

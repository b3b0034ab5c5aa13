"""TetMesh: nodes and tetrahedra that have passed the checks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from jounce.meshes import checks, geometry
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import Indices, Points


@dataclass(frozen=True, eq=False)
class TetMesh:
    """A volume of positive tets.

    vertices: (n, 3) positions in metres; tets: (m, 4) node numbers with det(b-a, c-a, d-a) > 0.
    The arrays are copied and read-only. A faulty mesh raises `MeshError`.
    """

    vertices: Points
    tets: Indices

    def __post_init__(self) -> None:
        title = "This is not a valid tet mesh:"
        x, tets = checks.as_arrays(title, self.vertices, self.tets, 4)
        findings = [
            *checks.repeated_nodes(tets, "tet"),
            *checks.bad_tets(x, tets),
            *checks.crowded_faces(tets),
            *checks.unused_nodes(tets, x),
        ]
        if findings:
            raise MeshError(title, findings)
        object.__setattr__(self, "vertices", x)
        object.__setattr__(self, "tets", tets)

    @cached_property
    def surface(self) -> Indices:
        """Boundary triangles, wound so that normals point outward, in node numbers of this mesh."""
        return geometry.boundary_triangles(self.tets)

    @cached_property
    def boundary_nodes(self) -> Indices:
        """Sorted numbers of the nodes on the surface."""
        return np.unique(self.surface)

    @cached_property
    def edges(self) -> Indices:
        """Every edge once, (k, 2), smaller node first."""
        return geometry.unique_edges(self.tets)

    @cached_property
    def volumes(self) -> Points:
        """Volume of every tet, cubic metres."""
        return geometry.tet_volumes(self.vertices, self.tets)

    @property
    def volume(self) -> float:
        """Volume of the whole mesh, cubic metres."""
        return float(self.volumes.sum())

    @property
    def centroids(self) -> Points:
        """Centre of every tet, (m, 3)."""
        return self.vertices[self.tets].mean(axis=1)

    def dihedral_angles(self) -> tuple[float, float]:
        """Smallest and largest dihedral angle of all tets, degrees; 70.5 both ways for regular tets."""
        angles = geometry.dihedral_angles(self.vertices, self.tets)
        return float(angles.min()), float(angles.max())

    def moved(self, translation: ArrayLike) -> "TetMesh":
        """The mesh translated by (x, y, z) metres."""
        return TetMesh(self.vertices + np.asarray(translation, dtype=np.float64), self.tets)

    def scaled(self, factor: float) -> "TetMesh":
        """The mesh scaled about the origin by a positive factor."""
        return TetMesh(self.vertices * checks.positive("factor", factor), self.tets)

    def rotated(self, axis: ArrayLike, angle: float) -> "TetMesh":
        """The mesh turned about an axis through the origin by `angle` radians (right hand)."""
        rotation = geometry.rotation_matrix(np.asarray(axis, dtype=np.float64), angle)
        return TetMesh(self.vertices @ rotation.T, self.tets)

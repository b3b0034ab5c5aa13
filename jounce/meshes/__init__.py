"""Procedural shapes, file input, checks."""

from jounce.meshes.balls import ball
from jounce.meshes.boxes import bar, box, sheet, stairs
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import without_unused_nodes
from jounce.meshes.surfacemesh import SurfaceMesh
from jounce.meshes.tetmesh import TetMesh

__all__ = [
    "MeshError",
    "SurfaceMesh",
    "TetMesh",
    "ball",
    "bar",
    "box",
    "sheet",
    "stairs",
    "without_unused_nodes",
]

"""Procedural shapes, file input, checks."""

from jounce.meshes.balls import ball
from jounce.meshes.boxes import bar, box, sheet, stairs
from jounce.meshes.creatures import blob, creature, dragon, hare
from jounce.meshes.errors import MeshError
from jounce.meshes.files import read_mesh, read_surface, read_tets, write
from jounce.meshes.geometry import without_unused_nodes
from jounce.meshes.honeycombs import honeycomb
from jounce.meshes.report import SurfaceReport, surface_report
from jounce.meshes.springs import bending_edges, spring_edges
from jounce.meshes.stuffing import stuffed
from jounce.meshes.surfacemesh import SurfaceMesh
from jounce.meshes.sweeps import cylinder, disk, rope_coil, torus
from jounce.meshes.tetmesh import TetMesh

__all__ = [
    "MeshError",
    "SurfaceMesh",
    "SurfaceReport",
    "TetMesh",
    "ball",
    "bar",
    "bending_edges",
    "blob",
    "box",
    "creature",
    "cylinder",
    "disk",
    "dragon",
    "hare",
    "honeycomb",
    "read_mesh",
    "read_surface",
    "read_tets",
    "rope_coil",
    "sheet",
    "spring_edges",
    "stairs",
    "stuffed",
    "surface_report",
    "torus",
    "without_unused_nodes",
    "write",
]

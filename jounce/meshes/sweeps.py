"""Round sections swept along a path: cylinder, torus, rope coil, and the disk itself."""

import numpy as np

from jounce.meshes.checks import at_least, positive
from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import Indices, Points
from jounce.meshes.prisms import split_prisms
from jounce.meshes.surfacemesh import SurfaceMesh
from jounce.meshes.tetmesh import TetMesh


def disk_lattice(rings: int) -> tuple[Points, Indices, Indices]:
    """A unit disk: points (n, 2), counter-clockwise triangles (m, 3), a colour 0, 1, 2 that differs along every edge.

    A hexagon of the triangular lattice whose k-th ring is moved to the circle of radius k / rings.
    n = 1 + 3 r (r+1), m = 6 r^2.
    """
    r = at_least("rings", rings)
    grid = np.stack(np.meshgrid(np.arange(-r, r + 1), np.arange(-r, r + 1), indexing="ij"), axis=-1).reshape(-1, 2)
    a, b = grid[np.abs(grid.sum(axis=1)) <= r].T
    number = np.full((2 * r + 1, 2 * r + 1), -1)
    number[a + r, b + r] = np.arange(len(a))
    here, right, above, across = (
        number[i : 2 * r + i, j : 2 * r + j].reshape(-1) for i, j in ((0, 0), (1, 0), (0, 1), (1, 1))
    )
    up, down = np.stack([here, right, above], axis=1), np.stack([right, across, above], axis=1)
    triangles = np.concatenate([up, down])
    ring = np.max(np.abs([a, b, a + b]), axis=0)
    flat = np.stack([a + b / 2, b * np.sqrt(3) / 2], axis=1)
    # Along a side of the hexagon the lattice steps evenly; make that an even step of angle instead.
    angle = np.arctan2(flat[:, 1], flat[:, 0])
    side = np.floor(angle / (np.pi / 3) + 1e-9)
    start = np.stack([np.cos(side * np.pi / 3), np.sin(side * np.pi / 3)], axis=1)
    step = np.linalg.norm(flat - ring[:, None] * start, axis=1) / np.maximum(ring, 1)
    even = (side + step) * np.pi / 3
    points = ring[:, None] / r * np.stack([np.cos(even), np.sin(even)], axis=1)
    return points, triangles[(triangles >= 0).all(axis=1)], (a - b) % 3


def disk(*, radius: float = 0.5, rings: int = 8) -> SurfaceMesh:
    """A flat disk in the plane y = 0 about the origin, normals up. 1 + 3 r (r+1) nodes, 6 r^2 triangles."""
    points, triangles, _ = disk_lattice(rings)
    x, z = positive("radius", radius) * points.T
    return SurfaceMesh(np.stack([x, np.zeros(len(x)), z], axis=1), triangles[:, [0, 2, 1]])


def swept(rings: int, centres: Points, across: Points, up: Points, closed: bool) -> TetMesh:
    """Disks with axes `across` and `up` (k, 3; metres) at `centres`, joined by prisms of three tets.

    across x up points along the path. The diagonals turn from layer to layer, so no direction is preferred.
    """
    points, triangles, colour = disk_lattice(rings)
    x = centres[:, None] + points[:, :1] * across[:, None] + points[:, 1:] * up[:, None]
    layers = len(centres) if closed else len(centres) - 1
    here = np.arange(layers)[:, None, None] * len(points) + triangles
    there = (np.arange(layers) + 1)[:, None, None] % len(centres) * len(points) + triangles
    rank = np.where(np.arange(layers)[:, None, None] % 2 == 0, colour[triangles], 2 - colour[triangles])
    return TetMesh(x.reshape(-1, 3), split_prisms(here.reshape(-1, 3), there.reshape(-1, 3), rank.reshape(-1, 3)))


def layers_for(length: float, radius: float, rings: int) -> int:
    """Number of layers along `length` that makes prisms about as long as they are wide."""
    return max(1, round(length * rings / radius))


def cylinder(*, radius: float = 0.25, length: float = 1.0, rings: int = 4) -> TetMesh:
    """A solid cylinder along y, centred on the origin; every node of its side lies on the circle.

    With r rings and k = round(length r / radius) layers: (k+1)(1 + 3r(r+1)) nodes, 18 k r^2 tets.
    """
    layers = layers_for(positive("length", length), positive("radius", radius), at_least("rings", rings))
    heights = np.linspace(-length / 2, length / 2, layers + 1)
    centres = np.stack([0 * heights, heights, 0 * heights], axis=1)
    across = np.tile([0.0, 0.0, radius], (layers + 1, 1))
    return swept(rings, centres, across, np.tile([radius, 0.0, 0.0], (layers + 1, 1)), closed=False)


def torus(*, radius: float = 0.5, tube_radius: float = 0.2, rings: int = 3) -> TetMesh:
    """A solid torus about the y axis, centred on the origin; its tube is centred on the circle of `radius`.

    With r rings and k = round(2 pi radius r / tube_radius) layers: k (1 + 3r(r+1)) nodes, 18 k r^2 tets.
    """
    if positive("tube_radius", tube_radius) >= positive("radius", radius):
        raise MeshError(
            "This shape cannot be made:",
            [
                f"the tube (radius {tube_radius} m) closes the hole of a torus of radius {radius} m. "
                "Remedy: a tube_radius below radius."
            ],
        )
    layers = max(3, layers_for(2 * np.pi * radius, tube_radius, at_least("rings", rings)))
    angle = 2 * np.pi * np.arange(layers) / layers
    outward = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    up = np.tile([0.0, tube_radius, 0.0], (layers, 1))
    # up x outward points along the path (counter-clockwise about y).
    return swept(rings, radius * outward, up, tube_radius * outward, closed=True)


def rope_coil(
    *, rope_radius: float = 0.05, coil_radius: float = 0.3, turns: float = 3.0, pitch: float = 0.15, rings: int = 2
) -> TetMesh:
    """A rope coiled about the y axis that climbs by `pitch` per turn, centred on the origin.

    The path is the helix (R cos s, p s / 2 pi, -R sin s). With r rings and k layers: (k+1)(1 + 3r(r+1)) nodes,
    18 k r^2 tets.
    """
    for name, value in (("rope_radius", rope_radius), ("coil_radius", coil_radius), ("turns", turns), ("pitch", pitch)):
        positive(name, value)
    climb = pitch / (2 * np.pi)
    speed = float(np.hypot(coil_radius, climb))
    findings = []
    # Neighbouring turns are pitch cos(slope) apart, measured square to the rope.
    if turns > 1 and pitch * coil_radius / speed <= 2 * rope_radius:
        findings.append(
            f"turns overlap: they are {pitch * coil_radius / speed:.4g} m apart and the rope is "
            f"{2 * rope_radius:.4g} m thick. Remedy: a larger pitch or a thinner rope."
        )
    if rope_radius >= coil_radius:
        findings.append(
            f"the rope (radius {rope_radius} m) meets itself in the middle of a coil of radius "
            f"{coil_radius} m. Remedy: a larger coil_radius or a thinner rope."
        )
    if findings:
        raise MeshError("This shape cannot be made:", findings)
    layers = layers_for(2 * np.pi * turns * speed, rope_radius, at_least("rings", rings))
    angle = np.linspace(0.0, 2 * np.pi * turns, layers + 1)
    outward = np.stack([np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    centres = coil_radius * outward + np.outer(climb * (angle - angle[-1] / 2), [0.0, 1.0, 0.0])
    along = np.stack([-coil_radius * np.sin(angle), climb + 0 * angle, -coil_radius * np.cos(angle)], axis=1) / speed
    across: Points = rope_radius * np.cross(outward, along)
    return swept(rings, centres, across, rope_radius * outward, closed=False)

"""What rays meet: shapes, by embree, and the ground; as surface points ready to be lit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array
from .camera import unit
from .extras import extra
from .palette import Floats, rgb, to_linear
from .shapes import Ground, Shape, corner_normals

GROUND = -2


@dataclass(frozen=True)
class Hits:
    """Points that rays meet, at most one per ray; all rows go together."""

    ray: NDArray[np.intp]
    distance: Floats
    position: Floats
    lifted: Floats
    """The position, lifted off the flat triangle to the smooth surface that its normals stand for (Hanika 2021).

    From there rays to the light start, so that they do not meet the triangle's own neighbours.
    """
    normal: Floats
    colour: Floats
    """Linear RGB."""
    opacity: Floats
    thing: NDArray[np.int32]
    """Number of the shape, or `GROUND`."""

    def at(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "Hits":
        return Hits(*(getattr(self, f)[rows] for f in self.__dataclass_fields__))

    def joined(self, other: "Hits") -> "Hits":
        return Hits(*(np.concatenate([getattr(self, f), getattr(other, f)]) for f in self.__dataclass_fields__))


class Triangles:
    """The triangles of some shapes, in coordinates about `centre`, as rays see them."""

    def __init__(self, shapes: Sequence[Shape], centre: Array, first: int = 0):
        rtcore = extra("embreex.rtcore_scene", "Drawing pictures")
        mesh = extra("embreex.mesh_construction", "Drawing pictures")
        local = [np.asarray(s.vertices, dtype=float) - centre for s in shapes]
        triangles = [np.asarray(s.triangles, dtype=np.int64) for s in shapes]
        normals = [corner_normals(x, t) for x, t in zip(local, triangles)]
        counts = [len(t) for t in triangles]
        self.shape = np.repeat(np.arange(first, first + len(shapes), dtype=np.int32), counts)
        self.opacity = np.repeat(np.array([s.opacity for s in shapes], dtype=np.float32), counts)
        self.faces = _rows([n[0] for n in normals], (3,))
        self.normals = _rows([n[1] for n in normals], (3, 3))
        self.colours = to_linear(_rows([s.corner_colours() for s in shapes], (3, 3)))
        self.corners = _rows([x[t] for x, t in zip(local, triangles)], (3, 3))
        corners = self.corners.reshape(-1, 3)
        low, high = (corners.min(axis=0), corners.max(axis=0)) if len(corners) else (np.zeros(3), np.zeros(3))
        self.middle = np.asarray(0.5 * (low + high), dtype=np.float32)
        self.radius = float(np.linalg.norm(corners - self.middle, axis=1).max(initial=0.0))
        self.scene = rtcore.EmbreeScene()
        if len(self.shape):
            indices = np.arange(3 * len(self.shape), dtype=np.int32).reshape(-1, 3)
            mesh.TriangleMesh(self.scene, corners, indices)

    def blocked(self, origins: Floats, directions: Floats, reach: float = 1e30) -> NDArray[np.bool_]:
        """Rays that meet a triangle within `reach` metres."""
        if not len(self.shape) or not len(origins):
            return np.zeros(len(origins), dtype=bool)
        limits = np.full(len(origins), reach, dtype=np.float32)
        return self.scene.run(origins, directions, dists=limits, query="OCCLUDED") >= 0

    def dimmed(self, origins: Floats, directions: Floats) -> Floats:
        """The opacity of the first triangle each ray meets, 0 where it meets none."""
        out = np.zeros(len(origins), dtype=np.float32)
        if len(self.shape) and len(origins):
            first = self.scene.run(origins, directions, query="INTERSECT")
            out[first >= 0] = self.opacity[first[first >= 0]]
        return out

    def hits(self, eye: Floats, directions: Floats) -> Hits:
        """The nearest points that rays from the eye meet."""
        if not len(self.shape):
            return _none()
        found = self.scene.run(np.broadcast_to(eye, directions.shape).copy(), directions, output=1)
        ray = np.flatnonzero(found["primID"] >= 0)
        triangle = found["primID"][ray]
        u, v = found["u"][ray], found["v"][ray]
        weights = np.stack([1 - u - v, u, v], axis=1)
        position = eye + found["tfar"][ray, None] * directions[ray]
        corner_normal = self.normals[triangle]
        normal = np.einsum("ij,ijk->ik", weights, corner_normal)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
        facing = -np.sign(np.einsum("ij,ij->i", self.faces[triangle], directions[ray]))[:, None].astype(np.float32)
        sunk = np.einsum("ijk,ijk->ij", position[:, None] - self.corners[triangle], corner_normal) * facing
        lift = np.einsum("ij,ijk->ik", weights * np.maximum(-sunk, 0), corner_normal) * facing
        lift += self.faces[triangle] * facing * (2e-4 * found["tfar"][ray, None])
        colour = np.einsum("ij,ijk->ik", weights, self.colours[triangle])
        return Hits(
            ray,
            found["tfar"][ray],
            position,
            position + lift,
            normal * facing,
            colour,
            self.opacity[triangle],
            self.shape[triangle],
        )


def _rows(parts: Sequence[NDArray], row: tuple[int, ...]) -> Floats:
    return np.concatenate([np.zeros((0, *row)), *parts]).astype(np.float32)


def _none() -> Hits:
    one, three = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
    return Hits(np.zeros(0, np.intp), one, three, three, three, three, one, np.zeros(0, np.int32))


def ground_hits(
    ground: Ground,
    centre: Array,
    reach: float,
    footprint: float,
    eye: Floats,
    directions: Floats,
    ray: NDArray[np.intp],
) -> Hits:
    """Where some of the rays meet the ground from above; its opacity fades from one to nothing far from the centre.

    `footprint` is the width of a pixel at a distance of one metre.
    """
    up = unit(ground.up).astype(np.float32)
    level = np.float32(ground.height - centre @ unit(ground.up))
    above = float(eye @ up - level)
    slope = -(directions[ray] @ up)
    ray = ray[(slope > 1e-4) & (above > 0)]
    slope = -(directions[ray] @ up)
    distance = (above / slope).astype(np.float32)
    position = eye + distance[:, None] * directions[ray]
    far = np.linalg.norm(position - level * up, axis=1) / np.float32(reach)
    fade = np.clip((far - 2.0) / 6.0, 0, 1)
    opacity = 1 - fade * fade * (3 - 2 * fade)
    seen = opacity > 0
    ray, distance, position, opacity = ray[seen], distance[seen], position[seen], opacity[seen]
    colour = np.broadcast_to(to_linear(rgb(ground.colour)), position.shape)
    if ground.pattern == "checker":
        cell = ground.cell or round_size(0.4 * reach)
        side = unit(np.cross(ground.up, (0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (1.0, 0.0, 0.0)))
        across = np.stack([side, np.cross(side, unit(ground.up))])
        flat = directions[ray] @ across.T
        steep = -(directions[ray] @ up)
        width = footprint * distance[:, None] / cell * np.sqrt(1 + flat * flat / (steep * steep)[:, None])
        waves = _averaged_square_wave((position @ across.T + across @ centre) / cell, width)
        colour = colour * (0.86 + 0.14 * waves[:, 0] * waves[:, 1])[:, None].astype(np.float32)
    normal = np.broadcast_to(up, position.shape)
    lifted = position + up * np.float32(1e-4 * reach)
    return Hits(ray, distance, position, lifted, normal, colour, opacity, np.full(len(ray), GROUND, dtype=np.int32))


def _averaged_square_wave(x: NDArray[np.floating], width: NDArray[np.floating]) -> NDArray[np.floating]:
    """The mean over `width` about x of the wave that is 1 on [0, 1) and -1 on [1, 2)."""

    def triangle(y: NDArray[np.floating]) -> NDArray[np.floating]:
        return 1 - np.abs(y % 2.0 - 1)

    return (triangle(x + 0.5 * width) - triangle(x - 0.5 * width)) / width


def round_size(x: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above x."""
    power = 10.0 ** np.floor(np.log10(x))
    return float(power * max(d for d in (1, 2, 5) if d * power <= x * (1 + 1e-12)))

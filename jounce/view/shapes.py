"""What can be drawn: shapes of triangles, the ground, the light; and the normals that shapes are shaded with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import Array
from .palette import Floats, rgb

CREASE = np.cos(np.radians(40.0))
"""Faces that meet at a sharper angle than this keep their edge."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Triangles (m, 3) between vertices (n, 3) in metres, in one colour or one per vertex (n, 3), of opacity 0..1."""

    vertices: Array
    triangles: NDArray[np.integer]
    colour: str | Sequence[float] | Array = "blue"
    vertex_colours: Array | None = None
    opacity: float = 1.0

    def __post_init__(self) -> None:
        x, t = np.asarray(self.vertices), np.asarray(self.triangles)
        if x.ndim != 2 or x.shape[1] != 3 or t.ndim != 2 or t.shape[1] != 3:
            raise ValueError(f"A shape needs vertices (n, 3) and triangles (m, 3); they are {x.shape} and {t.shape}.")
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        if bad.size:
            raise ValueError(
                f"A shape's vertices are not finite: vertex {int(bad[0])} and {bad.size} in all. Draw an earlier frame."
            )
        if t.size and (t.min() < 0 or t.max() >= len(x)):
            raise ValueError(
                f"A shape's triangles speak of vertices {t.min()} to {t.max()}; it has vertices 0 to {len(x) - 1}."
            )
        if not 0 <= self.opacity <= 1:
            raise ValueError(f"A shape's opacity must be in 0..1; it is {self.opacity}.")
        if self.vertex_colours is not None and np.shape(self.vertex_colours) != x.shape:
            raise ValueError(
                f"A shape of {len(x)} vertices needs as many vertex colours; it has {np.shape(self.vertex_colours)}."
            )
        rgb(self.colour)

    def corner_colours(self) -> Floats:
        """sRGB at the corners of triangles (m, 3, 3)."""
        if self.vertex_colours is None:
            return np.broadcast_to(rgb(self.colour), (len(self.triangles), 3, 3))
        return np.clip(np.asarray(self.vertex_colours, dtype=np.float32), 0, 1)[self.triangles]


@dataclass(frozen=True)
class Ground:
    """The plane at `height` (m) along `up`, plain or a checker of `cell` metres, fading into the background."""

    height: float = 0.0
    pattern: Literal["soft", "checker"] = "soft"
    colour: str | Sequence[float] = "#eceff1"
    cell: float | None = None
    up: Sequence[float] = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        if self.pattern not in ("soft", "checker"):
            raise ValueError(f"The ground's pattern is 'soft' or 'checker'; it is '{self.pattern}'.")
        if self.cell is not None and not self.cell > 0:
            raise ValueError(f"The ground's cells must have a positive size (m); it is {self.cell}.")


@dataclass(frozen=True)
class Light:
    """The key light, and the light of the sky and off the ground.

    `direction` points to the light; without one it stands high and to the left of whoever looks. `size` is the light's
    apparent radius in degrees: the larger, the softer the shadows.
    """

    direction: Sequence[float] | None = None
    size: float = 7.0
    key: float = 0.80
    sky: float = 0.50
    bounce: float = 0.34


def ghosts(frames: Sequence[Sequence[Shape]], opacities: tuple[float, float] = (0.22, 0.55)) -> list[Shape]:
    """Several frames in one picture: the last one solid, those before see-through, of opacities between the two."""
    if not frames:
        raise ValueError("There are no frames to draw over each other.")
    faint = np.linspace(*opacities, max(len(frames) - 1, 1))
    out = [replace(shape, opacity=float(o) * shape.opacity) for frame, o in zip(frames[:-1], faint) for shape in frame]
    return out + list(frames[-1])


def corner_normals(vertices: ArrayLike, triangles: NDArray[np.integer]) -> tuple[Floats, Floats]:
    """Unit normals of triangles (m, 3), and at their corners (m, 3, 3).

    A corner's normal is the area-weighted sum over the triangles at its vertex within the crease angle.
    """
    x, t = np.asarray(vertices, dtype=float), np.asarray(triangles, dtype=np.int64)
    area = np.cross(x[t[:, 1]] - x[t[:, 0]], x[t[:, 2]] - x[t[:, 0]])
    face = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), np.finfo(float).tiny)
    corner, other = _around(t, len(x))
    alike = np.einsum("ij,ij->i", face[corner // 3], face[other]) > CREASE
    corner, other = corner[alike], other[alike]
    total = np.stack([np.bincount(corner, weights=area[other, i], minlength=t.size) for i in range(3)], axis=1)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    flat = np.repeat(face, 3, axis=0)
    normals = np.where(length > 0, total / np.maximum(length, np.finfo(float).tiny), flat)
    return face.astype(np.float32), normals.reshape(-1, 3, 3).astype(np.float32)


def _around(t: NDArray[np.int64], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a corner (3 * triangle + place) and each triangle that shares its vertex."""
    vertex = t.ravel()
    by_vertex = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex, minlength=n)
    first = np.cumsum(count) - count
    many = count[vertex]
    corner = np.repeat(np.arange(vertex.size), many)
    place = np.arange(corner.size) - np.repeat(np.cumsum(many) - many, many)
    return corner, by_vertex[first[vertex[corner]] + place] // 3

"""Signed distances of rounded parts, and their smooth union: the clay of the creatures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from jounce.meshes.geometry import Points


class Part(Protocol):
    """Something with a signed distance, and a ball that holds it."""

    def __call__(self, x: Points) -> Points: ...

    def thickness(self) -> float: ...

    def no_thinner(self, radius: float) -> "Part": ...

    def ball(self) -> tuple[Points, float]: ...

    def skeleton(self) -> Points: ...


@dataclass(frozen=True)
class Tube:
    """A polyline with a radius at each point, linear in between; `squeeze` <= 1 flattens it along x, y, z."""

    line: Points
    radii: Points
    squeeze: Points

    def __call__(self, x: Points) -> Points:
        """Distance to the surface in metres, negative inside (larger than it where squeezed)."""
        x, line = x / self.squeeze, self.line / self.squeeze
        best = np.full(len(x), np.inf)
        for a, b, r, s in zip(line[:-1], line[1:], self.radii[:-1], self.radii[1:]):
            u = b - a
            t = np.clip((x - a) @ u / (u @ u), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(x - a - t[:, None] * u, axis=1) - (r + t * (s - r)))
        return best

    def thickness(self) -> float:
        """Largest radius across, metres."""
        return float(self.radii.max() * self.squeeze.min())

    def no_thinner(self, radius: float) -> "Tube":
        """The tube with every radius raised to at least `radius`."""
        squeeze = np.minimum(1.0, np.maximum(self.squeeze, radius / self.radii.max()))
        return replace(self, radii=np.maximum(self.radii, radius / squeeze.min()), squeeze=squeeze)

    def ball(self) -> tuple[Points, float]:
        """Centre and radius of a ball that holds the part."""
        centre = self.line.mean(axis=0)
        return centre, float((np.linalg.norm(self.line - centre, axis=1) + self.radii).max())

    def skeleton(self) -> Points:
        """Points well inside the part."""
        return self.line


@dataclass(frozen=True)
class Plate:
    """A triangle thickened by `radius` on every side."""

    corners: Points
    radius: float

    def __call__(self, x: Points) -> Points:
        """Distance to the surface in metres, negative inside."""
        a, b, c = self.corners
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        rim = np.full(len(x), np.inf)
        above = np.ones(len(x), dtype=bool)
        for p, q in ((a, b), (b, c), (c, a)):
            u = q - p
            t = np.clip((x - p) @ u / (u @ u), 0.0, 1.0)
            rim = np.minimum(rim, np.linalg.norm(x - p - t[:, None] * u, axis=1))
            above &= (x - p) @ np.cross(normal, u) > 0.0
        return np.where(above, np.abs((x - a) @ normal), rim) - self.radius

    def thickness(self) -> float:
        """Half the thickness, metres."""
        return self.radius

    def no_thinner(self, radius: float) -> "Plate":
        """The plate with at least this radius."""
        return replace(self, radius=max(self.radius, radius))

    def ball(self) -> tuple[Points, float]:
        """Centre and radius of a ball that holds the part."""
        centre = self.corners.mean(axis=0)
        return centre, float(np.linalg.norm(self.corners - centre, axis=1).max() + self.radius)

    def skeleton(self) -> Points:
        """Points well inside the part."""
        return self.corners


def tube(
    points: Sequence[Sequence[float]], radii: Sequence[float], *, squeeze: ArrayLike = (1.0, 1.0, 1.0), pieces: int = 4
) -> Tube:
    """A tube along a smooth curve through `points`, each segment in `pieces`."""
    at = np.arange(len(points))
    fine = np.linspace(0, len(points) - 1, pieces * (len(points) - 1) + 1)
    line = PchipInterpolator(at, np.array(points, dtype=np.float64))(fine)
    return Tube(line, PchipInterpolator(at, np.array(radii, dtype=np.float64))(fine), np.asarray(squeeze, np.float64))


def mirrored(part: Tube | Plate) -> tuple[Tube | Plate, Tube | Plate]:
    """The part and its mirror image in x."""
    flip = np.array([-1.0, 1.0, 1.0])
    if isinstance(part, Tube):
        return part, replace(part, line=part.line * flip)
    return part, replace(part, corners=part.corners * flip)


@dataclass(frozen=True)
class Clay:
    """The smooth union of parts, with a flat foot at y = 0: f(x) = max(smin(parts), -y).

    smin(a, b) = min(a, b) - max(blend - |a - b|, 0)^2 / (4 blend), the polynomial smooth minimum.
    """

    parts: tuple[Part, ...]
    blend: float

    def __call__(self, x: Points) -> Points:
        """Signed distance in metres near the surface, negative inside; farther than `blend` outside only positive."""
        total = np.full(len(x), np.inf)
        for part in self.parts:
            centre, radius = part.ball()
            # A part farther away than the blend cannot change the sign.
            near = np.flatnonzero((np.abs(x - centre) < radius + self.blend).all(axis=1))
            a, b = total[near], part(x[near])
            total[near] = np.minimum(a, b) - np.maximum(self.blend - np.abs(a - b), 0.0) ** 2 / (4.0 * self.blend)
        return np.maximum(total, -x[:, 1])

    def bounds(self) -> tuple[Points, Points]:
        """Corners of a box that holds the shape."""
        balls = [part.ball() for part in self.parts]
        low = np.min([centre - radius for centre, radius in balls], axis=0) - self.blend
        high = np.max([centre + radius for centre, radius in balls], axis=0) + self.blend
        low[1] = 0.0
        return low, high

"""How surface points are lit: the key light with its soft shadow, and the sky's light with what hides it.

Rays are not drawn at random: each pixel of a 4 x 4 tile asks a different part of one even point set, and a filter over
the tile puts the parts together (interleaved sampling, Keller and Heidrich 2001): no noise, and no chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array
from .camera import Camera, unit
from .palette import Floats
from .shapes import Light
from .tracing import GROUND, Hits, Triangles

TILE = 4
_TAPS = ((-2, 0.5), (-1, 1.0), (0, 1.0), (1, 1.0), (2, 0.5))
"""Every remainder modulo the tile's width is met with a total weight of one."""


def even_points(n: int) -> NDArray[np.floating]:
    """The first n points of the R2 sequence in the unit square (Roberts 2018)."""
    return (0.5 + np.arange(n)[:, None] * np.array([0.7548776662466927, 0.5698402909980532])) % 1.0


@dataclass(frozen=True)
class Studio:
    """The lights as the rays need them: `rays` directions per point for each of the 16 places of a tile."""

    light: Light
    to_light: Floats
    up: Floats
    towards_light: Floats
    towards_sky: Floats
    rays: int
    hidden_within: float

    @classmethod
    def of(cls, light: Light, camera: Camera, vertical: Sequence[float] | Array, rays: int) -> "Studio":
        up = unit(vertical)
        right, _, forward = camera.axes
        level = unit(forward - (forward @ up) * up) if abs(forward @ up) < 0.999 else camera.axes[1]
        to_light = unit(1.25 * up - 0.6 * right - 0.7 * level) if light.direction is None else unit(light.direction)
        side = unit(np.cross(to_light, np.eye(3)[np.argmin(np.abs(to_light))]))
        square = even_points(TILE * TILE * rays)
        angle, radius = 2 * np.pi * square[:, 0], np.sqrt(square[:, 1])
        disc = radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        across = np.stack([side, np.cross(to_light, side)])
        cone = to_light + np.tan(np.radians(light.size)) * disc @ across
        cone /= np.linalg.norm(cone, axis=1, keepdims=True)
        dome = np.column_stack([disc, np.sqrt(1 - square[:, 1])])
        lamp, above, lamps, skies = (np.asarray(a, dtype=np.float32) for a in (to_light, up, cone, dome))
        return cls(light, lamp, above, lamps, skies, rays, 0.7 * camera.reach)

    def seen(self, hits: Hits, tile: NDArray[np.intp], solid: Triangles, faint: Triangles | None) -> Floats:
        """The parts of the key light and of the sky (n, 2) that points see; `tile` is each one's place in 0..15."""
        out = np.full((len(hits.ray), 2), self.rays, dtype=np.float32)
        out[hits.normal @ self.to_light <= 0, 0] = 0
        away = solid.middle - hits.lifted
        along = away @ self.to_light
        aside = np.sqrt(np.maximum(np.einsum("ij,ij->i", away, away) - along * along, 0))
        cone = float(np.tan(np.radians(self.light.size)))
        maybe = (out[:, 0] > 0) & (aside < 1.02 * (solid.radius + cone * (np.abs(along) + solid.radius)))
        shaded = np.flatnonzero(maybe | (faint is not None))
        origins = np.ascontiguousarray(hits.lifted[shaded])
        place = self.rays * tile[shaded]
        for i in range(self.rays):
            directions = self.towards_light[place + i]
            hidden = solid.blocked(origins, directions).astype(np.float32)
            if faint is not None:
                hidden += (1 - hidden) * faint.dimmed(origins, directions)
            out[shaded, 0] = np.maximum(out[shaded, 0] - hidden, 0)
        shaded = np.flatnonzero(np.einsum("ij,ij->i", away, away) < (solid.radius + self.hidden_within) ** 2)
        origins = np.ascontiguousarray(hits.lifted[shaded])
        normals = hits.normal[shaded]
        place = self.rays * tile[shaded]
        for i in range(self.rays):
            out[shaded, 1] -= solid.blocked(origins, _about(normals, self.towards_sky[place + i]), self.hidden_within)
        return out / self.rays

    def shade(self, hits: Hits, seen: Floats, to_eye: Floats) -> Floats:
        """Linear RGB of points (n, 3): diffuse key and sky, and on shapes a small highlight and a rim.

        The ground is shown in its own colour where it is fully lit.
        """
        light = self.light
        key = light.key * np.maximum(hits.normal @ self.to_light, 0) * seen[:, 0]
        height = 0.5 + 0.5 * (hits.normal @ self.up)
        sky = (light.bounce + (light.sky - light.bounce) * height) * seen[:, 1]
        out = hits.colour * (key + sky)[:, None]
        ground = hits.thing == GROUND
        full = light.key * max(float(self.up @ self.to_light), 0.0) + light.sky
        out[ground] /= full
        half = self.to_light + to_eye
        half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
        gloss = 0.13 * np.maximum(np.einsum("ij,ij->i", hits.normal, half), 0) ** 45 * seen[:, 0]
        rim = 0.10 * (1 - np.clip(np.einsum("ij,ij->i", hits.normal, to_eye), 0, 1)) ** 4 * height * seen[:, 1]
        return out + np.where(ground, 0, gloss + rim)[:, None]


def _about(normals: Floats, local: Floats) -> Floats:
    """Directions of the upper half space turned to stand about normals (Duff et al. 2017)."""
    x, y, z = normals.T
    sign = np.where(z >= 0, np.float32(1), np.float32(-1))
    a = -1 / (sign + z)
    b = x * y * a
    p, q, r = local.T
    out = np.empty(local.shape, dtype=np.float32)
    out[:, 0] = p * (1 + sign * x * x * a) + q * b + r * x
    out[:, 1] = p * sign * b + q * (sign + y * y * a) + r * y
    out[:, 2] = -p * sign * x - q * y + r * z
    return out


def joined_over_tiles(hits: Hits, seen: Floats, size: tuple[int, int], footprint: float) -> Floats:
    """`seen`, averaged over each pixel's tile along and then across, among neighbours on the same smooth surface."""
    varied = np.zeros((size[1] + 4, size[0] + 4), dtype=bool)
    row, column = np.divmod(hits.ray, size[0])
    varied[row + 2, column + 2] = (seen < 1).any(axis=1)
    for axis in (0, 1):
        varied = np.logical_or.reduce([np.roll(varied, shift, axis) for shift, _ in _TAPS])
    some = np.flatnonzero(varied[row + 2, column + 2])
    if not len(some):
        return seen
    out = seen.copy()
    out[some] = _filtered(hits.at(some), seen[some], size, footprint)
    return out


def _filtered(hits: Hits, seen: Floats, size: tuple[int, int], footprint: float) -> Floats:
    row, column = np.divmod(hits.ray, size[0])
    row, column = row - row.min() + 2, column - column.min() + 2
    shape = (row.max() + 3, column.max() + 3)
    index = np.full(shape, -1)
    index[row, column] = np.arange(len(hits.ray))
    for axis in (1, 0):
        total, weight = seen.copy(), np.ones((len(seen), 1), dtype=np.float32)
        for shift, w in _TAPS:
            if shift:
                other = index[row + shift * (axis == 0), column + shift * (axis == 1)]
                ok = _same_surface(hits, other, footprint)
                mine, theirs = ok, other[ok]
                total[mine] += np.float32(w) * seen[theirs]
                weight[mine] += np.float32(w)
        seen = total / weight
    return seen


def _same_surface(hits: Hits, other: NDArray[np.intp], footprint: float) -> NDArray[np.bool_]:
    """Points whose other exists, belongs to the same thing, faces the same way and lies near their plane."""
    near = (other >= 0) & (hits.thing == hits.thing[other])
    near &= np.einsum("ij,ij->i", hits.normal, hits.normal[other]) > 0.9
    off = np.einsum("ij,ij->i", hits.position[other] - hits.position, hits.normal)
    return near & (np.abs(off) < 4 * footprint * hits.distance)

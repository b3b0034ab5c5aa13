"""Still pictures of shapes on the CPU: rays by embree, shading by numpy, the same bits every time.

One ray per pixel; where neighbouring pixels show different things, n x n rays instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .camera import Camera
from .lighting import TILE, Studio, joined_over_tiles
from .palette import Floats, Image, rgb, to_bytes, to_linear
from .shapes import Ground, Light, Shape
from .tracing import GROUND, Hits, Triangles, ground_hits

BACKGROUND = ("#fbfcfd", "#eceff1")
_DITHER = (np.array([0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]) + 0.5) / 16 - 0.5
"""Thresholds of a 4 x 4 tile (Bayer 1973)."""


def render(
    shapes: Sequence[Shape],
    camera: Camera,
    *,
    ground: Ground | None = None,
    size: tuple[int, int] = (640, 480),
    light: Light | None = None,
    background: tuple[str, str] | None = BACKGROUND,
    rays: int = 5,
    edges: int = 4,
) -> Image:
    """The picture of shapes, as sRGB bytes (height, width, 3).

    `background` is the colours at the top and the bottom; without one the bytes are (height, width, 4), see-through
    where nothing is, with the shadow alone of a soft ground. Each point sends `rays` rays to the light and as many to
    the sky; each pixel on an edge is drawn from `edges` x `edges` points.
    """
    width, height = size
    if width < 1 or height < 1 or rays < 1 or edges < 1:
        raise ValueError(f"The picture's size, rays and edges must be at least 1; they are {size}, {rays} and {edges}.")
    return _Picture(shapes, camera, ground, size, light or Light(), background, rays).draw(edges)


@dataclass(frozen=True)
class _Layer:
    """What is met once at most by each ray: all solid things, or one faint shape."""

    hits: Hits
    colour: Floats


class _Picture:
    def __init__(
        self,
        shapes: Sequence[Shape],
        camera: Camera,
        ground: Ground | None,
        size: tuple[int, int],
        light: Light,
        background: tuple[str, str] | None,
        rays: int,
    ):
        self.camera, self.ground, self.size = camera, ground, size
        self.centre = np.asarray(camera.target, dtype=float)
        self.eye = (np.asarray(camera.eye, dtype=float) - self.centre).astype(np.float32)
        solid = [s for s in shapes if s.opacity == 1]
        faint = [s for s in shapes if 0 < s.opacity < 1]
        self.solid = Triangles(solid, self.centre)
        self.faint = [Triangles([s], self.centre, len(solid) + i) for i, s in enumerate(faint)]
        self.veil = Triangles(faint, self.centre) if faint else None
        self.studio = Studio.of(light, camera, camera.up if ground is None else ground.up, rays)
        self.backdrop = None if background is None else [to_linear(rgb(c)) for c in background]
        self.footprint = 2 * camera.reach / (camera.distance * size[1])

    def draw(self, edges: int) -> Image:
        width, height = self.size
        row, column = np.divmod(np.arange(width * height), width)
        tile = column % TILE + TILE * (row % TILE)
        x, y = (column + 0.5).astype(np.float32), (row + 0.5).astype(np.float32)
        layers = self._layers(x, y, tile, whole=True)
        light = self._composed(layers, y)
        pixel = np.flatnonzero(self._on_edges(layers))
        if edges > 1 and len(pixel):
            part = (np.arange(edges, dtype=np.float32) + 0.5) / edges
            across, down = np.tile(part, edges), np.repeat(part, edges)
            n = edges * edges
            many = np.repeat(pixel, n)
            fx = (many % width).astype(np.float32) + np.tile(across, len(pixel))
            fy = (many // width).astype(np.float32) + np.tile(down, len(pixel))
            places = np.tile(np.arange(n) % (TILE * TILE), len(pixel))
            fine = self._composed(self._layers(fx, fy, places, whole=False), fy)
            light[pixel] = np.clip(fine, 0, 1).reshape(-1, n, 4).mean(axis=1)
        return self._encoded(light, _DITHER[tile, None]).reshape(height, width, -1)

    def _layers(self, x: Floats, y: Floats, tile: NDArray[np.intp], whole: bool) -> list[_Layer]:
        directions = self.camera.directions(x, y, self.size)
        nearest = np.full(len(x), np.inf, dtype=np.float32)
        first = self.solid.hits(self.eye, directions)
        nearest[first.ray] = first.distance
        if self.ground is not None:
            rays = np.arange(len(x))
            plane = ground_hits(self.ground, self.centre, self.camera.reach, self.footprint, self.eye, directions, rays)
            plane = _those(plane, plane.distance < nearest[plane.ray])
            nearest[plane.ray] = plane.distance
            first = _those(first, first.distance <= nearest[first.ray]).joined(plane)
        out = [self._lit(first, directions, tile, whole, self.veil)]
        for triangles in self.faint:
            hits = triangles.hits(self.eye, directions)
            out.append(self._lit(_those(hits, hits.distance < nearest[hits.ray]), directions, tile, whole, None))
        return out

    def _lit(
        self, hits: Hits, directions: Floats, tile: NDArray[np.intp], whole: bool, veil: Triangles | None
    ) -> _Layer:
        seen = self.studio.seen(hits, tile[hits.ray], self.solid, veil)
        if whole:
            seen = joined_over_tiles(hits, seen, self.size, self.footprint)
        return _Layer(hits, self.studio.shade(hits, seen, -directions[hits.ray]))

    def _composed(self, layers: list[_Layer], y: Floats) -> Floats:
        """Linear RGB, times coverage, and coverage (n, 4): far things first, nearer ones over them."""
        out = np.zeros((len(y), 4), dtype=np.float32)
        if self.backdrop is not None:
            top, bottom = self.backdrop
            out[:, :3] = top + (y / self.size[1])[:, None] * (bottom - top)
            out[:, 3] = 1
        ray = np.concatenate([layer.hits.ray for layer in layers])
        colour = np.concatenate([layer.colour for layer in layers])
        alpha = np.concatenate([layer.hits.opacity for layer in layers])
        if self.backdrop is None and self.ground is not None and self.ground.pattern == "soft":
            shadow = np.concatenate([layer.hits.thing for layer in layers]) == GROUND
            dark = 1 - colour[shadow].mean(axis=1) / to_linear(rgb(self.ground.colour)).mean()
            alpha[shadow] *= np.clip(dark, 0, 1)
            colour[shadow] = 0
        order = (
            np.lexsort((-np.concatenate([layer.hits.distance for layer in layers]), ray))
            if len(layers) > 1
            else np.arange(len(ray))
        )
        depth = _rank_in_run(ray[order])
        for rank in range(int(depth.max(initial=-1)) + 1):
            now = order[depth == rank]
            a = alpha[now, None]
            out[ray[now], :3] = a * colour[now] + (1 - a) * out[ray[now], :3]
            out[ray[now], 3] = alpha[now] + (1 - alpha[now]) * out[ray[now], 3]
        return out

    def _on_edges(self, layers: list[_Layer]) -> NDArray[np.bool_]:
        """Pixels that show another thing, side, depth or colour than a neighbour."""
        width, height = self.size
        out = np.zeros((height, width), dtype=bool)
        for layer in layers:
            hits = layer.hits
            index = np.full(width * height, -1)
            index[hits.ray] = np.arange(len(hits.ray))
            index = index.reshape(height, width)
            for a, b in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
                i, j = index[a], index[b]
                differ = (i < 0) != (j < 0)
                both = np.nonzero((i >= 0) & (j >= 0))
                differ[both] = self._apart(hits, i[both], j[both])
                out[a] |= differ
                out[b] |= differ
        return out.ravel()

    def _apart(self, hits: Hits, i: NDArray[np.intp], j: NDArray[np.intp]) -> NDArray[np.bool_]:
        step = np.abs(np.einsum("ij,ij->i", hits.position[j] - hits.position[i], hits.normal[i]))
        return (
            (hits.thing[i] != hits.thing[j])
            | (np.einsum("ij,ij->i", hits.normal[i], hits.normal[j]) < 0.9)
            | ((step > 3 * self.footprint * hits.distance[i]) & (hits.thing[i] != GROUND))
            | (np.abs(hits.colour[i] - hits.colour[j]).max(axis=1) > 0.05) & (hits.thing[i] != GROUND)
        )

    def _encoded(self, light: Floats, dither: Floats) -> Image:
        if self.backdrop is not None:
            return to_bytes(light[:, :3], dither)
        colour = light[:, :3] / np.maximum(light[:, 3:], 1e-6)
        return np.column_stack([to_bytes(colour, dither), np.rint(255 * np.clip(light[:, 3], 0, 1)).astype(np.uint8)])


def _those(hits: Hits, keep: NDArray[np.bool_]) -> Hits:
    return hits if keep.all() else hits.at(keep)


def _rank_in_run(sorted_rays: NDArray[np.intp]) -> NDArray[np.intp]:
    """0, 1, 2, ... within each run of equal entries."""
    n = len(sorted_rays)
    starts = np.ones(n, dtype=bool)
    starts[1:] = sorted_rays[1:] != sorted_rays[:-1]
    place = np.arange(n)
    return place - np.maximum.accumulate(np.where(starts, place, 0)) if n else place

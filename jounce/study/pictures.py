"""Pictures of runs for studies: frames over each other, or in rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..scene import Scene
from ..simulation import Run
from ..view.camera import Camera
from ..view.image import side_by_side, write_image
from ..view.motion import Motion
from ..view.renderer import render
from ..view.shapes import ghosts


def motion(run: Run, scene: Scene, colour: str | None = None) -> Motion:
    """A run of a scene, its first body in a colour."""
    colours = None if colour is None else {scene.bodies[0].name: colour}
    return Motion.of(run, scene.bodies, colours, obstacles=scene.obstacles, grounds=scene.grounds)


def passing(m: Motion, speed: float) -> Motion:
    """The motion as it looks from a camera that moves past it sideways at `speed` (m/s): frames stand side by side."""
    aside = np.zeros((len(m.t), 1, 3))
    aside[:, 0, 0] = speed * m.t
    return replace(m, positions=m.positions + aside)


def overlays(
    path: Path,
    motions: Mapping[str, Motion],
    times: Sequence[float],
    camera: Camera,
    size: tuple[int, int] = (420, 420),
    columns: int | None = None,
) -> Path:
    """One panel per motion with its frames over each other, the last one solid; without those after its end."""
    images = []
    for m in motions.values():
        moments = [t for t in times if t <= m.t[-1] + 1e-9] or [float(m.t[-1])]
        images.append(render(ghosts([m.at(t) for t in moments]), camera, ground=m.ground, size=size))
    return write_image(path, side_by_side(images, list(motions), columns=columns))


def strips(
    path: Path,
    motions: Mapping[str, Motion],
    times: Sequence[float],
    seen: Motion,
    size: tuple[int, int] = (240, 300),
) -> Path:
    """One row of frames per motion, at common times (s), by a camera that sees all of one motion."""
    camera = Camera.framing(seen.points, aspect=size[0] / size[1], margin=1.3)
    images = [render(m.at(t), camera, ground=m.ground, size=size) for m in motions.values() for t in times]
    captions = [f"{label}, {t:.3g} s" for label in motions for t in times]
    return write_image(path, side_by_side(images, captions, columns=len(times)))


def followed(
    path: Path,
    motions: Mapping[str, Motion],
    times: Sequence[float],
    offset: tuple[float, float, float],
    size: tuple[int, int] = (240, 200),
) -> Path:
    """As `strips`, by a camera that goes along with the first body, `offset` (m) from it; the ground shows how far it came."""
    images = []
    for m in motions.values():
        ground = None if m.ground is None else replace(m.ground, pattern="checker", cell=0.1)
        for t in times:
            shapes = m.at(t)
            centre = shapes[0].vertices.mean(axis=0)
            images.append(render(shapes, Camera(centre + offset, centre), ground=ground, size=size))
    captions = [f"{label}, {t:.3g} s" for label in motions for t in times]
    return write_image(path, side_by_side(images, captions, columns=len(times)))

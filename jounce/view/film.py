"""Films and pictures of motions, one or several side by side, all seen by one camera."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from .camera import Camera
from .image import captioned, side_by_side, write_image
from .motion import Motion, film_times
from .palette import Image
from .renderer import render
from .shapes import Ground, ghosts
from .video import write_video


def framing(
    motions: Motion | Mapping[str, Motion], size: tuple[int, int], direction: Sequence[float] | None = None
) -> Camera:
    """The camera that sees all frames of all motions; without a direction, from the front, a little left and above."""
    points = np.concatenate([m.points.reshape(-1, 3) for m in _named(motions).values()])
    aspect = size[0] / size[1]
    return (
        Camera.framing(points, aspect=aspect) if direction is None else Camera.framing(points, direction, aspect=aspect)
    )


def film_frames(
    motions: Motion | Mapping[str, Motion],
    *,
    fps: float = 30.0,
    speed: float = 1.0,
    camera: Camera | None = None,
    ground: Ground | None = None,
    size: tuple[int, int] = (640, 480),
    columns: int | None = None,
    clock: bool = True,
) -> Iterator[Image]:
    """The frames of a film; several motions stand side by side under their labels, and say so where they end early."""
    named = _named(motions)
    view = camera or framing(motions, size)
    end = max(m.t[-1] for m in named.values())
    for t in film_times(named.values(), fps, speed):
        panels, labels = [], []
        for label, motion in named.items():
            panels.append(render(motion.at(t), view, ground=ground or motion.ground, size=size))
            over = motion.t[-1] < min(t, end) - 1e-9
            labels.append(f"{label}: stopped at {motion.t[-1]:.3g} s" if over else label)
        image = side_by_side(panels, labels, columns=columns)
        yield captioned(image, f"{t:.2f} s", at="bottom left", size=max(size[1] // 24, 10)) if clock else image


def film(
    path: str | Path,
    motions: Motion | Mapping[str, Motion],
    *,
    fps: float = 30.0,
    speed: float = 1.0,
    camera: Camera | None = None,
    ground: Ground | None = None,
    size: tuple[int, int] = (640, 480),
    columns: int | None = None,
    clock: bool = True,
    progress: Callable[[int], object] | None = None,
) -> Path:
    """Write a film of motions, `speed` seconds of motion in a second of film."""
    frames = film_frames(
        motions, fps=fps, speed=speed, camera=camera, ground=ground, size=size, columns=columns, clock=clock
    )
    return write_video(path, frames, fps, progress=progress)


def picture(
    path: str | Path,
    motion: Motion,
    times: Sequence[float] | None = None,
    *,
    camera: Camera | None = None,
    ground: Ground | None = None,
    size: tuple[int, int] = (1280, 960),
) -> Path:
    """Write one picture of a motion at some times, earlier ones see-through; without times, of its end."""
    moments = [float(motion.t[-1])] if times is None else list(times)
    shapes = ghosts([motion.at(t) for t in moments])
    image = render(shapes, camera or framing(motion, size), ground=ground or motion.ground, size=size)
    return write_image(path, image)


def _named(motions: Motion | Mapping[str, Motion]) -> Mapping[str, Motion]:
    named = {"": motions} if isinstance(motions, Motion) else motions
    if not named:
        raise ValueError("There are no motions to film.")
    return named

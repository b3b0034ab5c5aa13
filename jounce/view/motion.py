"""Runs as pictures see them: surfaces of bodies, and where their nodes are over time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array
from .palette import STONE, in_order
from .shapes import Ground, Shape


class Surface(NamedTuple):
    """Triangles (m, 3) of a body in its own node numbers, and its nodes among all: a slice, or the first of them."""

    name: str
    nodes: slice | int
    triangles: NDArray[np.integer]


class Trajectory(Protocol):
    """What is read of a run: times (frames,) and positions (frames, n, 3)."""

    @property
    def t(self) -> Array: ...
    @property
    def positions(self) -> Array: ...


def surfaces_of(bodies: Iterable[Any]) -> list[Surface]:
    """The surfaces of a scene's bodies, in the order in which a system numbers their nodes.

    A body has a `name` and a `mesh` with `vertices`, and `surface` (tetrahedra) or `triangles` (a sheet).
    """
    out, first = [], 0
    for body in bodies:
        triangles = body.mesh.surface if hasattr(body.mesh, "surface") else body.mesh.triangles
        last = first + len(body.mesh.vertices)
        out.append(Surface(body.name, slice(first, last), triangles))
        first = last
    return out


@dataclass(frozen=True, eq=False)
class Motion:
    """Surfaces that move: `t` (frames,) in seconds, increasing, and `positions` (frames, n, 3) of all nodes.

    `ground` is drawn below them where no other is asked for.
    """

    surfaces: Sequence[Surface]
    t: Array
    positions: Array
    colours: Mapping[str, str] | None = None
    ground: Ground | None = None

    def __post_init__(self) -> None:
        shape = np.shape(self.positions)
        if len(shape) != 3 or shape[2] != 3 or shape[0] != len(self.t) or shape[0] == 0:
            raise ValueError(
                f"A motion of {len(self.t)} times needs positions (times, n, 3) and at least one; they are {shape}."
            )
        if np.any(np.diff(self.t) <= 0):
            raise ValueError(
                f"The times of a motion must increase; after frame {int(np.argmax(np.diff(self.t) <= 0))} they do not."
            )
        for s in self.surfaces:
            needed = self._nodes(s)[1]
            if needed > shape[1]:
                raise ValueError(f"The surface of '{s.name}' needs {needed} nodes; the positions are of {shape[1]}.")

    @classmethod
    def of(
        cls,
        run: Trajectory,
        bodies: Iterable[Any],
        colours: Mapping[str, str] | None = None,
        *,
        obstacles: Iterable[Any] = (),
        grounds: Iterable[Any] = (),
    ) -> "Motion":
        """The motion of a run of a scene, whose parts are given: `Motion.of(run, scene.bodies, grounds=scene.grounds)`.

        Obstacles are grey; of the grounds, each with a `height` (m) and a direction `up`, the one that faces upwards most is drawn.
        """
        bodies, obstacles = list(bodies), list(obstacles)
        own = {**in_order(b.name for b in bodies), **{o.name: STONE for o in obstacles}, **(colours or {})}
        lying = max(grounds, key=lambda g: g.up[1], default=None)
        ground = None if lying is None else Ground(height=lying.height, up=tuple(lying.up))
        return cls(surfaces_of([*bodies, *obstacles]), run.t, run.positions, own, ground)

    @cached_property
    def points(self) -> Array:
        """Where surface nodes are in all frames (frames, k, 3): what a camera is to frame."""
        used = [self._nodes(s)[0] + np.unique(s.triangles) for s in self.surfaces]
        return self.positions[:, np.concatenate(used)] if used else self.positions

    @property
    def palette(self) -> Mapping[str, str]:
        """The colour of each surface, by name."""
        return {**in_order(s.name for s in self.surfaces), **(self.colours or {})}

    def frame(self, i: int) -> list[Shape]:
        """The shapes of one frame."""
        return self._shapes(np.asarray(self.positions[i]))

    def at(self, t: float) -> list[Shape]:
        """The shapes at a time: between frames on straight lines, before the first and after the last at rest."""
        i = int(np.clip(np.searchsorted(self.t, t) - 1, 0, max(len(self.t) - 2, 0)))
        if len(self.t) == 1:
            return self.frame(0)
        w = np.clip((t - self.t[i]) / (self.t[i + 1] - self.t[i]), 0.0, 1.0)
        return self._shapes((1 - w) * self.positions[i] + w * self.positions[i + 1])

    def _shapes(self, x: Array) -> list[Shape]:
        out = []
        for s in self.surfaces:
            first, last = self._nodes(s)
            out.append(Shape(x[first:last], s.triangles, self.palette[s.name]))
        return out

    def _nodes(self, s: Surface) -> tuple[int, int]:
        """The first of a surface's nodes and the one after its last."""
        first = s.nodes if isinstance(s.nodes, int) else s.nodes.start or 0
        last = None if isinstance(s.nodes, int) else s.nodes.stop
        return first, first + int(np.max(s.triangles, initial=-1)) + 1 if last is None else last


def film_times(motions: Iterable[Motion], fps: float, speed: float = 1.0) -> Iterator[float]:
    """Times of film frames, from the earliest start to the latest end, `speed / fps` seconds apart."""
    if not (fps > 0 and speed > 0):
        raise ValueError(f"fps and speed must be positive; they are {fps} and {speed}.")
    motions = list(motions)
    begin, end = min(m.t[0] for m in motions), max(m.t[-1] for m in motions)
    count = int(np.floor((end - begin) * fps / speed + 1e-9)) + 1
    return (float(begin + n * speed / fps) for n in range(count))

"""How things move at the start (velocities) and by script (paths of clamps)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..core.arrays import Array

Vector: TypeAlias = tuple[float, float, float]


def rotation(axis: Vector | Array, angle: float) -> Array:
    """The matrix that turns by an angle (radians) about an axis through the origin (Rodrigues)."""
    a = np.asarray(axis, dtype=float)
    length = float(np.linalg.norm(a))
    if not (np.isfinite(length) and length > 0):
        raise ValueError(f"A rotation needs an axis of positive length; it is {tuple(np.atleast_1d(axis))}.")
    x, y, z = a / length
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


@dataclass(frozen=True)
class Spin:
    """Initial velocity of a rotation: `rate` rad/s about `axis` through `centre` (m); None is the body's centre of mass."""

    axis: Vector
    rate: float
    centre: Vector | None = None

    def velocities(self, x: Array, masses: Array) -> Array:
        centre = masses @ x / masses.sum() if self.centre is None else np.asarray(self.centre)
        axis = np.asarray(self.axis) / np.linalg.norm(self.axis)
        return self.rate * np.cross(axis, x - centre)


@dataclass(frozen=True)
class Ramp:
    """Initial velocity that grows linearly from zero at one end of the body to `velocity` (m/s) at the other, along `along`."""

    velocity: Vector
    along: Vector

    def velocities(self, x: Array, masses: Array) -> Array:
        height = x @ (np.asarray(self.along) / np.linalg.norm(self.along))
        share = (height - height.min()) / max(float(np.ptp(height)), np.finfo(float).tiny)
        return share[:, None] * np.asarray(self.velocity)


Velocity: TypeAlias = Vector | Spin | Ramp | Callable[[Array], Array]
"""A constant (m/s), a rotation, a ramp, or a function of positions (n, 3) -> (n, 3)."""


def initial_velocities(velocity: Velocity, x: Array, masses: Array) -> Array:
    if isinstance(velocity, Spin | Ramp):
        return velocity.velocities(x, masses)
    given = velocity(x) if callable(velocity) else np.asarray(velocity, dtype=float)
    v = np.array(np.broadcast_to(given, x.shape), dtype=float)
    if not np.all(np.isfinite(v)):
        raise ValueError(f"The initial velocity is not finite at node {int(np.argmin(np.isfinite(v).all(axis=1)))}.")
    return v


@dataclass(frozen=True)
class Translate:
    """A clamp's path: constant `velocity` (m/s) from the clamp's beginning, for at most `duration` seconds."""

    velocity: Vector
    duration: float = np.inf

    def __call__(self, t: float, x: Array) -> Array:
        return x + min(max(t, 0.0), self.duration) * np.asarray(self.velocity)


@dataclass(frozen=True)
class Rotate:
    """A clamp's path: `rate` rad/s about `axis` through `centre` (m), for at most `duration` seconds."""

    axis: Vector
    rate: float
    centre: Vector = (0.0, 0.0, 0.0)
    duration: float = np.inf

    def __call__(self, t: float, x: Array) -> Array:
        turn = rotation(self.axis, self.rate * min(max(t, 0.0), self.duration))
        centre = np.asarray(self.centre)
        return centre + (x - centre) @ turn.T


Path: TypeAlias = Callable[[float, Array], Array]
"""(seconds since the clamp began, positions (n, 3) where it took hold) -> positions (n, 3)."""

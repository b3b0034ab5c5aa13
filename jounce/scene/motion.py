"""How things move at the start (velocities) and by script (paths of clamps)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..core.arrays import Array
from ..core.checks import floats, real

Vector: TypeAlias = tuple[float, float, float]


def vector(given: Any, what: str) -> Array:
    """Three finite numbers, or a sentence that begins with `what`."""
    try:
        v = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be three finite numbers; it is {given!r}.") from None
    if v.shape != (3,) or not np.all(np.isfinite(v)):
        raise ValueError(f"{what} must be three finite numbers; it is {given!r}.")
    return v


def direction(given: Any, what: str) -> Array:
    """A vector made of length one, or a sentence that begins with `what`."""
    v = vector(given, what)
    length = float(np.linalg.norm(v))
    if not length > 0:
        raise ValueError(f"{what} must have a direction; it is {given!r}.")
    return v / length


def rotation(axis: Vector | Array, angle: float) -> Array:
    """The matrix that turns by an angle (radians) about an axis through the origin (Rodrigues)."""
    x, y, z = direction(axis, "The axis of a rotation")
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


@dataclass(frozen=True)
class Spin:
    """Initial velocity of a rotation: `rate` rad/s about `axis` through `centre` (m); None is the body's centre of mass."""

    axis: Vector
    rate: float
    centre: Vector | None = None

    def velocities(self, x: Array, masses: Array) -> Array:
        centre = masses @ x / masses.sum() if self.centre is None else vector(self.centre, "The centre of a spin (m)")
        return real(self.rate, "The rate of a spin (rad/s)") * np.cross(
            direction(self.axis, "The axis of a spin"), x - centre
        )


@dataclass(frozen=True)
class Ramp:
    """Initial velocity that grows linearly from zero at one end of the body to `velocity` (m/s) at the other, along `along`."""

    velocity: Vector
    along: Vector

    def velocities(self, x: Array, masses: Array) -> Array:
        height = x @ direction(self.along, "The direction along which a ramp grows")
        share = (height - height.min()) / max(float(np.ptp(height)), np.finfo(float).tiny)
        return share[:, None] * vector(self.velocity, "The velocity of a ramp (m/s)")


Velocity: TypeAlias = Vector | Spin | Ramp | Callable[[Array], Array]
"""A constant (m/s), a rotation, a ramp, or a function of positions (n, 3) -> (n, 3)."""


def initial_velocities(velocity: Velocity, x: Array, masses: Array, what: str = "the body") -> Array:
    """Velocities (n, 3) at positions x; `what` names the body in an error."""
    if isinstance(velocity, Spin | Ramp):
        given = velocity.velocities(x, masses)
    else:
        given = floats(velocity(x) if callable(velocity) else velocity, f"The velocity of {what} (m/s)")
    if given.shape not in ((3,), x.shape):
        raise ValueError(
            f"The velocity of {what} has shape {given.shape}; give three numbers (m/s), a Spin, a Ramp, or a function of "
            f"positions {x.shape} that returns {x.shape}."
        )
    v = np.array(np.broadcast_to(given, x.shape))
    bad = np.flatnonzero(~np.isfinite(v).all(axis=1))
    if bad.size:
        raise ValueError(f"The velocity of {what} is not finite at node {int(bad[0])} and {bad.size} in all.")
    return v


def _lasting(duration: float, what: str) -> None:
    if not real(duration, f"The duration of a {what} (s)") >= 0:
        raise ValueError(f"The duration of a {what} must not be negative (s); it is {duration}.")


@dataclass(frozen=True)
class Translate:
    """A clamp's path: constant `velocity` (m/s) from the clamp's beginning, for at most `duration` seconds."""

    velocity: Vector
    duration: float = np.inf

    def __post_init__(self) -> None:
        vector(self.velocity, "The velocity of a translation (m/s)")
        _lasting(self.duration, "translation")

    def __call__(self, t: float, x: Array) -> Array:
        return x + min(max(t, 0.0), self.duration) * np.asarray(self.velocity)


@dataclass(frozen=True)
class Rotate:
    """A clamp's path: `rate` rad/s about `axis` through `centre` (m), for at most `duration` seconds."""

    axis: Vector
    rate: float
    centre: Vector = (0.0, 0.0, 0.0)
    duration: float = np.inf

    def __post_init__(self) -> None:
        direction(self.axis, "The axis of a rotation")
        vector(self.centre, "The centre of a rotation (m)")
        if not np.isfinite(real(self.rate, "The rate of a rotation (rad/s)")):
            raise ValueError(f"The rate of a rotation must be finite (rad/s); it is {self.rate}.")
        _lasting(self.duration, "rotation")

    def __call__(self, t: float, x: Array) -> Array:
        turn = rotation(self.axis, self.rate * min(max(t, 0.0), self.duration))
        centre = np.asarray(self.centre)
        return centre + (x - centre) @ turn.T


Path: TypeAlias = Callable[[float, Array], Array]
"""(seconds since the clamp took hold, positions (n, 3) where it did) -> positions (n, 3)."""

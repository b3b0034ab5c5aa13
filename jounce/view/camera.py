"""The camera: where it stands, what it sees, and where to stand to see a whole motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import Array
from .palette import Floats


def unit(x: ArrayLike) -> Array:
    x = np.asarray(x, dtype=float)
    return x / np.linalg.norm(x)


@dataclass(frozen=True)
class Camera:
    """A pinhole camera at `eye` looking at `target` (m); `field_of_view` is its vertical opening in degrees."""

    eye: Sequence[float] | Array
    target: Sequence[float] | Array
    up: Sequence[float] | Array = (0.0, 1.0, 0.0)
    field_of_view: float = 30.0

    def __post_init__(self) -> None:
        for name in ("eye", "target", "up"):
            if np.shape(getattr(self, name)) != (3,) or not np.all(np.isfinite(getattr(self, name))):
                raise ValueError(f"The camera's {name} must be three finite numbers; it is {getattr(self, name)}.")
        if not 0 < self.field_of_view < 180:
            raise ValueError(
                f"The camera's field of view must be between 0 and 180 degrees; it is {self.field_of_view}."
            )
        if self.distance == 0:
            raise ValueError(f"The camera's eye and target are the same point {tuple(self.eye)}; move one of them.")
        forward = np.subtract(self.target, self.eye) / self.distance
        if np.linalg.norm(np.cross(forward, self.up)) < 1e-6 * np.linalg.norm(self.up):
            raise ValueError(f"The camera looks along its up vector {tuple(self.up)}; give it another up.")

    @property
    def distance(self) -> float:
        return float(np.linalg.norm(np.subtract(self.target, self.eye)))

    @property
    def reach(self) -> float:
        """Half the height of what is seen at the target (m): the scale of the picture."""
        return self.distance * float(np.tan(np.radians(self.field_of_view) / 2))

    @property
    def axes(self) -> Array:
        """Rows right, up, forward."""
        return _axes(np.subtract(self.target, self.eye), self.up)

    def directions(self, x: Floats, y: Floats, size: tuple[int, int]) -> Floats:
        """Unit directions (n, 3) through points of the picture, in pixels from its top left corner."""
        width, height = size
        right, up, forward = self.axes.astype(np.float32)
        half = np.float32(np.tan(np.radians(self.field_of_view) / 2))
        across = (2 * x - width) / np.float32(height) * half
        above = (1 - 2 * y / np.float32(height)) * half
        out = np.empty((len(x), 3), dtype=np.float32)
        scale = 1 / np.sqrt(1 + across * across + above * above)
        for i in range(3):
            out[:, i] = (forward[i] + across * right[i] + above * up[i]) * scale
        return out

    @classmethod
    def framing(
        cls,
        points: ArrayLike,
        direction: Sequence[float] = (-0.45, -0.3, -1.0),
        *,
        up: Sequence[float] = (0.0, 1.0, 0.0),
        field_of_view: float = 30.0,
        aspect: float = 4 / 3,
        margin: float = 1.15,
    ) -> "Camera":
        """The nearest camera that looks along `direction` and sees all points (..., 3), of all frames, with a margin.

        With x, z a point's coordinates across and along the view, e sees it when |x - e_x| <= k (z - e_z), where
        k = tan(half the opening) / margin. So e_x - k e_z >= A = max(x - k z) and e_x + k e_z <= B = min(x + k z), and
        the nearest e has e_z = (B - A) / 2k, e_x = (A + B) / 2. Upwards likewise; the farther of the two decides.
        """
        x = np.asarray(points, dtype=float).reshape(-1, 3)
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        if len(x) == 0 or bad.size:
            what = f"point {int(bad[0])} and {bad.size} in all are not finite" if bad.size else "there are none"
            raise ValueError(f"A camera cannot frame these points: {what}.")
        if not (aspect > 0 and margin > 0):
            raise ValueError(f"aspect and margin must be positive; they are {aspect} and {margin}.")
        if not np.any(direction) or np.linalg.norm(np.cross(unit(direction), unit(up))) < 1e-6:
            raise ValueError(
                f"The direction {tuple(direction)} is zero or along up {tuple(up)}; give another direction or up."
            )
        axes = _axes(np.asarray(direction, dtype=float), up)
        local = x @ axes.T
        half = np.tan(np.radians(field_of_view) / 2) / margin
        eye, depths = np.zeros(3), []
        for i, k in ((0, half * aspect), (1, half)):
            a, b = np.max(local[:, i] - k * local[:, 2]), np.min(local[:, i] + k * local[:, 2])
            eye[i] = 0.5 * (a + b)
            depths.append((b - a) / (2 * k))
        near, far = local[:, 2].min(), local[:, 2].max()
        eye[2] = min(*depths, near - 1e-3 * max(far - near, 1e-6))
        target = np.array([eye[0], eye[1], 0.5 * (near + far)])
        return cls(axes.T @ eye, axes.T @ target, tuple(up), field_of_view)


def _axes(direction: Array, up: Sequence[float] | Array) -> Array:
    forward = unit(direction)
    right = unit(np.cross(forward, up))
    return np.stack([right, np.cross(right, forward), forward])

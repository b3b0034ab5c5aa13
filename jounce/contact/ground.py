"""Half-spaces that nothing enters."""

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Indices


@dataclass(frozen=True, kw_only=True)
class Ground:
    """The half-space below a plane: points x with normal . x < height (m) are inside it."""

    height: float = 0.0
    normal: tuple[float, float, float] = (0.0, 1.0, 0.0)
    name: str = "ground"

    def __post_init__(self) -> None:
        n = np.asarray(self.normal, dtype=float)
        if n.shape != (3,) or not np.all(np.isfinite(n)) or not np.linalg.norm(n) > 0:
            raise ValueError(
                f"The normal of ground '{self.name}' must be a direction of three numbers; it is {self.normal!r}."
            )
        if not np.isfinite(self.height):
            raise ValueError(f"The height of ground '{self.name}' must be finite (m); it is {self.height}.")

    @property
    def up(self) -> Array:
        """The normal, of length one."""
        n = np.asarray(self.normal, dtype=float)
        return n / np.linalg.norm(n)

    def distances(self, x: Array) -> Array:
        """How far points lie above the plane (m)."""
        return x @ self.up - self.height


@dataclass(frozen=True, eq=False)
class Plane:
    """A ground with the nodes that feel it, their shares of surface area (m^2) and coefficients of friction."""

    ground: Ground
    nodes: Indices
    areas: Array
    friction: Array


KEPT = 0.1
"""The share of its gap that a point keeps when it would have gone through."""


def longest_step(d0: Array, d1: Array) -> float:
    """The longest fraction of a move from distances d0 to d1 that stays above: a point that would go through stops short of it."""
    through = d1 <= 0.0
    if not through.any():
        return 1.0
    return float(np.min((1.0 - KEPT) * d0[through] / (d0[through] - d1[through])))

"""Mass matrices: one number per coordinate, or a dense symmetric matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from .arrays import Array


class Mass(Protocol):
    """A symmetric positive definite matrix of kilograms."""

    def __matmul__(self, v: Array) -> Array: ...
    def solve(self, f: Array) -> Array: ...
    def dot(self, u: Array, v: Array) -> float: ...


@dataclass(frozen=True)
class DiagonalMass:
    """Lumped masses, one per coordinate (kg)."""

    diagonal: Array

    def __matmul__(self, v: Array) -> Array:
        return self.diagonal * v

    def solve(self, f: Array) -> Array:
        return f / self.diagonal

    def dot(self, u: Array, v: Array) -> float:
        return float(np.dot(self.diagonal * u, v))


@dataclass(frozen=True)
class DenseMass:
    """A full mass matrix, for reduced coordinates and small analytic systems (kg)."""

    matrix: Array

    @cached_property
    def _factor(self):
        return cho_factor(self.matrix)

    def __matmul__(self, v: Array) -> Array:
        return self.matrix @ v

    def solve(self, f: Array) -> Array:
        return cho_solve(self._factor, f)

    def dot(self, u: Array, v: Array) -> float:
        return float(u @ (self.matrix @ v))

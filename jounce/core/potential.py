"""Potentials: functions of the coordinates that push."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from .arrays import Array, Matrix
from .matrices import combine


class Potential(Protocol):
    """A scalar function with its derivatives; `value` is +inf outside its domain.

    `linearise` returns gradient and Hessian together, since elements compute them from the same strain.
    `at(fraction)` is the potential as it is felt at that fraction of the current step, 0 to 1; most return themselves.
    """

    def value(self, q: Array) -> float: ...
    def gradient(self, q: Array) -> Array: ...
    def hessian(self, q: Array, *, psd: bool) -> Matrix: ...
    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]: ...
    def at(self, fraction: float) -> "Potential": ...


class Dissipation(Potential, Protocol):
    """A potential of velocity (W)."""

    def script_push(self, v: Array) -> float:
        """What scripted nodes give through it over the step, the free ones having velocity v: gradient . displacement (J)."""
        ...


@dataclass(frozen=True)
class Linear:
    """-f(fraction) . q: gravity and applied forces (N).

    `force(fraction)` is the force at that fraction of the step.
    """

    force: Callable[[float], Array]
    fraction: float = 1.0
    _now: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_now", self.force(self.fraction))

    def value(self, q: Array) -> float:
        return -float(np.dot(self._now, q))

    def gradient(self, q: Array) -> Array:
        return -self._now

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return None

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        return self.gradient(q), None

    def at(self, fraction: float) -> "Linear":
        return self if fraction == self.fraction else Linear(self.force, fraction)


@dataclass(frozen=True)
class Quadratic:
    """0.5 (q - centre)^T A (q - centre) with A positive semi-definite: lagged damping, joints, springs to a point; nothing scripted."""

    matrix: Matrix
    centre: Array | float = 0.0

    def value(self, q: Array) -> float:
        d = q - self.centre
        return 0.5 * float(np.dot(d, self.matrix @ d))

    def gradient(self, q: Array) -> Array:
        return self.matrix @ (q - self.centre)

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self.matrix

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        return self.gradient(q), self.matrix

    def at(self, fraction: float) -> "Quadratic":
        return self

    def script_push(self, v: Array) -> float:
        return 0.0


@dataclass(frozen=True)
class Total:
    """The sum of potentials."""

    terms: tuple[Potential, ...]

    def value(self, q: Array) -> float:
        return float(sum(t.value(q) for t in self.terms))

    def gradient(self, q: Array) -> Array:
        return np.sum([t.gradient(q) for t in self.terms], axis=0) if self.terms else np.zeros_like(q)

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return combine([(1.0, t.hessian(q, psd=psd)) for t in self.terms])

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        both = [t.linearise(q, psd=psd) for t in self.terms]
        gradient = np.sum([g for g, _ in both], axis=0) if both else np.zeros_like(q)
        return gradient, combine([(1.0, h) for _, h in both])

    def at(self, fraction: float) -> "Total":
        return Total(tuple(t.at(fraction) for t in self.terms))

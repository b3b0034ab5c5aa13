"""Mechanics in fewer coordinates: q = origin + basis @ z."""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from .arrays import Array, Matrix
from .mass import DenseMass
from .mechanics import Mechanics
from .potential import Linear, Potential


@dataclass(frozen=True)
class Embedded:
    """A potential of q, felt through q = origin + basis @ z."""

    inner: Any
    origin: Array | float
    basis: Array

    def _q(self, z: Array) -> Array:
        return self.origin + self.basis @ z

    def value(self, q: Array) -> float:
        return self.inner.value(self._q(q))

    def gradient(self, q: Array) -> Array:
        return self.basis.T @ self.inner.gradient(self._q(q))

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        return self._project(self.inner.hessian(self._q(q), psd=psd))

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        gradient, hessian = self.inner.linearise(self._q(q), psd=psd)
        return self.basis.T @ gradient, self._project(hessian)

    def at(self, fraction: float) -> "Embedded":
        return replace(self, inner=self.inner.at(fraction))

    def script_push(self, v: Array) -> float:
        return self.inner.script_push(self._q(v))

    def _project(self, hessian: Matrix) -> Matrix:
        if hessian is None:
            return None
        return self.basis.T @ np.stack([hessian @ column for column in self.basis.T], axis=1)


@dataclass(frozen=True)
class EmbeddedFilter:
    """A step filter on q, asked about moves of z."""

    mechanics: Mechanics
    origin: Array
    basis: Array

    def longest_step(self, start: Array, end: Array, begin: float = 1.0, finish: float = 1.0) -> float:
        q0, q1 = self.origin + self.basis @ start, self.origin + self.basis @ end
        return self.mechanics.feasible_fraction(q0, q1, begin, finish)


def restrict(mech: Mechanics, origin: Array, basis: Array) -> Mechanics:
    """Galerkin projection of everything in `mech`; the answer's coordinates are named by the basis itself."""

    def embedded(inner: Potential | None, start: Array | float) -> Embedded | None:
        return None if inner is None else Embedded(inner, start, basis)

    def projected(force: Linear | None) -> Linear | None:
        return None if force is None else Linear(lambda c: -(basis.T @ force.at(c).gradient(origin)))

    script = mech.script_work
    return Mechanics(
        mass=DenseMass(basis.T @ np.stack([mech.mass @ column for column in basis.T], axis=1)),
        elastic=Embedded(mech.elastic, origin, basis),
        gravity=projected(mech.gravity),
        loads=projected(mech.loads),
        contact=embedded(mech.contact, origin),
        damping=embedded(mech.damping, 0.0),
        friction=embedded(mech.friction, 0.0),
        wind=embedded(mech.wind, 0.0),
        step_filter=EmbeddedFilter(mech, origin, basis),
        coordinates=(mech.coordinates, blake2b(basis.tobytes() + origin.tobytes(), digest_size=16).digest()),
        scripted=mech.scripted,
        script_work=None if script is None else lambda a, b: script(origin + basis @ a, origin + basis @ b),
    )

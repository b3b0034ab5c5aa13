"""The energy that a target is aimed with, and the weight alpha that reaches it.

All three measures are quadratic in the velocity:  E(v) = constant + |v|_M^2 / 2 - v . tilt.

plain   H, the energy itself (You et al. 2026).
flight  H - (h/2) v . grad of the forces that do not depend on position (gravity, loads). Implicit Euler and A-1 lose
        m g^2 h^2 / 2 of H per step of a free fall; this measure is what they keep, so flight costs nothing.
shadow  S = P + |v|_M^2 / 2 - (h/2) v . g + (h^2/2) |g|^2_{1/M} with g = grad P, which A-1 keeps exactly where forces
        are linear.
        A-1 is x1 = x0 + h v0 - h^2 M^-1 g1, v1 = v0 - h M^-1 g0, and inserting it for any P leaves
            S1 - S0 = P1 - P0 - (x1 - x0) . (g0 + g1) / 2,
        the error of the trapezoidal rule for the work of the forces: zero where g is linear in x, constants included.
        docs/theory.md has the derivation.
"""

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array
from ..core.mass import Mass
from ..core.mechanics import Mechanics
from .targets import MeasureName


@dataclass(frozen=True)
class EnergyForm:
    """E(v) = constant + |v|_M^2 / 2 - v . tilt (J)."""

    mass: Mass
    constant: float
    tilt: Array | None

    def __call__(self, v: Array) -> float:
        energy = self.constant + 0.5 * self.mass.dot(v, v)
        return energy if self.tilt is None else energy - float(np.dot(self.tilt, v))

    def along(self, w: Array, d: Array) -> "Parabola":
        """E(w - alpha d) as a parabola in alpha."""
        middle = -self.mass.dot(w, d)
        if self.tilt is not None:
            middle += float(np.dot(self.tilt, d))
        return Parabola(0.5 * self.mass.dot(d, d), middle, self(w))


@dataclass(frozen=True)
class Parabola:
    """a alpha^2 + b alpha + c."""

    a: float
    b: float
    c: float

    def __call__(self, alpha: float) -> float:
        return (self.a * alpha + self.b) * alpha + self.c

    def reach(self, level: float, lowest: float, highest: float) -> float:
        """The root nearer to 1 of E(alpha) = level, clipped to the range (You et al. 2026, algorithm 1).

        Without a real root the vertex is nearest to the level; with (nearly) no correction to make, alpha is 1.
        """
        scale = abs(self.a) + abs(self.b)
        if scale <= 1e-14 * (abs(self.c) + abs(level)) or self.a <= 0.0:
            return float(np.clip(1.0, lowest, highest))
        vertex = -self.b / (2.0 * self.a)
        discriminant = vertex**2 - (self.c - level) / self.a
        if discriminant <= 0.0:
            return float(np.clip(vertex, lowest, highest))
        spread = float(np.sqrt(discriminant))
        root = min((vertex - spread, vertex + spread), key=lambda alpha: abs(alpha - 1.0))
        return float(np.clip(root, lowest, highest))


def energy_form(
    mech: Mechanics, measure: MeasureName, q: Array, h: float, *, at: float = 1.0, gradient: Array | None = None
) -> EnergyForm:
    """The measure at coordinates q; `gradient` is that of the whole potential there, where the caller has it."""
    stored = mech.stored.at(at).value(q)
    if measure == "plain" or (measure == "flight" and not mech.uniform.terms):
        return EnergyForm(mech.mass, stored, None)
    if measure == "flight":
        return EnergyForm(mech.mass, stored, 0.5 * h * mech.uniform.at(at).gradient(q))
    g = mech.potential.at(at).gradient(q) if gradient is None else gradient
    return EnergyForm(mech.mass, stored + 0.5 * h**2 * float(np.dot(g, mech.mass.solve(g))), 0.5 * h * g)

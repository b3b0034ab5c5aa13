"""Neo-Hookean elasticity with a logarithmic barrier against inversion.

psi = mu/2 (|F|^2 - 3) - mu ln J + lambda/2 (ln J)^2,   +inf for J <= 0   (Bonet and Wood 1997)
"""

from __future__ import annotations

import math
from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.materials.base import Law, Material
from jounce.materials.registry import register


@element_function
def energy(s: Vector, c: tuple[float, float]) -> float:
    mu, lam = c
    J = s[0] * s[1] * s[2]
    if J <= 0.0:
        return math.inf
    L = math.log(J)
    return 0.5 * mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0) - mu * L + 0.5 * lam * L * L


@element_function
def stress(s: Vector, c: tuple[float, float]) -> Vector:
    mu, lam = c
    g = lam * math.log(s[0] * s[1] * s[2]) - mu
    return (mu * s[0] + g / s[0], mu * s[1] + g / s[1], mu * s[2] + g / s[2])


@element_function
def stiffness(s: Vector, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, lam = c
    g = lam * math.log(s[0] * s[1] * s[2]) - mu
    a, b, d = 1.0 / s[0], 1.0 / s[1], 1.0 / s[2]
    k = lam - g
    A = (mu + k * a * a, lam * a * b, lam * a * d, mu + k * b * b, lam * b * d, mu + k * d * d)
    return (
        A,
        (mu - g * a * b, mu - g * a * d, mu - g * b * d),
        (mu + g * a * b, mu + g * a * d, mu + g * b * d),
    )


@register
class NeoHookean(Material):
    """Neo-Hookean solid whose energy is infinite for an inverted element."""

    name: ClassVar[str] = "neo-hookean"
    law: ClassVar[Law] = Law(energy, stress, stiffness)
    guards_inversion: ClassVar[bool] = True

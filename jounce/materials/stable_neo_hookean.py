"""Stable neo-Hookean elasticity: finite and smooth for inverted elements.

    psi = mu/2 (|F|^2 - 3) - mu (J - 1) + kappa/2 (J - 1)^2,   kappa = lambda + mu   (Smith, de Goes and Kim 2018)

This is their form without the logarithmic regulariser. kappa instead of lambda makes the rest state stress-free and its
stiffness that of linear elasticity with the given constants.
"""

from __future__ import annotations

from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.materials.base import Law, Material
from jounce.materials.fields import Array
from jounce.materials.registry import register


@element_function
def energy(s: Vector, c: tuple[float, float]) -> float:
    mu, kappa = c
    dJ = s[0] * s[1] * s[2] - 1.0
    return 0.5 * mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0) - mu * dJ + 0.5 * kappa * dJ * dJ


@element_function
def stress(s: Vector, c: tuple[float, float]) -> Vector:
    mu, kappa = c
    g = kappa * (s[0] * s[1] * s[2] - 1.0) - mu
    return (mu * s[0] + g * s[1] * s[2], mu * s[1] + g * s[0] * s[2], mu * s[2] + g * s[0] * s[1])


@element_function
def stiffness(s: Vector, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, kappa = c
    J = s[0] * s[1] * s[2]
    g = kappa * (J - 1.0) - mu
    k = g + kappa * J
    a, b, d = s[1] * s[2], s[0] * s[2], s[0] * s[1]
    A = (mu + kappa * a * a, k * s[2], k * s[1], mu + kappa * b * b, k * s[0], mu + kappa * d * d)
    return (
        A,
        (mu - g * s[2], mu - g * s[1], mu - g * s[0]),
        (mu + g * s[2], mu + g * s[1], mu + g * s[0]),
    )


@register
class StableNeoHookean(Material):
    """Neo-Hookean solid that recovers from inversion."""

    name: ClassVar[str] = "stable-neo-hookean"
    law: ClassVar[Law] = Law(energy, stress, stiffness)

    def constants(self, mu: Array, lam: Array) -> tuple[Array, ...]:
        """(mu, kappa)"""
        return mu, lam + mu

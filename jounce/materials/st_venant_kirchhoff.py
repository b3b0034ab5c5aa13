"""St. Venant-Kirchhoff elasticity: linear in the Green strain.

    psi = mu |E|^2 + lambda/2 (tr E)^2,   E = (F^T F - I)/2

It softens under compression and has no resistance left at J = 0.
"""

from __future__ import annotations

from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.materials.base import Law, Material
from jounce.materials.registry import register


@element_function
def energy(s: Vector, c: tuple[float, float]) -> float:
    mu, lam = c
    a, b, d = 0.5 * (s[0] * s[0] - 1.0), 0.5 * (s[1] * s[1] - 1.0), 0.5 * (s[2] * s[2] - 1.0)
    T = a + b + d
    return mu * (a * a + b * b + d * d) + 0.5 * lam * T * T


@element_function
def stress(s: Vector, c: tuple[float, float]) -> Vector:
    mu, lam = c
    T = 0.5 * lam * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0)
    return (
        s[0] * (mu * (s[0] * s[0] - 1.0) + T),
        s[1] * (mu * (s[1] * s[1] - 1.0) + T),
        s[2] * (mu * (s[2] * s[2] - 1.0) + T),
    )


@element_function
def stiffness(s: Vector, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, lam = c
    a, b, d = s[0] * s[0], s[1] * s[1], s[2] * s[2]
    ab, ad, bd = s[0] * s[1], s[0] * s[2], s[1] * s[2]
    g = 0.5 * lam * (a + b + d - 3.0) - mu
    k = 3.0 * mu + lam
    return (
        (g + k * a, lam * ab, lam * ad, g + k * b, lam * bd, g + k * d),
        (g + mu * (a + ab + b), g + mu * (a + ad + d), g + mu * (b + bd + d)),
        (g + mu * (a - ab + b), g + mu * (a - ad + d), g + mu * (b - bd + d)),
    )


@register
class StVenantKirchhoff(Material):
    """St. Venant-Kirchhoff solid."""

    name: ClassVar[str] = "st-venant-kirchhoff"
    law: ClassVar[Law] = Law(energy, stress, stiffness)

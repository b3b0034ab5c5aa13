"""Fixed corotated elasticity: the volume term measures the true volume.

psi = mu |F - R|^2 + lambda/2 (J - 1)^2,   F = R S   (Stomakhin, Howes, Schroeder and Teran 2012)
"""

from __future__ import annotations

from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.kernels.frame import pair_sums
from jounce.materials.base import Law, Material
from jounce.materials.registry import register


@element_function
def energy(s: Vector, c: tuple[float, float]) -> float:
    mu, lam = c
    a, b, d = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
    dJ = s[0] * s[1] * s[2] - 1.0
    return mu * (a * a + b * b + d * d) + 0.5 * lam * dJ * dJ


@element_function
def stress(s: Vector, c: tuple[float, float]) -> Vector:
    mu, lam = c
    m = 2.0 * mu
    g = lam * (s[0] * s[1] * s[2] - 1.0)
    return (
        m * (s[0] - 1.0) + g * s[1] * s[2],
        m * (s[1] - 1.0) + g * s[0] * s[2],
        m * (s[2] - 1.0) + g * s[0] * s[1],
    )


@element_function
def stiffness(s: Vector, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, lam = c
    m = 2.0 * mu
    J = s[0] * s[1] * s[2]
    g = lam * (J - 1.0)
    k = g + lam * J
    a, b, d = s[1] * s[2], s[0] * s[2], s[0] * s[1]
    t = pair_sums(s)
    A = (m + lam * a * a, k * s[2], k * s[1], m + lam * b * b, k * s[0], m + lam * d * d)
    return (
        A,
        (m - g * s[2], m - g * s[1], m - g * s[0]),
        (m + g * s[2] - 2.0 * m / t[0], m + g * s[1] - 2.0 * m / t[1], m + g * s[0] - 2.0 * m / t[2]),
    )


@register
class FixedCorotated(Material):
    """Corotated solid with a true volume term."""

    name: ClassVar[str] = "fixed-corotated"
    law: ClassVar[Law] = Law(energy, stress, stiffness)

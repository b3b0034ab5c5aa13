"""Corotated linear elasticity.

psi = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2,   F = R S   (Etzmuss et al. 2003; Mueller and Gross 2004)
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
    T = a + b + d
    return mu * (a * a + b * b + d * d) + 0.5 * lam * T * T


@element_function
def stress(s: Vector, c: tuple[float, float]) -> Vector:
    mu, lam = c
    a, b, d = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
    T = lam * (a + b + d)
    return (2.0 * mu * a + T, 2.0 * mu * b + T, 2.0 * mu * d + T)


@element_function
def stiffness(s: Vector, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, lam = c
    m = 2.0 * mu
    g = 2.0 * (lam * (s[0] + s[1] + s[2] - 3.0) - m)
    t = pair_sums(s)
    A = (m + lam, lam, lam, m + lam, lam, m + lam)
    return A, (m, m, m), (m + g / t[0], m + g / t[1], m + g / t[2])


@register
class Corotated(Material):
    """Corotated solid; its volume term is linear in the stretches."""

    name: ClassVar[str] = "corotated"
    law: ClassVar[Law] = Law(energy, stress, stiffness)

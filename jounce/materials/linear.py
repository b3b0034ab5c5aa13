"""Linear elasticity: small strain about the fixed axes, so rotations cost energy.

psi = mu |e|^2 + lambda/2 (tr e)^2,   e = (F + F^T)/2 - I
"""

from __future__ import annotations

from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.kernels.frame import FIXED
from jounce.materials.base import Law, Material
from jounce.materials.registry import register


@element_function
def energy(s: Symmetric, c: tuple[float, float]) -> float:
    mu, lam = c
    T = s[0] + s[3] + s[5]
    square = s[0] * s[0] + s[3] * s[3] + s[5] * s[5] + 2.0 * (s[1] * s[1] + s[2] * s[2] + s[4] * s[4])
    return mu * square + 0.5 * lam * T * T


@element_function
def stress(s: Symmetric, c: tuple[float, float]) -> Symmetric:
    mu, lam = c
    m = 2.0 * mu
    T = lam * (s[0] + s[3] + s[5])
    return (m * s[0] + T, m * s[1], m * s[2], m * s[3] + T, m * s[4], m * s[5] + T)


@element_function
def stiffness(s: Symmetric, c: tuple[float, float]) -> tuple[Symmetric, Vector, Vector]:
    mu, lam = c
    m = 2.0 * mu
    return (m + lam, lam, lam, m + lam, lam, m + lam), (m, m, m), (0.0, 0.0, 0.0)


@register
class Linear(Material):
    """Linear elastic solid, for small deformations and for checks against closed forms."""

    name: ClassVar[str] = "linear"
    law: ClassVar[Law] = Law(energy, stress, stiffness, FIXED)

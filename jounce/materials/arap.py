"""As rigid as possible: corotated elasticity without a volume term.

psi = mu |F - R|^2,   F = R S   (Sorkine and Alexa 2007; Chao, Pinkall, Sanan and Schroeder 2010)
"""

from __future__ import annotations

from typing import ClassVar

from jounce.kernels.algebra import Symmetric, Vector
from jounce.kernels.compile import element_function
from jounce.kernels.frame import pair_sums
from jounce.materials.base import Law, Material
from jounce.materials.fields import Array
from jounce.materials.registry import register


@element_function
def energy(s: Vector, c: tuple[float]) -> float:
    a, b, d = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
    return c[0] * (a * a + b * b + d * d)


@element_function
def stress(s: Vector, c: tuple[float]) -> Vector:
    m = 2.0 * c[0]
    return (m * (s[0] - 1.0), m * (s[1] - 1.0), m * (s[2] - 1.0))


@element_function
def stiffness(s: Vector, c: tuple[float]) -> tuple[Symmetric, Vector, Vector]:
    m = 2.0 * c[0]
    t = pair_sums(s)
    return (
        (m, 0.0, 0.0, m, 0.0, m),
        (m, m, m),
        (m - 2.0 * m / t[0], m - 2.0 * m / t[1], m - 2.0 * m / t[2]),
    )


@register
class Arap(Material):
    """As-rigid-as-possible solid: it has shear stiffness and no further resistance to a change of volume."""

    name: ClassVar[str] = "arap"
    law: ClassVar[Law] = Law(energy, stress, stiffness)

    def constants(self, mu: Array, lam: Array) -> tuple[Array, ...]:
        """(mu,)"""
        return (mu,)

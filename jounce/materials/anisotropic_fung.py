"""Fibres that stiffen exponentially, as those of soft tissue do.

psi = k1/(2 k2) (exp(k2 (I - 1)^2) - 1),   I = |F a|^2   (Fung 1967; Holzapfel, Gasser and Ogden 2000)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from jounce.kernels.compile import element_function
from jounce.materials.fields import Array, Field
from jounce.materials.line import Fibre, LineLaw, positive
from jounce.materials.registry import register

LARGEST = 600.0
"""Largest exponent of the derivatives: beyond it the energy goes on to +inf, and they stay finite instead of NaN."""


@element_function
def energy(I: float, c: tuple[float, float, float]) -> float:
    k1, k2, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    return 0.5 * k1 / k2 * math.expm1(k2 * (I - 1.0) * (I - 1.0))


@element_function
def across(I: float, c: tuple[float, float, float]) -> float:
    k1, k2, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    x = k2 * (I - 1.0) * (I - 1.0)
    return 2.0 * k1 * (I - 1.0) * math.exp(LARGEST if x > LARGEST else x)


@element_function
def along(I: float, c: tuple[float, float, float]) -> float:
    k1, k2, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    x = k2 * (I - 1.0) * (I - 1.0)
    return k1 * (2.0 * (I - 1.0) + 4.0 * I * (1.0 + 2.0 * x)) * math.exp(LARGEST if x > LARGEST else x)


@register
@dataclass(frozen=True, eq=False, kw_only=True)
class AnisotropicFung(Fibre):
    """Fibres of initial ``stiffness`` k1 in Pa whose ``exponent`` k2 (no unit) says how soon they stiffen."""

    stiffness: Field
    exponent: Field
    direction: Field
    tension_only: bool = False

    name: ClassVar[str] = "anisotropic-fung"
    law: ClassVar[LineLaw] = LineLaw(energy, across, along)

    def constants(self, centroids: Array) -> tuple[Array, ...]:
        """(k1, k2)"""
        return (*super().constants(centroids), positive(self.exponent, centroids, "exponent (of fibres)"))

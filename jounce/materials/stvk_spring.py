"""St. Venant-Kirchhoff springs: a quartic energy, smooth at length zero.

E = k/2 (|d|^2 - L^2)^2,   k in N/m^3   (Rojas, Sifakis and Kavan 2018)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jounce.kernels.compile import element_function
from jounce.materials.fields import Field
from jounce.materials.line import LineLaw, Spring
from jounce.materials.registry import register


@element_function
def energy(I: float, c: tuple[float, float]) -> float:
    k, L = c
    return 0.5 * k * (I - L * L) * (I - L * L)


@element_function
def across(I: float, c: tuple[float, float]) -> float:
    k, L = c
    return 2.0 * k * (I - L * L)


@element_function
def along(I: float, c: tuple[float, float]) -> float:
    k, L = c
    return 2.0 * k * (3.0 * I - L * L)


@register
@dataclass(frozen=True, eq=False, kw_only=True)
class StVKSpring(Spring):
    """Springs with an energy quadratic in the change of squared length; ``stiffness`` in N/m^3."""

    stiffness: Field

    name: ClassVar[str] = "stvk-spring"
    law: ClassVar[LineLaw] = LineLaw(energy, across, along)

"""St. Venant-Kirchhoff fibres.

psi = k/2 (I - 1)^2,   I = |F a|^2   (Kim, de Goes and Iben 2019)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jounce.kernels.compile import element_function
from jounce.materials.fields import Field
from jounce.materials.line import Fibre, LineLaw
from jounce.materials.registry import register


@element_function
def energy(I: float, c: tuple[float, float]) -> float:
    k, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    return 0.5 * k * (I - 1.0) * (I - 1.0)


@element_function
def across(I: float, c: tuple[float, float]) -> float:
    k, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    return 2.0 * k * (I - 1.0)


@element_function
def along(I: float, c: tuple[float, float]) -> float:
    k, tension_only = c
    if tension_only != 0.0 and I < 1.0:
        return 0.0
    return k * (6.0 * I - 2.0)


@register
@dataclass(frozen=True, eq=False, kw_only=True)
class AnisotropicStVK(Fibre):
    """Fibres whose stress is linear in the Green strain along them."""

    stiffness: Field
    direction: Field
    tension_only: bool = False

    name: ClassVar[str] = "anisotropic-stvk"
    law: ClassVar[LineLaw] = LineLaw(energy, across, along)

"""Hookean springs: energy of the change of length.

E = k/2 (|d| - L)^2,   k in N/m
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from jounce.kernels.compile import element_function
from jounce.materials.fields import Field
from jounce.materials.line import LineLaw, Spring
from jounce.materials.registry import register

SHORTEST = 1e-9
"""Part of the rest length below which the force no longer changes: at length zero it has no direction."""


@element_function
def energy(I: float, c: tuple[float, float]) -> float:
    k, L = c
    stretch = math.sqrt(I) - L
    return 0.5 * k * stretch * stretch


@element_function
def across(I: float, c: tuple[float, float]) -> float:
    k, L = c
    length = math.sqrt(I)
    return k * (1.0 - (1.0 / SHORTEST if length < SHORTEST * L else L / length)) if L > 0.0 else k


@element_function
def along(I: float, c: tuple[float, float]) -> float:
    return c[0]


@register
@dataclass(frozen=True, eq=False, kw_only=True)
class HookeanSpring(Spring):
    """Springs with a force linear in the change of length; ``stiffness`` in N/m."""

    stiffness: Field

    name: ClassVar[str] = "hookean-spring"
    law: ClassVar[LineLaw] = LineLaw(energy, across, along)

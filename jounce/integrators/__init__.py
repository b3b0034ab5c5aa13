"""One file per time integration method; each registers itself by name."""

from . import (
    a_1,
    a_search,
    avf,
    bathe,
    bdf2,
    blending,
    decoupled,
    explicit_euler,
    implicit_euler,
    implicit_midpoint,
    sdirk2,
    symplectic_euler,
    tr_bdf2,
    trapezoidal,
)
from .base import Integrator, Step, create, names, registry
from .runge_kutta import Tableau

__all__ = [
    "Integrator",
    "Step",
    "Tableau",
    "a_1",
    "a_search",
    "avf",
    "bathe",
    "bdf2",
    "blending",
    "create",
    "decoupled",
    "explicit_euler",
    "implicit_euler",
    "implicit_midpoint",
    "names",
    "registry",
    "sdirk2",
    "symplectic_euler",
    "tr_bdf2",
    "trapezoidal",
]

"""The compiled loops of energies of one squared length, for fibres and springs."""

from __future__ import annotations

from functools import cache

from jounce.elements.compiled import Loops
from jounce.kernels import line
from jounce.kernels.compile import specialise
from jounce.kernels.frame import ROW
from jounce.materials.line import Fibre, Spring


@cache
def line_loops(cls: type[Fibre] | type[Spring], width: int) -> Loops:
    """Loops of a material whose table has ``width`` constants per element."""
    bound = {"row": ROW[width], "energy": cls.law.energy, "across": cls.law.across, "along": cls.law.along}
    loops = (line.energy_loop, line.gradient_loop, line.linearise_loop)
    return Loops(*(specialise(loop, cls.name, **bound) for loop in loops))

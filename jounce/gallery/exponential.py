"""Elastic scenes of Chen et al. 2020, "SIERE: a hybrid semi-implicit exponential integrator"."""

import numpy as np

from ..materials import NeoHookean
from ..meshes import box
from ..scene import Clamp, Scene, Solid
from .meshed import twisted
from .registry import scene_entry

PAPER = "Chen et al. 2020, SIERE"


@scene_entry("untwisting-cuboid", paper=PAPER, step=0.01, seconds=1.5, integrator="implicit-euler")
def untwisting_cuboid(*, youngs: float = 1e5, poisson: float = 0.45, cells: int = 5, degrees: float = 180.0) -> Scene:
    """A cuboid of 1 x 1 x 2 m, held at one end and twisted half a turn, springs back; its stiffness starts indefinite."""
    mesh = box(size=(2.0, 1.0, 1.0), cells=(2 * cells, cells, cells))
    start = twisted(np.asarray(mesh.vertices), along=0, angle=float(np.radians(degrees)))
    held = Clamp(nodes=lambda x: x[:, 0] < -1.0 + 1e-9)
    body = Solid(mesh, NeoHookean(youngs=youngs, poisson=poisson), start=start, name="cuboid", clamps=(held,))
    return Scene((body,), gravity=(0.0, 0.0, 0.0))

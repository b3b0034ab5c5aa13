"""Scenes of Chen et al. 2020, "SIERE: a hybrid semi-implicit exponential integrator"."""

import numpy as np

from ..contact import Ground, Penalty
from ..materials import NeoHookean
from ..meshes import ball, box
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


@scene_entry("hard-shelled-ball", paper=PAPER, step=0.005, seconds=2.0)
def hard_shelled_ball(
    *, youngs: float = 1e6, shell: float = 1e8, resolution: int = 5, hanging: bool = False, drop: float = 0.3
) -> Scene:
    """A ball of 20 cm with a hard shell of 2 cm around a soft core falls on a floor that pushes back, and bounces.

    With `hanging` it is held at its top and pulled down by 20 g instead. `youngs` and `shell` (Pa) are the stiffness of the core
    and of the shell; `resolution` counts the ball's layers, of which the outer fifth is shell (6: 923 nodes, near the paper's 1,018).
    """
    radius, thickness, gravity = 0.1, 0.02, 9.8
    mesh = ball(radius=radius, resolution=resolution)
    outer = np.linalg.norm(mesh.centroids, axis=1) > radius - thickness
    material = NeoHookean(youngs=np.where(outer, shell, youngs), poisson=0.45)
    if hanging:
        top = Clamp(nodes=lambda x: x[:, 1] > radius - thickness)
        return Scene((Solid(mesh, material, name="ball", clamps=(top,)),), gravity=(0.0, -20.0 * gravity, 0.0))
    falling = Solid(mesh, material, position=(0.0, radius + drop, 0.0), name="ball")
    return Scene((falling,), gravity=(0.0, -gravity, 0.0), grounds=(Ground(),), contact=Penalty(stiffness=1e5))

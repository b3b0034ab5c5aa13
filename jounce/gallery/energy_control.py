"""Elastic scenes of You et al. 2026, "Energy-Controllable Time Integration for Elastodynamic Contact"."""

import numpy as np

from ..core.arrays import Array
from ..materials import Corotated
from ..meshes import box, creature
from ..scene import Clamp, Ramp, Scene, Solid, Spin
from .meshed import MeshSource, bent, mesh_or, sized, twisted
from .registry import scene_entry

PAPER = "You et al. 2026, energy-controllable time integration"


@scene_entry("rotating-cube", paper=PAPER, step=1 / 30, seconds=10.0)
def rotating_cube(*, youngs: float = 5e4, cells: int = 10, rate: float = 15.0) -> Scene:
    """A soft cube of 10 cm turns about a fixed edge under gravity (youngs=1e6 for the stiff one)."""
    mesh = box(size=(0.1, 0.1, 0.1), cells=(cells, cells, cells))
    edge = Clamp(nodes=lambda x: (np.abs(x[:, 0] + 0.05) < 1e-9) & (np.abs(x[:, 1] + 0.05) < 1e-9))
    spin = Spin(axis=(0.0, 0.0, 1.0), rate=rate, centre=(-0.05, -0.05, 0.0))
    return Scene((Solid(mesh, Corotated(youngs=youngs, poisson=0.3), velocity=spin, name="cube", clamps=(edge,)),))


@scene_entry("twisted-bar", paper=PAPER, step=1 / 30, seconds=8.0)
def twisted_bar(
    *, youngs: float = 1e5, cells: tuple[int, int, int] = (12, 4, 8), twist: float = 0.5 * np.pi, bend: float = 1.0
) -> Scene:
    """A bar of 20 x 5 x 10 cm, held at one end, twisted and bent, is let go and swings under gravity.

    `cells=(20, 10, 20)` is the paper's resolution (4.8k nodes, 24k tets with six per cell; here five).
    """
    mesh = box(size=(0.2, 0.05, 0.1), cells=cells)
    rest = np.asarray(mesh.vertices)
    start = bent(twisted(rest, along=0, angle=twist), along=0, towards=1, angle=bend)
    held = Clamp(nodes=lambda x: x[:, 0] < -0.1 + 1e-9)
    return Scene((Solid(mesh, Corotated(youngs=youngs, poisson=0.3), start=start, name="bar", clamps=(held,)),))


@scene_entry("suspended-creature", paper=PAPER, step=1 / 30, seconds=4.0)
def suspended_creature(
    *, youngs: float = 1e5, height: float = 0.5, nodes: int = 2500, mesh: MeshSource = None
) -> Scene:
    """A creature hangs by its back and is kicked downwards, most at its feet; limbs, ears and tail wiggle.

    `mesh` takes a file of tetrahedra in its place.
    """
    shape = sized(mesh_or(mesh, lambda: creature(height=height, nodes=nodes)), height)
    kick = Ramp(velocity=(0.0, -0.5, 0.0), along=(0.0, -1.0, 0.0))
    body = Solid(
        shape, Corotated(youngs=youngs, poisson=0.3), velocity=kick, name="creature", clamps=(Clamp(nodes=upper_back),)
    )
    return Scene((body,))


def upper_back(x: Array) -> Array:
    """Nodes on the back, between the shoulders: the rearmost fifth of the trunk's slice at 50 to 70 % of the height."""
    low, high = x.min(axis=0), x.max(axis=0)
    size = high - low
    trunk = (x[:, 1] > low[1] + 0.5 * size[1]) & (x[:, 1] < low[1] + 0.7 * size[1])
    trunk &= np.abs(x[:, 0] - 0.5 * (low[0] + high[0])) < 0.15 * size[0]
    if not trunk.any():
        return trunk
    depth = x[trunk, 2]
    return trunk & (x[:, 2] < depth.min() + 0.3 * np.ptp(depth))

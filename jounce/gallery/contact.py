"""Scenes with contact of You et al. 2026, "Energy-Controllable Time Integration for Elastodynamic Contact"."""

from ..contact import Barrier, Ground
from ..materials import NeoHookean
from ..meshes import TetMesh, ball
from ..scene import Scene, Solid
from .energy_control import PAPER
from .meshed import MeshSource, mesh_or, sized
from .registry import scene_entry

STEP = 1 / 120
KAPPA = 1e5
"""Stiffness of the barrier in all these scenes (N/m)."""


@scene_entry("bouncing-ball", paper=PAPER, step=STEP, seconds=10.0)
def bouncing_ball(
    *,
    youngs: float = 1e6,
    drop: float = 1.0,
    diameter: float = 0.1,
    nodes: int = 1650,
    friction: float = 0.0,
    mesh: MeshSource = None,
) -> Scene:
    """A ball of 10 cm falls 1 m and bounces for ever (youngs=1e5 is soft, 1e7 stiff).

    `drop` (m) is the gap below it at the start. The ball has the number of shells that brings it nearest to `nodes`: 1,415 nodes
    and 6,860 tets by default, where the paper has 1.6k and 7.1k. `mesh` takes a file in its place.
    """
    shape = sized(mesh_or(mesh, lambda: _ball_of(nodes)), diameter)
    body = Solid(shape, NeoHookean(youngs=youngs, poisson=0.3), position=(0.0, drop, 0.0), name="ball")
    return Scene((body,), grounds=(Ground(),), contact=Barrier(distance=1e-3, stiffness=KAPPA, friction=friction))


def _ball_of(nodes: int) -> TetMesh:
    """The ball of shells whose number of nodes comes nearest."""
    resolution = 1
    while _ball_nodes(resolution + 1) <= nodes:
        resolution += 1
    if _ball_nodes(resolution + 1) - nodes < nodes - _ball_nodes(resolution):
        resolution += 1
    return ball(resolution=resolution)


def _ball_nodes(n: int) -> int:
    return 1 + 2 * n + 5 * n * (n + 1) * (2 * n + 1) // 3

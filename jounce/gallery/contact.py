"""Scenes with contact of You et al. 2026, "Energy-Controllable Time Integration for Elastodynamic Contact"."""

import numpy as np

from ..contact import Barrier, Ground, Pair
from ..core.arrays import Array
from ..energy.targets import Decay, Schedule
from ..materials import NeoHookean
from ..meshes import TetMesh, ball, box, hare, stairs
from ..scene import Obstacle, Scene, Solid, Spin
from .energy_control import PAPER
from .meshed import MeshSource, mesh_or, sized
from .registry import scene_entry

STEP = 1 / 120
KAPPA = 1e5
"""Stiffness of the barrier in all these scenes (N/m)."""
SIDE = 0.1
"""Edge of a die (m)."""


@scene_entry("bouncing-ball", paper=PAPER, step=STEP, seconds=10.0)
def bouncing_ball(
    *,
    youngs: float = 1e6,
    drop: float = 1.0,
    diameter: float = 0.1,
    nodes: int = 1650,
    friction: float = 0.0,
    drift: float = 0.0,
    mesh: MeshSource = None,
) -> Scene:
    """A ball of 10 cm falls 1 m and bounces for ever (youngs=1e5 is soft, 1e7 stiff).

    `drop` (m) is the gap below it at the start. The ball has the number of shells that brings it nearest to `nodes`: 1,415 nodes
    and 6,860 tets by default, where the paper has 1.6k and 7.1k. `mesh` takes a file in its place. With a `drift` (m/s) it bounces
    along.
    """
    shape = sized(mesh_or(mesh, lambda: _ball_of(nodes)), diameter)
    body = Solid(
        shape,
        NeoHookean(youngs=youngs, poisson=0.3),
        position=(0.0, drop, 0.0),
        velocity=(drift, 0.0, 0.0),
        name="ball",
    )
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


@scene_entry("dice-roll", paper=PAPER, step=STEP, seconds=6.0, target=Decay(tau=6.0))
def dice_roll(*, youngs: float = 3e5, dice: int = 8, cells: int = 4, drop: float = 0.3, spin: float = 5.0) -> Scene:
    """Eight dice of 10 cm fall 30 cm and roll; from left to right friction with the ground rises as a square from 0 to 1.

    All start alike: tilted onto a corner, with 0.3 m/s forwards and turning `spin` rad/s forwards. `cells=8` is the paper's mesh
    (729 nodes a die).
    """
    mesh = (
        box(size=(SIDE, SIDE, SIDE), cells=(cells, cells, cells))
        .rotated((1.0, 0.0, 0.0), 0.5)
        .rotated((0.0, 0.0, 1.0), 0.3)
    )
    mesh = mesh.moved((0.0, drop - mesh.vertices[:, 1].min(), 0.0))
    material = NeoHookean(youngs=youngs, poisson=0.3)

    def thrown(x: Array) -> Array:
        return np.array([0.0, 0.0, 0.3]) + Spin(axis=(1.0, 0.0, 0.0), rate=spin).velocities(x, np.ones(len(x)))

    bodies = tuple(
        Solid(
            mesh,
            material,
            position=(2.5 * SIDE * (i - 0.5 * (dice - 1)), 0.0, 0.0),
            velocity=thrown,
            name=f"die {i + 1}",
        )
        for i in range(dice)
    )
    pairs = tuple(Pair(between=(b.name, "ground"), friction=(i / max(dice - 1, 1)) ** 2) for i, b in enumerate(bodies))
    return Scene(bodies, grounds=(Ground(),), contact=Barrier(distance=1e-3, stiffness=KAPPA, pairs=pairs))


@scene_entry("hare-stairs", paper=PAPER, step=STEP, seconds=2.5)
def hare_stairs(
    *, youngs: float = 2e5, height: float = 0.25, nodes: int = 1000, drop: float = 0.3, mesh: MeshSource = None
) -> Scene:
    """A soft hare of 25 cm falls onto the edges of stairs, and bounces and tumbles down them.

    `drop` (m) is the gap between it and the step below its middle. `mesh` takes a file in its place.
    """
    rise, run, steps = 0.08, 0.18, 9
    shape = sized(mesh_or(mesh, lambda: hare(height=height, nodes=nodes)), height)
    flight = Obstacle(stairs(steps=steps, rise=rise, run=run, width=0.6), name="stairs")
    body = Solid(
        shape.rotated((0.0, 1.0, 0.0), -0.5 * np.pi),
        NeoHookean(youngs=youngs, poisson=0.3),
        position=((steps - 2) * run, (steps - 1) * rise + drop, 0.0),
        name="hare",
    )
    contact = Barrier(distance=5e-4, stiffness=KAPPA)
    return Scene((body,), obstacles=(flight,), grounds=(Ground(),), contact=contact)


@scene_entry(
    "hare-splash", paper=PAPER, step=STEP, seconds=3.0, target=Schedule(start=0.95, taus=((1.0, 1.0), (1.5, 0.5)))
)
def hare_splash(
    *,
    youngs: float = 1e5,
    height: float = 0.25,
    nodes: int = 300,
    columns: int = 3,
    layers: int = 3,
    cells: int = 1,
    drop: float = 0.2,
    mesh: MeshSource = None,
) -> Scene:
    """A heavy soft hare falls onto columns of small soft cubes and scatters them; friction holds together what it can.

    The cubes stand as `columns` by `columns` columns of `layers`; `drop` (m) is the gap below the hare. With `columns=10, layers=5,
    cells=2, nodes=4670` there are 18k nodes, near the paper's 19k nodes and 43k tets. `mesh` takes a file in the hare's place.
    """
    shape = sized(mesh_or(mesh, lambda: hare(height=height, nodes=nodes)), height)
    dhat, side = 5e-4, 0.03
    cube = box(size=(side, side, side), cells=(cells, cells, cells))
    soft = NeoHookean(youngs=5e4, poisson=0.45)
    across = 1.3 * side * (np.arange(columns) - 0.5 * (columns - 1))
    up = dhat + 0.5 * side + (side + dhat) * np.arange(layers)
    cubes = tuple(
        Solid(cube, soft, position=(float(x), float(y), float(z)), name=f"cube {i + 1}-{k + 1}-{j + 1}")
        for i, x in enumerate(across)
        for k, z in enumerate(across)
        for j, y in enumerate(up)
    )
    top = float(up[-1]) + 0.5 * side
    body = Solid(
        shape, NeoHookean(youngs=youngs, poisson=0.3), density=3000.0, position=(0.0, top + drop, 0.0), name="hare"
    )
    contact = Barrier(distance=dhat, stiffness=KAPPA, friction=0.25)
    return Scene((body, *cubes), grounds=(Ground(),), contact=contact)

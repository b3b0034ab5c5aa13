"""Scenes that show what friction holds, whose answers are known: a block on a slope, and a stack."""

import numpy as np
from scipy.optimize import root_scalar

from ..contact import Barrier, Ground
from ..materials import NeoHookean
from ..meshes import box
from ..scene import Scene, Solid
from .registry import scene_entry

PAPER = "Li et al. 2020, incremental potential contact"
DHAT, KAPPA, DENSITY = 1e-3, 1e5, 1000.0


@scene_entry("block-on-incline", paper=PAPER, step=1 / 120, seconds=2.0)
def block_on_incline(
    *, degrees: float = 20.0, friction: float = 0.3, speed: float = 0.0, youngs: float = 1e6, cells: int = 2
) -> Scene:
    """A block lies on a slope: it slides with g (sin a - mu cos a) if tan a is above mu, and stays if it is below.

    `degrees` is the slope's angle a, `friction` is mu, and `speed` (m/s) sends the block downhill at the start.
    """
    a = float(np.radians(degrees))
    up, down = np.array([np.sin(a), np.cos(a), 0.0]), np.array([np.cos(a), -np.sin(a), 0.0])
    length, height = 0.12, 0.06
    mesh = box(size=(length, height, length), cells=(2 * cells, cells, 2 * cells)).rotated((0.0, 0.0, 1.0), -a)
    # It starts where its weight rests, so that friction has its normal force from the first step on.
    load = DENSITY * mesh.volume * 9.8 * np.cos(a) / (2 * cells + 1) ** 2
    x, y, z = (0.5 * height + resting_gap(load)) * up
    block = Solid(
        mesh,
        NeoHookean(youngs=youngs, poisson=0.3),
        DENSITY,
        position=(x, y, z),
        velocity=tuple(speed * down),
        name="block",
    )
    slope = Ground(normal=(up[0], up[1], 0.0), name="slope")
    return Scene((block,), grounds=(slope,), contact=Barrier(distance=DHAT, stiffness=KAPPA, friction=friction))


def resting_gap(load: float) -> float:
    """The gap d (m) at which the barrier carries a load (N) per node: kappa (2 e ln(dhat / d) + e^2 / d) with e = dhat - d."""

    def excess(d: float) -> float:
        e = DHAT - d
        return KAPPA * (2 * e * np.log(DHAT / d) + e**2 / d) - load

    return root_scalar(excess, bracket=(1e-6 * DHAT, DHAT)).root


@scene_entry("five-cube-stack", paper=PAPER, step=1 / 120, seconds=5.0)
def five_cube_stack(
    *, cubes: int = 5, youngs: float = 1e6, friction: float = 0.5, turn: float = 10.0, cells: int = 2
) -> Scene:
    """Five cubes of 10 cm stand on each other, each turned a little against the one below; friction keeps the stack.

    `turn` (degrees) is the angle from cube to cube.
    """
    side = 0.1
    mesh = box(size=(side, side, side), cells=(cells, cells, cells))
    bodies = tuple(
        Solid(
            mesh.rotated((0.0, 1.0, 0.0), float(np.radians(turn * i))),
            NeoHookean(youngs=youngs, poisson=0.3),
            position=(0.0, 0.5 * side + DHAT + i * (side + DHAT), 0.0),
            name=f"cube {i + 1}",
        )
        for i in range(cubes)
    )
    return Scene(bodies, grounds=(Ground(),), contact=Barrier(distance=DHAT, stiffness=KAPPA, friction=friction))

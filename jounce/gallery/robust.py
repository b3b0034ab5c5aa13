"""Scenes of Gast et al. 2015, "Optimization Integrator for Large Time Steps"."""

import numpy as np

from ..contact import Barrier, Ground
from ..materials import FixedCorotated
from ..meshes import box, torus
from ..scene import Clamp, Force, Obstacle, Scene, Solid, Translate
from .registry import scene_entry

PAPER = "Gast et al. 2015, optimisation integrator"
FRAME = 1 / 24
KAPPA = 1e5
"""Stiffness of the barrier (N/m)."""


@scene_entry("stretched-cube", paper=PAPER, step=FRAME, seconds=5.0, integrator="implicit-euler")
def stretched_cube(
    *, youngs: float = 1e4, poisson: float = 0.45, cells: int = 10, pulse: float = 0.0, speed: float = 1.0
) -> Scene:
    """A cube of 1 m is pulled apart at both ends to three times its length, then let go.

    `pulse` (m/s^2) accelerates its halves against each other for one frame while it is stretched, as a blow would.
    """
    if not speed > 0:
        raise ValueError(f"The speed at which the cube is pulled must be positive (m/s); it is {speed}.")
    mesh = box(size=(1.0, 1.0, 1.0), cells=(cells, cells, cells))
    pulled = tuple(
        Clamp(
            nodes=lambda x, side=side: side * x[:, 0] > 0.5 - 1e-9,
            path=Translate(velocity=(side * speed, 0.0, 0.0), duration=1.0 / speed),
            until=2.5,
        )
        for side in (-1.0, 1.0)
    )
    blow = tuple(
        Force(
            total=(-side * pulse, 0.0, 0.0),
            nodes=lambda x, side=side: side * x[:, 0] > 0.0,
            begin=1.5,
            until=1.5 + FRAME,
            per_mass=True,
        )
        for side in (-1.0, 1.0)
    )
    material = FixedCorotated(youngs=youngs, poisson=poisson)
    return Scene(
        (Solid(mesh, material, name="cube", clamps=pulled, forces=blow if pulse else ()),), gravity=(0.0, 0.0, 0.0)
    )


def _lost(youngs: float, cells: int, start: np.ndarray) -> Scene:
    mesh = box(size=(1.0, 1.0, 1.0), cells=(cells, cells, cells))
    body = Solid(mesh, FixedCorotated(youngs=youngs, poisson=0.45), start=start, name="cube")
    return Scene((body,), gravity=(0.0, 0.0, 0.0))


@scene_entry("random-start", paper=PAPER, step=FRAME, seconds=4.0, integrator="implicit-euler")
def random_start(*, youngs: float = 1e5, cells: int = 8, seed: int = 1) -> Scene:
    """A cube of 1 m whose nodes start anywhere in its box: half of its elements are inverted, and it recovers.

    `cells=64` is the paper's 65^3 nodes; youngs 1e3, 1e5 and 1e9 are soft, medium and stiff.
    """
    if seed < 0:
        raise ValueError(f"The seed must not be negative; it is {seed}.")
    n = (cells + 1) ** 3
    return _lost(youngs, cells, np.random.default_rng(seed).uniform(-0.5, 0.5, size=(n, 3)))


@scene_entry("point-start", paper=PAPER, step=FRAME, seconds=4.0, integrator="implicit-euler")
def point_start(*, youngs: float = 1e5, cells: int = 8) -> Scene:
    """A cube of 1 m whose nodes all start at one point, and which unfolds."""
    return _lost(youngs, cells, np.zeros(((cells + 1) ** 3, 3)))


@scene_entry("torus-drop", paper=PAPER, step=1 / 96, seconds=2.0, integrator="implicit-euler")
def torus_drop(*, youngs: float = 2e4, rings: int = 2, drop: float = 0.3, friction: float = 0.3) -> Scene:
    """A soft torus falls on its rim, folds, and meets itself across its hole.

    `rings` counts the layers of its tube: 2 has 722 nodes, 4 has 4,575. `drop` (m) is the gap below it at the start.
    """
    mesh = torus(radius=0.3, tube_radius=0.1, rings=rings).rotated((1.0, 0.0, 0.0), 1.3)
    body = Solid(
        mesh,
        FixedCorotated(youngs=youngs, poisson=0.45),
        position=(0.0, drop - float(mesh.vertices[:, 1].min()), 0.0),
        name="torus",
    )
    return Scene((body,), grounds=(Ground(),), contact=Barrier(distance=1e-3, stiffness=KAPPA, friction=friction))


@scene_entry("box-stack", paper=PAPER, step=FRAME, seconds=3.0, integrator="implicit-euler")
def box_stack(
    *,
    youngs: float = 1e5,
    ratio: float = 10.0,
    rows: int = 3,
    cells: int = 2,
    speed: float = 2.0,
    friction: float = 0.3,
) -> Scene:
    """A stack of soft boxes, every other one `ratio` times as stiff, is struck by a rigid cube that nothing stops.

    The stack is a wall of `rows` rows, each one box shorter than the one below; the cube comes at `speed` (m/s).
    """
    side, gap, dhat = 0.2, 0.02, 1e-3
    mesh = box(size=(side, side, side), cells=(cells, cells, cells))
    places = [(row, i) for row in range(rows) for i in range(rows - row)]
    boxes = tuple(
        Solid(
            mesh,
            FixedCorotated(youngs=youngs * (ratio if n % 2 else 1.0), poisson=0.3),
            position=((i - 0.5 * (rows - row - 1)) * (side + gap), dhat + 0.5 * side + row * (side + dhat), 0.0),
            name=f"box {n + 1}",
        )
        for n, (row, i) in enumerate(places)
    )
    away = -0.5 * rows * (side + gap) - side
    hammer = Obstacle(
        box(size=(0.9 * side,) * 3).surface_mesh(),
        path=Translate(velocity=(speed, 0.0, 0.0), duration=-2.0 * away / speed),
        position=(away, 0.9 * side, 0.0),
        name="hammer",
    )
    contact = Barrier(distance=dhat, stiffness=KAPPA, friction=friction)
    return Scene(boxes, obstacles=(hammer,), grounds=(Ground(),), contact=contact)

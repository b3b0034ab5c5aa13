"""Elastic scenes of Gast et al. 2015, "Optimization Integrator for Large Time Steps"."""

import numpy as np

from ..materials import FixedCorotated
from ..meshes import box
from ..scene import Clamp, Force, Scene, Solid, Translate
from .registry import scene_entry

PAPER = "Gast et al. 2015, optimisation integrator"
FRAME = 1 / 24


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

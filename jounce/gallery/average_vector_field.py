"""Scenes of Rojas et al. 2018, "Average Vector Field Integration for St. Venant-Kirchhoff Deformable Models"."""

import numpy as np

from ..contact import Ground, Repulsion
from ..materials import StVenantKirchhoff, StVKSpring
from ..meshes import blob, box, dragon, hare, sheet
from ..scene import Clamp, Rayleigh, Scene, Solid, Spin, SpringNet
from .meshed import MeshSource, mesh_or, sized, twisted
from .registry import scene_entry

PAPER = "Rojas et al. 2018, average vector field integration"
STEP = 1 / 30


def _floating(body: Solid) -> Scene:
    return Scene((body,), gravity=(0.0, 0.0, 0.0))


@scene_entry("pulled-hare", paper=PAPER, step=STEP, seconds=10.0, integrator="avf")
def pulled_hare(
    *, height: float = 1.0, nodes: int = 1800, pull: float = 0.12, mass: float = 10.0, mesh: MeshSource = None
) -> Scene:
    """A hare whose ears are pulled up and let go: it swings for ever under AVF, and explodes under midpoint and Newmark.

    `pull` is how far the tips are pulled, as a share of the height; `mesh` takes a file in the hare's place.
    """
    shape = sized(mesh_or(mesh, lambda: hare(height=height, nodes=nodes)), height)
    start = np.array(shape.vertices)
    above = np.clip(start[:, 1] / height - 0.6, 0.0, None) / 0.4
    start[:, 1] += pull * height * above**1.5
    material = StVenantKirchhoff.from_lame(shear_modulus=500.0, lame=10.0)
    feet = Clamp(nodes=lambda x: x[:, 1] < 0.06 * height)
    return _floating(Solid(shape, material, mass / shape.volume, start=start, name="hare", clamps=(feet,)))


@scene_entry("spinning-dragon", paper=PAPER, step=STEP, seconds=10.0, integrator="avf")
def spinning_dragon(
    *, height: float = 1.0, nodes: int = 1000, rate: float = 4.0, mass: float = 1.0, mesh: MeshSource = None
) -> Scene:
    """A dragon turns about a single fixed point without gravity; its angular momentum should stay."""
    shape = sized(mesh_or(mesh, lambda: dragon(height=height, nodes=nodes)), height)
    x = np.asarray(shape.vertices)
    centre = int(np.argmin(np.linalg.norm(x - x.mean(axis=0), axis=1)))
    spin = Spin(axis=(0.2, 1.0, 0.1), rate=rate, centre=(float(x[centre, 0]), float(x[centre, 1]), float(x[centre, 2])))
    material = StVenantKirchhoff.from_lame(shear_modulus=400.0, lame=10.0)
    return _floating(
        Solid(shape, material, mass / shape.volume, velocity=spin, name="dragon", clamps=(Clamp(nodes=[centre]),))
    )


@scene_entry("sheet-wave", paper=PAPER, step=STEP, seconds=5.0, integrator="avf")
def sheet_wave(*, cells: int = 40, amplitude: float = 0.15) -> Scene:
    """A wave runs through a thin sheet of StVK springs, held at two edges, and breaks up into wrinkles.

    `cells=70` is near the paper's 5,061 vertices.
    """
    mesh = sheet(size=(2.0, 2.0), cells=(cells, cells))
    start = np.array(mesh.vertices)
    start[:, 1] += amplitude * np.exp(-(((start[:, 0] + 0.5) / 0.2) ** 2))
    held = Clamp(nodes=lambda x: np.abs(x[:, 0]) > 1.0 - 1e-9)
    net = SpringNet(
        mesh, StVKSpring(stiffness=200.0), bending=StVKSpring(stiffness=100.0), density=1.0 / 4.0, start=start, name="sheet",
        clamps=(held,),
    )  # fmt: skip
    return Scene((net,), gravity=(0.0, 0.0, 0.0))


@scene_entry("hanging-cloth", paper=PAPER, step=STEP, seconds=6.0, integrator="avf")
def hanging_cloth(*, cells: int = 40, damping: float = 0.0) -> Scene:
    """A cloth of StVK springs falls from the flat and hangs by two corners (damping=0.01 calms its wrinkles).

    `cells=80` is near the paper's 6,400 vertices.
    """
    mesh = sheet(size=(2.0, 2.0), cells=(cells, cells))
    corners = Clamp(nodes=lambda x: (np.abs(x[:, 0]) > 1.0 - 1e-9) & (x[:, 2] < -1.0 + 1e-9))
    net = SpringNet(
        mesh, StVKSpring(stiffness=400.0), bending=StVKSpring(stiffness=10.0), density=1.0 / 4.0, name="cloth",
        clamps=(corners,), damping=Rayleigh(stiffness=damping) if damping else None,
    )  # fmt: skip
    return Scene((net,))


@scene_entry("twisting-bar", paper=PAPER, step=STEP, seconds=10.0, integrator="avf")
def twisting_bar(*, cells: int = 5, turns: float = 0.25) -> Scene:
    """A bar held at one end is twisted and let go; it should twist to and fro without end."""
    mesh = box(size=(0.4, 0.1, 0.1), cells=(4 * cells, cells, cells))
    start = twisted(np.asarray(mesh.vertices), along=0, angle=2 * np.pi * turns)
    held = Clamp(nodes=lambda x: x[:, 0] < -0.2 + 1e-9)
    material = StVenantKirchhoff.from_lame(shear_modulus=1000.0, lame=500.0)
    return _floating(Solid(mesh, material, 1.0 / mesh.volume, start=start, name="bar", clamps=(held,)))


@scene_entry("bouncing-ditto", paper=PAPER, step=STEP, seconds=10.0, integrator="avf")
def bouncing_ditto(
    *,
    height: float = 4.0,
    nodes: int = 157,
    drop: float = 1.0,
    mass: float = 1.0,
    damping: float = 0.0,
    mesh: MeshSource = None,
) -> Scene:
    """A very soft blob falls on the ground, which pushes back with springs, and bounces (damping=0.01 calms it).

    The paper gives mass and stiffness but no size; at 4 m the blob bears its own weight. Springs that come and go add energy: at
    this step it drifts slowly up, as the paper's does, but where the step is near sqrt(m / 2k) of a surface node the run explodes
    (at 1/120 s); from 1/480 s on it drifts slowly down. `mesh` takes a file in the blob's place.
    """
    shape = sized(mesh_or(mesh, lambda: blob(height=height, nodes=nodes)), height)
    body = Solid(
        shape, StVenantKirchhoff.from_lame(shear_modulus=35.0, lame=20.0), mass / shape.volume, position=(0.0, drop, 0.0),
        name="blob", damping=Rayleigh(stiffness=damping) if damping else None,
    )  # fmt: skip
    return Scene((body,), grounds=(Ground(),), contact=Repulsion(stiffness=200.0))

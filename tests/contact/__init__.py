"""Small scenes that touch, which the tests of contact share."""

import numpy as np

import jounce as jn
from jounce import meshes

SOFT = jn.NeoHookean(youngs=1e5, poisson=0.3)
GRID = jn.HookeanSpring(stiffness=10.0)
CALM = (0.0, 0.0, 0.0)


def triangle(corners, name):
    """A body of one triangle."""
    mesh = jn.SurfaceMesh(np.asarray(corners, dtype=float), np.array([[0, 1, 2]]))
    return jn.SpringNet(mesh, GRID, name=name)


def triangles(*corners, contact, **options):
    """The system of bodies of one triangle each, named "0", "1" and so on, without gravity."""
    bodies = tuple(triangle(c, str(i)) for i, c in enumerate(corners))
    return jn.build(jn.Scene(bodies, contact=contact, gravity=CALM, **options))


def cube(name="cube", size=0.1, cells=1, material=SOFT, **options):
    return jn.Solid(meshes.box(size=(size,) * 3, cells=(cells,) * 3), material, name=name, **options)


def mechanics(system, h=0.01):
    return system.prepare(system.initial_state(), h)

"""Collisions that break what is not robust: squeezed flat, shot fast, onto edges and through sheets, hard against soft."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes

CALM = (0.0, 0.0, 0.0)
METHODS = ("implicit-euler", "bdf2", "a-1", "a-search")


def rubber(youngs=1e5):
    return jn.NeoHookean(youngs=youngs, poisson=0.3)


def cube(name, youngs=1e5, cells=2, **options):
    mesh = meshes.box(size=(0.1, 0.1, 0.1), cells=(cells,) * 3)
    return jn.Solid(mesh, rubber(youngs), name=name, **options)


def test_targets_per_body_keep_momentum_and_get_the_energy_back_in_an_oblique_collision():
    ball = meshes.ball(resolution=2)
    ball = ball.scaled(0.1 / np.ptp(np.asarray(ball.vertices)[:, 1]))
    soft = jn.Solid(ball, rubber(1e5), name="soft", position=(-0.06, 0.0, 0.0), velocity=(2.0, 0.0, 0.0))
    stiff = jn.Solid(
        ball, rubber(1e7), density=2000.0, name="stiff", position=(0.06, 0.04, 0.0), velocity=(-2.0, 0.0, 0.3)
    )
    scene = jn.Scene((soft, stiff), gravity=CALM, contact=jn.Barrier(distance=1e-3, stiffness=1e5))
    run = jn.simulate(
        scene,
        integrator=jn.integrators.create("a-search", target=jn.PerBody()),
        step=1 / 120,
        steps=40,
        solver=jn.NewtonSolver(tolerance=1e-6),
        verify=True,
    )
    p = run.ledger.momentum
    assert run.ledger.contact.max() > 1e-6
    assert np.abs(p - p[0]).max() < 1e-7 * np.linalg.norm(p[0])
    assert run.ledger.total[-1] == pytest.approx(run.ledger.total[0], rel=0.02)


def test_a_hare_is_squeezed_to_a_fifth_of_its_height():
    hare = meshes.hare(height=0.25, nodes=150)
    low, high = np.asarray(hare.vertices)[:, 1].min(), np.asarray(hare.vertices)[:, 1].max()
    plate, seconds = meshes.sheet(size=(1.0, 1.0), cells=(2, 2)), 0.4
    down = jn.Translate((0.0, -0.8 * (high - low) / seconds, 0.0))
    obstacles = (
        jn.Obstacle(plate, position=(0.0, high + 2e-3, 0.0), path=down, name="press"),
        jn.Obstacle(plate, position=(0.0, low - 2e-3, 0.0), name="table"),
    )
    scene = jn.Scene(
        (jn.Solid(hare, rubber(), name="hare"),),
        obstacles=obstacles,
        contact=jn.Barrier(distance=1e-3, stiffness=1e5, friction=0.2),
    )
    run = jn.simulate(scene, integrator="implicit-euler", step=1 / 40, steps=16, verify=True)
    height = np.ptp(run.positions[-1][: len(hare.vertices), 1])
    assert height < 0.22 * (high - low)


@pytest.mark.parametrize("method", METHODS)
def test_a_soft_cube_under_one_ten_thousand_times_as_hard(method):
    bodies = (
        cube("soft", youngs=2e4, position=(0.0, 0.052, 0.0)),
        cube("hard", youngs=2e8, position=(0.0, 0.17, 0.0), velocity=(0.0, -2.0, 0.0)),
    )
    scene = jn.Scene(bodies, grounds=(jn.Ground(),), contact=jn.Barrier(distance=1e-3, stiffness=1e4, friction=0.3))
    run = jn.simulate(scene, integrator=method, step=1 / 120, steps=20, verify=True)
    assert run.ledger.contact.max() > 0


@pytest.mark.parametrize("method", METHODS)
def test_a_cube_shot_at_a_sheet_does_not_pass(method):
    wall = meshes.sheet(size=(1.0, 1.0), cells=(4, 4))
    body = cube("shot", youngs=1e6, position=(0.0, 0.6, 0.0), velocity=(0.0, -50.0, 0.0))
    scene = jn.Scene(
        (body,),
        gravity=CALM,
        obstacles=(jn.Obstacle(wall, name="sheet"),),
        contact=jn.Barrier(distance=1e-3, stiffness=1e5),
    )
    run = jn.simulate(scene, integrator=method, step=1 / 60, steps=12, verify=True)
    assert run.positions[:, : len(body.mesh.vertices), 1].min() > 0
    assert run.ledger.contact.max() > 0


@pytest.mark.parametrize("method", METHODS)
def test_a_cube_falls_on_a_sharp_edge(method):
    roof = meshes.SurfaceMesh(
        np.array(
            [
                [-0.2, -0.3, -0.2],
                [0.0, 0.0, -0.2],
                [0.2, -0.3, -0.2],
                [-0.2, -0.3, 0.2],
                [0.0, 0.0, 0.2],
                [0.2, -0.3, 0.2],
            ]
        ),
        np.array([[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]]),
    )
    scene = jn.Scene(
        (cube("cube", position=(0.01, 0.06, 0.0), velocity=(0.0, -3.0, 0.0)),),
        obstacles=(jn.Obstacle(roof, name="roof"),),
        contact=jn.Barrier(distance=1e-3, stiffness=1e4, friction=0.2),
    )
    run = jn.simulate(scene, integrator=method, step=1 / 60, steps=20, verify=True)
    assert run.ledger.contact.max() > 0

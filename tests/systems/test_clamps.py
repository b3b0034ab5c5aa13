"""Clamps hold, move, take hold and let go, and their work is booked."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jounce as jn
from jounce import integrators, meshes

from . import bar, free_part

TIGHT = jn.NewtonSolver(tolerance=1e-9, linear_tolerance=1e-12)
STVK = jn.StVenantKirchhoff(youngs=1e5, poisson=0.3)
SECOND_ORDER = [n for n in integrators.names() if integrators.create(n).order == 2 and integrators.create(n).feasible]


def left(x):
    return x[:, 0] < -0.15 + 1e-9


def right(x):
    return x[:, 0] > 0.15 - 1e-9


def held_bar(*clamps, **options):
    mesh = meshes.box(size=(0.3, 0.1, 0.1), cells=(3, 1, 1))
    return jn.Scene((jn.Solid(mesh, STVK, clamps=clamps, name="bar", **options),), gravity=(0.0, 0.0, 0.0))


def nodes(scene, where):
    return np.flatnonzero(where(np.asarray(scene.bodies[0].mesh.vertices)))


def sway(t, x):
    return x + np.array([0.0, 0.02 * np.sin(20 * t), 0.0])


@pytest.mark.parametrize("name", ["a-search", "bdf2", "implicit-midpoint", "avf"])
def test_held_nodes_keep_their_bits(name):
    scene = bar(gravity=(0.0, -9.8, 0.0))
    run = jn.simulate(scene, integrator=name, step=1 / 60, steps=6)
    held = nodes(scene, left)
    assert np.array_equal(run.positions[:, held], run.positions[:1, held].repeat(7, 0))
    assert np.abs(np.diff(run.positions, axis=0)).max() > 1e-3
    assert not run.v.reshape(7, -1, 3)[1:, held].any()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (
            jn.Translate(velocity=(0.1, 0.0, 0.2), duration=0.05),
            lambda t, x: x + min(t, 0.05) * np.array([0.1, 0.0, 0.2]),
        ),
        (
            jn.Rotate(axis=(2.0, 0.0, 0.0), rate=3.0, centre=(0.0, 0.1, 0.0)),
            lambda t, x: np.stack(
                [
                    x[:, 0],
                    0.1 + np.cos(3 * t) * (x[:, 1] - 0.1) - np.sin(3 * t) * x[:, 2],
                    np.sin(3 * t) * (x[:, 1] - 0.1) + np.cos(3 * t) * x[:, 2],
                ],
                axis=1,
            ),
        ),
        (sway, sway),
    ],
    ids=["translate", "rotate", "function"],
)
def test_moved_nodes_follow_their_path(path, expected):
    scene = held_bar(jn.Clamp(nodes=left, path=path))
    run = jn.simulate(scene, integrator="implicit-euler", step=0.02, steps=5)
    held = nodes(scene, left)
    for t, x in zip(run.t, run.positions, strict=True):
        np.testing.assert_allclose(x[held], expected(t, run.positions[0, held]), atol=1e-15)
    speed = run.v.reshape(6, -1, 3)[1:, held]
    np.testing.assert_allclose(speed, np.diff(run.positions[:, held], axis=0) / 0.02, atol=1e-12)


def test_a_clamp_takes_hold_where_its_nodes_are_and_lets_go():
    scene = held_bar(jn.Clamp(nodes=left, begin=0.1, until=0.2), velocity=(0.0, 0.5, 0.0))
    run = jn.simulate(scene, integrator="bdf2", step=0.02, steps=15)
    held = nodes(scene, left)
    y = run.positions[:, held, 1] - run.positions[0, held, 1]
    np.testing.assert_allclose(y[5], 0.05, atol=1e-9)
    assert np.array_equal(y[5:11], y[5:6].repeat(6, 0))
    assert np.all(np.abs(y[11:] - y[10]).max(axis=1) > 1e-5)
    assert run.ledger.residual().max() < 1e-12


@pytest.mark.parametrize("begin", [0.012, 0.024, 0.03])
def test_a_clamp_that_begins_between_steps_does_not_make_its_nodes_jump(begin):
    speed = 0.3
    scene = held_bar(jn.Clamp(nodes=left, path=jn.Translate(velocity=(speed, 0.0, 0.0)), begin=begin))
    run = jn.simulate(scene, integrator="implicit-euler", step=0.02, steps=5)
    moved = np.diff(run.positions[:, nodes(scene, left)[0], 0])
    assert np.all(moved < speed * 0.02 * (1 + 1e-9))
    assert moved[-1] == pytest.approx(speed * 0.02)
    assert run.ledger.work.max() < 2 * run.ledger.total.max()


@pytest.mark.parametrize(("step", "until"), [(0.02, 0.07), (0.02, 0.17), (0.01, 0.035)])
def test_a_clamp_may_end_in_the_very_middle_of_a_step(step, until):
    # In these steps (t + h) - t, rounded, is on the other side of the middle than h is.
    scene = held_bar(jn.Clamp(nodes=left, until=until), velocity=(0.0, 0.1, 0.0))
    run = jn.simulate(scene, integrator="implicit-euler", step=step, steps=10)
    assert run.t[-1] == pytest.approx(10 * step)
    assert np.array_equal(run.positions[3, nodes(scene, left)], run.positions[0, nodes(scene, left)])
    assert not np.array_equal(run.positions[-1, nodes(scene, left)], run.positions[0, nodes(scene, left)])


def test_letting_go_of_a_body_in_rigid_motion_books_only_the_motion_of_the_clamped_nodes():
    velocity = (0.4, 0.0, 0.3)
    scene = held_bar(jn.Clamp(nodes=left, path=jn.Translate(velocity=velocity), until=0.1), velocity=velocity)
    system = jn.build(scene)
    run = jn.simulate(system, integrator="avf", step=0.02, steps=10, solver=TIGHT)
    free = np.setdiff1d(np.arange(len(system.masses)), nodes(scene, left))
    before, after = 0.5 * system.masses[free].sum() * 0.25, 0.5 * system.masses.sum() * 0.25
    np.testing.assert_allclose(run.ledger.total[:6], before, rtol=1e-9)
    np.testing.assert_allclose(run.ledger.total[6:], after, rtol=1e-9)
    np.testing.assert_allclose(run.ledger.work.sum(), after - before, rtol=1e-9)
    assert np.abs(run.ledger.integrator_loss).max() < 1e-9 * after


def test_a_release_clears_the_memory_of_bdf2():
    clamped = held_bar(jn.Clamp(nodes=left, until=0.1), velocity=lambda x: 2.0 * (x + 0.15) * [0.0, 1.0, 0.0])
    whole = jn.simulate(clamped, integrator="bdf2", step=0.02, steps=8)
    first = jn.simulate(clamped, integrator="bdf2", step=0.02, steps=5)
    free = jn.build(held_bar())
    assert first.memory is not None
    rest = jn.simulate(free, integrator="bdf2", step=0.02, steps=3, resume=replace(first, memory=None))
    assert np.array_equal(whole.end.q, rest.end.q)


@pytest.mark.parametrize("name", ["bdf2", "a-search"])
def test_a_run_resumed_at_a_release_gives_the_bits_of_an_unbroken_one(name):
    scene = held_bar(jn.Clamp(nodes=left, until=0.1), velocity=lambda x: 2.0 * (x + 0.15) * [0.0, 1.0, 0.0])
    whole = jn.simulate(scene, integrator=name, step=0.02, steps=8)
    first = jn.simulate(scene, integrator=name, step=0.02, steps=5)
    rest = jn.simulate(jn.build(scene), integrator=name, step=0.02, steps=3, resume=first)
    assert np.array_equal(whole.end.q, rest.end.q)
    assert np.array_equal(whole.end.v, rest.end.v)


def test_the_work_of_a_slow_pull_is_the_energy_gained():
    pull = jn.Clamp(nodes=right, path=jn.Translate(velocity=(0.02, 0.0, 0.0)))
    scene = held_bar(jn.Clamp(nodes=left), pull, damping=jn.Rayleigh(mass=20.0))
    run = jn.simulate(scene, integrator="implicit-euler", step=0.05, steps=40)
    assert run.ledger.kinetic[-1] < 0.01 * run.ledger.elastic[-1]
    assert run.ledger.elastic[-1] > 0.5
    assert run.ledger.work.sum() == pytest.approx(run.ledger.elastic[-1] - run.ledger.elastic[0], rel=0.03)


def test_avf_with_stvk_loses_nothing_to_a_clamp_that_moves_straight():
    pull = jn.Clamp(nodes=right, path=jn.Translate(velocity=(0.5, 0.2, 0.0)))
    scene = held_bar(jn.Clamp(nodes=left), pull)
    run = jn.simulate(scene, integrator="avf", step=1 / 60, steps=15, solver=TIGHT)
    assert run.ledger.work.sum() > 1.0
    assert np.abs(run.ledger.integrator_loss).max() < 1e-8 * run.ledger.total.max()


def swinging(t, x):
    return x + 0.02 * (1 - np.cos(60 * t)) * np.array([1.0, 0.5, 0.0])


@pytest.mark.parametrize("name", SECOND_ORDER)
def test_a_moving_clamp_keeps_second_order(name):
    system = jn.build(held_bar(jn.Clamp(nodes=left, path=swinging)))
    seconds = 0.02
    mech, start = system.prepare(system.initial_state(), seconds)
    n = start.q.size

    def rate(t, u):
        return np.concatenate([u[n:], mech.acceleration(jn.State(t, u[:n], u[n:]), at=t / seconds)])

    y0 = np.concatenate([start.q, start.v])
    exact = solve_ivp(rate, (0, seconds), y0, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    found = []
    for steps in (80, 160):
        run = jn.simulate(system, integrator=name, step=seconds / steps, steps=steps, solver=TIGHT, record_every=steps)
        found.append(np.linalg.norm(free_part(system, run.end) - exact))
    slack = 1.2 if name == "blending" else 0.25
    assert 1.75 < np.log2(found[0] / found[1]) < 2 + slack, found


def test_a_body_whose_every_node_is_clamped_follows_its_path():
    scene = held_bar(jn.Clamp(nodes="all", path=jn.Translate(velocity=(1.0, 0.0, 0.0)), until=0.1))
    run = jn.simulate(scene, integrator="a-search", step=0.05, steps=4)
    np.testing.assert_allclose(run.positions[-1], run.positions[0] + [0.2, 0.0, 0.0], atol=1e-9)
    assert run.ledger.residual().max() < 1e-12


@pytest.mark.parametrize("name", integrators.names())
def test_every_method_bears_a_body_whose_every_node_is_held(name):
    run = jn.simulate(held_bar(jn.Clamp(nodes="all")), integrator=name, step=0.01, steps=2)
    assert np.array_equal(run.positions[-1], run.positions[0])

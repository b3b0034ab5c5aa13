"""Gravity, forces and wind against closed forms; their work is booked."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes
from jounce.systems.lagged import LaggedQuadratic

TIGHT = jn.NewtonSolver(tolerance=1e-9, linear_tolerance=1e-12)
FLOATING = (0.0, 0.0, 0.0)


def block(name="block", **options):
    mesh = meshes.box(size=(0.2, 0.1, 0.1), cells=(2, 1, 1))
    return jn.Solid(mesh, jn.StVenantKirchhoff(youngs=1e5, poisson=0.3), name=name, **options)


def cloth(**options):
    mesh = meshes.sheet(size=(1.0, 1.0), cells=(3, 3))
    return jn.SpringNet(mesh, jn.HookeanSpring(stiffness=100.0), density=0.2, **options)


def test_a_body_falls_as_galileo_says():
    scene = jn.Scene((block(velocity=(1.0, 2.0, 0.0)),), gravity=(0.0, -9.8, 0.0))
    run = jn.simulate(scene, integrator="implicit-midpoint", step=0.05, steps=10, solver=TIGHT)
    moved = run.positions - run.positions[0]
    t = run.t[:, None]
    expected = t * np.array([1.0, 2.0, 0.0]) - 0.5 * 9.8 * t**2 * np.array([0.0, 1.0, 0.0])
    np.testing.assert_allclose(moved, np.broadcast_to(expected[:, None], moved.shape), atol=1e-9)


@pytest.mark.parametrize("name", ["implicit-euler", "avf", "a-1", "a-search", "decoupled"])
def test_a_pulse_gives_the_momentum_force_times_duration(name):
    pulse = jn.Force(total=(3.0, 0.0, -1.0), nodes=lambda x: x[:, 0] > 0.09, begin=0.1, until=0.2)
    scene = jn.Scene((block(forces=(pulse,)), block("other", position=(0.0, 1.0, 0.0))), gravity=FLOATING)
    run = jn.simulate(scene, integrator=name, step=0.02, steps=12, solver=TIGHT)
    p = run.ledger.momentum
    np.testing.assert_allclose(p[5], 0.0, atol=1e-9)
    np.testing.assert_allclose(p[-1], [0.3, 0.0, -0.1], atol=1e-7)
    other = run.positions[:, len(run.positions[0]) // 2 :]
    assert np.abs(other[-1] - other[0]).max() < 1e-12


def test_a_force_per_mass_is_an_acceleration_of_its_nodes():
    system = jn.build(jn.Scene((block(forces=(jn.Force(total=(0.0, 4.0, 0.0), per_mass=True),)),), gravity=FLOATING))
    run = jn.simulate(system, integrator="implicit-midpoint", step=0.05, steps=4, solver=TIGHT)
    v = run.v.reshape(5, -1, 3)
    np.testing.assert_allclose(v[:, :, 1], np.broadcast_to(4.0 * run.t[:, None], v.shape[:2]), atol=1e-9)


def test_a_force_that_changes_in_time_is_felt_at_the_middle_by_midpoint():
    force = jn.Force(total=lambda t: (0.0, 0.0, 6.0 * t))
    run = jn.simulate(
        jn.Scene((block(forces=(force,)),), gravity=FLOATING),
        integrator="implicit-midpoint",
        step=0.1,
        steps=5,
        solver=TIGHT,
    )
    np.testing.assert_allclose(run.ledger.momentum[:, 2], 3.0 * run.t**2, atol=1e-8)


def test_the_work_of_a_force_is_the_energy_it_gives():
    run = jn.simulate(
        jn.Scene((block(forces=(jn.Force(total=(2.0, 1.0, 0.0)),)),), gravity=FLOATING),
        integrator="avf", step=0.02, steps=10, solver=TIGHT,
    )  # fmt: skip
    assert run.ledger.total[-1] > 0.01
    np.testing.assert_allclose(run.ledger.work.sum(), run.ledger.total[-1] - run.ledger.total[0], rtol=1e-6)


def test_a_sheet_that_falls_face_on_follows_the_closed_form_to_its_terminal_velocity():
    drag, g, mass = 2.0, 9.8, 0.2
    scene = jn.Scene((cloth(wind=jn.Wind(velocity=(0.0, 0.0, 0.0), drag=drag)),), gravity=(0.0, -g, 0.0))
    run = jn.simulate(scene, integrator="implicit-midpoint", step=0.01, steps=80, solver=TIGHT, record_every=20)
    y = run.v.reshape(len(run.t), -1, 3)[:, :, 1]
    terminal = mass * g / drag
    expected = -terminal * (1 - np.exp(-run.t * drag / mass))
    np.testing.assert_allclose(y, np.broadcast_to(expected[:, None], y.shape), atol=2e-3 * terminal)
    assert y[-1] == pytest.approx(-terminal, rel=1e-3)


def test_wind_drives_a_sheet_to_its_own_speed_and_its_work_is_the_energy_gained():
    scene = jn.Scene((cloth(wind=jn.Wind(velocity=(0.5, 3.0, 0.0), drag=2.0)),), gravity=FLOATING)
    run = jn.simulate(scene, integrator="implicit-midpoint", step=0.01, steps=100, solver=TIGHT)
    assert run.v[-1].reshape(-1, 3).mean(axis=0) == pytest.approx([0.0, 3.0, 0.0], abs=0.01)
    np.testing.assert_allclose(run.ledger.work.sum(), run.ledger.total[-1], rtol=1e-6)
    assert run.ledger.total[-1] == pytest.approx(0.5 * 0.2 * 9.0, rel=0.01)


def test_still_air_takes_energy_from_a_solid_and_books_it_as_work():
    scene = jn.Scene((block(velocity=(2.0, 0.0, 0.0), wind=jn.Wind(velocity=FLOATING, drag=30.0)),), gravity=FLOATING)
    run = jn.simulate(scene, integrator="implicit-euler", step=0.01, steps=20)
    assert np.all(np.diff(run.ledger.total) < 0)
    assert run.ledger.work.sum() < 0
    assert run.ledger.residual().max() < 1e-12


def test_a_wind_begins_and_ends():
    wind = jn.Wind(velocity=(0.0, 1.0, 0.0), begin=0.05, until=0.1)
    run = jn.simulate(jn.Scene((cloth(wind=wind),), gravity=FLOATING), integrator="implicit-euler", step=0.025, steps=6)
    p = run.ledger.momentum[:, 1]
    assert not p[:3].any()
    assert p[4] > p[3] > 0
    np.testing.assert_allclose(p[4:], p[4])


def test_the_potential_of_wind_is_the_power_of_its_pressure():
    rng = np.random.default_rng(3)
    body = cloth(wind=jn.Wind(velocity=(0.3, 2.0, -0.4), drag=1.7), start=None)
    system = jn.build(jn.Scene((body,), gravity=FLOATING))
    x = system.start + 0.05 * rng.standard_normal(system.start.shape)
    mech, _ = system.prepare(jn.State(0.0, x.ravel(), np.zeros(x.size)), 0.01)
    felt = mech.wind
    assert isinstance(felt, LaggedQuadratic)
    triangles = body.mesh.triangles
    p = x[triangles]
    cross = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    area = np.linalg.norm(cross, axis=1)

    def power(v):
        slip = np.array([0.3, 2.0, -0.4]) - v.reshape(-1, 3)[triangles].mean(axis=1)
        return float(0.5 * 1.7 * np.sum((np.sum(slip * cross, axis=1)) ** 2 / area))

    v = rng.standard_normal(x.size)
    assert felt.value(v) - felt.value(0 * v) == pytest.approx(power(v) - power(0 * v), rel=1e-12)
    slope = felt.gradient(v)
    eps = 1e-5
    for i in rng.choice(x.size, 8, replace=False):
        e = np.zeros(x.size)
        e[i] = eps
        assert (power(v + e) - power(v - e)) / (2 * eps) == pytest.approx(slope[i], rel=1e-6, abs=1e-7)
        column = (felt.gradient(v + e) - felt.gradient(v - e)) / (2 * eps)
        np.testing.assert_allclose(felt.hessian(v, psd=True) @ (e / eps), column, atol=1e-8)


def test_a_sheet_carried_at_the_speed_of_the_wind_feels_none():
    wind = (0.0, 1.5, 0.0)
    carried = jn.Clamp(nodes=lambda x: x[:, 0] > 0.49, path=jn.Translate(velocity=wind))
    body = cloth(velocity=wind, wind=jn.Wind(velocity=wind, drag=3.0), clamps=(carried,))
    run = jn.simulate(
        jn.Scene((body,), gravity=FLOATING), integrator="implicit-midpoint", step=0.02, steps=5, solver=TIGHT
    )
    np.testing.assert_allclose(
        run.positions[-1] - run.positions[0], np.broadcast_to([0.0, 0.15, 0.0], (16, 3)), atol=1e-9
    )

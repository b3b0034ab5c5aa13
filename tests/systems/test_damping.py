"""Rayleigh damping against an integrator that was not written here, and in motions where its answer is known."""

import numpy as np
import pytest

import jounce as jn

from . import bar, exact, free_part

TIGHT = jn.NewtonSolver(tolerance=1e-9, linear_tolerance=1e-12)
LINEAR = jn.Linear(youngs=1e5, poisson=0.3)


@pytest.mark.parametrize("name", ["implicit-midpoint", "tr-bdf2"])
def test_a_linear_solid_with_both_terms_agrees_with_dop853(name):
    system = jn.build(bar(material=LINEAR, damping=jn.Rayleigh(mass=5.0, stiffness=2e-3)))
    undamped = exact(jn.build(bar(material=LINEAR)), 0.02)
    reference = exact(system, 0.02)
    assert np.linalg.norm(undamped - reference) > 0.05 * np.linalg.norm(reference)
    errors = []
    for steps in (50, 100):
        run = jn.simulate(system, integrator=name, step=0.02 / steps, steps=steps, solver=TIGHT)
        errors.append(np.linalg.norm(free_part(system, run.end) - reference) / np.linalg.norm(reference))
    assert errors[1] < 2e-3
    assert np.log2(errors[0] / errors[1]) > 1.8, errors


def test_stiffness_damping_leaves_a_translation_alone():
    scene = bar(clamped=False, spin=0.0, damping=jn.Rayleigh(stiffness=0.05))
    system = jn.build(scene)
    state = system.initial_state()
    v = np.tile([1.0, -2.0, 0.5], len(system.masses))
    mech, start = system.prepare(jn.State(0.0, state.q, v), 0.01)
    assert mech.damping is not None
    np.testing.assert_allclose(mech.damping.gradient(start.v), 0.0, atol=1e-9)
    stretch = mech.damping.gradient(state.q)
    assert np.dot(stretch, state.q) > 1.0


def test_mass_damping_slows_a_translation_exponentially():
    scene = jn.Scene(
        (jn.Solid(bar().bodies[0].mesh, LINEAR, velocity=(1.0, 0.0, 0.0), damping=jn.Rayleigh(mass=3.0)),),
        gravity=(0.0, 0.0, 0.0),
    )
    run = jn.simulate(scene, integrator="implicit-midpoint", step=0.01, steps=50, solver=TIGHT)
    np.testing.assert_allclose(run.ledger.momentum[:, 0], 3.0 * np.exp(-3.0 * run.t), rtol=2e-4)
    np.testing.assert_allclose(run.ledger.damping_loss.sum(), run.ledger.total[0] - run.ledger.total[-1], rtol=1e-6)


def test_a_damped_body_carried_by_its_clamp_stays_rigid():
    carried = jn.Clamp(nodes=lambda x: x[:, 0] < -0.14, path=jn.Translate(velocity=(0.0, 0.7, 0.0)))
    body = jn.Solid(
        bar().bodies[0].mesh, LINEAR, velocity=(0.0, 0.7, 0.0), clamps=(carried,), damping=jn.Rayleigh(stiffness=0.05)
    )
    run = jn.simulate(
        jn.Scene((body,), gravity=(0.0, 0.0, 0.0)), integrator="implicit-euler", step=0.02, steps=5, solver=TIGHT
    )
    np.testing.assert_allclose(
        run.positions[-1] - run.positions[0], np.broadcast_to([0.0, 0.07, 0.0], (16, 3)), atol=1e-9
    )
    assert np.abs(run.ledger.damping_loss).max() < 1e-9


def test_a_clamp_that_shakes_a_damped_body_does_the_work_that_damping_takes():
    def shaken(t, x):
        return x + np.array([0.0, 0.01 * np.sin(40.0 * t), 0.0])

    clamp = jn.Clamp(nodes=lambda x: x[:, 0] < -0.14, path=shaken)
    body = jn.Solid(bar().bodies[0].mesh, LINEAR, clamps=(clamp,), damping=jn.Rayleigh(stiffness=0.05))
    scene = jn.Scene((body,), gravity=(0.0, 0.0, 0.0))
    run = jn.simulate(scene, integrator="implicit-midpoint", step=2e-4, steps=1000, solver=TIGHT)
    ledger = run.ledger
    assert ledger.damping_loss.min() > -1e-12
    assert ledger.damping_loss.sum() > 1e-3
    # Implicit midpoint takes next to nothing of its own: what the clamp gives is damped or stored.
    stored = ledger.total[-1] - ledger.total[0]
    assert ledger.work.sum() == pytest.approx(ledger.damping_loss.sum() + stored, rel=0.01)


def test_a_body_without_damping_beside_one_with_it_is_not_damped():
    mesh = bar().bodies[0].mesh
    damped = jn.Solid(mesh, LINEAR, velocity=(1.0, 0.0, 0.0), name="damped", damping=jn.Rayleigh(mass=10.0))
    free = jn.Solid(mesh, LINEAR, velocity=(1.0, 0.0, 0.0), name="free", position=(0.0, 1.0, 0.0))
    run = jn.simulate(
        jn.Scene((damped, free), gravity=(0.0, 0.0, 0.0)),
        integrator="implicit-midpoint",
        step=0.02,
        steps=10,
        solver=TIGHT,
    )
    v = run.v[-1].reshape(2, -1, 3)[:, :, 0]
    assert v[0].max() < 0.2
    np.testing.assert_allclose(v[1], 1.0, atol=1e-9)


def test_coefficients_must_not_be_negative():
    with pytest.raises(ValueError, match="not negative; they are mass=-1"):
        jn.Rayleigh(mass=-1.0)
    with pytest.raises(ValueError, match="finite"):
        jn.Rayleigh(stiffness=float("nan"))

"""What every registered contact model promises; a new one is tested by being registered."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes
from jounce.contact import create, names
from jounce.contact.registry import registry

from ..kernels.pairs import differences

NAMES = names()
UP = np.array([0.6, 0.8, 0.0])
RUBBER = jn.NeoHookean(youngs=1e5, poisson=0.3)
NEEDED = {"penalty": {"stiffness": 500.0}, "repulsion": {"stiffness": 500.0}}
every_model = pytest.mark.parametrize("name", NAMES)


def model(name, **options):
    return create(name, **NEEDED.get(name, {}), **options)


def scene(name, friction=0.3, velocity=(0.5, -1.0, 0.0), gap=2e-3, **options):
    """A cube that meets a tilted ground obliquely."""
    mesh = meshes.box(size=(0.1, 0.1, 0.1), cells=(1, 1, 1))
    ground = jn.Ground(height=float(-0.05 * UP.sum() - gap), normal=tuple(UP))
    body = jn.Solid(mesh, RUBBER, name="cube", velocity=velocity)
    return jn.Scene((body,), grounds=(ground,), contact=model(name, friction=friction, **options))


def pressed(name):
    """The mechanics of a step that begins in contact, and where: what a short fall leads to."""
    system = jn.build(scene(name))
    run = jn.simulate(system, integrator="implicit-euler", step=0.005, steps=4)
    mech, state = system.prepare(run.end, 0.005)
    assert mech.contact.value(state.q) > 0.0
    return mech, state


@every_model
def test_it_is_found_by_name_and_its_options_are_checked(name):
    assert registry.holds(model(name))
    with pytest.raises(ValueError, match="coefficient of friction"):
        model(name, friction=-1.0)
    with pytest.raises(ValueError, match="lag_iterations"):
        model(name, lag_iterations=-1)
    with pytest.raises(TypeError, match="did you mean 'friction'"):
        model(name, frction=0.1)


def test_an_unknown_model_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'barrier'"):
        create("barier")


@every_model
def test_gradient_and_hessian_are_the_derivatives_of_the_energy(name):
    mech, state = pressed(name)
    p = np.random.default_rng(0).normal(size=state.q.size)
    gradient, hessian = mech.contact.linearise(state.q, psd=False)
    slope = differences(lambda s: mech.contact.value(state.q + s[0] * p), np.zeros(1), 1e-7)[0]
    bend = differences(lambda s: mech.contact.gradient(state.q + s[0] * p), np.zeros(1), 1e-7)[:, 0]
    assert gradient @ p == pytest.approx(slope, rel=1e-5)
    np.testing.assert_allclose(hessian @ p, bend, atol=1e-5 * np.abs(bend).max())
    projected = mech.contact.hessian(state.q, psd=True).toarray()
    assert np.linalg.eigvalsh(projected)[0] > -1e-10 * np.abs(projected).max()


@every_model
def test_its_friction_opposes_slip_with_at_most_mu_times_its_force(name):
    mech, state = pressed(name)
    slip = np.array([0.8, -0.6, 0.0])
    drag = mech.friction.gradient(np.tile(0.5 * slip, state.q.size // 3)).reshape(-1, 3).sum(axis=0)
    push = -mech.contact.gradient(state.q).reshape(-1, 3).sum(axis=0)
    np.testing.assert_allclose(drag, 0.3 * (push @ UP) * slip, atol=1e-9 * np.linalg.norm(push))


@every_model
def test_the_ledger_closes_and_friction_only_takes(name):
    run = jn.simulate(scene(name), integrator="a-search", step=0.005, steps=40)
    assert run.ledger.contact.max() > 0
    assert run.ledger.residual().max() < 1e-12
    assert run.ledger.friction_loss.min() > -1e-12
    assert run.ledger.friction_loss.sum() > 0


@every_model
def test_the_same_run_gives_the_same_bits(name):
    ends = [jn.simulate(scene(name), integrator="a-search", step=0.005, steps=15).end for _ in range(2)]
    assert np.array_equal(ends[0].q, ends[1].q)
    assert np.array_equal(ends[0].v, ends[1].v)


@pytest.mark.parametrize("name", [n for n in NAMES if jn.build(scene(n)).contact.guards])
def test_what_guards_lets_nothing_through(name):
    system = jn.build(scene(name))
    mech, state = system.prepare(system.initial_state(), 0.01)
    through = state.q - np.tile(10.0 * UP, state.q.size // 3)
    assert 0.0 < mech.feasible_fraction(state.q, through) < 1.0
    run = jn.simulate(
        scene(name, velocity=tuple(-30.0 * UP)), integrator="implicit-euler", step=0.01, steps=8, verify=True
    )
    assert ((run.positions @ UP).min() + 0.05 * UP.sum() + 2e-3) > 0.0


@every_model
def test_what_is_not_finite_has_no_finite_energy(name):
    mech, state = pressed(name)
    broken = state.q.copy()
    broken[:] = np.nan
    assert not np.isfinite(mech.contact.value(broken))

"""Repulsion springs: fixed for each step, along the normal, gone when a node has left; their books."""

import numpy as np
import pytest

import jounce as jn

from ..kernels.pairs import differences
from . import CALM, cube, mechanics

UP = np.array([0.6, 0.8, 0.0])
GROUND = jn.Ground(height=0.02, normal=tuple(2.0 * UP))


def system(velocity=CALM):
    scene = jn.Scene(
        (cube(cells=2, velocity=velocity),), grounds=(GROUND,), contact=jn.Repulsion(stiffness=150.0), gravity=CALM
    )
    return jn.build(scene)


def test_the_energy_is_k_times_the_squared_depth_and_the_set_is_that_of_the_step():
    mech, state = mechanics(system())
    x = state.q.reshape(-1, 3)
    depth = 0.02 - x @ UP
    depth = depth[(depth > 0) & np.isin(np.arange(len(x)), system().contact.planes[0].nodes)]
    assert mech.contact.value(state.q) == pytest.approx(150.0 * np.sum(depth**2), rel=1e-12)
    out = x + 0.5 * UP  # all have left, and their springs still pull
    assert mech.contact.value(out.ravel()) == pytest.approx(150.0 * np.sum((depth - 0.5) ** 2), rel=1e-12)
    aside = x + np.array([0.8, -0.6, 5.0])
    assert mech.contact.value(aside.ravel()) == pytest.approx(mech.contact.value(state.q), rel=1e-12)


def test_gradient_and_hessian_are_the_derivatives_of_the_energy():
    mech, state = mechanics(system())
    rng = np.random.default_rng(0)
    q, p = state.q + 1e-3 * rng.normal(size=state.q.size), rng.normal(size=state.q.size)
    gradient, hessian = mech.contact.linearise(q, psd=False)
    slope = differences(lambda s: mech.contact.value(q + s[0] * p), np.zeros(1), 1e-6)[0]
    bend = differences(lambda s: mech.contact.gradient(q + s[0] * p), np.zeros(1), 1e-6)[:, 0]
    assert gradient @ p == pytest.approx(slope, rel=1e-6)
    np.testing.assert_allclose(hessian @ p, bend, atol=1e-6 * np.abs(bend).max())


def test_a_node_that_has_left_has_no_spring_in_the_next_step():
    parted = system(velocity=tuple(20.0 * UP))
    run = jn.simulate(parted, integrator="implicit-euler", step=0.01, steps=3)
    assert run.ledger.contact[0] > 0
    assert run.ledger.contact[-1] == 0.0
    mech, _ = parted.prepare(run.end, 0.01)
    assert mech.contact.value(run.end.q) == 0.0


def dropped(friction=0.0, velocity=(1.0, -1.0, 0.0)):
    contact = jn.Repulsion(stiffness=2000.0, friction=friction)
    return jn.Scene((cube(velocity=velocity),), grounds=(jn.Ground(height=-0.055),), contact=contact)


@pytest.mark.parametrize("method", ["implicit-euler", "a-search", "avf", "trapezoidal"])
def test_a_body_bounces_and_the_ledger_closes(method):
    run = jn.simulate(dropped(), integrator=method, step=0.005, steps=80)
    heights = run.positions.mean(axis=1)[:, 1]
    turn = int(np.argmin(heights))
    assert 0 < turn < 79
    assert heights[turn:].max() > heights[turn] + 0.01
    assert run.ledger.residual().max() < 1e-12
    # Springs that come and go are the method's own doing: nobody works on the body.
    assert not run.ledger.work.any()


def test_friction_slows_what_slides_and_is_booked():
    smooth, rough = (
        jn.simulate(dropped(mu, (1.0, 0.0, 0.0)), integrator="implicit-euler", step=0.005, steps=60)
        for mu in (0.0, 0.5)
    )
    assert np.abs(smooth.ledger.friction_loss).max() == 0.0
    assert rough.ledger.friction_loss.sum() > 0.1
    assert rough.v[-1].reshape(-1, 3)[:, 0].mean() < 0.8 < 0.99 < smooth.v[-1].reshape(-1, 3)[:, 0].mean()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stiffness": -1.0}, "stiffness of repulsion must be positive and finite"),
        ({"stiffness": np.inf}, "stiffness of repulsion must be positive and finite"),
        ({"stiffness": 1.0, "friction": np.nan}, "coefficient of friction of repulsion"),
        ({"stiffness": 1.0, "stick_speed": -1.0}, "stick_speed of .* must be positive"),
        ({"stiffness": 1.0, "lag_iterations": 0.5}, "lag_iterations must be a whole number"),
    ],
)
def test_bad_options_are_answered_with_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        jn.Repulsion(**options)

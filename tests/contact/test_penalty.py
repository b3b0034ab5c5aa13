"""Penalty contact with grounds: its force, its derivatives, what holds nodes sideways, its books."""

import numpy as np
import pytest

import jounce as jn

from ..kernels.pairs import differences
from . import CALM, cube, mechanics

UP = np.array([0.6, 0.8, 0.0])
GROUND = jn.Ground(height=0.02, normal=tuple(2.0 * UP))


def sunk(isotropic, start=None):
    scene = jn.Scene(
        (cube(cells=2, start=start),),
        grounds=(GROUND,),
        contact=jn.Penalty(stiffness=300.0, isotropic=isotropic),
        gravity=CALM,
    )
    return jn.build(scene)


@pytest.mark.parametrize("isotropic", [0.0, 0.3, 1.0])
def test_the_force_is_that_of_the_spring(isotropic):
    system = sunk(isotropic)
    mech, state = mechanics(system)
    aside = np.array([0.0, 0.0, 1e-3])
    x = state.q.reshape(-1, 3) + aside
    force = -mech.contact.gradient(x.ravel()).reshape(-1, 3)
    depth = 0.02 - x @ UP
    inside = (depth > 0) & np.isin(np.arange(len(x)), system.contact.planes[0].nodes)
    assert 0 < inside.sum() < len(x)
    expected = 300.0 * (depth[inside, None] * UP - isotropic * aside)
    np.testing.assert_allclose(force[inside], expected, atol=1e-12)
    assert not force[~inside].any()


@pytest.mark.parametrize("isotropic", [0.0, 0.3, 1.0])
def test_gradient_and_hessian_are_the_derivatives_of_the_energy(isotropic):
    mech, state = mechanics(sunk(isotropic))
    rng = np.random.default_rng(0)
    q, p = state.q + 1e-3 * rng.normal(size=state.q.size), rng.normal(size=state.q.size)
    gradient, hessian = mech.contact.linearise(q, psd=False)
    slope = differences(lambda s: mech.contact.value(q + s[0] * p), np.zeros(1), 1e-6)[0]
    bend = differences(lambda s: mech.contact.gradient(q + s[0] * p), np.zeros(1), 1e-6)[:, 0]
    assert gradient @ p == pytest.approx(slope, rel=1e-6)
    np.testing.assert_allclose(hessian @ p, bend, atol=1e-6 * np.abs(bend).max())


def resting(isotropic=0.0, friction=0.0, slope=0.0, velocity=CALM, stiffness=2000.0):
    normal = np.array([-slope, 1.0, 0.0]) / np.hypot(1.0, slope)
    ground = jn.Ground(height=float(-0.05 * np.abs(normal).sum()), normal=tuple(normal))
    contact = jn.Penalty(stiffness=stiffness, isotropic=isotropic, friction=friction)
    return jn.Scene((cube(velocity=velocity),), grounds=(ground,), contact=contact)


def test_a_body_sinks_by_its_weight_over_the_stiffness():
    run = jn.simulate(resting(), integrator="implicit-euler", step=0.02, steps=100)
    lowest = np.sort(run.positions[-1][:, 1])[:4]
    assert (-0.05 - lowest).mean() == pytest.approx(9.8 * 1.0 / 4 / 2000.0, rel=0.02)


@pytest.mark.parametrize("options", [{"isotropic": 0.2}, {"friction": 0.5}])
def test_it_slides_down_a_slope_only_where_nothing_holds_it(options):
    ends = [
        jn.simulate(resting(slope=0.2, **o), integrator="implicit-euler", step=0.02, steps=40).v[-1].reshape(-1, 3)
        for o in ({}, options)
    ]
    free, held = (v.mean(axis=0)[0] for v in ends)
    assert free < -1.0
    # Isotropic springs are put anew at every step, so that their nodes creep; those of friction creep at its stick speed.
    assert abs(held) < (1e-3 if "friction" in options else 0.3)


@pytest.mark.parametrize("method", ["implicit-euler", "a-search", "bdf2", "trapezoidal"])
@pytest.mark.parametrize("isotropic", [0.0, 0.3])
def test_the_ledger_closes(isotropic, method):
    scene = resting(isotropic, friction=0.2, velocity=(0.5, -0.5, 0.0))
    run = jn.simulate(scene, integrator=method, step=0.01, steps=30)
    ledger = run.ledger
    assert ledger.residual().max() < 1e-12
    assert not ledger.work.any()
    assert ledger.friction_loss.sum() > 0
    assert ledger.friction_loss.min() > -1e-12


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"stiffness": 0.0}, "stiffness must be positive and finite"),
        ({"stiffness": np.nan}, "stiffness must be positive and finite"),
        ({"stiffness": 1.0, "isotropic": 1.5}, "lies between 0 and 1; it is 1.5"),
        ({"stiffness": 1.0, "isotropic": -0.1}, "lies between 0 and 1"),
        ({"stiffness": 1.0, "friction": -1.0}, "coefficient of friction of the penalty must be at least 0"),
        ({"stiffness": 1.0, "stick_speed": 0.0}, "stick_speed of .* must be positive"),
        ({"stiffness": 1.0, "lag_iterations": -2}, "lag_iterations must be a whole number"),
    ],
)
def test_bad_options_are_answered_with_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        jn.Penalty(**options)

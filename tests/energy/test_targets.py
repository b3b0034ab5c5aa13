"""What each target asks for, step by step."""

import numpy as np
import pytest

import jounce as jn
from jounce.integrators.aim import Aim, advanced


def march(target, first=10.0, steps=200, h=0.01, change=0.0):
    """Target values over time, from an initial energy."""
    values = [target.first(first, 0.0)]
    for i in range(steps):
        values.append(target.after(values[-1], i * h, h, change))
    return np.array(values)


def test_conserve_keeps_the_energy_and_books_changes():
    assert march(jn.Conserve())[-1] == 10.0
    assert march(jn.Conserve(), change=-0.02)[-1] == pytest.approx(6.0)


def test_a_target_starts_at_a_share_of_the_energy_above_the_ground():
    assert jn.Conserve(start=0.95).first(10.0, 0.0) == pytest.approx(9.5)
    assert jn.Decay(start=0.5, ground=4.0).first(10.0, 0.0) == pytest.approx(7.0)
    assert jn.Conserve(start=0.5, ground=-30.0).first(-10.0, 0.0) == pytest.approx(-20.0)


@pytest.mark.parametrize("h", [0.5, 0.01])
def test_decay_falls_to_one_part_in_e_of_the_height_over_ground_in_tau(h):
    values = march(jn.Decay(tau=1.0, ground=4.0), steps=round(1 / h), h=h)
    assert values[-1] == pytest.approx(4.0 + 6.0 / np.e, rel=1e-12)


def test_decay_waits_until_it_begins_also_within_a_step():
    target = jn.Decay(tau=0.5, begin=0.105)
    values = march(target, steps=20)
    assert np.all(values[:11] == 10.0)
    assert values[11] == pytest.approx(10.0 * np.exp(-0.005 / 0.5))
    assert values[20] == pytest.approx(10.0 * np.exp(-0.095 / 0.5))


def test_work_done_during_decay_decays_with_the_rest():
    assert jn.Decay(tau=2.0, ground=1.0).after(5.0, 0.0, 0.1, 0.7) == pytest.approx(1.0 + np.exp(-0.05) * 4.7)


def test_a_schedule_changes_its_time_constant_at_given_times():
    values = march(jn.Schedule(taus=((0.5, 1.0), (1.0, 0.25))), steps=150)
    t = 0.01 * np.arange(151)
    expected = 10 * np.exp(-np.clip(t - 0.5, 0, 0.5) - np.clip(t - 1.0, 0, None) / 0.25)
    np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_a_curve_is_followed_as_function_or_as_pairs():
    np.testing.assert_allclose(march(jn.Curve(energy=lambda t: 3 + t), steps=5), 3 + 0.01 * np.arange(6))
    pairs = jn.Curve(energy=((0.0, 10.0), (1.0, 0.0), (2.0, 4.0)))
    values = march(pairs)
    assert values[50] == pytest.approx(5.0)
    assert values[150] == pytest.approx(2.0)


def test_a_target_stays_under_what_is_allowed_unless_energy_may_be_added():
    for adds, expected in ((False, 9.5), (True, 20.0)):
        curve = jn.Curve(energy=lambda t: 20.0, add_energy=adds)
        found = advanced(curve, Aim(10.0, 10.0, 0.1), 0.0, 0.1, -0.5)
        assert found.target == expected
        assert found.allowed == 9.5


@pytest.mark.parametrize(("adds", "share"), [(False, 1.0), (True, 2.0)])
def test_a_curve_above_the_energy_lifts_a_run_only_when_asked(adds, share):
    k, q0 = 25.0, 0.2
    system = jn.AnalyticSystem(1.0, lambda q: 0.5 * k * q @ q, lambda q: k * q, lambda q: k * np.eye(1), q=q0, v=0.0)
    start = 0.5 * k * q0**2
    curve = jn.Curve(energy=lambda t: start * (1 + t), add_energy=adds, measure="shadow")
    method = jn.integrators.create("a-search", alpha=(-20.0, 20.0), target=curve)
    run = jn.simulate(system, integrator=method, step=0.01, steps=100)
    assert run.ledger.target[-1] == pytest.approx(share * start, rel=0.01)
    assert run.ledger.measured[-1] == pytest.approx(share * start, rel=0.02)


def test_a_target_per_body_falls_back_on_the_default():
    soft = jn.Decay(tau=0.1, measure="shadow")
    target = jn.PerBody(default=jn.Conserve(measure="plain"), bodies={"soft": soft})
    assert target.of("soft") is soft
    assert target.of("other") is target.default
    assert target.measure == "plain"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: jn.Conserve(measure="flat"), "measure is 'flat'; valid: plain, flight, shadow"),
        (lambda: jn.Conserve(start=1.2), "between 0 and 1; start is 1.2.*add_energy=True"),
        (lambda: jn.Conserve(start=-0.1), "between 0 and 1; start is -0.1"),
        (lambda: jn.Decay(tau=0.0), "tau must be positive"),
        (lambda: jn.Decay(tau=float("nan")), "tau must be positive"),
        (lambda: jn.Schedule(taus=((1.0, 1.0), (0.5, 1.0))), "rising times"),
        (lambda: jn.Schedule(taus=((0.0, -1.0),)), "positive tau"),
        (lambda: jn.Curve(), "function of time or at least one pair"),
        (lambda: jn.Conserve(start=float("nan")), "start is nan"),
    ],
)
def test_senseless_targets_are_refused_with_a_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


def test_a_start_above_the_energy_needs_leave():
    assert jn.Conserve(start=1.5, add_energy=True).first(10.0, 0.0) == 15.0

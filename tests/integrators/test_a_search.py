"""A-search meets its target, costs what implicit Euler costs, and becomes other methods at the ends of its range."""

import numpy as np
import pytest

import jounce as jn

from ..systems import bar, chain

SOLVER = jn.NewtonSolver(tolerance=1e-6)
CREATE = jn.integrators.create


def run_bar(method, *, step=1 / 60, steps=60, **options):
    return jn.simulate(bar(**options), integrator=method, step=step, steps=steps, solver=SOLVER)


@pytest.mark.parametrize("measure", ["plain", "flight", "shadow"])
@pytest.mark.parametrize("gravity", [(0, 0, 0), (0, -9.8, 0)], ids=["weightless", "heavy"])
def test_a_bar_keeps_its_measure_and_never_exceeds_it(measure, gravity):
    ledger = run_bar(CREATE("a-search", target=jn.Conserve(measure=measure)), gravity=gravity).ledger
    target, measured = ledger.target[1:], ledger.measured[1:]
    np.testing.assert_allclose(target, target[0], rtol=1e-12)
    excess = (measured - target) / ledger.kinetic[0]
    assert excess.max() < 0.005
    assert np.abs(excess).mean() < (0.005 if measure == "shadow" else 0.1)
    assert excess[-15:].max() > -0.005


def test_what_implicit_euler_loses_is_given_back():
    lost = {}
    for method in ("implicit-euler", CREATE("a-search", target=jn.Conserve(measure="plain"))):
        ledger = run_bar(method).ledger
        lost[getattr(method, "name", method)] = ledger.integrator_loss.sum() / ledger.kinetic[0]
    assert lost["implicit-euler"] > 0.9
    assert abs(lost["a-search"]) < 0.1


def same_bits(first, second, **options):
    a, b = (run_bar(method, steps=12, gravity=(0, -9.8, 0), **options) for method in (first, second))
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)
    return a


@pytest.mark.parametrize("damping", [None, jn.Rayleigh(mass=1.0, stiffness=1e-3)], ids=["undamped", "damped"])
def test_the_ends_of_the_range_are_implicit_euler_and_a_1(damping):
    same_bits(CREATE("a-search", alpha=(0.0, 0.0)), "implicit-euler", damping=damping)
    a_1 = same_bits(CREATE("a-search", alpha=(1.0, 1.0)), "a-1", damping=damping)
    same_bits(CREATE("decoupled", tableau="implicit-euler", alpha=1.0), "a-1", damping=damping)
    assert not np.array_equal(a_1.q, run_bar("implicit-euler", steps=12, gravity=(0, -9.8, 0), damping=damping).q)


def test_a_fixed_weight_of_sdirk2_is_the_search_with_a_range_of_one_point():
    same_bits(CREATE("a-search", tableau="sdirk2", alpha=(0.5, 0.5)), CREATE("decoupled", tableau="sdirk2", alpha=0.5))


def test_decoupling_keeps_what_damping_took():
    """Only conservative forces are corrected: without stiffness, A-1 is implicit Euler."""
    system = jn.AnalyticSystem(
        1.0, lambda q: 0.0, lambda q: 0 * q, lambda q: np.zeros((1, 1)), q=0.0, v=1.0, damping=lambda q: [[3.0]]
    )
    for name in ("a-1", "implicit-euler"):
        run = jn.simulate(system, integrator=name, step=0.1, steps=5, solver=SOLVER)
        np.testing.assert_allclose(run.v[:, 0], 1.3 ** -np.arange(6.0), rtol=1e-12)


@pytest.mark.parametrize("measure", ["plain", "shadow"])
def test_a_decaying_target_is_followed(measure):
    tau = 1.0
    ledger = run_bar(CREATE("a-search", target=jn.Decay(tau=tau, measure=measure)), step=1 / 120, steps=120).ledger
    expected = ledger.target[1] * np.exp(-(ledger.t[1:] - ledger.t[1]) / tau)
    np.testing.assert_allclose(ledger.target[1:], expected, rtol=1e-9)
    np.testing.assert_allclose(ledger.measured[1:], expected, rtol=0.1)
    assert np.abs(ledger.measured[1:] / expected - 1).mean() < 0.02


def test_a_start_below_the_energy_is_reached_soon():
    """No step loses more than implicit Euler's does, so that a lower start takes some steps."""
    ledger = run_bar(CREATE("a-search", target=jn.Conserve(start=0.8, measure="shadow")), steps=60).ledger
    assert ledger.measured[-20:] == pytest.approx(ledger.target[-20:], rel=0.01)
    assert ledger.target[-1] < 0.9 * ledger.total[0]


class Counted:
    """A chain that counts gradients and Hessians."""

    def __init__(self):
        inner = chain()
        self.gradients = self.hessians = 0

        def gradient(q):
            self.gradients += 1
            return inner.gradient(q)

        def hessian(q):
            self.hessians += 1
            return inner.hessian(q)

        self.system = jn.AnalyticSystem(inner.mass, inner.value, gradient, hessian, q=inner.q, v=inner.v, force=-1.0)

    def alone(self, method, steps=50):
        """Gradients asked for without their Hessian, which is to say outside Newton's linearisations."""
        jn.simulate(self.system, integrator=method, step=0.02, steps=steps)
        return self.gradients - self.hessians


@pytest.mark.parametrize("measure", ["plain", "flight", "shadow"])
def test_a_run_asks_for_one_gradient_more_than_implicit_euler(measure):
    """The gradient at a step's end serves the correction, the measure, and the next step's guess."""
    euler = Counted().alone("implicit-euler")
    search = Counted().alone(CREATE("a-search", target=jn.Conserve(measure=measure)))
    assert euler == 50
    assert search == 51


@pytest.mark.parametrize("measure", ["plain", "flight", "shadow"])
def test_steps_halved_midway_keep_the_target(measure):
    """The measure depends on h: the target moves with it, so that the motion's energy does not jump."""
    method = CREATE("a-search", target=jn.Conserve(measure=measure))
    system = jn.build(bar(gravity=(0, -9.8, 0), clamped=False, spin=0.5))
    first = jn.simulate(system, integrator=method, step=1 / 240, steps=20, solver=SOLVER)
    second = jn.simulate(system, integrator=method, step=1 / 480, steps=40, solver=SOLVER, resume=first)
    if measure != "plain":  # which a free fall leaves, whatever the steps
        scale = second.ledger.kinetic.max()
        assert np.abs(second.ledger.measured[1:] - second.ledger.target[1:]).max() < 0.005 * scale
    carried = second.ledger.target[1] - first.ledger.target[-1]
    fall = -9.8 * first.ledger.momentum[-1, 1]  # gravity's power at the change
    expected = {"plain": 0.0, "flight": -0.5 * fall * (1 / 480 - 1 / 240)}.get(measure)
    if expected is not None:
        assert -carried == pytest.approx(expected, abs=1e-9)
    else:
        assert abs(carried) > 0


@pytest.mark.parametrize("measure", ["flight", "shadow"])
@pytest.mark.parametrize("body", ["bar", "particle"])
def test_a_free_fall_costs_nothing_in_flight_and_shadow(body, measure):
    """Implicit Euler loses m g^2 h^2 / 2 of the true energy in every step of a fall; the measures do not see it."""
    m, g, h = 2.0, 9.8, 1 / 60
    method = CREATE("a-search", target=jn.Conserve(measure=measure))
    if body == "particle":
        system = jn.AnalyticSystem(
            m, lambda q: 0.0, lambda q: 0 * q, lambda q: np.zeros((1, 1)), q=0.0, v=1.0, force=-m * g
        )
    else:
        system = jn.build(bar(spin=0.0, clamped=False, gravity=(0, -g, 0)))
        m = float(system.masses.sum())
    ledger = jn.simulate(system, integrator=method, step=h, steps=40, solver=SOLVER).ledger
    fallen = ledger.kinetic.max()
    np.testing.assert_allclose(ledger.measured[1:], ledger.target[1], atol=1e-12 * fallen)
    np.testing.assert_allclose(ledger.target[1:], ledger.target[1], atol=1e-12 * fallen)
    euler = jn.simulate(system, integrator="implicit-euler", step=h, steps=40, solver=SOLVER).ledger
    np.testing.assert_allclose(euler.integrator_loss[1:], 0.5 * m * g**2 * h**2, rtol=1e-8)


def test_the_sparse_search_corrects_after_three_steps_on_one_side():
    target = jn.Decay(tau=2.0, measure="shadow")
    dense, sparse = (run_bar(CREATE("a-search", target=target, sparse=s), step=1 / 120).ledger for s in (False, True))
    free = sparse.alpha[1:] == 1.0
    assert np.all(free[:2])
    assert free.mean() >= 0.66
    assert not free.all()
    assert (dense.alpha[1:] == 1.0).mean() < 0.5
    corrected = np.flatnonzero(~free)
    assert np.diff(corrected).min() >= 3
    assert np.abs(sparse.measured[1:] / sparse.target[1:] - 1).mean() < 0.02


def test_alpha_stays_in_its_range():
    ledger = run_bar(CREATE("a-search", alpha=(0.3, 0.9), target=jn.Decay(tau=0.2))).ledger
    assert ledger.alpha[1:].min() >= 0.3
    assert ledger.alpha[1:].max() <= 0.9
    assert len(np.unique(ledger.alpha[1:])) > 2


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("a-search", {"alpha": (1.0, 0.0)}, "range \\(lowest, highest\\)"),
        ("a-search", {"alpha": (0.0, np.inf)}, "finite numbers"),
        ("a-search", {"tableau": "sdirk3"}, "no Runge-Kutta tableau named 'sdirk3'; did you mean 'sdirk2'"),
        ("a-search", {"alpha": 1.0}, "'alpha' of the integrator 'a-search' is 2 numbers, such as .*; it is 1.0"),
        ("a-search", {"sparse": "maybe"}, "'sparse' .* is true or false; it is 'maybe'"),
        ("decoupled", {"alpha": np.nan}, "'alpha' of the integrator 'decoupled' is a finite number.*; it is nan"),
        ("decoupled", {"alpha": "x"}, "'alpha' .* is a finite number, such as 1.0; it is 'x'"),
        ("avf", {"rule": 3}, "'rule' .* is a name, such as simpson; it is 3"),
    ],
)
def test_senseless_options_are_refused(name, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        CREATE(name, **options)


@pytest.mark.parametrize("name", ["a-search", "blending"])
@pytest.mark.parametrize("target", ["decay", jn.Conserve, None])
def test_what_is_no_target_is_refused_with_those_there_are(name, target):
    with pytest.raises(TypeError, match=r"must be Conserve, Decay, Schedule, Curve.*, such as Conserve"):
        CREATE(name, target=target)


def test_blending_takes_one_target_for_all_bodies():
    with pytest.raises(TypeError, match=r"such as Conserve.*it is PerBody"):
        CREATE("blending", target=jn.PerBody())


def test_a_sparse_search_that_conserves_is_warned_of():
    with pytest.warns(UserWarning, match=r"sparse search is linearly unstable.*8\.8 %"):
        CREATE("a-search", sparse=True)

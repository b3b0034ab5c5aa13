"""AVF, BDF2, TR-BDF2, Bathe and blending against closed forms."""

import numpy as np
import pytest

import jounce as jn
from jounce.integrators.avf import quadrature

from ..systems import bar, chain, exact, free_part

TIGHT = jn.NewtonSolver(tolerance=1e-9, linear_tolerance=1e-13)
CREATE = jn.integrators.create
RULES = ["simpson", *(f"newton-cotes-{n}" for n in range(1, 7)), *(f"gauss-{n}" for n in (1, 2, 3, 8, 16))]


def degree(rule):
    """The degree of polynomials that a rule integrates exactly, as textbooks have it."""
    if rule == "simpson":
        return 3
    kind, _, n = rule.rpartition("-")
    return 2 * int(n) - 1 if kind == "gauss" else int(n) + (int(n) % 2 == 0)


@pytest.mark.parametrize("rule", RULES)
def test_quadrature_rules_are_exact_up_to_their_degree_and_no_further(rule):
    nodes, weights = np.array(quadrature(rule)).T
    powers = np.arange(degree(rule) + 1)
    np.testing.assert_allclose([weights @ nodes**p for p in powers], 1 / (powers + 1), rtol=1e-12)
    if degree(rule) < 15:
        assert abs(weights @ nodes ** (degree(rule) + 1) - 1 / (degree(rule) + 2)) > 1e-12


@pytest.mark.parametrize("rule", ["simson", "gauss-0", "gauss-17", "newton-cotes-7", "gauss-two"])
def test_unknown_rules_are_answered_with_the_nearest(rule):
    with pytest.raises(ValueError, match=f"no quadrature rule named '{rule}'; did you mean"):
        CREATE("avf", rule=rule)


@pytest.mark.parametrize("rule", ["simpson", "gauss-2", "newton-cotes-3"])
def test_avf_keeps_the_energy_of_st_venant_kirchhoff_to_roundoff(rule):
    scene = bar(material=jn.StVenantKirchhoff(youngs=1e5, poisson=0.3), gravity=(0, -9.8, 0))
    ledger = jn.simulate(scene, integrator=CREATE("avf", rule=rule), step=1 / 60, steps=40, solver=TIGHT).ledger
    np.testing.assert_allclose(ledger.total, ledger.total[0], rtol=1e-9)
    midpoint = jn.simulate(
        scene, integrator="implicit-midpoint", step=1 / 60, steps=40, solver=TIGHT, on_failure="stop"
    )
    assert np.ptp(midpoint.ledger.total) > 1e-4 * ledger.total[0]


def test_a_rule_that_is_not_exact_keeps_the_energy_less_well():
    drift = {
        rule: np.ptp(
            jn.simulate(chain(), integrator=CREATE("avf", rule=rule), step=0.1, steps=40, solver=TIGHT).ledger.total
        )
        for rule in ("gauss-1", "newton-cotes-1", "gauss-2")
    }
    assert drift["gauss-2"] < 1e-9
    assert min(drift["gauss-1"], drift["newton-cotes-1"]) > 1e-4


def oscillator(omega):
    return jn.AnalyticSystem(
        1.0,
        lambda q: 0.5 * omega**2 * q @ q,
        lambda q: omega**2 * q,
        lambda q: omega**2 * np.eye(1),
        q=0.3,
        v=0.4 * omega,
    )


ESDIRK = {
    "tr-bdf2": (np.array([[0, 0, 0], [1 - 0.5**0.5, 1 - 0.5**0.5, 0], [2**0.5 / 4, 2**0.5 / 4, 1 - 0.5**0.5]])),
    "bathe": np.array([[0, 0, 0], [1 / 4, 1 / 4, 0], [1 / 3, 1 / 3, 1 / 3]]),
    "sdirk2": np.array([[1 - 0.5**0.5, 0], [0.5**0.5, 1 - 0.5**0.5]]),
    "implicit-euler": np.array([[1.0]]),
}


@pytest.mark.parametrize("z", [0.05, 1.0, 5.0, 1e3])
@pytest.mark.parametrize("name", ESDIRK)
def test_one_step_multiplies_by_the_stability_function(name, z):
    """u = omega q + i v has u1 = R(-i h omega) u0, R(z) = 1 + z b^T (1 - z A)^-1 e, b = A[-1]."""
    A, omega, h = ESDIRK[name], 2.0, z / 2.0
    R = 1 - 1j * z * (A[-1] @ np.linalg.solve(np.eye(len(A)) + 1j * z * A, np.ones(len(A))))
    end = jn.simulate(oscillator(omega), integrator=name, step=h, steps=1, solver=TIGHT).end
    u0, u1 = omega * 0.3 + 0.8j, omega * end.q[0] + 1j * end.v[0]
    assert u1 == pytest.approx(R * u0, abs=1e-8)


@pytest.mark.parametrize("name", ["tr-bdf2", "bathe", "sdirk2", "implicit-euler", "bdf2"])
def test_stiff_modes_are_gone_after_a_few_steps(name):
    """L-stability: |R| tends to zero with the step, while the trapezoidal rule's stays at one."""
    amplitude = {}
    for method in (name, "trapezoidal"):
        run = jn.simulate(oscillator(1e4), integrator=method, step=1.0, steps=4, solver=TIGHT)
        amplitude[method] = np.hypot(run.q[:, 0], run.v[:, 0] / 1e4)
    assert amplitude[name][-1] < 1e-6 * amplitude[name][0]
    assert amplitude["trapezoidal"][-1] == pytest.approx(amplitude["trapezoidal"][0], rel=1e-6)


@pytest.mark.parametrize("z", [0.05, 1.0, 3.0])
@pytest.mark.parametrize("name", ["implicit-euler", "sdirk2"])
def test_the_decoupled_method_takes_positions_from_the_method_and_velocities_from_its_adjoint(name, z):
    """The adjoint undoes the method with the step reversed: its stability function is 1 / R(-z)."""
    A, omega = ESDIRK[name], 2.0

    def R(z):
        return 1 + z * (A[-1] @ np.linalg.solve(np.eye(len(A)) - z * A, np.ones(len(A))))

    method = CREATE("decoupled", tableau=name, alpha=1.0)
    end = jn.simulate(oscillator(omega), integrator=method, step=z / omega, steps=1, solver=TIGHT).end
    u0 = omega * 0.3 + 0.8j
    assert omega * end.q[0] == pytest.approx((R(-1j * z) * u0).real, abs=1e-8)
    assert end.v[0] == pytest.approx((u0 / R(1j * z)).imag, abs=1e-8)


def errors_with_uneven_steps(counts, seconds=0.5):
    """BDF2 on a chain whose steps go long, short, long, short."""
    system, method, found = chain(), CREATE("bdf2"), []
    reference = exact(system, seconds)
    for n in counts:
        pairs = np.tile([4 / 3, 2 / 3], n // 2) * seconds / n
        state, memory = system.initial_state(), None
        for h in pairs:
            mech, start = system.prepare(state, h)
            taken = method.step(mech, start, h, memory, TIGHT)
            assert taken.outcome.ok
            state, memory = taken.state, taken.memory
        found.append(np.linalg.norm(free_part(system, state) - reference) / np.linalg.norm(reference))
    return found


def test_bdf2_keeps_its_order_when_steps_change():
    found = errors_with_uneven_steps((60, 120, 240))
    assert 1.8 < np.log2(found[-2] / found[-1]) < 2.2


@pytest.mark.parametrize("system", [chain(), jn.build(bar())], ids=["chain", "bar"])
def test_blending_keeps_the_energy_where_its_weight_is_inside_its_range(system):
    solver = jn.NewtonSolver(tolerance=1e-6)
    ledger = jn.simulate(system, integrator="blending", step=1 / 120, steps=60, solver=solver).ledger
    inside = (ledger.alpha[1:] > 0) & (ledger.alpha[1:] < 1)
    assert inside.sum() > 5
    np.testing.assert_allclose(ledger.total[1:][inside], ledger.total[0], rtol=1e-8)
    assert ledger.total.max() < 1.001 * ledger.total[0]


def test_blending_follows_a_decaying_target_that_implicit_euler_can_reach():
    method = CREATE("blending", target=jn.Decay(tau=8.0, measure="plain"))
    ledger = jn.simulate(chain(), integrator=method, step=1 / 60, steps=60, solver=TIGHT).ledger
    assert ledger.total[-1] == pytest.approx(ledger.total[0] * np.exp(-1.0 / 8.0), rel=0.02)

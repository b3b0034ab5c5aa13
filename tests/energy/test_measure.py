"""The measures of energy: what A-1 keeps, and how a weight reaches a target."""

from itertools import pairwise

import numpy as np
import pytest

from jounce.energy.measure import Parabola, energy_form
from jounce.integrators.base import create
from jounce.solvers.newton import NewtonSolver
from jounce.systems.analytic import AnalyticSystem

SOLVER = NewtonSolver(tolerance=1e-9, hessian="tikhonov")


def shadow(system: AnalyticSystem, state, h: float) -> float:
    return energy_form(system.prepare(state, h)[0], "shadow", state.q, h)(state.v)


def states(system: AnalyticSystem, method: str, h: float, steps: int):
    """The start and every state after it."""
    method_, state, memory = create(method), system.initial_state(), None
    out = [state]
    for _ in range(steps):
        taken = method_.step(system.prepare(state, h)[0], state, h, memory, SOLVER)
        assert taken.outcome.ok, taken.outcome
        state, memory = taken.state, taken.memory
        out.append(state)
    return out


def random_linear(seed: int, lowest: float) -> AnalyticSystem:
    """M x'' = -K x + f with a full mass matrix; the eigenvalues of K (of unit masses) start at `lowest`."""
    rng = np.random.default_rng(seed)
    n = 5
    A = rng.standard_normal((n, n))
    M = A @ A.T + n * np.eye(n)
    R = np.linalg.qr(rng.standard_normal((n, n)))[0]
    L = np.linalg.cholesky(M)
    K = L @ R @ np.diag(np.concatenate([[lowest], 10.0 ** rng.uniform(0, 5, n - 1)])) @ R.T @ L.T
    K = 0.5 * (K + K.T)
    return AnalyticSystem(
        M, lambda q: 0.5 * q @ K @ q, lambda q: K @ q, lambda q: K,
        q=rng.standard_normal(n), v=rng.standard_normal(n), force=rng.standard_normal(n) * 10,
    )  # fmt: skip


@pytest.mark.parametrize("lowest", [40.0, 0.0, -3.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("h", [0.003, 0.1])
def test_a_1_keeps_the_shadow_energy_of_linear_forces_to_roundoff(seed: int, lowest: float, h: float) -> None:
    system = random_linear(seed, lowest)
    run = states(system, "a-1", h, 20)
    S = np.array([shadow(system, s, h) for s in run])
    H = np.array([system.prepare(s, h)[0].energy(s) for s in run])
    assert np.ptp(S) < 1e-10 * np.abs(S).max()
    assert np.ptp(H) > 1e-4 * np.abs(S).max()


def test_a_1_changes_the_shadow_energy_by_the_trapezoidal_error_of_the_work() -> None:
    def value(q):
        return float(10 * (q**4).sum() + 3 * np.cos(q[0] * q[1]))

    def gradient(q):
        return 40 * q**3 - 3 * np.sin(q[0] * q[1]) * q[::-1]

    def hessian(q):
        s, c = np.sin(q[0] * q[1]), np.cos(q[0] * q[1])
        off = -3 * (s + c * q[0] * q[1])
        return np.array([[120 * q[0] ** 2 - 3 * c * q[1] ** 2, off], [off, 120 * q[1] ** 2 - 3 * c * q[0] ** 2]])

    h = 0.05
    system = AnalyticSystem([1.0, 2.0], value, gradient, hessian, q=[0.8, -0.6], v=[1.0, 2.0])
    run = states(system, "a-1", h, 30)
    for a, b in pairwise(run):
        trapezoid = 0.5 * float((gradient(a.q) + gradient(b.q)) @ (b.q - a.q))
        assert shadow(system, b, h) - shadow(system, a, h) == pytest.approx(
            value(b.q) - value(a.q) - trapezoid, abs=1e-11
        )
    assert np.ptp([shadow(system, s, h) for s in run]) > 1e-3


def test_shadow_energy_of_an_oscillator_is_positive_definite_at_any_step() -> None:
    for z in (1e-3, 1.0, 1e4):
        form = np.array([[1 + z, -(z**0.5) / 2], [-(z**0.5) / 2, 1.0]])  # in (w x, v), twice S
        assert np.linalg.eigvalsh(form)[0] >= 0.75 - 1e-12
        system = AnalyticSystem(
            1.0,
            lambda q, z=z: 0.5 * z * float(q @ q),
            lambda q, z=z: z * q,
            lambda q, z=z: np.array([[z]]),
            q=0.3,
            v=-0.7,
        )
        y = np.array([z**0.5 * 0.3, -0.7])
        assert shadow(system, system.initial_state(), 1.0) == pytest.approx(0.5 * y @ form @ y, rel=1e-13)


@pytest.mark.parametrize("method", ["a-1", "implicit-euler", "a-search"])
def test_flight_is_free_in_the_flight_measure_and_costs_the_energy_itself(method: str) -> None:
    m, g, h = 2.0, 9.8, 0.02
    system = AnalyticSystem(m, lambda q: 0.0, lambda q: 0 * q, lambda q: np.zeros((1, 1)), q=1.0, v=0.5, force=-m * g)
    run = states(system, method, h, 25)
    mech = system.prepare(run[0], h)[0]
    flight = [energy_form(mech, "flight", s.q, h)(s.v) for s in run]
    assert np.ptp(flight) < 1e-12 * abs(flight[0])
    assert mech.energy(run[0]) - mech.energy(run[-1]) == pytest.approx(25 * 0.5 * m * g**2 * h**2, rel=1e-10)


def test_parabola_is_the_energy_along_the_correction() -> None:
    system = random_linear(3, 2.0)
    mech = system.prepare(system.initial_state(), 0.1)[0]
    rng = np.random.default_rng(4)
    w, d = rng.standard_normal(5), rng.standard_normal(5)
    for measure in ("plain", "flight", "shadow"):
        form = energy_form(mech, measure, system.q, 0.1)
        parabola = form.along(w, d)
        for alpha in (-0.4, 0.0, 0.7, 1.1):
            assert parabola(alpha) == pytest.approx(form(w - alpha * d), rel=1e-12)


def test_reach_takes_the_root_nearer_to_one_clips_it_and_falls_back_to_the_vertex() -> None:
    parabola = Parabola(1.0, -1.6, 0.0)  # vertex 0.8, lowest value -0.64
    assert parabola.reach(parabola(0.9), 0.0, 1.1) == pytest.approx(0.9)
    assert parabola.reach(parabola(1.4), 0.0, 1.1) == 1.1
    assert parabola.reach(-1.0, 0.0, 1.1) == pytest.approx(0.8)
    assert Parabola(1.0, 6.0, 0.0).reach(-5.0, 0.0, 1.1) == 0.0
    assert Parabola(0.0, 0.0, 3.0).reach(5.0, 0.0, 1.1) == 1.0

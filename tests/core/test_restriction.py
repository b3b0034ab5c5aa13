"""Mechanics in fewer coordinates are the same mechanics, looked at through q = origin + basis z."""

from dataclasses import replace

import numpy as np
import pytest

import jounce as jn
from jounce.core.potential import Linear, Quadratic

from ..systems import bar, chain

TIGHT = jn.NewtonSolver(tolerance=1e-11, linear_tolerance=1e-13)


@pytest.fixture
def both():
    mech, start = chain(wall=0.32, damping=0.4).prepare(chain().initial_state(), 0.1)
    full = replace(
        mech,
        gravity=Linear(lambda c: np.full(5, -2.0)),
        loads=Linear(lambda c: c * np.arange(5.0)),
        wind=Quadratic(np.eye(5), np.ones(5)),
        script_work=lambda a, b: float(np.sum(b**2 - a**2)),
    )
    rng = np.random.default_rng(3)
    basis = rng.standard_normal((5, 2))
    return full, full.restricted(start.q, basis), start.q, basis, 0.01 * rng.standard_normal(2)


@pytest.mark.parametrize("part", ["elastic", "contact"])
def test_potentials_are_those_of_the_full_coordinates(both, part):
    full, small, origin, basis, z = both
    inner, outer = getattr(full, part), getattr(small, part)
    q = origin + basis @ z
    assert outer.value(z) == inner.value(q)
    np.testing.assert_allclose(outer.gradient(z), basis.T @ inner.gradient(q), rtol=1e-12)
    np.testing.assert_allclose(outer.hessian(z, psd=False), basis.T @ inner.hessian(q, psd=False) @ basis, rtol=1e-12)
    gradient, hessian = outer.linearise(z, psd=True)
    np.testing.assert_allclose(gradient, outer.gradient(z))
    np.testing.assert_allclose(hessian, basis.T @ inner.hessian(q, psd=True) @ basis, rtol=1e-12)


def test_velocities_have_no_origin(both):
    full, small, _, basis, z = both
    assert small.dissipation.value(z) == pytest.approx(full.dissipation.value(basis @ z), rel=1e-13)
    np.testing.assert_allclose(small.drag(z), basis.T @ full.drag(basis @ z), rtol=1e-12)


def test_mass_forces_and_work_are_projected(both):
    full, small, origin, basis, z = both
    M = np.diag(full.mass.diagonal)
    np.testing.assert_allclose(small.mass.matrix, basis.T @ M @ basis, rtol=1e-12)
    q = origin + basis @ z
    force = basis.T @ full.force(jn.State(0.0, q, basis @ z), at=0.5)
    np.testing.assert_allclose(small.force(jn.State(0.0, z, z), at=0.5), force, rtol=1e-11)
    a, b = full.changes(origin, q, 0.1), small.changes(0 * z, z, 0.1)
    np.testing.assert_allclose(b, a, rtol=1e-11)


def test_differences_of_energy_are_kept(both):
    full, small, origin, basis, z = both

    def energy(z, w):
        return full.energy(jn.State(0.0, origin + basis @ z, basis @ w)), small.energy(jn.State(0.0, z, w))

    (a0, b0), (a1, b1) = energy(0 * z, z), energy(z, -2 * z)
    assert b1 - b0 == pytest.approx(a1 - a0, rel=1e-10)


def test_the_step_filter_is_asked_about_the_full_move(both):
    full, small, origin, basis, _ = both
    far = np.linalg.lstsq(basis, np.full(5, 10.0), rcond=None)[0]
    far *= np.sign((basis @ far)[-1])
    fraction = small.feasible_fraction(0 * far, far)
    assert fraction == full.feasible_fraction(origin, origin + basis @ far) < 1


def test_all_coordinates_as_a_basis_give_the_full_step():
    """A square basis changes nothing but the coordinates: one step of implicit Euler agrees to roundoff."""
    system = jn.build(bar())
    mech, start = system.prepare(system.initial_state(), 0.01)
    n = start.q.size
    basis = np.linalg.qr(np.random.default_rng(2).standard_normal((n, n)))[0]
    small = mech.restricted(start.q, basis)
    method = jn.integrators.create("implicit-euler")
    whole = method.step(mech, start, 0.01, None, TIGHT)
    parts = method.step(small, jn.State(0.0, np.zeros(n), basis.T @ start.v), 0.01, None, TIGHT)
    assert whole.outcome.ok
    assert parts.outcome.ok
    np.testing.assert_allclose(start.q + basis @ parts.state.q, whole.state.q, atol=1e-12)
    np.testing.assert_allclose(basis @ parts.state.v, whole.state.v, atol=1e-9)


def test_a_reduced_step_is_the_best_in_its_subspace():
    """A linear system's implicit Euler step, against the projected linear system solved by numpy."""
    K = np.diag([30.0, 50.0, 20.0]) - 8.0 * (np.eye(3, k=1) + np.eye(3, k=-1))
    q, v, h = np.array([0.1, -0.3, 0.2]), np.array([1.0, 0.5, -2.0]), 0.05
    system = jn.AnalyticSystem(2.0, lambda q: 0.5 * q @ K @ q, lambda q: K @ q, lambda q: K, q=q, v=v)
    basis = np.random.default_rng(0).standard_normal((3, 2))
    w = np.linalg.lstsq(basis, v, rcond=None)[0]
    small = system.prepare(system.initial_state(), h)[0].restricted(q, basis)
    found = jn.integrators.create("implicit-euler").step(small, jn.State(0.0, np.zeros(2), w), h, None, TIGHT)
    A = basis.T @ (2.0 * np.eye(3) + h**2 * K) @ basis
    expected = np.linalg.solve(A, basis.T @ (2.0 * basis @ w - h * K @ q))
    np.testing.assert_allclose(found.state.v, expected, rtol=1e-9)

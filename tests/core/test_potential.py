"""Potentials know when in the step they are felt, and their parts agree."""

import numpy as np
import pytest

import jounce as jn
from jounce.core.potential import Linear, Quadratic, Total

from ..systems import bar


def test_a_linear_potential_is_the_force_of_its_fraction():
    force = Linear(lambda c: np.array([c, 1.0 - c]))
    q = np.array([2.0, 3.0])
    for c in (0.0, 0.25, 1.0):
        assert force.at(c).value(q) == pytest.approx(-(2.0 * c + 3.0 * (1 - c)))
        np.testing.assert_allclose(force.at(c).gradient(q), [-c, c - 1.0])
    assert force.at(1.0) is force
    assert force.at(0.5).at(0.0).gradient(q)[1] == -1.0


def test_a_quadratic_is_centred():
    A, c, q = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, -1.0]), np.array([0.5, 2.0])
    p = Quadratic(A, c)
    assert p.value(q) == pytest.approx(0.5 * (q - c) @ A @ (q - c))
    numeric = [(p.value(q + 1e-6 * e) - p.value(q - 1e-6 * e)) / 2e-6 for e in np.eye(2)]
    np.testing.assert_allclose(p.gradient(q), numeric, rtol=1e-8)


def test_a_sum_is_felt_at_one_fraction_by_all_its_terms():
    total = Total((Linear(lambda c: np.array([c])), Linear(lambda c: np.array([10 * c])), Quadratic(np.eye(1))))
    q = np.array([3.0])
    assert total.at(0.5).gradient(q)[0] == pytest.approx(-0.5 - 5.0 + 3.0)
    gradient, hessian = total.at(0.5).linearise(q, psd=True)
    assert gradient[0] == pytest.approx(-2.5)
    np.testing.assert_allclose(hessian, [[1.0]])
    assert Total(()).value(q) == 0.0
    np.testing.assert_allclose(Total(()).gradient(q), [0.0])


@pytest.fixture
def dragged():
    """A bar whose clamped end travels by 0.02 m along y and 0.01 along z within the step."""
    path = jn.Translate(velocity=(0.0, 0.2, 0.1))
    clamp = jn.Clamp(nodes=lambda x: x[:, 0] < -0.15 + 1e-9, path=path)
    material = jn.StableNeoHookean(youngs=1e5, poisson=0.3)
    system = jn.build(jn.Scene((jn.Solid(bar().bodies[0].mesh, material, clamps=(clamp,)),)))
    return system, *system.prepare(system.initial_state(), 0.1)


@pytest.mark.parametrize("fraction", [0.0, 0.3, 1.0])
def test_moving_clamps_are_where_the_script_has_them_at_that_fraction(dragged, fraction):
    system, mech, start = dragged
    rest = system.start
    held = rest[:, 0] < -0.15 + 1e-9
    x = rest.copy()
    x[held] += fraction * np.array([0.0, 0.02, 0.01])
    expected = sum(t.energies(x).sum() for t in system.terms)
    assert mech.elastic.at(fraction).value(start.q) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    nodal = np.zeros_like(x)
    for t in system.terms:
        np.add.at(nodal, t.nodes, t.gradients(x))
    np.testing.assert_allclose(mech.elastic.at(fraction).gradient(start.q), nodal[~held].ravel(), atol=1e-9)
    assert mech.potential.at(fraction).at(0.0).value(start.q) == mech.potential.at(0.0).value(start.q)


def test_what_stands_still_is_itself_at_any_fraction():
    system = jn.build(bar())
    mech, _ = system.prepare(system.initial_state(), 0.1)
    assert mech.elastic.at(0.3) is mech.elastic


def test_a_dragged_end_arrives_with_the_velocity_of_its_script(dragged):
    system, _, start = dragged
    end = system.commit(system.initial_state(), start, start.moved(0.1, start.q, start.v))
    held = system.start[:, 0] < -0.15 + 1e-9
    moved = (system.positions(end) - system.start)[held]
    np.testing.assert_allclose(moved, [[0.0, 0.02, 0.01]] * held.sum(), atol=1e-15)
    np.testing.assert_allclose(end.v.reshape(-1, 3)[held], [[0.0, 0.2, 0.1]] * held.sum(), atol=1e-14)

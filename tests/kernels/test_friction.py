"""Smoothed Coulomb friction of single pairs: derivatives, convexity, limits, and the toolkit's own curve."""

import ipctk
import numpy as np
import pytest

from jounce.kernels.friction import friction_loop

from .pairs import differences, whole

EPS = 1e-2
SPEEDS = {"zero": 0.0, "creeping": 1e-9, "sticking": 0.3 * EPS, "nearly sliding": 0.999 * EPS, "sliding": 20 * EPS}


def pair(k, speed, seed=0):
    """Velocities (k, 3), coefficients, normal of a pair that slips with `speed` (m/s), and also moves along its normal."""
    rng = np.random.default_rng(seed)
    c = rng.normal(size=k)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    slip = np.cross(n, rng.normal(size=3))
    slip *= speed / np.linalg.norm(slip)
    v = rng.normal(size=(k, 3)) if speed else np.zeros((k, 3))
    v[0] += ((slip + 0.4 * n * bool(speed)) - c @ v) / c[0]
    return v, c, n


def friction(v, c, n, level=2, load=2.0, eps=EPS):
    k = len(v)
    energies, gradients, blocks = np.empty(1), np.full((1, k, 3), np.nan), np.full((1, k * (k + 1) // 2, 3, 3), np.nan)
    friction_loop(v, np.arange(k)[None], c[None], n[None], np.array([load]), eps, level, energies, gradients, blocks)
    return energies[0], gradients[0].ravel(), whole(blocks[0], k)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize("how", ["creeping", "sticking", "nearly sliding", "sliding"])
def test_gradient_and_hessian_are_the_derivatives_of_the_potential(how, k):
    v, c, n = pair(k, SPEEDS[how])
    _, gradient, hessian = friction(v, c, n)
    step = 1e-3 * min(max(SPEEDS[how], 1e-4), EPS - SPEEDS[how] if SPEEDS[how] < EPS else EPS)
    by_value = differences(lambda u: friction(u, c, n, level=0)[0], v, step)
    by_gradient = differences(lambda u: friction(u, c, n, level=1)[1], v, step)
    np.testing.assert_allclose(gradient, by_value, atol=1e-7 * np.abs(c).max())
    # At rest the third derivative jumps: the differences are of first order there.
    np.testing.assert_allclose(hessian, by_gradient, atol=1e-5 * np.abs(hessian).max())


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_without_slip_there_is_no_force_but_a_stiff_hold(k):
    v, c, n = pair(k, 0.0)
    value, gradient, hessian = friction(v, c, n)
    assert value == pytest.approx(2.0 * EPS / 3)
    assert not gradient.any()
    flat = np.eye(3) - np.outer(n, n)
    np.testing.assert_allclose(hessian, 2.0 * 2.0 / EPS * np.kron(np.outer(c, c), flat), atol=1e-12 / EPS)


@pytest.mark.parametrize("how", SPEEDS)
def test_the_potential_is_convex(how):
    for seed in range(5):
        hessian = friction(*pair(4, SPEEDS[how], seed))[2]
        assert np.linalg.eigvalsh(hessian)[0] > -1e-13 * np.abs(hessian).max()


def test_the_force_is_the_load_from_the_stick_speed_on_and_against_the_slip():
    for speed in (EPS, 2 * EPS, 10.0):
        v, c, n = pair(3, speed)
        _, gradient, _ = friction(v, c, n)
        slip = c @ v - (c @ v @ n) * n
        np.testing.assert_allclose(gradient.reshape(3, 3), 2.0 * np.outer(c, slip / speed), atol=1e-9)


@pytest.mark.parametrize("how", SPEEDS)
def test_the_curve_is_the_toolkits(how):
    y = SPEEDS[how]
    v, c, n = np.array([[y, 0.0, 0.0]]), np.ones(1), np.array([0.0, 1.0, 0.0])
    value, gradient, _ = friction(v, c, n, load=1.0)
    assert value == pytest.approx(ipctk.smooth_friction_f0(y, EPS), rel=1e-12)
    assert gradient[0] == pytest.approx(ipctk.smooth_friction_f1(y, EPS), rel=1e-12, abs=1e-15)


def test_a_nan_is_not_hidden():
    v, c, n = pair(2, 1.0)
    v[1, 2] = np.nan
    value, gradient, _ = friction(v, c, n)
    assert np.isnan(value)
    assert np.isnan(gradient).any()

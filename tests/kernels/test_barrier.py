"""The barrier of every kind of pair: derivatives by differences, projection, and extremes."""

import numpy as np
import pytest

from jounce.kernels import barrier as kernels
from jounce.kernels.closest import EDGE_EDGE

from .pairs import DHAT, KINDS, corners_of, differences, evaluate, whole

FORMS = pytest.mark.parametrize("squared", [False, True], ids=["metric", "squared"])
PAIRS = pytest.mark.parametrize("name", KINDS)
SOFT = 40.0
"""A threshold (m^4) above |u x v|^2 of the crossed edges, so that they are mollified."""


def crossed(angle, gap, rng):
    """Two edges that cross at an angle (radians), `gap` (m) apart."""
    c, s = np.cos(angle), np.sin(angle)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return np.array([[-1, 0, gap], [1, 0, gap], [-0.9 * c, -0.9 * s, 0], [1.1 * c, 1.1 * s, 0]]) @ turn.T


def assert_derivatives(kind, x, step, slack, **options):
    """Gradient and Hessian are those that differences over `step` give, but for shares and roundoff of `slack`."""
    energy, gradient, hessian = evaluate(kind, x, **options)
    assert np.isfinite(energy)
    by_energy = differences(lambda y: evaluate(kind, y, level=kernels.VALUE, **options)[0], x, step)
    by_gradient = differences(lambda y: evaluate(kind, y, level=kernels.GRADIENT, **options)[1], x, step)
    (share_g, roundoff_g), (share_h, roundoff_h) = slack
    np.testing.assert_allclose(gradient, by_energy, atol=share_g * np.abs(gradient).max() + roundoff_g, rtol=0)
    np.testing.assert_allclose(hessian, by_gradient, atol=share_h * np.abs(hessian).max() + roundoff_h, rtol=0)


@FORMS
@pytest.mark.parametrize("gap", [0.2, 1e-2, 1e-5])
@PAIRS
def test_gradient_and_hessian_are_the_derivatives_of_the_energy(name, gap, squared):
    x = corners_of(KINDS[name], np.random.default_rng(1), gap)
    share = 1e-10 + 1e-12 / gap  # roundoff of positions of size one, over the gap
    assert_derivatives(KINDS[name], x, 1e-3 * gap, ((share, 0), (10 * share, 0)), squared=squared, weight=3.0)


@FORMS
@pytest.mark.parametrize("gap", [0.2, 1e-2])
@pytest.mark.parametrize("angle", [1.0, 1e-2, 1e-3])
def test_mollified_edges_have_the_derivatives_of_their_energy(angle, gap, squared):
    x = crossed(angle, gap, np.random.default_rng(2))
    step = 1e-2 * min(gap, angle)  # closest points run fast along nearly parallel edges
    roundoff = 1e-15 / SOFT  # of the mollifier
    slack = ((1e-8, 100 * roundoff / step), (1e-7, 100 * roundoff / gap / step))
    assert_derivatives(EDGE_EDGE, x, step, slack, squared=squared, threshold=SOFT)


@pytest.mark.parametrize("nearest", range(9))
def test_mollified_edges_have_derivatives_wherever_their_closest_points_lie(nearest):
    x = np.array([[-1, 0, 0.1], [1, 0.1, 0.1], [-1, 0, 0], [1, 0.0, 0.02]])
    assert_derivatives(EDGE_EDGE, x, 2e-4, ((1e-8, 1e-11), (1e-8, 1e-10)), threshold=SOFT, nearest=nearest, dhat=3.0)


@FORMS
@PAIRS
def test_the_energy_is_that_of_the_distance(name, squared):
    x = corners_of(KINDS[name], np.random.default_rng(3), gap=0.1)
    r = 0.1 / DHAT
    expected = -((r**2 - 1) ** 2) * np.log(r**2) if squared else -((r - 1) ** 2) * np.log(r)
    assert evaluate(KINDS[name], x, squared=squared, weight=5.0)[0] == pytest.approx(5.0 * expected, rel=1e-12)


@pytest.mark.parametrize("threshold", [0.0, SOFT], ids=["plain", "mollified"])
@FORMS
@PAIRS
def test_forces_balance_and_have_no_moment(name, squared, threshold):
    x = corners_of(KINDS[name], np.random.default_rng(4))
    g = evaluate(KINDS[name], x, squared=squared, threshold=threshold)[1].reshape(-1, 3)
    assert np.abs(g.sum(axis=0)).max() < 1e-13 * np.abs(g).max()
    assert np.abs(np.cross(x, g).sum(axis=0)).max() < 1e-12 * np.abs(g).max() * (1 + np.abs(x).max())


@FORMS
@pytest.mark.parametrize("gap", [0.29, 0.05, 1e-9])
@PAIRS
def test_a_projected_pair_keeps_its_curvature_along_the_normal(name, gap, squared):
    x = corners_of(KINDS[name], np.random.default_rng(5), gap)
    _, gradient, hessian = evaluate(KINDS[name], x, squared=squared, level=kernels.PROJECTED)
    lowest = np.linalg.eigvalsh(hessian)[0]
    assert lowest > -1e-12 * np.abs(hessian).max()
    along = gradient / np.linalg.norm(gradient)
    curvature = along @ evaluate(KINDS[name], x, squared=squared)[2] @ along
    np.testing.assert_allclose(hessian, curvature * np.outer(along, along), atol=1e-5 * abs(curvature))


@FORMS
@pytest.mark.parametrize("angle", [1.0, 1e-3])
def test_a_projected_mollified_pair_is_the_nearest_positive_semidefinite_one(angle, squared):
    x = crossed(angle, 0.1, np.random.default_rng(6))
    exact = evaluate(EDGE_EDGE, x, squared=squared, threshold=SOFT)[2]
    w, V = np.linalg.eigh(exact)
    assert w[0] < 0
    found = evaluate(EDGE_EDGE, x, squared=squared, threshold=SOFT, level=kernels.PROJECTED)[2]
    np.testing.assert_allclose(found, V @ np.diag(np.maximum(w, 0)) @ V.T, atol=1e-12 * np.abs(exact).max())


@FORMS
@PAIRS
def test_pairs_farther_apart_than_the_barrier_feel_nothing(name, squared):
    x = corners_of(KINDS[name], np.random.default_rng(7), gap=DHAT * (1 + 1e-9))
    energy, gradient, hessian = evaluate(KINDS[name], x, squared=squared)
    assert energy == 0.0
    assert not gradient.any()
    assert not hessian.any()


@FORMS
@PAIRS
def test_a_nanometre_pushes_and_stays_finite(name, squared):
    x = corners_of(KINDS[name], np.random.default_rng(8), gap=1e-9)
    energy, gradient, hessian = evaluate(KINDS[name], x, squared=squared, level=kernels.PROJECTED)
    assert energy > -np.log(1e-8)
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()
    assert np.abs(gradient).max() == pytest.approx((2 if squared else 1) / 1e-9, rel=0.8)


@PAIRS
def test_huge_coordinates_cost_no_more_than_their_roundoff(name):
    x = corners_of(KINDS[name], np.random.default_rng(9))
    far = x + np.array([1e6, -3e6, 2e6])
    for here, there in zip(evaluate(KINDS[name], far - np.array([1e6, -3e6, 2e6])), evaluate(KINDS[name], far)):
        np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-12 * np.abs(here).max())


@PAIRS
def test_no_distance_is_an_infinite_energy(name):
    x = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)[
        : len(corners_of(KINDS[name], np.random.default_rng()))
    ]
    if KINDS[name] == EDGE_EDGE:
        x[[1, 2]] = x[[2, 1]]
    assert evaluate(KINDS[name], x, level=kernels.VALUE)[0] == np.inf


@PAIRS
def test_a_nan_is_not_hidden(name):
    x = corners_of(KINDS[name], np.random.default_rng(10))
    x[0, 1] = np.nan
    energy, gradient, _ = evaluate(KINDS[name], x)
    assert not np.isfinite(energy)
    assert not np.isfinite(gradient).all()


@FORMS
def test_a_plane_is_felt_like_a_point_below(squared):
    up, x = np.array([0.6, 0.8, 0.0]), np.array([[1.0, 2.0, 3.0]])
    height = float(x[0] @ up) - 0.1
    energies, gradients, blocks = np.empty(1), np.empty((1, 1, 3)), np.empty((1, 1, 3, 3))
    kernels.plane_loop(
        x, np.array([0]), up, height, np.array([2.0]), DHAT, squared, kernels.HESSIAN, energies, gradients, blocks
    )
    pair = np.array([x[0], x[0] - 0.1 * up])
    energy, gradient, hessian = evaluate(
        KINDS["point-point"], pair, weight=2.0, squared=squared, level=kernels.PROJECTED
    )
    assert energies[0] == pytest.approx(energy, rel=1e-12)
    np.testing.assert_allclose(gradients[0, 0], gradient[:3], rtol=1e-12)
    np.testing.assert_allclose(whole(blocks[0], 1), hessian[:3, :3], rtol=1e-11, atol=1e-9)

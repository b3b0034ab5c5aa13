"""Closest points of pairs: their distances, coefficients and normals, against a search over the pair's own points."""

import ipctk
import numpy as np
import pytest
from scipy.optimize import lsq_linear

from jounce.kernels import barrier as kernels
from jounce.kernels.closest import EDGE_EDGE

from .pairs import KINDS, corners_of

PAIRS = pytest.mark.parametrize("name", KINDS)


def distance(kind, x, nearest=8):
    out = np.empty(1)
    kernels.distance_loop(np.ascontiguousarray(x), np.arange(len(x))[None], kind, np.array([nearest]), out)
    return out[0]


def normal(kind, x, nearest=8):
    """Coefficients, normal and normal force of one pair, its barrier beginning 10 m away."""
    c, n, force = np.empty((1, len(x))), np.empty((1, 3)), np.empty(1)
    kernels.normal_loop(
        np.ascontiguousarray(x), np.arange(len(x))[None], kind, np.array([nearest]), np.zeros(1), np.ones(1),
        np.array([10.0]), False, c, n, force,
    )  # fmt: skip
    return c[0], n[0], force[0]


def searched(kind, x):
    """The smallest distance between points of both parts whose closest points lie inside, by least squares over the parameters."""
    if kind == EDGE_EDGE:
        start, ways = x[0] - x[2], np.array([x[1] - x[0], x[2] - x[3]]).T
    else:
        start, ways = x[0] - x[1], (x[1] - x[2:]).T
    if not ways.size:
        return np.linalg.norm(start)
    return np.linalg.norm(start + ways @ lsq_linear(ways, -start, bounds=(0, 1), tol=1e-14).x)


@pytest.mark.parametrize("gap", [2.0, 1e-3])
@PAIRS
def test_distances_are_the_smallest_there_are(name, gap):
    rng = np.random.default_rng(0)
    for _ in range(20):
        x = corners_of(KINDS[name], rng, gap)
        assert distance(KINDS[name], x) == pytest.approx(gap, rel=1e-10)
        assert distance(KINDS[name], x) == pytest.approx(searched(KINDS[name], x), rel=1e-8)


@PAIRS
def test_coefficients_lead_from_one_closest_point_to_the_other(name):
    x = corners_of(KINDS[name], np.random.default_rng(1), gap=0.1)
    c, n, force = normal(KINDS[name], x)
    np.testing.assert_allclose(c @ x, 0.1 * n, atol=1e-14)
    assert abs(c.sum()) < 1e-14
    assert np.linalg.norm(n) == pytest.approx(1.0, rel=1e-14)
    assert force > 0


@pytest.mark.parametrize("nearest", range(9))
def test_two_edges_are_as_far_apart_as_their_named_parts(nearest):
    x = np.random.default_rng(2).normal(size=(4, 3))
    kind = ipctk.EdgeEdgeDistanceType(nearest)
    assert distance(EDGE_EDGE, x, nearest) ** 2 == pytest.approx(ipctk.edge_edge_distance(*x, kind), rel=1e-10)


def test_parallel_edges_have_a_finite_distance():
    x = np.array([[0.0, 0.1, 0.0], [1.0, 0.1, 0.0], [0.2, 0.0, 0.0], [1.4, 0.0, 0.0]])
    kind = int(ipctk.edge_edge_distance_type(*x))
    assert distance(EDGE_EDGE, x, kind) == pytest.approx(0.1, rel=1e-12)

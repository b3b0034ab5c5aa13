"""Collision times: never later than exact ones, never so early that a move stalls, and nothing is passed on long moves."""

import ipctk
import numpy as np
import pytest

import jounce as jn

from . import triangles

T = np.array([[0, 0, 0], [1, 0, 0], [0.3, 0.9, 0]])
EDGES = ((0, 1), (1, 2), (2, 0))
EXACT = ipctk.TightInclusionCCD(tolerance=1e-6, max_iterations=1_000_000, conservative_rescaling=1.0)


def two_triangles(distance=0.02):
    return triangles(T, T + np.array([0, 0, 1]), contact=jn.Barrier(distance=distance)).contact


def intersect(x):
    ends = [(x[i], x[j], x[3:]) for i, j in EDGES] + [(x[3 + i], x[3 + j], x[:3]) for i, j in EDGES]
    return any(ipctk.is_edge_intersecting_triangle(a, b, *t) for a, b, t in ends)


def exact_time(x0, x1):
    """When two triangles first meet, by tight inclusion of their 6 point-triangle and 9 edge-edge pairs."""
    found = [EXACT.point_triangle_ccd(*x0[[p, *t]], *x1[[p, *t]]) for p, t in POINTS]
    found += [EXACT.edge_edge_ccd(*x0[list(e)], *x1[list(e)]) for e in BOTH]
    return min((t for hit, t in found if hit), default=1.0)


POINTS = [(i, [3, 4, 5]) for i in range(3)] + [(i + 3, [0, 1, 2]) for i in range(3)]
BOTH = [(a, b, 3 + c, 3 + d) for a, b in EDGES for c, d in EDGES]


def moves(count, seed=0):
    """Starts apart from each other, and ends a hundredth to ten lengths of an edge away."""
    rng = np.random.default_rng(seed)
    while count:
        x0 = np.concatenate([T, T + 0.5 * rng.normal(size=3)]) + 0.3 * rng.normal(size=(6, 3))
        if not intersect(x0):
            count -= 1
            yield x0, x0 + rng.normal(size=(6, 3)) * 10 ** rng.uniform(-2, 1)


def test_collision_times_are_never_later_than_exact_ones_and_seldom_much_earlier():
    term = two_triangles()
    shares = []
    for x0, x1 in moves(500):  # of 15 pairs each
        ours, exact = term.longest_step(x0, x1), exact_time(x0, x1)
        assert 0.0 < ours <= exact
        if exact < 1.0:
            shares.append(ours / exact)
    assert len(shares) > 100
    assert np.median(shares) > 0.8
    assert np.quantile(shares, 0.05) > 0.4


def test_a_move_that_meets_nothing_is_gone_in_a_few_pieces_and_any_other_closes_in():
    term = two_triangles()
    for x0, x1 in moves(200, seed=1):
        exact, gone, passes = exact_time(x0, x1), 0.0, 0
        while gone < 0.99 * exact and passes < 12:
            gone += term.longest_step(x0 + gone * (x1 - x0), x1) * (1.0 - gone)
            passes += 1
        assert gone >= 0.99 * exact
        assert gone <= exact


@pytest.mark.parametrize("length", [3.0, 30.0, 300.0, 30000.0])
def test_long_moves_pass_through_nothing(length):
    term = two_triangles()
    x0 = np.concatenate([T, T + np.array([0.1, 0.1, 1.0])])
    x1 = x0.copy()
    x1[3:, 2] -= length
    free = term.longest_step(x0, x1)
    assert 0.0 < free < 1.0 / length
    x1[3:, 2] = x0[3:, 2] + length
    assert term.longest_step(x0, x1) > 0.0


def test_nearly_touching_triangles_may_still_part():
    term = two_triangles()
    x0 = np.concatenate([T, T + np.array([0.1, 0.1, 1e-9])])
    x1 = x0.copy()
    x1[3:, 2] += 0.5
    assert term.longest_step(x0, x1) == 1.0
    x1[3:, 2] = -0.5
    assert 0.0 < term.longest_step(x0, x1) < 1e-8


def test_a_flight_in_formation_is_free_however_far_it_goes():
    term = two_triangles()
    x0 = np.concatenate([T, T + np.array([0.1, 0.1, 1e-6])])
    assert term.longest_step(x0, x0 + np.array([1e3, -1e4, 1e3])) == 1.0


def test_what_is_not_finite_is_left_to_the_energy():
    term = two_triangles()
    x0 = np.concatenate([T, T + np.array([0.0, 0.0, 1.0])])
    x1 = x0.copy()
    x1[2, 1] = np.nan
    assert term.longest_step(x0, x1) == 1.0
    assert term.value(x1) == np.inf


def test_pairs_found_for_one_move_are_complete_wherever_the_search_looks_next():
    rng = np.random.default_rng(2)
    for x0, x1 in moves(60, seed=3):
        travelled, fresh = two_triangles(distance=0.3), two_triangles(distance=0.3)
        travelled.longest_step(x0, x1)
        for _ in range(4):
            x = x0 + rng.uniform() * (x1 - x0) + 0.1 * rng.uniform(-1, 1, x0.shape)
            old, new = travelled.pairs(x), fresh.pairs(x)
            assert [p.nodes.tolist() for p in old] == [p.nodes.tolist() for p in new]
            assert [p.weights.tolist() for p in old] == [p.weights.tolist() for p in new]

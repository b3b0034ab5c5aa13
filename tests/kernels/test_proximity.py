"""Distances of edges and of points and triangles, against the collision toolkit's."""

import ipctk
import numpy as np
import pytest

from jounce.kernels.proximity import FACE, proximity_loop

COUNT = 3000


def nearest(x, corners, edges):
    n = len(corners)
    squares, parts, crossings = np.empty(n), np.empty(n, dtype=np.int64), np.empty(n)
    proximity_loop(x, corners, edges, squares, parts, crossings)
    return squares, parts, crossings


def quadruples(rng, flat=1.0):
    x = rng.normal(size=(4 * COUNT, 3)) * (1.0, flat, 1.0)
    return x, np.arange(4 * COUNT).reshape(-1, 4)


@pytest.mark.parametrize("flat", [1.0, 1e-3, 0.0])
def test_edges_have_the_toolkits_distance_and_nearest_parts(flat):
    x, corners = quadruples(np.random.default_rng(0), flat)
    squares, parts, crossings = nearest(x, corners, True)
    for q, square, part, crossing in zip(x[corners], squares, parts, crossings, strict=True):
        assert square == pytest.approx(ipctk.edge_edge_distance(*q), rel=1e-9, abs=1e-20)
        assert crossing == pytest.approx(np.sum(np.cross(q[1] - q[0], q[3] - q[2]) ** 2), rel=1e-9)
        if square > 1e-20:  # edges that cross in a plane have no nearest end
            assert part == int(ipctk.edge_edge_distance_type(*q))


@pytest.mark.parametrize("flat", [1.0, 1e-3])
def test_points_and_triangles_have_the_toolkits_distance_and_nearest_part(flat):
    x, corners = quadruples(np.random.default_rng(1), flat)
    squares, parts, _ = nearest(x, corners, False)
    for q, square, part in zip(x[corners], squares, parts, strict=True):
        assert square == pytest.approx(ipctk.point_triangle_distance(*q), rel=1e-7, abs=1e-16)
        assert part == int(ipctk.point_triangle_distance_type(*q))


def test_every_part_of_a_triangle_and_of_two_edges_occurs():
    x, corners = quadruples(np.random.default_rng(2))
    assert set(nearest(x, corners, False)[1]) == set(range(FACE + 1))
    assert set(nearest(x, corners, True)[1]) == set(range(9))


def test_parallel_and_empty_edges_have_a_distance():
    x = np.array([[0, 0, 0], [1, 0, 0], [0.2, 1, 0], [0.7, 1, 0], [5, 0, 0], [6, 0, 0], [3, 4, 0], [3, 4, 0.0]])
    corners = np.array([[0, 1, 2, 3], [0, 1, 4, 5], [6, 7, 0, 1], [6, 7, 6, 7]])
    squares, _, crossings = nearest(x, corners, True)
    np.testing.assert_allclose(squares, [1.0, 16.0, 4.0 + 16.0, 0.0])
    np.testing.assert_allclose(crossings, 0.0)

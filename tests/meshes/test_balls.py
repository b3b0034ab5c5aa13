"""The ball: counts, volume, topology and shape of its tets."""

import numpy as np
import pytest

from jounce.meshes import ball
from tests.meshes.test_boxes import euler


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_ball_has_the_counts_it_promises_and_one_closed_surface(n):
    mesh = ball(radius=0.3, resolution=n)
    assert len(mesh.tets) == 20 * n**3
    assert len(mesh.vertices) == 1 + 2 * n + 5 * n * (n + 1) * (2 * n + 1) // 3
    assert euler(mesh.surface) == 2
    assert len(mesh.surface) == 20 * n**2
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices[mesh.boundary_nodes], axis=1), 0.3)


def test_the_volume_converges_with_second_order():
    exact = 4 / 3 * np.pi * 0.3**3
    coarse, fine = (1 - ball(radius=0.3, resolution=n).volume / exact for n in (5, 10))
    assert 0 < fine < 0.006
    assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("n", [2, 6, 12])
def test_tets_are_well_shaped_at_any_size(n):
    smallest, largest = ball(radius=10.0, resolution=n).dihedral_angles()
    assert smallest > 36
    assert largest < 120


def test_the_same_ball_has_the_same_bits_twice():
    first, second = ball(resolution=4), ball(resolution=4)
    assert first.vertices.tobytes() == second.vertices.tobytes()
    assert first.tets.tobytes() == second.tets.tobytes()

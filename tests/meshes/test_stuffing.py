"""Isosurface stuffing: bounded angles, closed manifold surfaces on the level set, volumes that converge."""

import numpy as np
import pytest

from jounce.meshes import MeshError, stuffed, surface_report, without_unused_nodes
from jounce.meshes.geometry import boundary_triangles
from jounce.meshes.lattice import bcc
from jounce.meshes.manifold import largest_part, manifold_part
from jounce.meshes.report import SurfaceReport
from jounce.meshes.surfacemesh import SurfaceMesh
from tests.meshes.test_boxes import euler

BOX = ([-0.8] * 3, [0.8] * 3)
TURN = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]


def sphere(x):
    return np.linalg.norm(x, axis=1) - 0.5


def ring(x):
    return np.hypot(np.hypot(x[:, 0], x[:, 2]) - 0.5, x[:, 1]) - 0.2


def turned_cube(x):
    return np.abs(x @ TURN).max(axis=1) - 0.4


def sponge(x):
    s, c = np.sin(9 * x), np.cos(9 * x)
    return np.maximum(np.linalg.norm(x, axis=1) - 0.6, 0.05 * (s * np.roll(c, -1, axis=1)).sum(axis=1) - 0.03)


def report_of(mesh) -> SurfaceReport:
    return surface_report(mesh.surface_mesh())


@pytest.mark.parametrize("distance", [sphere, ring, turned_cube, sponge])
@pytest.mark.parametrize("spacing", [0.23, 0.14, 0.081])
def test_angles_are_bounded_and_the_surface_is_a_closed_manifold(distance, spacing):
    mesh = stuffed(distance, BOX, spacing=spacing)
    smallest, largest = mesh.dihedral_angles()
    assert smallest > 10.7  # the bounds of Labelle and Shewchuk (2007)
    assert largest < 164.8
    report = report_of(mesh)
    assert report.closed
    assert report.manifold
    assert report.oriented
    assert report.volume == pytest.approx(mesh.volume)


def test_random_shapes_keep_the_bounds():
    rng = np.random.default_rng(5)
    smallest, largest = 180.0, 0.0
    for _ in range(8):
        waves, phase = rng.normal(size=(12, 3)) * 5, rng.uniform(0, 2 * np.pi, 12)

        def blob(x, waves=waves, phase=phase):
            return np.maximum(np.sin(x @ waves.T + phase).mean(axis=1), np.linalg.norm(x, axis=1) - 0.8)

        mesh = stuffed(blob, BOX, spacing=0.11)
        low, high = mesh.dihedral_angles()
        smallest, largest = min(smallest, low), max(largest, high)
        assert report_of(mesh).manifold
    assert smallest > 10.7
    assert largest < 164.8


@pytest.mark.parametrize(("distance", "exact"), [(sphere, np.pi / 6), (ring, 2 * np.pi**2 * 0.5 * 0.2**2)])
def test_volumes_converge_with_second_order(distance, exact):
    errors = [1 - stuffed(distance, BOX, spacing=h).volume / exact for h in (0.12, 0.06)]
    assert 0 < errors[1] < 0.03
    assert 1.5 < np.log2(errors[0] / errors[1]) < 2.5


def test_topology_is_that_of_the_shape():
    assert euler(stuffed(sphere, BOX, spacing=0.11).surface) == 2
    assert euler(stuffed(ring, BOX, spacing=0.11).surface) == 0


def test_surface_nodes_lie_on_the_level_set():
    mesh = stuffed(sphere, BOX, spacing=0.1)
    assert np.abs(sphere(mesh.vertices[mesh.boundary_nodes])).max() < 0.1 / 400
    inner = np.setdiff1d(np.arange(len(mesh.vertices)), mesh.boundary_nodes)
    assert (sphere(mesh.vertices[inner]) < 0).all()


def test_lattice_tets_fill_space_and_are_all_alike():
    lattice = bcc(np.zeros(3), np.ones(3), 0.5)
    tets = lattice.tets_at(np.ones(len(lattice.points), dtype=bool))
    a, b, c, d = (lattice.points[tets[:, i]] for i in range(4))
    assert len(tets) == 3 * (3 * 4 * 4) * 4  # four for each of the inner faces of 4 x 4 x 4 cells
    np.testing.assert_allclose(np.linalg.det(np.stack([b - a, c - a, d - a], axis=1)) / 6, 0.5**3 / 12)
    for i, j, length in [(0, 1, 0.5), (2, 3, 0.5), (0, 2, 0.5 * np.sqrt(0.75)), (1, 3, 0.5 * np.sqrt(0.75))]:
        edge = lattice.points[tets[:, i]] - lattice.points[tets[:, j]]
        np.testing.assert_allclose(np.linalg.norm(edge, axis=1), length)


def two_spheres(x):
    right, left = x - [0.4, 0, 0], x - [-0.4, 0, 0]
    return np.minimum(np.linalg.norm(right, axis=1) - 0.3, np.linalg.norm(left, axis=1) - 0.2)


def test_loose_parts_go_unless_they_are_wanted():
    largest = stuffed(two_spheres, BOX, spacing=0.08)
    both = stuffed(two_spheres, BOX, spacing=0.08, keep_largest=False)
    assert largest.vertices[:, 0].min() > 0
    assert both.vertices[:, 0].min() == pytest.approx(-0.6, abs=0.01)
    assert euler(both.surface) == 4


def test_the_same_shape_gives_the_same_bits():
    first, second = stuffed(ring, BOX, spacing=0.1), stuffed(ring, BOX, spacing=0.1)
    assert first.vertices.tobytes() == second.vertices.tobytes()
    assert first.tets.tobytes() == second.tets.tobytes()


@pytest.mark.parametrize(
    ("distance", "bounds", "message"),
    [
        (sphere, ([0.0] * 3, [-1.0] * 3), "give .low, high. corners"),
        (lambda x: sphere(x) + 1, BOX, "no lattice point is inside.*smaller spacing"),
        (sphere, ([-0.3] * 3, [0.3] * 3), "leaves its bounds.*larger bounds"),
        (lambda x: sphere(x)[:, None], BOX, r"returned shape .*one number per row"),
        (lambda x: np.where(x[:, 0] > 0, np.nan, 1.0), BOX, "with [0-9]+ NaN"),
        (lambda x: -sphere(x), BOX, "leaves its bounds.*other sign"),
    ],
)
def test_shapes_that_cannot_be_meshed_are_refused_in_words(distance, bounds, message):
    with pytest.raises(MeshError, match=message):
        stuffed(distance, bounds, spacing=0.1)


def test_tets_that_touch_at_an_edge_or_a_node_are_separated():
    at_an_edge = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [0, 1, 5, 6]])
    at_a_node = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [0, 5, 6, 7]])
    for tets in (at_an_edge, at_a_node):
        np.testing.assert_array_equal(manifold_part(tets), tets[:2])
    apart = np.array([[0, 1, 2, 3], [4, 5, 6, 7], [5, 6, 7, 8]])
    np.testing.assert_array_equal(manifold_part(apart), apart)
    np.testing.assert_array_equal(largest_part(apart), apart[1:])


def test_a_coarse_sponge_with_pinches_becomes_manifold():
    rng = np.random.default_rng(2)
    lattice = bcc(np.zeros(3), np.ones(3), 0.25)
    tets = lattice.tets_at(np.ones(len(lattice.points), dtype=bool))
    tets = tets[rng.random(len(tets)) < 0.5]
    kept = manifold_part(tets)
    before, after = (
        surface_report(SurfaceMesh(*without_unused_nodes(lattice.points, boundary_triangles(part))))
        for part in (tets, kept)
    )
    assert not before.manifold
    assert after.manifold
    assert after.closed
    assert len(kept) > 0

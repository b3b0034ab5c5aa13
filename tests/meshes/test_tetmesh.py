"""TetMesh: what it refuses, in which words, and what it computes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from jounce.meshes import MeshError, TetMesh, box

CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]


def test_the_corner_tet_has_volume_one_sixth_and_an_outward_surface():
    mesh = TetMesh(CORNERS, [[0, 1, 2, 3]])
    assert mesh.volume == pytest.approx(1 / 6)
    a, b, c = mesh.vertices[mesh.surface].transpose(1, 0, 2)
    outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - mesh.centroids[0])
    assert len(mesh.surface) == 4
    assert (outward > 0).all()
    assert len(mesh.edges) == 6
    assert mesh.dihedral_angles() == pytest.approx((np.degrees(np.arccos(1 / np.sqrt(3))), 90.0))


def test_a_regular_tet_has_its_dihedral_angle_six_times():
    mesh = TetMesh([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]], [[0, 1, 2, 3]])
    assert mesh.dihedral_angles() == pytest.approx((np.degrees(np.arccos(1 / 3)),) * 2)


def test_arrays_are_copied_and_read_only():
    vertices = np.array(CORNERS)
    mesh = TetMesh(vertices, [[0, 1, 2, 3]])
    vertices[0] = 9.0
    assert mesh.vertices[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0, 0] = 1.0
    assert mesh.tets.dtype == np.int64


def test_moving_turning_and_scaling_agree_with_scipy():
    mesh = box(size=(1, 2, 3), cells=(1, 2, 2))
    axis, angle = np.array([1.0, 2.0, -0.5]), 0.7
    turned = mesh.rotated(axis, angle)
    expected = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).apply(mesh.vertices.copy())
    np.testing.assert_allclose(turned.vertices, expected, atol=1e-14)
    assert mesh.scaled(2.0).volume == pytest.approx(8 * mesh.volume)
    np.testing.assert_allclose(mesh.moved((1, 2, 3)).vertices - mesh.vertices, [[1, 2, 3]] * len(mesh.vertices))


def test_boundary_nodes_of_a_grid_leave_out_the_inner_one():
    mesh = box(cells=(2, 2, 2))
    inner = np.setdiff1d(np.arange(27), mesh.boundary_nodes)
    np.testing.assert_allclose(mesh.vertices[inner], [[0, 0, 0]])


def test_inverted_tets_are_named_worst_first():
    mesh = box(cells=(2, 1, 1))
    tets = mesh.tets.copy()
    tets[[3, 5]] = tets[[3, 5]][:, [0, 2, 1, 3]]  # 5 is the large tet of its cell
    with pytest.raises(MeshError, match=r"2 of 10 tets are inverted.*: tet 5 .*; tet 3 .*volume -0\.08"):
        TetMesh(mesh.vertices, tets)


def test_a_mesh_that_is_all_inverted_gets_the_remedy_that_works():
    mesh = box(cells=(2, 2, 2))
    mirrored = mesh.vertices * [-1, 1, 1]
    with pytest.raises(MeshError, match=r"40 of 40 tets are inverted.*and 35 more.*\[0, 2, 1, 3\]"):
        TetMesh(mirrored, mesh.tets)
    assert TetMesh(mirrored, mesh.tets[:, [0, 2, 1, 3]]).volume == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("vertices", "tets", "message"),
    [
        ([[0, 0]], [[0, 0, 0, 0]], r"vertices have shape \(1, 2\)"),
        (CORNERS, [[0, 1, 2]], r"elements have shape \(1, 3\); they must be \(m, 4\)"),
        (CORNERS, [[0.0, 1.0, 2.0, 3.0]], "dtype float64; they must be integer"),
        (CORNERS, [[1, 2, 3, 4]], "element 0 with nodes .*count from 1. Remedy: subtract 1"),
        ([[0, 0, 0], [1, 0, 0], [0, np.nan, 0], [0, 0, 1]], [[0, 1, 2, 3]], "1 of 4 nodes are not finite: node 2 at"),
        (CORNERS, [[0, 1, 1, 3]], r"tet 0 with nodes \[0, 1, 1, 3\]"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2, 3]], "1 of 1 tets are flat .*tet 0"),
        ([*CORNERS, [7, 8, 9]], [[0, 1, 2, 3]], r"node 4 at \(7, 8, 9\).*without_unused_nodes"),
        (CORNERS, [[0, 1, 2, 3]] * 3, r"4 faces belong to more than two tets: face \[0, 1, 2\] in 3 tets"),
    ],
)
def test_a_faulty_mesh_is_refused_in_words(vertices, tets, message):
    with pytest.raises(MeshError, match=message):
        TetMesh(vertices, tets)


def test_every_fault_is_listed_at_once():
    with pytest.raises(MeshError) as caught:
        TetMesh([*CORNERS, [7, 8, 9]], [[0, 2, 1, 3]])
    assert len(caught.value.findings) == 2

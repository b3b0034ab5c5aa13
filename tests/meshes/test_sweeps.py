"""Disk, cylinder, torus and rope coil: counts, volumes, topology and shape."""

from itertools import permutations

import numpy as np
import pytest

from jounce.meshes import MeshError, cylinder, disk, rope_coil, torus
from jounce.meshes.geometry import tet_volumes, triangle_angles
from jounce.meshes.prisms import split_prisms
from tests.meshes.test_boxes import euler


@pytest.mark.parametrize("rings", [1, 2, 7])
def test_a_disk_has_its_counts_faces_up_and_is_well_shaped(rings):
    mesh = disk(radius=0.3, rings=rings)
    assert len(mesh.vertices) == 1 + 3 * rings * (rings + 1)
    assert len(mesh.triangles) == 6 * rings**2
    assert euler(mesh.triangles) == 1
    a, b, c = mesh.vertices[mesh.triangles].transpose(1, 0, 2)
    assert (np.cross(b - a, c - a)[:, 1] > 0).all()
    sides = 6 * rings
    assert mesh.area < np.pi * 0.09
    rim = np.linalg.norm(mesh.vertices, axis=1).max()
    assert rim == pytest.approx(0.3)
    assert mesh.area == pytest.approx(sides / 2 * 0.09 * np.sin(2 * np.pi / sides))
    angles = triangle_angles(mesh.vertices, mesh.triangles)
    assert angles.min() > 45
    assert angles.max() < 90


@pytest.mark.parametrize("rings", [1, 2, 4])
def test_a_cylinder_has_its_counts_and_volume(rings):
    mesh = cylinder(radius=0.2, length=0.6, rings=rings)
    layers = 3 * rings
    assert len(mesh.vertices) == (layers + 1) * (1 + 3 * rings * (rings + 1))
    assert len(mesh.tets) == 18 * layers * rings**2
    sides = 6 * rings
    assert mesh.volume == pytest.approx(0.6 * sides / 2 * 0.04 * np.sin(2 * np.pi / sides))
    assert euler(mesh.surface) == 2
    assert np.ptp(mesh.vertices[:, 1]) == pytest.approx(0.6)


def test_a_torus_has_one_hole_and_its_volume_converges():
    exact = 2 * np.pi**2 * 0.5 * 0.15**2
    meshes = [torus(radius=0.5, tube_radius=0.15, rings=r) for r in (2, 4)]
    errors = [1 - mesh.volume / exact for mesh in meshes]
    assert [euler(mesh.surface) for mesh in meshes] == [0, 0]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
    distance = np.hypot(np.hypot(meshes[1].vertices[:, 0], meshes[1].vertices[:, 2]) - 0.5, meshes[1].vertices[:, 1])
    np.testing.assert_allclose(distance[meshes[1].boundary_nodes], 0.15)


def test_a_rope_coil_is_one_tube_of_the_length_of_its_helix():
    mesh = rope_coil(rope_radius=0.04, coil_radius=0.3, turns=2.5, pitch=0.12, rings=2)
    length = 2.5 * np.hypot(2 * np.pi * 0.3, 0.12)
    hexagons = 12 / 2 * 0.04**2 * np.sin(2 * np.pi / 12)
    assert mesh.volume == pytest.approx(length * hexagons, rel=0.003)
    assert euler(mesh.surface) == 2
    assert np.ptp(mesh.vertices[:, 1]) == pytest.approx(2.5 * 0.12 + 2 * 0.04, abs=0.005)


@pytest.mark.parametrize(
    "mesh",
    [
        cylinder(rings=3),
        cylinder(radius=3.0, length=1.0, rings=5),
        torus(),
        torus(tube_radius=0.1, rings=2),
        rope_coil(),
    ],
)
def test_swept_shapes_are_well_shaped(mesh):
    smallest, largest = mesh.dihedral_angles()
    assert smallest > 22
    assert largest < 130


def test_prisms_split_into_positive_tets_whatever_the_ranks():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1.0]])
    for rank in permutations(range(3)):
        tets = split_prisms(np.array([[0, 1, 2]]), np.array([[3, 4, 5]]), np.array([rank]))
        np.testing.assert_allclose(tet_volumes(x, tets), 1 / 6)
        edges = {tuple(sorted(p)) for t in tets.tolist() for p in permutations(t, 2)}
        for i, j in permutations(range(3), 2):
            assert ((i, j + 3) in edges) == (rank[i] < rank[j])


def test_shapes_that_meet_themselves_are_refused():
    with pytest.raises(MeshError, match="closes the hole"):
        torus(radius=0.1, tube_radius=0.2)
    with pytest.raises(MeshError, match=r"turns overlap: they are 0\.0899 m apart"):
        rope_coil(rope_radius=0.05, pitch=0.09)
    with pytest.raises(MeshError, match="meets itself in the middle"):
        rope_coil(rope_radius=0.4, turns=0.5)

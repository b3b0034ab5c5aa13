"""Boxes, bars, sheets and stairs: counts, volumes and closed surfaces."""

import numpy as np
import pytest

from jounce.meshes import MeshError, bar, box, sheet, stairs


def euler(triangles: np.ndarray) -> int:
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    return len(np.unique(triangles)) - len(edges) + len(triangles)


@pytest.mark.parametrize("cells", [(1, 1, 1), (2, 3, 4), (5, 1, 2)])
def test_a_box_has_the_counts_it_promises_and_its_volume(cells):
    i, j, k = cells
    mesh = box(size=(1, 2, 3), cells=cells)
    assert len(mesh.vertices) == (i + 1) * (j + 1) * (k + 1)
    assert len(mesh.tets) == 5 * i * j * k
    assert mesh.volume == pytest.approx(6.0)
    assert euler(mesh.surface) == 2
    assert len(mesh.surface) == 4 * (i * j + j * k + k * i)  # a face whose diagonals disagreed would add inner ones
    np.testing.assert_allclose(np.abs(mesh.vertices).max(axis=0), [0.5, 1.0, 1.5])


def test_cubic_cells_have_the_documented_angles():
    assert box(cells=(3, 3, 3)).dihedral_angles() == pytest.approx((54.7356, 90.0), abs=1e-3)


def test_an_even_box_is_its_own_mirror_image():
    mesh = box(cells=(2, 2, 2))
    mirrored = np.lexsort((mesh.vertices * [-1, 1, 1]).T)
    ordered = np.lexsort(mesh.vertices.T)
    image = np.empty(27, dtype=int)
    image[mirrored] = ordered
    sets = {frozenset(t) for t in mesh.tets.tolist()}
    assert {frozenset(t) for t in image[mesh.tets].tolist()} == sets


def test_a_bar_has_nearly_cubic_cells():
    mesh = bar(length=1.0, width=0.1, cells_across=2)
    assert len(mesh.tets) == 5 * 20 * 2 * 2
    assert mesh.volume == pytest.approx(0.01)


def test_a_sheet_faces_up_and_has_its_area():
    mesh = sheet(size=(2, 3), cells=(4, 5))
    a, b, c = mesh.vertices[mesh.triangles].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    assert (normals[:, 1] > 0).all()
    assert mesh.area == pytest.approx(6.0)
    assert len(mesh.triangles) == 40
    assert euler(mesh.triangles) == 1


def test_stairs_are_closed_outward_and_rest_on_the_ground():
    mesh = stairs(steps=4, rise=0.2, run=0.3, width=1.5, across=2)
    assert mesh.enclosed_volume == pytest.approx(0.2 * 0.3 * 1.5 * (1 + 2 + 3 + 4))
    assert euler(mesh.triangles) == 2
    np.testing.assert_allclose(mesh.vertices.min(axis=0), [0, 0, -0.75])
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [1.2, 0.8, 0.75])


def test_impossible_shapes_are_refused_by_name():
    with pytest.raises(MeshError, match=r"cells\[1\] is 0"):
        box(cells=(1, 0, 1))
    with pytest.raises(MeshError, match=r"size has 2 entries; give 3"):
        box(size=(1, 1))
    with pytest.raises(MeshError, match="width is -1"):
        bar(width=-1)

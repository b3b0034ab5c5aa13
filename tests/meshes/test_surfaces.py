"""Surface meshes: what is refused, what the report says, honeycombs and springs."""

import numpy as np
import pytest

from jounce.meshes import (
    MeshError,
    SurfaceMesh,
    ball,
    bending_edges,
    box,
    honeycomb,
    sheet,
    spring_edges,
    stairs,
    surface_report,
)
from tests.meshes.test_boxes import euler

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]]


def test_a_closed_surface_has_nothing_to_report():
    report = surface_report(ball(resolution=2).surface_mesh())
    assert report.closed
    assert report.manifold
    assert report.oriented
    assert report.findings == ()
    assert surface_report(stairs()).findings == ()


def test_an_open_sheet_names_its_rim():
    report = surface_report(sheet(cells=(3, 2)))
    assert not report.closed
    assert report.manifold
    assert len(report.open_edges) == 10
    assert "10 edges are in one triangle only" in report.findings[0].message
    assert "and 5 more" in report.findings[0].message


def test_a_flipped_triangle_is_found_by_its_edges():
    mesh = box().surface_mesh()
    triangles = mesh.triangles.copy()
    triangles[4] = triangles[4, ::-1]
    report = surface_report(SurfaceMesh(mesh.vertices, triangles))
    assert not report.oriented
    expected = np.sort([triangles[4, [0, 1]], triangles[4, [1, 2]], triangles[4, [2, 0]]], axis=1)
    assert {tuple(e) for e in report.misdirected_edges.tolist()} == {tuple(e) for e in expected.tolist()}
    assert "3 edges join triangles of opposite winding" in report.findings[0].message


def test_an_inside_out_surface_is_said_to_be_so():
    mesh = box().surface_mesh()
    report = surface_report(SurfaceMesh(mesh.vertices, mesh.triangles[:, ::-1]))
    assert not report.oriented
    assert report.volume == pytest.approx(-1.0)
    assert "wound inward (enclosed volume -1" in report.findings[0].message


def test_a_branching_edge_is_named():
    mesh = SurfaceMesh([*SQUARE, [0.5, 0.5, 1]], [[0, 1, 2], [0, 2, 3], [0, 2, 4]])
    report = surface_report(mesh)
    assert not report.manifold
    np.testing.assert_array_equal(report.crowded_edges, [[0, 2]])
    assert any("edge [0, 2] at (0.5, 0.5, 0) in 3 triangles" in finding.message for finding in report.findings)


def test_a_surface_that_touches_itself_in_a_node_is_named():
    mesh = SurfaceMesh([*SQUARE, [2, 2, 0]], [[0, 1, 2], [2, 4, 3]])
    report = surface_report(mesh)
    np.testing.assert_array_equal(report.pinched_nodes, [2])
    assert not report.manifold
    assert any("at 1 nodes: node 2 at (1, 1, 0)" in finding.message for finding in report.findings)


def test_duplicate_nodes_are_named():
    mesh = SurfaceMesh([*SQUARE, SQUARE[0], SQUARE[2]], [[0, 1, 2], [4, 5, 3]])
    report = surface_report(mesh)
    np.testing.assert_array_equal(report.duplicate_nodes, [[0, 4], [2, 5]])
    assert "2 pairs of nodes are in one place: nodes [0, 4] at (0, 0, 0)" in report.findings[0].message


@pytest.mark.parametrize(
    ("triangles", "message"),
    [
        ([[0, 1, 1], [0, 2, 3]], r"1 of 2 triangles name a node twice: triangle 0 with nodes \[0, 1, 1\]"),
        ([[0, 1, 2]], r"1 of 4 nodes belong to no element .*node 3 at \(0, 1, 0\)"),
        ([[0, 1, 4]], r"1 of 1 elements use node numbers outside 0 to 3: element 0"),
        ([[0, 1, 2, 3]], r"must be \(m, 3\)"),
    ],
)
def test_a_faulty_surface_is_refused_in_words(triangles, message):
    with pytest.raises(MeshError, match=message):
        SurfaceMesh(SQUARE, triangles)


def test_a_flat_triangle_is_refused():
    with pytest.raises(MeshError, match=r"1 of 1 triangles are flat .*triangle 0 \(nodes \[0, 1, 2\]"):
        SurfaceMesh([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [[0, 1, 2]])


def test_scaling_by_nothing_is_refused():
    with pytest.raises(MeshError, match="factor is 0"):
        sheet().scaled(0)


@pytest.mark.parametrize("along", [1, 4])
def test_a_honeycomb_has_a_hole_per_cell_and_the_volume_of_its_walls(along):
    mesh = honeycomb(cells=(3, 2), side=0.1, wall=0.04, depth=0.2, along=along, layers=2)
    hole = 1 - 0.04 / (0.1 * np.sqrt(3))
    assert mesh.volume == pytest.approx(6 * 0.2 * 1.5 * np.sqrt(3) * 0.01 * (1 - hole**2))
    assert euler(mesh.surface) == 2 - 2 * 6
    assert surface_report(mesh.surface_mesh()).manifold
    assert len(mesh.tets) == 36 * along * 2 * 6


def test_a_honeycomb_without_holes_is_refused():
    with pytest.raises(MeshError, match=r"walls of 0\.2 m fill cells"):
        honeycomb(side=0.1, wall=0.2)


def test_the_bending_edge_of_two_triangles_is_their_other_diagonal():
    mesh = SurfaceMesh(SQUARE, [[0, 1, 2], [0, 2, 3]])
    np.testing.assert_array_equal(bending_edges(mesh), [[1, 3]])
    np.testing.assert_array_equal(spring_edges(mesh), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])


def test_a_sheet_has_a_bending_edge_across_every_inner_edge():
    mesh = sheet(cells=(6, 5))
    inner = len(mesh.edges) - len(surface_report(mesh).open_edges)
    by_hand = set()
    for edge in mesh.edges.tolist():
        tips = [set(t) - set(edge) for t in mesh.triangles.tolist() if set(edge) <= set(t)]
        if len(tips) == 2:
            by_hand.add(tuple(sorted(tip.pop() for tip in tips)))
    assert {tuple(e) for e in bending_edges(mesh).tolist()} == by_hand
    # Around an inner node with four neighbours, the four edges have only two bending edges between them.
    assert len(by_hand) == inner - 2 * 10

"""All that is wrong with a start or a mesh is found at once, named, located, and shown as triangles."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes

NEO = jn.NeoHookean(youngs=1e5, poisson=0.3)
BLOCK = meshes.box(size=(0.1, 0.1, 0.1), cells=(2, 2, 2))
FLOOR = (jn.Ground(name="floor"),)
BARRIER = jn.Barrier(distance=1e-3)
SQUARE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
FIN = jn.SurfaceMesh([*SQUARE, [0.5, 1.0, 0.5]], [[0, 1, 2], [0, 2, 3], [0, 2, 4]])
DOUBLED = jn.SurfaceMesh(SQUARE[:3], [[0, 1, 2], [2, 1, 0]])
PINCHED = jn.SurfaceMesh([*SQUARE, [2.0, 0.0, 2.0]], [[0, 1, 2], [2, 4, 3]])


def block(name, height, across=0.0, **options):
    return jn.Solid(BLOCK, NEO, position=(across, height, 0.0), name=name, **options)


def scene(*bodies, contact=BARRIER, **options):
    return jn.Scene(bodies, grounds=FLOOR, contact=contact, **options)


def test_a_start_without_fault_has_its_distances():
    found = jn.check(scene(block("low", 0.065), block("high", 0.185)))
    assert found.ok
    assert len(found) == 0
    assert [(g.one, g.other) for g in found.distances] == [("low", "floor"), ("low", "high"), ("high", "floor")]
    np.testing.assert_allclose([g.distance for g in found.distances], [0.015, 0.02, 0.135], atol=1e-12)


def test_pairs_that_touch_are_remarks_with_their_gap_the_smallest_first():
    found = jn.check(scene(block("low", 0.0508), block("high", 0.1513)))
    assert found.ok
    first, second = found
    assert "gap, 0.0005 m, is between 'low' and 'high' near" in first.message
    assert "gap, 0.0008 m, is between 'low' and 'floor' near" in second.message
    heights = found.positions[second.triangles.ravel(), 1]
    assert heights.min() == pytest.approx(0.0008)
    assert heights.max() < 0.06


def test_every_pair_that_intersects_is_a_fault_the_worst_first():
    start = scene(block("low", 0.06), block("middle", 0.13), block("high", 0.2, across=0.07))
    found = jn.check(start)
    assert not found.ok
    first, second = found
    assert "between 'low' and 'middle', the first near (" in first.message
    assert "between 'high' and 'middle'" in second.message or "between 'middle' and 'high'" in second.message
    counts = [int(f.message.split("intersects: ")[1].split()[0]) for f in found]
    assert counts[0] > counts[1] > 0
    with pytest.raises(ValueError, match=r"The start intersects: .* 'low' and 'middle'"):
        jn.build(start)


def test_the_offenders_of_an_intersection_are_triangles_of_both_sides():
    found = jn.check(scene(block("low", 0.06), block("high", 0.15)))
    n = len(BLOCK.vertices)
    assert (found.found[0].triangles < n).any()
    assert (found.found[0].triangles >= n).any()
    assert found.positions[found.found[0].triangles.ravel(), 1].max() < 0.21


def test_bodies_below_a_ground_are_named_the_deepest_first():
    found = jn.check(scene(block("sunk", 0.03), block("lost", 0.01, across=0.3)))
    assert [f.fault for f in found] == [True, True]
    assert (
        "9 points of 'lost' lie on or below ground 'floor', the lowest by 0.04 m near (0.25" in found.found[0].message
    )
    assert "9 points of 'sunk'" in found.found[1].message


def test_all_kinds_of_faults_are_found_at_once():
    inside_out = np.array(BLOCK.vertices) * [1.0, -1.0, 1.0] + [0.0, 0.5, 0.0]
    found = jn.check(
        scene(
            block("inverted", 0.5, start=inside_out),
            block("sunk", 0.03),
            obstacles=(jn.Obstacle(FIN, name="fin", position=(2.0, 1.0, 0.0)),),
        )
    )
    said = [f.message for f in found if f.fault]
    assert len(said) == 3
    assert "40 elements of body 'inverted' have no finite energy" in said[0]
    assert "Obstacle 'fin' is not a manifold: 1 edges are in more than two triangles" in said[1]
    assert "points of 'sunk' lie on or below ground 'floor'" in said[2]
    assert len(found.found[0].triangles) == 4 * 40


@pytest.mark.parametrize(
    ("mesh", "message"),
    [
        (FIN, r"edge \[0, 2\] at \(0.5, 0, 0.5\) in 3 triangles"),
        (DOUBLED, r"1 triangles have the same nodes as an earlier one: triangle 1 at \(0.6667"),
        (PINCHED, r"touches itself at 1 nodes: node 2 at \(1, 0, 1\)"),
    ],
)
def test_an_obstacle_that_is_no_manifold_is_refused_with_the_place(mesh, message):
    start = scene(block("cube", 0.2), obstacles=(jn.Obstacle(mesh, name="wing", position=(2.0, 0.0, 0.0)),))
    with pytest.raises(ValueError, match=f"Obstacle 'wing' is not a manifold: .*{message}.*Remedy"):
        jn.build(start)
    (fault,) = [f for f in jn.check(start) if f.fault]
    assert fault.triangles.min() >= len(BLOCK.vertices)


def test_an_open_obstacle_wound_either_way_has_nothing_to_report():
    triangles = np.array(meshes.sheet(cells=(2, 2)).triangles)
    triangles[0] = triangles[0, ::-1]
    mesh = jn.SurfaceMesh(meshes.sheet(cells=(2, 2)).vertices, triangles)
    start = scene(block("cube", 0.5), obstacles=(jn.Obstacle(mesh, name="sheet", position=(0.0, 0.1, 0.0)),))
    assert len(jn.check(start)) == 0


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        ([*SQUARE[:3], [np.nan, 0, 0]], [[0, 1, 2], [0, 2, 3]], "1 of 4 nodes are not finite: node 3"),
        ([*SQUARE[:3], [0.5, 0, 0]], [[0, 1, 2], [0, 3, 1]], "1 of 2 triangles are flat"),
    ],
)
def test_an_obstacles_mesh_that_is_not_finite_or_flat_is_refused(vertices, triangles, message):
    with pytest.raises(meshes.MeshError, match=message):
        jn.Obstacle(jn.SurfaceMesh(vertices, triangles))


def test_a_barrier_wider_than_a_feature_or_a_gap_is_a_remark_that_a_system_keeps():
    start = scene(block("cube", 0.06), contact=jn.Barrier(distance=0.12))
    found = jn.check(start)
    assert found.ok
    feature, gap = (f.message for f in found)
    assert "larger than the thinnest feature of 'cube'" in feature or "larger than the thinnest feature" in gap
    assert any("'cube' and 'floor'" in said and "contact pushes from the start" in said for said in (feature, gap))
    assert jn.build(start).remarks == (feature, gap)


@pytest.mark.parametrize(
    "make",
    [
        lambda: jn.Barrier(friction=-0.1),
        lambda: jn.Pair(between=("cube", "floor"), friction=-0.1),
        lambda: jn.Penalty(stiffness=1e3, friction=-0.1),
        lambda: jn.Repulsion(stiffness=1e3, friction=-0.1),
    ],
)
def test_friction_below_nought_is_refused(make):
    with pytest.raises(ValueError, match=r"coefficient of friction .* must be at least 0; it is -0.1"):
        make()


def test_what_keeps_a_scene_from_being_built_is_a_finding_too():
    start = scene(block("cube", 0.2), contact=jn.Barrier(pairs=(jn.Pair(between=("cube", "flor")),)))
    (fault,) = jn.check(start)
    assert fault.fault
    assert "did you mean 'floor'" in fault.message


def test_offenders_are_written_as_meshes(tmp_path):
    found = jn.check(scene(block("low", 0.06), block("high", 0.15)))
    files = found.write(tmp_path / "look")
    assert [f.name for f in files.values()] == ["fault-1.obj"]
    mesh = meshes.read_surface(files[0])
    assert len(mesh.triangles) == len(found.found[0].triangles)
    np.testing.assert_allclose(
        np.sort(mesh.centroids, axis=0), np.sort(found.positions[found.found[0].triangles].mean(axis=1), axis=0)
    )


def test_nothing_is_written_where_nothing_is_found(tmp_path):
    assert jn.check(scene(block("cube", 0.2))).write(tmp_path / "look") == {}
    assert not (tmp_path / "look").exists()


def test_a_surface_is_at_fault_where_it_branches_and_a_solid_is_not():
    assert [f.fault for f in jn.check(FIN)] == [True, False]
    two = jn.TetMesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]],
        [[0, 1, 2, 3], [0, 5, 4, 6]],
    )
    (remark,) = jn.check(two)
    assert not remark.fault
    assert "touches itself at 1 nodes" in remark.message


@pytest.mark.parametrize("suffix", [".npz", ".vtk", ".msh"])
@pytest.mark.parametrize("mesh", [BLOCK, FIN], ids=["tets", "triangles"])
def test_a_file_is_read_as_what_it_holds(tmp_path, suffix, mesh):
    meshes.write(tmp_path / f"shape{suffix}", mesh)
    assert [f.message for f in jn.check(tmp_path / f"shape{suffix}")] == [f.message for f in jn.check(mesh)]


def test_a_file_that_is_refused_gives_its_faults(tmp_path):
    np.savez(tmp_path / "bad.npz", V=np.array(BLOCK.vertices), T=BLOCK.tets[:, [1, 0, 2, 3]])
    (fault,) = jn.check(tmp_path / "bad.npz")
    assert fault.fault
    assert "40 of 40 tets are inverted" in fault.message
    (fault,) = jn.check(tmp_path / "none.obj")
    assert "no such file" in fault.message


def test_what_is_neither_is_refused():
    with pytest.raises(TypeError, match="takes a Scene, a mesh or the path of a mesh file; this is a Solid"):
        jn.check(block("cube", 0.2))  # type: ignore[arg-type]

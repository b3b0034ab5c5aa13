"""What is said about a start: intersections, points below a ground, thin features, and what touches; with place and offenders."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes
from jounce.scene.check import check

from . import CALM, GRID, cube, triangle

T = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)


def look(*bodies, distance=1e-3, **options):
    pairs = options.pop("pairs", ())
    contact = jn.Barrier(distance=distance, pairs=pairs)
    return jn.Scene(bodies, gravity=CALM, contact=contact, **options)


def owners(finding, *counts):
    """The bodies whose triangles are among a finding's, for bodies of so many nodes."""
    ends = np.cumsum(counts)
    return set(np.searchsorted(ends, finding.triangles.ravel(), side="right").tolist())


def test_bodies_that_intersect_are_named_with_the_place_and_the_triangles_of_both():
    scene = look(cube("die"), cube("cup", position=(0.08, 0.03, 0.02)))
    found = check(scene)
    assert not found.ok
    fault = found.found[0]
    assert "The start intersects" in fault.message
    assert "between 'die' and 'cup'" in fault.message or "between 'cup' and 'die'" in fault.message
    assert " near (0.0" in fault.message
    assert owners(fault, 8, 8) == {0, 1}
    with pytest.raises(ValueError, match="The start intersects"):
        jn.build(scene)


def test_bodies_that_may_pass_through_each_other_do_not_intersect():
    pairs = (jn.Pair(between=("die", "cup"), collide=False),)
    scene = look(cube("die"), cube("cup", position=(0.08, 0.03, 0.02)), pairs=pairs)
    assert check(scene).ok
    jn.build(scene)


@pytest.mark.parametrize(
    "other",
    [T + np.array([1, 0, 0]), [[0.2, 0.2, 0], [1, 1, 1], [0, 1, 1]], [[0.5, -1, 0], [0.5, -1, 1], [0.5, 0, 0]], T],
    ids=["corner on corner", "corner on face", "corner on edge", "face on face"],
)
def test_what_touches_without_a_gap_is_a_fault(other):
    scene = look(triangle(T, "one"), triangle(other, "two"))
    assert not check(scene).ok
    with pytest.raises(ValueError, match=r"'one' and 'two'"):
        jn.build(scene)


def test_a_gap_within_the_barrier_is_a_remark():
    found = check(look(cube("die"), cube("cup", position=(0.1 + 4e-4, 0, 0))))
    assert found.ok
    (remark,) = found.found
    assert "0.0004 m, is between 'die' and 'cup'" in remark.message
    assert "contact pushes from the start" in remark.message
    assert owners(remark, 8, 8) == {0, 1}


def test_what_is_far_apart_needs_no_word():
    found = check(look(cube("die"), cube("cup", position=(0.2, 0, 0)), grounds=(jn.Ground(height=-1.0),)))
    assert len(found) == 0


def test_points_below_a_ground_are_counted_and_the_lowest_is_named():
    scene = look(cube("die"), grounds=(jn.Ground(height=-0.03, name="floor"),))
    fault = check(scene).found[0]
    assert fault.fault
    assert "4 points of 'die' lie on or below ground 'floor', the lowest by 0.02 m" in fault.message
    assert "Raise the body or lower the ground" in fault.message
    assert len(fault.triangles) > 0
    with pytest.raises(ValueError, match="lie on or below ground 'floor'"):
        jn.build(scene)


def test_a_point_on_the_ground_is_a_fault_and_one_just_above_is_not():
    assert not check(look(cube("die", size=0.5), grounds=(jn.Ground(height=-0.25),))).ok
    assert check(look(cube("die", size=0.5), grounds=(jn.Ground(height=-0.25 - 1e-6),))).ok


def pages(gap):
    """A body of two parallel triangles."""
    V = np.vstack([T, T + np.array([0, 0, gap])])
    return jn.SpringNet(jn.SurfaceMesh(V, np.array([[0, 1, 2], [3, 4, 5]])), GRID, name="pages")


def test_a_thin_feature_is_a_remark_and_a_fold_of_the_mesh_a_fault():
    (remark,) = check(look(pages(0.04), distance=0.1)).found
    assert not remark.fault
    assert "larger than the thinnest feature of 'pages'" in remark.message
    assert "0.04 m apart at rest near" in remark.message
    assert len(remark.triangles) > 0
    (fault, *_) = check(look(pages(1e-4), distance=0.1)).found
    assert fault.fault
    assert "mend the mesh there, or take a smaller distance" in fault.message
    assert check(look(pages(0.2), distance=0.1)).found == ()


def test_faults_come_first_and_are_written_as_meshes(tmp_path):
    scene = look(cube("die"), cube("cup", position=(0.08, 0.03, 0.02)), pages(0.04), distance=0.05)
    found = check(scene)
    faults = [f.fault for f in found]
    assert faults == sorted(faults, reverse=True)
    files = found.write(tmp_path)
    assert files[0].name == "fault-1.obj"
    assert len(meshes.read_surface(files[0]).triangles) == len(found.found[0].triangles)


def test_an_obstacle_in_a_body_is_named():
    plate = jn.Obstacle(meshes.sheet(size=(0.3, 0.3), cells=(2, 2)), name="plate")
    fault = check(look(cube("die"), obstacles=(plate,))).found[0]
    assert fault.fault
    assert "'plate'" in fault.message
    assert "'die'" in fault.message


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: jn.Obstacle(meshes.box()), "Obstacle 'obstacle' needs a SurfaceMesh, not a TetMesh"),
        (lambda: jn.Scene((cube(),), grounds=(jn.Ground(),)), "needs contact, such as"),
        (lambda: jn.Scene((cube(),), contact="barrier"), "contact must be one of barrier"),
        (lambda: jn.Scene((cube(),), grounds=jn.Ground(), contact=jn.Barrier()), "grounds are a tuple of Ground"),
        (lambda: jn.Scene((cube("a"), cube("a"))), "occur twice: a"),
        (
            lambda: jn.Scene((cube("a"),), grounds=(jn.Ground(name="a"),), contact=jn.Barrier()),
            "occur twice: a",
        ),
    ],
)
def test_bad_parts_of_a_scene_are_answered_with_a_sentence(make, said):
    with pytest.raises((ValueError, TypeError), match=said):
        make()

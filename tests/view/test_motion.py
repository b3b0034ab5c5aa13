from types import SimpleNamespace

import numpy as np
import pytest

from jounce.view.motion import Motion, Surface, film_times
from jounce.view.palette import PALETTE, STONE
from jounce.view.shapes import Ground

from .synthetic import CUBE, CUBE_TRIANGLES, bouncing_cubes


def test_frames_hold_each_body_where_it_is():
    motion = bouncing_cubes()
    left, right = motion.frame(4)
    np.testing.assert_allclose(left.vertices, CUBE * [1, 1.4, 1] + [-1, 1.4, 0])
    np.testing.assert_allclose(right.vertices, np.add(CUBE, (1, 1.8, 0)))
    assert left.colour != right.colour


def test_between_frames_nodes_go_straight_and_outside_them_they_rest():
    motion = bouncing_cubes(frames=3, until=0.4)
    np.testing.assert_allclose(motion.at(0.3)[1].vertices, np.add(CUBE, (1, 1.6, 0)))
    np.testing.assert_allclose(motion.at(-1.0)[1].vertices, np.add(CUBE, (1, 1, 0)))
    np.testing.assert_allclose(motion.at(9.0)[1].vertices, np.add(CUBE, (1, 1.8, 0)))


def test_one_frame_is_a_motion():
    motion = bouncing_cubes(frames=1)
    np.testing.assert_allclose(motion.at(3.0)[0].vertices, motion.frame(0)[0].vertices)


def test_a_run_of_bodies_is_numbered_as_they_come():
    solid = SimpleNamespace(name="a", mesh=SimpleNamespace(vertices=CUBE, surface=CUBE_TRIANGLES))
    sheet = SimpleNamespace(name="b", mesh=SimpleNamespace(vertices=np.zeros((3, 3)), triangles=np.array([[0, 1, 2]])))
    x = np.arange(33.0).reshape(1, 11, 3)
    motion = Motion.of(SimpleNamespace(t=np.array([0.0]), positions=x), [solid, sheet], {"b": "#123456"})
    a, b = motion.frame(0)
    np.testing.assert_array_equal(a.vertices, x[0, :8])
    np.testing.assert_array_equal(b.vertices, x[0, 8:])
    assert b.colour == "#123456"


def test_a_scene_is_shown_with_its_obstacles_in_grey_and_the_ground_that_lies_flattest():
    def part(name):
        return SimpleNamespace(name=name, mesh=SimpleNamespace(vertices=CUBE, surface=CUBE_TRIANGLES))

    run = SimpleNamespace(t=np.array([0.0]), positions=np.concatenate([CUBE, np.add(CUBE, 3.0)])[None])
    wall, floor = (
        SimpleNamespace(height=h, up=np.array(up)) for h, up in ((2.0, (1.0, 0.0, 0.0)), (-1.0, (0.0, 1.0, 0.0)))
    )
    motion = Motion.of(run, [part("ball")], obstacles=[part("stairs")], grounds=[wall, floor])
    ball, stairs = motion.frame(0)
    np.testing.assert_array_equal(stairs.vertices, np.add(CUBE, 3.0))
    assert (ball.colour, stairs.colour) == (PALETTE["blue"], STONE)
    assert motion.ground == Ground(height=-1.0, up=(0.0, 1.0, 0.0))
    assert Motion.of(run, [part("ball")]).ground is None


def test_the_camera_frames_surface_nodes_alone():
    inner = np.full((2, 1, 3), 50.0)
    motion = Motion(
        [Surface("cube", 0, CUBE_TRIANGLES)], np.arange(2.0), np.concatenate([np.stack([CUBE, CUBE]), inner], 1)
    )
    assert np.abs(motion.points).max() == 0.5


def test_film_times_run_at_the_speed_asked_for():
    motions = [bouncing_cubes(until=1.0), bouncing_cubes(until=0.5)]
    np.testing.assert_allclose(list(film_times(motions, 10)), np.arange(11) / 10)
    np.testing.assert_allclose(list(film_times(motions, 10, 0.5)), np.arange(21) / 20)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda s: Motion(s, np.arange(2.0), np.zeros((3, 16, 3))), "2 times"),
        (lambda s: Motion(s, np.array([0.0, 1, 1]), np.zeros((3, 16, 3))), "after frame 1"),
        (lambda s: Motion(s, np.arange(3.0), np.zeros((3, 9, 3))), "'right' needs 16 nodes"),
        (lambda s: film_times([bouncing_cubes()], 0), "positive"),
    ],
)
def test_faults_are_sentences(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make(bouncing_cubes().surfaces)

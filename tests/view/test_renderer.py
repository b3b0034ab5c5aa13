import sys
import time

import numpy as np
import pytest

from jounce.view.camera import Camera
from jounce.view.extras import MissingExtraError
from jounce.view.palette import rgb, to_bytes, to_linear
from jounce.view.renderer import BACKGROUND, render
from jounce.view.shapes import Ground, Light, Shape, ghosts

from .synthetic import CUBE, CUBE_TRIANGLES, ball

SIZE = (160, 120)
FRONT = Camera((0, 0.5, 6), (0, 0.5, 0), field_of_view=30)
ABOVE = Camera((0, 8, 0), (0, 0, 0), up=(0, 0, -1), field_of_view=40)


def cube(at=(0, 0.5, 0), colour="#ff0000", **options):
    return Shape(CUBE + at, CUBE_TRIANGLES, colour, **options)


def brightness(image):
    return image[..., :3].mean(axis=2)


def test_a_picture_is_bytes_of_the_size_asked_for_and_the_same_twice():
    shapes = [cube(), cube((0.8, 1.2, -1), opacity=0.5)]
    first, second = (render(shapes, FRONT, ground=Ground(pattern="checker"), size=(161, 90)) for _ in range(2))
    assert first.shape == (90, 161, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, second)


def test_a_cube_is_seen_where_it_is():
    """Its front face, 5.5 m away, is 1 m of a height of 2 * 5.5 * tan(15 degrees)."""
    covered = render([cube()], FRONT, size=SIZE, background=None, edges=16)[..., 3] / 255
    side = 120 / (2 * 5.5 * np.tan(np.radians(15)))
    assert covered.sum() == pytest.approx(side**2, rel=0.005)
    rows, columns = np.indices(covered.shape)
    centre = [(covered * i).sum() / covered.sum() for i in (columns, rows)]
    np.testing.assert_allclose(centre, [79.5, 59.5], atol=0.1)


def test_edges_are_drawn_by_the_part_that_is_covered():
    """A side that cuts pixels in the middle leaves them half way between face and background."""
    slanted = Shape(np.array([[-3.0, -9, 0], [4, -9, 0], [-1, 9, 0]]), np.array([[0, 1, 2]]), "#000000")
    smooth, rough = (render([slanted], FRONT, size=SIZE, edges=n, rays=1) for n in (4, 1))
    between = [((brightness(i) > 60) & (brightness(i) < 230)).sum() for i in (smooth, rough)]
    assert between[0] > 60
    assert between[1] < 5


def test_the_shadow_falls_away_from_the_light():
    light = Light(direction=(-1, 1, 0), size=2)
    image = brightness(render([cube((0, 0.5, 0))], ABOVE, ground=Ground(), size=SIZE, light=light))
    metre = 60 / (8 * np.tan(np.radians(20)))
    right, left = image[60, int(80 + 1.0 * metre)], image[60, int(80 - 1.0 * metre)]
    beyond = image[60, int(80 + 2.3 * metre)]
    assert right < 0.8 * left
    assert beyond > 0.93 * left


def test_a_larger_light_has_softer_shadows():
    def penumbra(size):
        light = Light(direction=(-1, 1, 0), size=size)
        image = brightness(render([cube((0, 1.5, 0))], ABOVE, ground=Ground(), size=SIZE, light=light))
        row = image[60, 110:]
        low, high = row.min(), row.max()
        return ((row > low + 0.2 * (high - low)) & (row < low + 0.8 * (high - low))).sum()

    assert penumbra(12.0) > 2 * penumbra(1.0)


def test_a_ghost_lets_the_thing_behind_it_show_and_shades_less():
    solid = cube((0, 0.5, -2), "#0000ff")
    alone, through = (render([solid, *g], FRONT, size=SIZE) for g in ([], [cube((0, 0.5, 1), opacity=0.4)]))
    expected = to_linear(alone[60, 80] / 255)
    mixed = to_linear(through[60, 80] / 255)
    assert mixed[2] == pytest.approx(0.6 * expected[2], abs=0.03)
    assert mixed[0] > expected[0] + 0.1


def test_of_two_ghosts_the_nearer_is_drawn_over_the_farther():
    near, far = cube((0, 0.5, 1), "#ff0000", opacity=0.8), cube((0, 0.5, -1), "#0000ff", opacity=0.8)
    one, other = render([near, far], FRONT, size=SIZE), render([far, near], FRONT, size=SIZE)
    assert one[60, 80, 0] > one[60, 80, 2] + 50
    np.testing.assert_allclose(one.astype(int), other, atol=1)


def test_without_background_the_picture_is_see_through_and_holds_the_shadow():
    image = render([cube()], ABOVE, ground=Ground(), size=SIZE, background=None, light=Light(direction=(-1, 1, 0)))
    assert image.shape == (120, 160, 4)
    metre = 60 / (8 * np.tan(np.radians(20)))
    assert image[60, 80, 3] == 255
    assert image[60, int(80 + metre), 3] > 60
    assert image[5, 5, 3] < 10


def test_an_empty_picture_is_its_background():
    image = render([], FRONT, size=SIZE)
    for row, colour in ((0, BACKGROUND[0]), (-1, BACKGROUND[1])):
        np.testing.assert_allclose(image[row].mean(axis=0), 255 * rgb(colour), atol=1)


def test_vertex_colours_run_over_the_triangles():
    colours = np.where(CUBE[:, :1] < 0, [[1.0, 0, 0]], [[0, 0, 1.0]])
    image = render([cube(vertex_colours=colours)], FRONT, size=SIZE).astype(int)
    assert image[60, 65, 0] > image[60, 65, 2] + 30
    assert image[60, 95, 2] > image[60, 95, 0] + 30


def test_checkers_have_the_size_asked_for():
    """From straight above, one cell is 1 m: the brightness along a line changes once every metre."""
    image = brightness(render([], ABOVE, ground=Ground(pattern="checker", cell=1.0), size=SIZE))
    row = image[66, 40:121]
    changes = np.flatnonzero(np.diff(row > row.mean()))
    metre = 60 / (8 * np.tan(np.radians(20)))
    assert np.diff(changes).mean() == pytest.approx(metre, abs=1)


def test_the_ground_is_not_seen_from_below():
    below = Camera((0, -3, 5), (0, 0, 0))
    image = render([cube()], below, ground=Ground(), size=SIZE)
    np.testing.assert_allclose(image[2], render([cube()], below, size=SIZE)[2])


def test_a_scene_far_from_the_origin_looks_like_one_near_it():
    there = np.array([1e5, 0, -1e5])
    camera = Camera(there + FRONT.eye, there + FRONT.target)
    near = render([cube()], FRONT, ground=Ground(), size=SIZE)
    far = render([cube(np.add(there, (0, 0.5, 0)))], camera, ground=Ground(), size=SIZE)
    assert np.abs(near.astype(int) - far).mean() < 0.1


def test_srgb_goes_there_and_back():
    values = np.arange(256)
    assert np.array_equal(to_bytes(to_linear(values / 255)), values)
    assert to_linear(0.5) == pytest.approx(0.21404, abs=1e-4)


def test_two_bodies_are_drawn_quickly():
    x, t = ball(n=40)
    shapes = [Shape(np.add(x, (-0.6, 0.5, 0)), t), Shape(np.add(x, (0.6, 0.5, 0)), t, "orange")]
    camera = Camera.framing(np.concatenate([s.vertices for s in shapes]))
    began = time.process_time()
    render(ghosts([shapes]), camera, ground=Ground())
    assert time.process_time() - began < 3.0


@pytest.mark.parametrize("options", [{"size": (0, 10)}, {"rays": 0}, {"edges": 0}])
def test_sizes_below_one_are_refused(options):
    with pytest.raises(ValueError, match="at least 1"):
        render([], FRONT, **options)


def test_without_embreex_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    with pytest.raises(MissingExtraError, match=r'pip install "jounce\[render\]"'):
        render([cube()], FRONT, size=SIZE)

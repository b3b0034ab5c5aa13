import numpy as np
import pytest

from jounce.view.camera import Camera


def pixels(camera, points, size):
    """Where points are seen, from a projection written out anew."""
    forward = np.subtract(camera.target, camera.eye)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, camera.up)
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    local = points - camera.eye
    depth = local @ forward
    focal = 0.5 * size[1] / np.tan(np.radians(camera.field_of_view) / 2)
    x = 0.5 * size[0] + focal * (local @ right) / depth
    return np.stack([x, 0.5 * size[1] - focal * (local @ up) / depth], axis=-1), depth


def test_rays_pass_through_the_points_that_their_pixels_show():
    camera = Camera((1.0, 2.0, 5.0), (0.2, 0.1, -0.3), field_of_view=40)
    points = np.random.default_rng(3).uniform(-1, 1, (50, 3))
    seen, _ = pixels(camera, points, (640, 480))
    rays = camera.directions(*seen.T.astype(np.float32), (640, 480))
    towards = points - camera.eye
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    np.testing.assert_allclose(rays, towards, atol=2e-6)


@pytest.mark.parametrize("direction", [(0, 0, -1), (-0.45, -0.3, -1.0), (1, -2, 0.5)])
@pytest.mark.parametrize("size", [(640, 480), (300, 600)])
def test_framing_sees_every_point_of_every_frame_and_fills_the_picture(direction, size):
    points = np.random.default_rng(1).uniform(-1, 1, (7, 30, 3)) * [3, 1, 2] + [100, 5, 7]
    camera = Camera.framing(points, direction, aspect=size[0] / size[1], margin=1.0)
    seen, depth = pixels(camera, points.reshape(-1, 3), size)
    low, high = seen.min(axis=0), seen.max(axis=0)
    assert depth.min() > 0
    assert np.all(low > -0.01)
    assert np.all(high < np.add(size, 0.01))
    assert max((high - low) / size) > 0.999
    np.testing.assert_allclose(
        np.subtract(camera.target, camera.eye) / camera.distance, direction / np.linalg.norm(direction)
    )


def test_framing_one_point_stands_off_it():
    camera = Camera.framing([[1.0, 2.0, 3.0]], (0, 0, -1))
    assert camera.eye[2] > 3.0


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Camera((0, 0, 0), (0, 0, 0)), "same point"),
        (lambda: Camera((0, 0, 0), (0, -1, 0)), "along its up"),
        (lambda: Camera((0, 0, 0), (0, 0, 1), field_of_view=180), "field of view"),
        (lambda: Camera((0, 0, np.nan), (0, 0, 1)), "eye must be three finite"),
        (lambda: Camera.framing(np.zeros((0, 3))), "there are none"),
        (lambda: Camera.framing([[0, 0, 0], [np.inf, 0, 0]]), "point 1 and 1 in all"),
        (lambda: Camera.framing([[0, 0, 0]], (0, -1, 0)), "along up"),
    ],
)
def test_faults_are_sentences(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()

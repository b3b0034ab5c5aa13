from dataclasses import replace

import imageio.v2 as imageio
import numpy as np
import pytest

from jounce.view.film import film, film_frames, framing, picture
from jounce.view.image import captioned, side_by_side, write_image
from jounce.view.shapes import Ground
from jounce.view.video import write_video

from .synthetic import bouncing_cubes


def greys(count=6, size=(49, 65)):
    return [np.full((*size, 3), 40 * i, dtype=np.uint8) for i in range(count)]


def test_a_video_reads_back_with_its_frames_rate_and_even_size(tmp_path):
    told = []
    path = write_video(tmp_path / "a.mp4", greys(), 12, progress=told.append)
    reader = imageio.get_reader(path)
    frames = [np.asarray(f) for f in reader]
    assert told == [1, 2, 3, 4, 5, 6]
    assert len(frames) == 6
    assert reader.get_meta_data()["fps"] == pytest.approx(12)
    assert reader.get_meta_data()["pix_fmt"].startswith("yuv420p")
    assert reader.get_meta_data()["codec"] == "h264"
    for written, read in zip(greys(), frames):
        assert read.shape == (50, 66, 3)
        assert np.abs(read.astype(int) - written[0, 0, 0]).max() <= 3


def test_a_video_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"before")

    def frames():
        yield from greys(3)
        raise RuntimeError("the run ended")

    with pytest.raises(RuntimeError, match="the run ended"):
        write_video(path, frames())
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("frames", "options", "sentence"),
    [
        ([], {}, "there are no frames"),
        ([*greys(2), np.zeros((10, 10, 3), np.uint8)], {}, r"Frame 2 has shape \(10, 10, 3\)"),
        ([np.zeros((10, 10, 3))], {}, "Frame 0 must be bytes"),
        (greys(), {"fps": 0}, "positive number of frames"),
        (greys(), {"quality": 99}, "quality"),
    ],
)
def test_frames_that_make_no_video_are_refused_by_a_sentence(tmp_path, frames, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        write_video(tmp_path / "a.mp4", frames, **options)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_and_an_unknown_ending_are_told_before_any_work(tmp_path):
    def never():
        raise AssertionError("drawn in vain")
        yield

    with pytest.raises(FileNotFoundError, match="there is no folder"):
        write_video(tmp_path / "none" / "a.mp4", never())
    with pytest.raises(ValueError, match=r"ending '.avi' is not one of .mp4"):
        write_video(tmp_path / "a.avi", never())


def test_pictures_stand_in_rows_under_their_captions():
    images = [np.full((40, 60, 3), c, dtype=np.uint8) for c in (250, 200, 150, 100)]
    out = side_by_side(images, ["one", "two", "three", ""], gap=2)
    assert out.shape == (82, 122, 3)
    assert out[60, 90].tolist() == [100] * 3
    assert np.all(out[42:, 62:] == 100)
    for i in range(3):
        panel = out[42 * (i // 2) : 42 * (i // 2) + 40, 62 * (i % 2) : 62 * (i % 2) + 60]
        assert (panel[:20] < 90).any()
        assert not (panel[25:] < 90).any()


def test_a_long_caption_is_made_to_fit():
    image = np.full((200, 120, 3), 255, dtype=np.uint8)
    dark = np.nonzero((captioned(image, "a caption of many words, too long") < 128).any(axis=(0, 2)))[0]
    assert dark.min() > 0
    assert dark.max() < 119


def test_pictures_of_unlike_sizes_are_refused():
    with pytest.raises(ValueError, match="one size"):
        side_by_side([np.zeros((4, 4, 3), np.uint8), np.zeros((4, 5, 3), np.uint8)])


def test_a_written_picture_reads_back(tmp_path):
    image = np.random.default_rng(0).integers(0, 255, (20, 30, 4), dtype=np.uint8)
    np.testing.assert_array_equal(imageio.imread(write_image(tmp_path / "a.png", image)), image)


def test_one_camera_sees_all_motions_of_a_film(tmp_path):
    motions = {"long": bouncing_cubes(), "short": bouncing_cubes(until=0.1)}
    path = film(tmp_path / "a.mp4", motions, fps=10, ground=Ground(), size=(80, 60))
    frames = imageio.mimread(path)
    assert len(frames) == 5
    assert frames[0].shape == (60, 164, 3)


def test_a_motion_that_ends_early_stands_still_and_says_so():
    motions = {"long": bouncing_cubes(), "short": bouncing_cubes(until=0.1)}
    frames = list(film_frames(motions, fps=10, size=(80, 60), clock=False))
    below = [f[12:, 84:] for f in frames]
    assert np.array_equal(below[2], below[4])
    assert not np.array_equal(frames[2][:12, 84:], frames[0][:12, 84:])
    assert not np.array_equal(frames[2][12:, :80], frames[4][12:, :80])


def test_a_picture_of_several_times_shows_all_of_them(tmp_path):
    motion = bouncing_cubes(until=2.0)
    camera = framing(motion, (80, 60))
    end, both = (
        imageio.imread(picture(tmp_path / "a.png", motion, times, camera=camera, size=(80, 60))).astype(int)
        for times in (None, [0.0, 2.0])
    )
    assert (np.abs(end - both).max(axis=2) > 10).mean() > 0.02


def test_a_motion_stands_on_its_own_ground_unless_another_is_asked_for(tmp_path):
    bare, own = bouncing_cubes(), replace(bouncing_cubes(), ground=Ground(colour="#204060"))
    images = [
        imageio.imread(picture(tmp_path / f"{i}.png", m, size=(40, 30), ground=ground))
        for i, (m, ground) in enumerate([(bare, None), (bare, own.ground), (own, None), (own, Ground())])
    ]
    np.testing.assert_array_equal(images[1], images[2])
    assert np.any(images[0] != images[2])
    assert np.any(images[3] != images[2])

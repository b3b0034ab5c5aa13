import numpy as np
import pytest

from jounce.view.shapes import Ground, Shape, corner_normals, ghosts

from .synthetic import CUBE, CUBE_TRIANGLES, ball


def test_a_cube_keeps_its_edges():
    faces, corners = corner_normals(CUBE, CUBE_TRIANGLES)
    np.testing.assert_allclose(corners, np.repeat(faces[:, None], 3, axis=1), atol=1e-6)
    centres = CUBE[CUBE_TRIANGLES].mean(axis=1)
    assert np.all(np.einsum("ij,ij->i", faces, centres) > 0)


def test_a_ball_is_round():
    x, t = ball(n=40)
    _, corners = corner_normals(x, t)
    outwards = x[t] / np.linalg.norm(x[t], axis=2, keepdims=True)
    away_from_poles = np.abs(outwards[..., 1]) < 0.95
    cosine = np.abs(np.einsum("ijk,ijk->ij", corners, outwards))
    assert np.degrees(np.arccos(cosine[away_from_poles].min())) < 6


def test_a_flat_triangle_has_a_finite_normal():
    faces, corners = corner_normals(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert np.all(np.isfinite(faces))
    assert np.all(np.isfinite(corners))


def test_ghosts_end_solid():
    frames = [[Shape(CUBE + i, CUBE_TRIANGLES)] for i in range(4)]
    opacities = [s.opacity for s in ghosts(frames, (0.2, 0.6))]
    np.testing.assert_allclose(opacities, [0.2, 0.4, 0.6, 1.0])
    assert [s.opacity for s in ghosts(frames[:1])] == [1.0]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Shape(CUBE[:, :2], CUBE_TRIANGLES), r"\(8, 2\)"),
        (lambda: Shape(CUBE, CUBE_TRIANGLES + 1), "vertices 1 to 8"),
        (lambda: Shape(CUBE * np.nan, CUBE_TRIANGLES), "vertex 0 and 8 in all"),
        (lambda: Shape(CUBE, CUBE_TRIANGLES, opacity=2.0), "opacity"),
        (lambda: Shape(CUBE, CUBE_TRIANGLES, "blau"), "'blau' is not a colour"),
        (lambda: Shape(CUBE, CUBE_TRIANGLES, vertex_colours=np.ones((7, 3))), "as many vertex colours"),
        (lambda: Ground(pattern="tiles"), "'soft' or 'checker'"),
        (lambda: Ground(cell=0.0), "positive size"),
        (lambda: ghosts([]), "no frames"),
    ],
)
def test_faults_are_sentences(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()

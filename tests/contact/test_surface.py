"""The surface of a scene: what is on it, who owns it, its areas, and who may meet."""

import numpy as np
import pytest

from jounce import meshes
from jounce.contact.surface import Skin, Surface


def boxes(fixed=(False, False), collide=None):
    """Two boxes of eight cells, whose inner node is on no surface."""
    mesh = meshes.box(size=(0.4, 0.4, 0.4), cells=(2, 2, 2))
    x = np.asarray(mesh.vertices)
    rest = np.vstack([x, x + np.array([1.0, 0.0, 0.0])])
    skins = (Skin("left", mesh.surface, fixed[0]), Skin("right", mesh.surface + len(x), fixed[1]))
    return Surface(rest, skins, np.ones((2, 2), dtype=bool) if collide is None else collide), rest


def test_inner_nodes_are_not_on_it():
    surface, rest = boxes()
    assert len(rest) == 54
    assert len(surface.nodes) == 52
    np.testing.assert_array_equal(surface.rest, rest[surface.nodes])
    np.testing.assert_array_equal(surface.owners, np.repeat([0, 1], 26))
    assert surface.name_of(0) == "left"
    assert surface.name_of(len(rest) - 1) == "right"


def test_areas_add_up():
    surface, _ = boxes()
    whole = 2 * 6 * 0.4**2
    assert surface.areas.sum() == pytest.approx(whole, rel=1e-12)
    assert surface.edge_areas.sum() == pytest.approx(whole, rel=1e-12)


def test_triangles_are_those_of_the_corners_that_are_named():
    surface, rest = boxes()
    corner = int(np.argmin(rest.sum(axis=1)))
    found = surface.triangles_of(np.array([corner]))
    assert (found == corner).any(axis=1).all()
    all_of = surface.nodes[surface.faces]
    assert len(found) == (all_of == corner).any(axis=1).sum() > 0


def test_its_size_is_that_of_what_moves():
    assert boxes()[0].size == pytest.approx(np.linalg.norm([1.4, 0.4, 0.4]))
    assert boxes(fixed=(False, True))[0].size == pytest.approx(0.4 * 3**0.5)


def test_positions_are_taken_from_the_mean_of_what_moves():
    surface, rest = boxes(fixed=(False, True))
    y = surface.centred(rest + np.array([5.0, -3.0, 2.0]))
    np.testing.assert_allclose(y[:26].mean(axis=0), 0.0, atol=1e-14)
    np.testing.assert_allclose(np.ptp(y, axis=0), np.ptp(rest, axis=0))


@pytest.mark.parametrize(
    ("fixed", "excluded", "allowed"),
    [
        ((False, False), None, [[True, True], [True, True]]),
        ((False, True), None, [[True, True], [True, False]]),
        ((True, True), None, [[False, False], [False, False]]),
        ((False, False), (0, 1), [[True, False], [False, True]]),
        ((False, False), (0, 0), [[False, True], [True, True]]),
    ],
)
def test_who_may_meet(fixed, excluded, allowed):
    collide = np.ones((2, 2), dtype=bool)
    if excluded is not None:
        collide[excluded] = collide[excluded[::-1]] = False
    np.testing.assert_array_equal(boxes(fixed, collide)[0].allowed, allowed)

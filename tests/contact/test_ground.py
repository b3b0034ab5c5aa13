"""Grounds: their side, how far a move may go, and what is refused."""

import numpy as np
import pytest

import jounce as jn
from jounce.contact.ground import longest_step

from . import CALM, cube, mechanics

TILTED = jn.Ground(height=0.2, normal=(0.0, 3.0, 4.0))


def test_distances_are_along_the_normal_whatever_its_length():
    np.testing.assert_allclose(TILTED.up, [0.0, 0.6, 0.8])
    np.testing.assert_allclose(TILTED.distances(np.array([[7.0, 0.0, 0.0], [0.0, 1.0, 1.0]])), [-0.2, 1.2])


def test_a_move_into_the_ground_stops_short_of_it_and_any_other_is_free():
    above = np.array([1.0, 0.5, 1e-9])
    assert longest_step(above, np.array([0.5, 1e-12, 2.0])) == 1.0
    for below in (0.0, -1e-6, -1.0, -1e6):
        free = longest_step(above, np.array([0.5, below, 1.0]))
        assert 0.0 < free < 1.0
        assert 0.0 < 0.5 + free * (below - 0.5) <= 0.11 * 0.5


@pytest.mark.parametrize("speed", [1.0, 1e4])
@pytest.mark.parametrize("method", ["implicit-euler", "bdf2", "a-search"])
def test_nothing_falls_through_a_tilted_ground(method, speed):
    down = tuple(-speed * TILTED.up)
    scene = jn.Scene(
        (cube(cells=1, position=(0, 0.4, 0.4), velocity=down),),
        grounds=(TILTED,),
        contact=jn.Barrier(distance=5e-3, stiffness=1e4),
        gravity=CALM,
    )
    run = jn.simulate(scene, integrator=method, step=0.01, steps=20, on_failure="stop")
    heights = run.positions @ TILTED.up - 0.2
    assert len(run.t) > 1
    assert heights.min() > 0.0


def test_its_force_is_along_its_normal():
    ground = jn.Ground(height=-0.1, normal=(0.0, 3.0, 4.0))
    scene = jn.Scene((cube(),), grounds=(ground,), contact=jn.Barrier(distance=0.2, stiffness=1.0), gravity=CALM)
    mech, state = mechanics(jn.build(scene))
    force = -mech.contact.gradient(state.q).reshape(-1, 3)
    assert force.any()
    np.testing.assert_allclose(np.cross(force, ground.up), 0.0, atol=1e-12 * np.abs(force).max())
    assert (force @ ground.up >= 0).all()


def test_a_body_may_be_excused_from_a_ground():
    pairs = (jn.Pair(between=("cube", "ground"), collide=False),)
    scene = jn.Scene((cube(),), grounds=(jn.Ground(height=1.0),), contact=jn.Barrier(pairs=pairs), gravity=CALM)
    mech, state = mechanics(jn.build(scene))
    assert mech.contact.value(state.q) == 0.0
    assert mech.feasible_fraction(state.q, state.q - 5.0) == 1.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"normal": (0.0, 0.0, 0.0)}, "normal of ground 'floor' must be a direction"),
        ({"normal": (0.0, np.nan, 0.0)}, "must be a direction"),
        ({"normal": (0.0, 1.0)}, "must be a direction"),
        ({"height": np.inf}, "height of ground 'floor' must be finite"),
    ],
)
def test_bad_grounds_are_answered_with_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        jn.Ground(name="floor", **options)

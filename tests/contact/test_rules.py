"""Who may touch whom, and with how much friction."""

import numpy as np
import pytest

import jounce as jn
from jounce.contact.rules import rules

from . import CALM, cube

NAMES = ("ball", "wall", "ground")


def test_without_pairs_all_touch_with_the_friction_of_the_contact():
    table = rules(NAMES, 0.3, ())
    assert table.names == NAMES
    assert table.collide.all()
    assert (table.friction == 0.3).all()


def test_a_pair_is_excluded_in_both_orders_and_no_other():
    table = rules(NAMES, 0.3, (jn.Pair(between=("wall", "ball"), collide=False),))
    expected = np.ones((3, 3), dtype=bool)
    expected[0, 1] = expected[1, 0] = False
    np.testing.assert_array_equal(table.collide, expected)


def test_a_pair_has_its_own_friction_and_the_last_rule_holds():
    pairs = (jn.Pair(between=("ball", "ground"), friction=0.1), jn.Pair(between=("ground", "ball"), friction=0.0))
    table = rules(NAMES, 0.3, pairs)
    assert table.friction[0, 2] == table.friction[2, 0] == 0.0
    assert table.friction[0, 1] == 0.3


def test_a_body_may_be_kept_from_feeling_itself():
    table = rules(NAMES, 0.0, (jn.Pair(between=("ball", "ball"), collide=False),))
    assert not table.collide[0, 0]
    assert table.collide.sum() == 8


def test_an_unknown_name_is_answered_with_the_nearest():
    contact = jn.Barrier(pairs=(jn.Pair(between=("cube", "grund"), friction=0.5),))
    with pytest.raises(ValueError, match=r"names 'grund', which is no body, obstacle or ground; did you mean 'ground'"):
        jn.build(jn.Scene((cube(),), grounds=(jn.Ground(height=-1.0),), contact=contact, gravity=CALM))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"between": ("ball",)}, "A pair is between two names"),
        ({"between": "ball"}, "A pair is between two names"),
        ({"between": ("ball", "wall"), "friction": -0.2}, "between 'ball' and 'wall' must be at least 0; it is -0.2"),
        ({"between": ("ball", "wall"), "friction": np.inf}, "must be at least 0"),
    ],
)
def test_bad_pairs_are_answered_with_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        jn.Pair(**options)

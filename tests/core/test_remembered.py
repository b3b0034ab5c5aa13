"""Answers kept for the last few positions."""

import numpy as np

from jounce.core.remembered import COUNT, Remembered


def test_an_answer_is_computed_once_until_others_push_it_out():
    asked = []
    f = Remembered(lambda x: asked.append(x.copy()) or float(x.sum()))
    x = np.arange(3.0)
    assert f(x) == f(x.copy()) == 3.0
    assert len(asked) == 1
    for i in range(COUNT):
        f(x + i + 1)
    assert f(x) == 3.0
    assert len(asked) == COUNT + 2


def test_an_array_that_is_written_to_is_asked_anew():
    f = Remembered(lambda x: float(x.sum()))
    x = np.zeros(2)
    assert f(x) == 0.0
    x += 1.0
    assert f(x) == 2.0


def test_an_array_with_nan_is_never_taken_for_another():
    f = Remembered(lambda x: float(np.isnan(x).sum()))
    assert f(np.array([np.nan, 0.0])) == 1.0
    assert f(np.array([0.0, 0.0])) == 0.0

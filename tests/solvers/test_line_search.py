"""Line searches satisfy the conditions they are named after."""

import numpy as np
import pytest
from scipy.optimize import line_search as scipy_line_search

from jounce.solvers.line_search import armijo, strong_wolfe

CASES = {
    "quadratic": (lambda s: (s - 1.0) ** 2, lambda s: 2 * (s - 1.0)),
    "far minimum": (lambda s: (s - 30.0) ** 2, lambda s: 2 * (s - 30.0)),
    "near minimum": (lambda s: (s - 0.01) ** 2, lambda s: 2 * (s - 0.01)),
    "double well": (lambda s: s**4 - 4 * s**2 - s, lambda s: 4 * s**3 - 8 * s - 1),
    "wiggles": (lambda s: -s + 0.3 * np.sin(9 * s) + 0.1 * s**2, lambda s: -1 + 2.7 * np.cos(9 * s) + 0.2 * s),
    "more-thuente": (lambda s: -s / (s * s + 2.0), lambda s: (s * s - 2.0) / (s * s + 2.0) ** 2),
}


def barrier(s: float) -> tuple[float, float]:
    """-s - log(0.7 - s), infinite from 0.7 on."""
    if s >= 0.7:
        return np.inf, np.nan
    return -3.0 * s - np.log(0.7 - s), -3.0 + 1.0 / (0.7 - s)


@pytest.mark.parametrize("name", [n for n in CASES if n != "wiggles"])
@pytest.mark.parametrize("c2", [0.9, 0.1])
def test_both_wolfe_conditions_hold(name, c2):
    f, g = CASES[name]
    found = strong_wolfe(lambda s: (f(s), g(s)), g(0.0), f(0.0), c2=c2)
    assert found.ok
    assert f(found.step) <= f(0.0) + 1e-4 * found.step * g(0.0)
    assert abs(g(found.step)) <= c2 * abs(g(0.0))
    assert (found.value, found.slope) == (f(found.step), g(found.step))
    reference = scipy_line_search(
        lambda x: f(x[0]), lambda x: np.array([g(x[0])]), np.zeros(1), np.ones(1), c2=c2, maxiter=30
    )
    assert reference[0] is not None
    assert found.evaluations <= reference[1] + reference[2]


def test_the_full_step_is_tried_first_and_kept_when_good():
    f, g = CASES["quadratic"]
    found = strong_wolfe(lambda s: (f(s), g(s)), g(0.0), f(0.0))
    assert (found.step, found.evaluations) == (1.0, 1)
    assert armijo(f, g(0.0), f(0.0)).step == 1.0


def test_infinite_values_outside_the_domain_are_backed_away_from():
    value0, slope0 = barrier(0.0)
    found = strong_wolfe(barrier, slope0, value0)
    assert found.ok
    assert 0.0 < found.step < 0.7
    assert abs(found.slope) <= 0.9 * abs(slope0)
    cut = armijo(lambda s: barrier(s)[0], slope0, value0)
    assert cut.ok
    assert cut.step == 0.5
    assert cut.evaluations == 2


def test_the_cap_is_never_passed_and_is_good_enough():
    f, g = CASES["far minimum"]
    seen = []

    def watched(s):
        seen.append(s)
        return f(s), g(s)

    found = strong_wolfe(watched, g(0.0), f(0.0), longest=2.5, c2=0.5)
    assert found.ok
    assert found.step == 2.5
    assert max(seen) == 2.5


def test_armijo_step_decreases_enough_and_the_longer_one_did_not():
    f, g = CASES["near minimum"]
    found = armijo(f, g(0.0), f(0.0), shrink=0.7)
    assert found.ok
    assert f(found.step) <= f(0.0) + 1e-4 * found.step * g(0.0)
    assert f(found.step / 0.7) > f(0.0) + 1e-4 * found.step / 0.7 * g(0.0)


def test_ascent_and_hopeless_searches_say_so():
    f, g = CASES["quadratic"]
    assert not armijo(f, 1.0, f(0.0)).ok
    assert not strong_wolfe(lambda s: (f(s), g(s)), 1.0, f(0.0)).ok
    assert not armijo(lambda s: np.nan, -1.0, 0.0, max_cuts=5).ok
    lost = strong_wolfe(lambda s: (np.inf, np.nan), -1.0, 0.0, max_evaluations=10)
    assert (lost.ok, lost.step, lost.evaluations) == (False, 0.0, 10)
    downhill = strong_wolfe(lambda s: (-s, -1.0), -1.0, 0.0, max_evaluations=5)
    assert not downhill.ok
    assert downhill.value < 0.0


def test_roundoff_does_not_stop_a_converged_minimiser():
    assert armijo(lambda s: 1e6 + 1e-10, -1e-12, 1e6).step == 1.0


def test_bad_constants_are_refused():
    with pytest.raises(ValueError, match="shrink"):
        armijo(lambda s: 0.0, -1.0, 0.0, shrink=1.5)
    with pytest.raises(ValueError, match="c1 < c2"):
        strong_wolfe(lambda s: (0.0, 0.0), -1.0, 0.0, c1=0.9, c2=0.1)

"""How far to go along a descent direction: sufficient decrease, or the strong Wolfe conditions.

Both take functions of the step length s alone: phi(s) = f(q + s d), with phi = +inf outside the domain of f.
Reference: Nocedal and Wright, Numerical Optimization (2006), sections 3.1 and 3.5.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ROUNDOFF = 4.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class LineSearch:
    """The step found, phi and phi' there (phi' is nan where it was not needed), and how often phi was evaluated.

    When `ok` is false, `step` is the best step seen, or 0 where none lowered phi.
    """

    step: float
    value: float
    slope: float
    evaluations: int
    ok: bool


def armijo(
    value_at: Callable[[float], float],
    slope: float,
    value0: float,
    *,
    start: float = 1.0,
    shrink: float = 0.5,
    c1: float = 1e-4,
    max_cuts: int = 50,
) -> LineSearch:
    """The first of start, shrink start, shrink^2 start, ... with phi(s) <= phi(0) + c1 s phi'(0).

    Differences below the roundoff of phi(0) count as equal, so that a converged minimiser can still take its step.
    """
    if not (0.0 < shrink < 1.0 and 0.0 < c1 < 1.0 and start > 0.0):
        raise ValueError(f"Armijo needs 0 < shrink < 1, 0 < c1 < 1, start > 0; got {shrink}, {c1}, {start}.")
    if not (slope < 0.0 and np.isfinite(value0)):
        return LineSearch(0.0, value0, slope, 0, False)
    step = start
    for cut in range(max_cuts + 1):
        value = value_at(step)
        if value <= value0 + c1 * step * slope + ROUNDOFF * abs(value0):
            return LineSearch(step, value, np.nan, cut + 1, True)
        step *= shrink
    return LineSearch(0.0, value0, slope, max_cuts + 1, False)


def strong_wolfe(
    value_and_slope_at: Callable[[float], tuple[float, float]],
    slope: float,
    value0: float,
    *,
    start: float = 1.0,
    longest: float = np.inf,
    c1: float = 1e-4,
    c2: float = 0.9,
    max_evaluations: int = 40,
) -> LineSearch:
    """A step with phi(s) <= phi(0) + c1 s phi'(0) and |phi'(s)| <= c2 |phi'(0)|, at most `longest`.

    At `longest` sufficient decrease is enough. `start` is tried first, then the step doubles until a good one is
    bracketed (algorithm 3.5), and the bracket shrinks by cubic interpolation (algorithm 3.6).
    """
    if not (0.0 < c1 < c2 < 1.0 and start > 0.0 and longest > 0.0):
        raise ValueError(f"Wolfe needs 0 < c1 < c2 < 1, start > 0, longest > 0; got {c1}, {c2}, {start}, {longest}.")
    if not (slope < 0.0 and np.isfinite(value0)):
        return LineSearch(0.0, value0, slope, 0, False)
    slack = ROUNDOFF * abs(value0)

    def decreases(step: float, value: float) -> bool:
        return value <= value0 + c1 * step * slope + slack

    low, high = (0.0, value0, slope), None
    step, count = min(start, longest), 0
    while count < max_evaluations:
        value, incline = value_and_slope_at(step)
        count += 1
        if not decreases(step, value) or (value > low[1] + slack):
            high = (step, value, incline)
        elif abs(incline) <= -c2 * slope or (step >= longest and incline < 0.0):
            return LineSearch(step, value, incline, count, True)
        else:
            rises = incline * (1.0 if high is None else high[0] - low[0]) >= 0.0
            if rises:
                high = low
            low = (step, value, incline)
        if high is None:
            step = min(2.0 * step, longest)
            continue
        if abs(high[0] - low[0]) <= ROUNDOFF * max(high[0], low[0]):
            break
        step = _between(low, high)
    return LineSearch(low[0], low[1], low[2], count, False)


def _between(low: tuple[float, float, float], high: tuple[float, float, float]) -> float:
    """Minimum of the cubic through both ends, kept off the ends; the middle where there is none."""
    (a, value_a, slope_a), (b, value_b, slope_b) = low, high
    middle, width = 0.5 * (a + b), abs(b - a)
    if not (np.isfinite(value_b) and np.isfinite(slope_b)):
        return middle
    d1 = slope_a + slope_b - 3.0 * (value_a - value_b) / (a - b)
    square = d1 * d1 - slope_a * slope_b
    if square < 0.0:
        return middle
    d2 = np.copysign(np.sqrt(square), b - a)
    bottom = slope_b - slope_a + 2.0 * d2
    cubic = b - (b - a) * (slope_b + d2 - d1) / bottom if bottom != 0.0 else middle
    return float(cubic) if abs(cubic - middle) <= 0.4 * width else middle

"""Who may touch whom, and with how much friction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array
from ..core.registry import nearest


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What holds between two bodies, obstacles or grounds by name, or within one body if both names are its own.

    `collide=False` lets them pass through each other; `friction` replaces the contact's own coefficient.
    """

    between: tuple[str, str]
    collide: bool = True
    friction: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.between, tuple | list) or len(self.between) != 2:
            raise ValueError(f"A pair is between two names, such as ('ball', 'ground'); it is {self.between!r}.")
        if self.friction is not None:
            check_friction(self.friction, f"between '{self.between[0]}' and '{self.between[1]}'")


def check_friction(friction: float, where: str) -> None:
    if not (np.ndim(friction) == 0 and np.isfinite(friction) and friction >= 0):
        raise ValueError(
            f"The coefficient of friction {where} must be at least 0; it is {friction}. Rubber on stone is about 1, ice 0.05."
        )


def check_stick_speed(speed: float, where: str) -> None:
    if not (np.ndim(speed) == 0 and np.isfinite(speed) and speed > 0):
        raise ValueError(f"The stick_speed {where} must be positive and finite (m/s); it is {speed}.")


def check_lags(lags: int) -> None:
    if not isinstance(lags, int | np.integer) or lags < 0:
        raise ValueError(f"lag_iterations must be a whole number of at least 0; it is {lags!r}.")


@dataclass(frozen=True)
class Rules:
    """The pairs' rules as tables over all things: bodies, then obstacles, then grounds, in the order of `names`."""

    names: tuple[str, ...]
    collide: np.ndarray
    friction: Array


def rules(names: Sequence[str], friction: float, pairs: Sequence[Pair]) -> Rules:
    """Tables of who collides and of the coefficients of friction; an unknown name is answered with the nearest."""
    n = len(names)
    collide, mu = np.ones((n, n), dtype=bool), np.full((n, n), float(friction))
    for pair in pairs:
        for name in pair.between:
            if name not in names:
                raise ValueError(
                    f"A contact pair names '{name}', which is no body, obstacle or ground; {nearest(name, list(names))}"
                )
        i, j = (list(names).index(name) for name in pair.between)
        collide[i, j] = collide[j, i] = pair.collide
        if pair.friction is not None:
            mu[i, j] = mu[j, i] = pair.friction
    return Rules(tuple(names), collide, mu)

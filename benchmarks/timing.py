"""Clocks: shortest of several runs, since other work on a machine can only add; and the copy bandwidth to compare with."""

import time
from collections.abc import Callable

import numba
import numpy as np


def best(action: Callable[[], object], repeats: int) -> float:
    """Shortest time of several runs after a first that warms up (s)."""
    action()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        action()
        times.append(time.perf_counter() - begun)
    return min(times)


@numba.njit(parallel=True)
def _copy(source, target):
    for i in numba.prange(source.size):
        target[i] = source[i]


def copy_bandwidth() -> float:
    """Bytes read plus bytes written per second, with as many threads as numba has, for arrays far larger than the caches."""
    source = np.ones(20_000_000)
    target = np.ones_like(source)
    return 2 * source.nbytes / best(lambda: _copy(source, target), 15)

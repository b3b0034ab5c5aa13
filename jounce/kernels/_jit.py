"""How the sparse kernels are compiled: cached, without fast-math, loops marked `prange` in parallel."""

import os
from collections.abc import Callable
from typing import Any

# Threads that spin while they wait take the cores from those they wait for: on shared cores, conjugate gradients became
# ten times slower, at times a hundred. Must be set before OpenMP is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import numba


def parallel(function: Callable[..., Any]) -> Any:
    """Compile with threads. No fast-math: it made the sparse product four times slower, and hides NaN."""
    return numba.njit(cache=True, parallel=True)(function)


def serial(function: Callable[..., Any]) -> Any:
    """Compile for one thread."""
    return numba.njit(cache=True)(function)

"""How the sparse kernels are compiled: cached, without fast-math, loops marked `prange` in parallel."""

from collections.abc import Callable
from typing import Any

import numba


def parallel(function: Callable[..., Any]) -> Any:
    """Compile with threads. No fast-math: it made the sparse product four times slower, and hides NaN."""
    return numba.njit(cache=True, parallel=True)(function)


def serial(function: Callable[..., Any]) -> Any:
    """Compile for one thread."""
    return numba.njit(cache=True)(function)

"""From what a user writes to node numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import Array


def selected(selection: Any, x: Array, what: str) -> NDArray[np.int64]:
    """Sorted node numbers; `what` names the clamp or force in an error."""
    n = len(x)
    if isinstance(selection, str):
        if selection != "all":
            raise ValueError(
                f"{what} selects nodes by '{selection}'; give node numbers, a mask, a function of positions, or 'all'."
            )
        return np.arange(n)
    chosen = np.asarray(selection(x) if callable(selection) else selection)
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise ValueError(
                f"{what} selects by a mask of shape {chosen.shape}; the body has {n} nodes, so it must be ({n},)."
            )
        chosen = np.flatnonzero(chosen)
    if chosen.size == 0:
        low, high = x.min(axis=0), x.max(axis=0)
        raise ValueError(
            f"{what} selects no node. The body's rest shape spans {point(low)} to {point(high)} m: "
            "check the bounds and units of the selection."
        )
    if not np.issubdtype(chosen.dtype, np.integer):
        raise ValueError(f"{what} selects by values of type {chosen.dtype}; give whole node numbers or a mask.")
    if chosen.min() < 0 or chosen.max() >= n:
        wrong = chosen[(chosen < 0) | (chosen >= n)]
        raise ValueError(f"{what} selects node {int(wrong.flat[0])}, but the body has nodes 0 to {n - 1}.")
    return np.unique(chosen).astype(np.int64)


def point(p: Array) -> str:
    """Coordinates for a message."""
    return "(" + ", ".join(f"{c:.4g}" for c in p) + ")"

"""Parameters that vary over a mesh: one number, one per element, or a function of the rest centroids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jounce.core.checks import floats

Array = NDArray[np.float64]
Field = float | Array | Callable[[Array], Any]
"""One value, one value per element, or a function of the rest centroids (n, 3) that gives one value per element."""


def sampled(field: Field, centroids: Array, what: str) -> Array:
    """A field as one float per element, or a sentence that says why it cannot be."""
    values = floats(field(centroids) if callable(field) else field, what)
    if values.ndim == 0:
        return np.full(len(centroids), values)
    if values.shape != (len(centroids),):
        raise ValueError(
            f"{what} has shape {values.shape}, but the mesh has {len(centroids)} elements. Give one number, an array "
            f"of shape ({len(centroids)},), or a function of the centroids (n, 3) that returns n numbers."
        )
    return values


def require(values: Array, good: NDArray[np.bool_], what: str, rule: str) -> None:
    """Raise a sentence that names the offending elements."""
    if good.all():
        return
    bad = np.flatnonzero(~good)
    shown = ", ".join(f"{values[i]:g} (element {i})" for i in bad[:5])
    more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
    raise ValueError(f"{what} must be {rule}, but is {shown}{more}.")

"""What a user gave where numbers are wanted: the numbers, or a sentence that names what they are for."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import Array


def real(given: Any, what: str) -> float:
    """One number, which may be infinite or NaN."""
    if _kind(given) not in "iuf" or np.ndim(given) != 0:
        raise TypeError(f"{what} must be one number; it is {given!r}.")
    return float(given)


def floats(given: Any, what: str) -> Array:
    """An array of numbers of any shape."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be numbers; it is {given!r}.") from None


def span(begin: Any, until: Any, what: str) -> None:
    """Refuse a time span (s) that does not end later than it begins."""
    if not real(until, f"The end of {what} (s)") > real(begin, f"The beginning of {what} (s)"):
        raise ValueError(
            f"{what[0].upper() + what[1:]} begins at {begin} s and ends at {until} s; it must end later than it begins."
        )


def alike(given: Any, default: Any, what: str) -> None:
    """Refuse a value that is not of its default's kind: text, true or false, a number, or as many numbers."""
    kind = _kind(given)
    if isinstance(default, bool):
        fits, wanted = kind == "b" and np.ndim(given) == 0, "true or false"
    elif isinstance(default, str):
        fits, wanted = kind not in "biuf" and given is not None, f"a name, such as {default}"
    elif isinstance(default, tuple) and all(isinstance(d, int | float) for d in default) and default:
        fits = np.shape(given) == np.shape(default) and kind in "iuf"
        wanted = f"{len(default)} numbers, such as {default}"
    elif isinstance(default, int | float):
        fits = np.ndim(given) == 0 and kind in "iuf" and bool(np.isfinite(given))
        wanted = f"a finite number, such as {default}"
        if isinstance(default, int):
            fits, wanted = fits and float(given).is_integer(), f"a whole number, such as {default}"
    else:
        return
    if not fits:
        raise ValueError(f"{what} is {wanted}; it is {given!r}.")


def _kind(given: Any) -> str:
    """numpy's letter for what this holds; O where it is not an array of one kind."""
    try:
        return np.asarray(given).dtype.kind
    except ValueError:
        return "O"


def callable_(given: Any, what: str, takes: str) -> Callable[..., Any]:
    """Something that can be called with what `takes` names."""
    if not callable(given):
        raise TypeError(f"{what} must be a function of {takes}; it is {given!r}.")
    return given

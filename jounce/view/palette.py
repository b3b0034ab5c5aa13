"""Colours: one colour-blind safe palette for pictures and plots, and the sRGB curve both ways."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]

PALETTE = {
    "blue": "#0072b2",
    "vermilion": "#d55e00",
    "green": "#009e73",
    "purple": "#cc79a7",
    "sky": "#56b4e9",
    "orange": "#e69f00",
    "black": "#1a1a1a",
}
"""After Okabe and Ito 2008, in the order in which labels take them; their yellow is too pale for a line on white."""

STONE = "#a9afb6"
"""Of what does not move of itself."""


def rgb(colour: str | ArrayLike) -> Floats:
    """sRGB components in 0..1 of a palette name, "#rrggbb", or three numbers in 0..1."""
    if isinstance(colour, str):
        code = PALETTE.get(colour, colour)
        try:
            if len(code) != 7 or code[0] != "#":
                raise ValueError
            return np.array([int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)], dtype=np.float32)
        except ValueError:
            known = ", ".join(PALETTE)
            raise ValueError(
                f"'{colour}' is not a colour. Give '#rrggbb', three numbers in 0..1, or one of {known}."
            ) from None
    out = np.asarray(colour, dtype=np.float32)
    if out.shape != (3,) or not np.all((out >= 0) & (out <= 1)):
        raise ValueError(f"A colour is three numbers in 0..1, '#rrggbb' or a palette name; it is {colour!r}.")
    return out


def in_order(labels: Any) -> dict[str, str]:
    """A colour for each label; the same list of labels gets the same colours everywhere."""
    codes = list(PALETTE.values())
    return {label: codes[i % len(codes)] for i, label in enumerate(labels)}


def to_linear(srgb: ArrayLike) -> Floats:
    """Light that an sRGB value in 0..1 stands for."""
    c = np.asarray(srgb, dtype=np.float32)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


_ENCODED = np.linspace(0, 1, 8193)
_ENCODED = 255 * np.where(_ENCODED <= 0.0031308, 12.92 * _ENCODED, 1.055 * _ENCODED ** (1 / 2.4) - 0.055)


def to_bytes(linear: Floats, dither: Floats | float = 0.0) -> Image:
    """sRGB bytes of linear light in 0..1, by table; `dither` of -0.5..0.5 hides the steps of slow gradients."""
    encoded = _ENCODED[np.rint(8192 * np.clip(linear, 0, 1)).astype(np.int32)]
    return np.clip(np.rint(encoded + dither), 0, 255).astype(np.uint8)

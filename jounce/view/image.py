"""Pictures as files, with captions, and several in one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .palette import Image

INK = (40, 44, 52)


def destination(path: str | Path, *endings: str) -> Path:
    """The path, if its folder is there and its ending is one of those given."""
    out = Path(path)
    if not out.parent.is_dir():
        raise FileNotFoundError(f"'{out}' cannot be written: there is no folder '{out.parent}'. Make it first.")
    if out.suffix.lower() not in endings:
        raise ValueError(f"'{out}' cannot be written: its ending '{out.suffix}' is not one of {', '.join(endings)}.")
    return out


def write_image(path: str | Path, image: Image) -> Path:
    """Write a picture (height, width, 3 or 4) as a PNG file."""
    from PIL import Image as Pillow

    out = destination(path, ".png")
    Pillow.fromarray(np.ascontiguousarray(image)).save(out)
    return out


def captioned(image: Image, caption: str, *, at: str = "top", size: int | None = None) -> Image:
    """The picture with words over its top or its bottom left corner, in letters of `size` pixels."""
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    if at not in ("top", "bottom left"):
        raise ValueError(f"A caption stands at the 'top' or the 'bottom left'; not at '{at}'.")
    if not caption:
        return image
    height, width = image.shape[:2]
    letters = size or max(height // 20, 10)
    picture = Pillow.fromarray(np.ascontiguousarray(image))
    draw = ImageDraw.Draw(picture)
    wide = draw.textlength(caption, font=ImageFont.load_default(size=letters))
    letters = max(int(letters * min(1.0, 0.96 * width / wide)), 6)
    font = ImageFont.load_default(size=letters)
    wide = draw.textlength(caption, font=font)
    ink = INK if image.shape[2] == 3 else (*INK, 255)
    place = (0.5 * (width - wide), 0.5 * letters) if at == "top" else (0.6 * letters, height - 1.7 * letters)
    draw.text(place, caption, font=font, fill=ink)
    return np.asarray(picture)


def side_by_side(
    images: Sequence[Image], captions: Sequence[str] | None = None, *, columns: int | None = None, gap: int = 4
) -> Image:
    """Pictures of one size in rows of `columns` (up to three in one row, else about a square), white between them."""
    if not images:
        raise ValueError("There are no pictures to put side by side.")
    shapes = sorted({i.shape for i in images})
    if len(shapes) > 1:
        raise ValueError(f"Pictures side by side must have one size; these have {', '.join(map(str, shapes))}.")
    if captions is not None and len(captions) != len(images):
        raise ValueError(f"{len(images)} pictures need as many captions; there are {len(captions)}.")
    if columns is not None and columns < 1:
        raise ValueError(f"columns must be at least 1; it is {columns}.")
    across = columns or (len(images) if len(images) <= 3 else int(np.ceil(np.sqrt(len(images)))))
    down = -(-len(images) // across)
    height, width, channels = images[0].shape
    out = np.full((down * (height + gap) - gap, across * (width + gap) - gap, channels), 255, dtype=np.uint8)
    for i, image in enumerate(images):
        y, x = (i // across) * (height + gap), (i % across) * (width + gap)
        out[y : y + height, x : x + width] = image if captions is None else captioned(image, captions[i])
    return out

"""Frames into an H.264 video that every player opens."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from .extras import extra
from .image import destination
from .palette import Image


def write_video(
    path: str | Path,
    frames: Iterable[Image],
    fps: float = 30.0,
    *,
    quality: int = 18,
    progress: Callable[[int], object] | None = None,
) -> Path:
    """Write frames (height, width, 3) as they come; an odd last row or column is doubled, for sizes must be even.

    `quality` is x264's constant rate factor: 0 is lossless, 18 looks it, 30 is small. `progress` is called with the
    number of frames written. The file appears when it is complete: if anything fails, what was there before stays.
    """
    out = destination(path, ".mp4", ".mov", ".mkv")
    if not (np.isfinite(fps) and fps > 0):
        raise ValueError(f"A video needs a positive number of frames per second; it is {fps}.")
    if not 0 <= quality <= 51:
        raise ValueError(f"The quality must be in 0 (lossless) to 51 (worst); it is {quality}.")
    ffmpeg = extra("imageio_ffmpeg", "Writing videos")
    part = out.with_name(f".{out.stem}.part{out.suffix}")
    writer, size, count = None, None, 0
    try:
        for frame in frames:
            image = even(frame, count)
            if writer is None:
                size = image.shape
                writer = ffmpeg.write_frames(
                    part,
                    (size[1], size[0]),
                    fps=fps,
                    codec="libx264",
                    pix_fmt_out="yuv420p",
                    quality=None,
                    macro_block_size=2,
                    ffmpeg_log_level="error",
                    output_params=["-crf", str(quality), "-movflags", "+faststart"],
                )
                writer.send(None)
            if image.shape != size:
                raise ValueError(
                    f"Frame {count} has shape {frame.shape}; those before it gave {size}. Draw all in one size."
                )
            writer.send(image)
            count += 1
            if progress is not None:
                progress(count)
        if writer is None:
            raise ValueError(f"'{out}' was not written: there are no frames.")
        writer.close()
        part.replace(out)
    finally:
        if writer is not None:
            writer.close()
        part.unlink(missing_ok=True)
    return out


def even(frame: Image, number: int) -> Image:
    """The frame with its last row or column doubled where their number is odd."""
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
        raise ValueError(f"Frame {number} must be bytes (height, width, 3); it is {frame.dtype} {frame.shape}.")
    return np.ascontiguousarray(np.pad(frame, ((0, frame.shape[0] % 2), (0, frame.shape[1] % 2), (0, 0)), mode="edge"))

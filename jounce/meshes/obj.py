"""Wavefront OBJ: positions and faces, nothing else."""

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import Indices, Points


def read_obj(path: Path) -> tuple[NDArray, NDArray]:
    """Points and triangles; a face of more corners becomes a fan around its first. Normals and textures are ignored."""
    points, triangles, findings = [], [], []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                points.append([float(word) for word in words[1:4]])
                if len(words) < 4:
                    raise ValueError("a vertex needs three coordinates")
            elif words[:1] == ["f"]:
                # Numbers count from 1; negative ones count back from the newest vertex.
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [c - 1 if c > 0 else len(points) + c for c in corners]
                if len(corners) < 3:
                    raise ValueError("a face needs three corners")
                triangles += [[corners[0], b, c] for b, c in pairwise(corners[1:])]
        except ValueError as error:
            findings.append(f"line {number} ('{line.strip()[:60]}') cannot be read: {error}. Remedy: export it again.")
    if findings:
        raise MeshError(f"{path}:", findings[:5])
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3)


def write_obj(path: Path, points: Points, triangles: Indices) -> None:
    """Vertices with every digit, then triangles, which may be faulty."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")

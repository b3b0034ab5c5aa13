"""What can be wrong with a mesh, each fault as a sentence with ids, cause and remedy."""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import FACES, Indices, Points, longest_edges, tet_volumes, triangle_normals

SHOWN = 5
FLAT = 1e-9  # volume (area) over the cube (square) of the longest edge; below this, rounding decides the sign
MOST = 2**31  # cells; beyond, no machine holds the mesh


def listing(ids: NDArray, describe: Callable[[int], str]) -> str:
    """The first few ids (worst first) in words, with the number of those not shown."""
    words = "; ".join(describe(int(i)) for i in ids[:SHOWN])
    return words + (f"; and {len(ids) - SHOWN} more" if len(ids) > SHOWN else "")


def point(x: Points) -> str:
    """Coordinates for a message."""
    return "(" + ", ".join(f"{c:.4g}" for c in x) + ")"


def as_arrays(title: str, vertices: ArrayLike, elements: ArrayLike, corners: int) -> tuple[Points, Indices]:
    """Read-only float64 and int64 copies, or a `MeshError` about shape, type, NaN or index range."""
    x, e = np.asarray(vertices), np.asarray(elements)
    findings = []
    if x.ndim != 2 or x.shape[1] != 3 or not len(x):
        findings.append(f"vertices have shape {x.shape}; they must be (n, 3) with n > 0: one row of x, y, z per node.")
    if x.dtype.kind not in "fiu":
        findings.append(f"vertices have dtype {x.dtype}; they must be real numbers (metres).")
    if e.ndim != 2 or e.shape[1] != corners or not len(e):
        findings.append(f"elements have shape {e.shape}; they must be (m, {corners}) with m > 0.")
    if e.dtype.kind not in "iu":
        findings.append(f"elements have dtype {e.dtype}; they must be integer node numbers that count from 0.")
    if findings:
        raise MeshError(title, findings)
    findings = [*not_finite(x), *out_of_range(e, len(x))]
    if findings:
        raise MeshError(title, findings)
    x, e = np.array(x, dtype=np.float64, order="C"), np.array(e, dtype=np.int64, order="C")
    x.flags.writeable = e.flags.writeable = False
    return x, e


def not_finite(vertices: NDArray) -> list[str]:
    ids = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if not len(ids):
        return []
    where = listing(ids, lambda i: f"node {i} at {point(vertices[i])}")
    return [
        f"{len(ids)} of {len(vertices)} nodes are not finite: {where}. "
        "Likely cause: a division by zero or a failed simulation wrote this mesh. Remedy: write the mesh again."
    ]


def out_of_range(elements: NDArray, nodes: int) -> list[str]:
    ids = np.flatnonzero(((elements < 0) | (elements >= nodes)).any(axis=1))
    if not len(ids):
        return []
    where = listing(ids, lambda i: f"element {i} with nodes {elements[i].tolist()}")
    one_based = elements.min() == 1 and elements.max() == nodes
    cause = (
        "the node numbers count from 1. Remedy: subtract 1 from all of them."
        if one_based
        else "vertices and elements come from different meshes. Remedy: write both from the same mesh."
    )
    return [
        f"{len(ids)} of {len(elements)} elements use node numbers outside 0 to {nodes - 1}: {where}. "
        f"Likely cause: {cause}"
    ]


def repeated_nodes(elements: Indices, kind: str) -> list[str]:
    ordered = np.sort(elements, axis=1)
    ids = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if not len(ids):
        return []
    where = listing(ids, lambda i: f"{kind} {i} with nodes {elements[i].tolist()}")
    return [
        f"{len(ids)} of {len(elements)} {kind}s name a node twice: {where}. "
        f"Likely cause: nodes were merged and collapsed an edge. Remedy: delete these {kind}s."
    ]


def unused_nodes(elements: Indices, vertices: Points) -> list[str]:
    used = np.zeros(len(vertices), dtype=bool)
    used[elements] = True
    ids = np.flatnonzero(~used)
    if not len(ids):
        return []
    where = listing(ids, lambda i: f"node {i} at {point(vertices[i])}")
    return [
        f"{len(ids)} of {len(vertices)} nodes belong to no element and would have no mass: {where}. "
        "Likely cause: elements were deleted, or the file holds construction points. Remedy: "
        "`without_unused_nodes(vertices, elements)`, or `drop_unused=True` when reading a file."
    ]


def bad_tets(vertices: Points, tets: Indices) -> list[str]:
    """Inverted and flat tets; elements with repeated nodes are left to `repeated_nodes`."""
    volumes, lengths = tet_volumes(vertices, tets), longest_edges(vertices, tets)
    ordered = np.sort(tets, axis=1)
    proper = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    flat = proper & (np.abs(volumes) <= FLAT * lengths**3)
    inverted = np.flatnonzero(proper & ~flat & (volumes < 0.0))
    flat = np.flatnonzero(flat)

    def describe(i: int) -> str:
        return (
            f"tet {i} (nodes {tets[i].tolist()}, centre {point(vertices[tets[i]].mean(axis=0))}, "
            f"volume {volumes[i]:.3g})"
        )

    findings = []
    if len(inverted):
        worst = inverted[np.argsort(volumes[inverted], kind="stable")]
        if len(inverted) == len(tets):
            advice = (
                "Likely cause: the mesh lists nodes in the other winding. "
                "Remedy: swap two columns, `tets[:, [0, 2, 1, 3]]`."
            )
        else:
            advice = (
                "Likely cause: some tets are wound the other way, or nodes were moved through their neighbours. "
                "Remedy: swap two nodes of a tet that is only wound wrongly; mesh again where nodes moved."
            )
        findings.append(
            f"{len(inverted)} of {len(tets)} tets are inverted (negative volume): {listing(worst, describe)}. {advice}"
        )
    if len(flat):
        worst = flat[np.argsort(np.abs(volumes[flat]) / np.maximum(lengths[flat], 1e-300) ** 3, kind="stable")]
        findings.append(
            f"{len(flat)} of {len(tets)} tets are flat (no volume for their size): "
            f"{listing(worst, describe)}. Likely cause: coincident or coplanar nodes. "
            "Remedy: mesh again with a bound on the dihedral angles, or merge coincident nodes."
        )
    return findings


def crowded_faces(tets: Indices) -> list[str]:
    """Faces that more than two tets share."""
    faces, counts = np.unique(np.sort(tets[:, FACES].reshape(-1, 3), axis=1), axis=0, return_counts=True)
    ids = np.flatnonzero(counts > 2)
    if not len(ids):
        return []
    ids = ids[np.argsort(-counts[ids], kind="stable")]
    where = listing(ids, lambda i: f"face {faces[i].tolist()} in {counts[i]} tets")
    return [
        f"{len(ids)} faces belong to more than two tets: {where}. Likely cause: tets that are listed twice or "
        "overlap. Remedy: delete the repeated tets."
    ]


def flat_triangles(vertices: Points, triangles: Indices) -> list[str]:
    areas, lengths = (
        np.linalg.norm(triangle_normals(vertices, triangles), axis=1) / 2,
        longest_edges(vertices, triangles),
    )
    ordered = np.sort(triangles, axis=1)
    proper = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    ids = np.flatnonzero(proper & (areas <= FLAT * lengths**2))
    if not len(ids):
        return []
    ids = ids[np.argsort(areas[ids], kind="stable")]
    where = listing(
        ids,
        lambda i: (
            f"triangle {i} (nodes {triangles[i].tolist()}, centre "
            f"{point(vertices[triangles[i]].mean(axis=0))}, area {areas[i]:.3g})"
        ),
    )
    return [
        f"{len(ids)} of {len(triangles)} triangles are flat (no area for their size): {where}. "
        "Likely cause: coincident or collinear nodes. Remedy: delete these triangles or merge the nodes."
    ]


def positive(name: str, value: float) -> float:
    """A finite number above zero, or a `MeshError`."""
    if not np.isfinite(value) or value <= 0.0:
        raise MeshError("This shape cannot be made:", [f"{name} is {value}; give a positive number."])
    return float(value)


def at_least(name: str, value: float, least: int = 1) -> int:
    """A whole number of at least `least`, or a `MeshError`."""
    if value != int(value) or value < least:
        raise MeshError("This shape cannot be made:", [f"{name} is {value}; give a whole number of at least {least}."])
    return int(value)


def per_axis(name: str, values: Sequence[float], axes: int) -> Points:
    """That many positive numbers, or a `MeshError`."""
    if len(values) != axes:
        raise MeshError("This shape cannot be made:", [f"{name} has {len(values)} entries; give {axes}."])
    return np.array([positive(f"{name}[{i}]", value) for i, value in enumerate(values)])


def whole_per_axis(name: str, values: Sequence[int], axes: int) -> tuple[int, ...]:
    """That many whole numbers of at least 1, or a `MeshError`."""
    counts = tuple(at_least(f"{name}[{i}]", c) for i, c in enumerate(per_axis(name, values, axes)))
    if prod(counts) > MOST:
        raise MeshError("This shape cannot be made:", [f"{name} are {counts}, {prod(counts):.1e} in all; give fewer."])
    return counts

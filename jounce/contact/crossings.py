"""What a barrier never lets happen: surfaces that intersect, and points below a ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Array
from ..core.finding import Finding
from .ground import Plane
from .surface import Surface


def crossings(surface: Surface, x: Array) -> list[tuple[int, int]]:
    """Edges and faces of the surface that intersect, by their numbers."""
    import ipctk

    y = surface.positions(x)
    if not ipctk.has_intersections(surface.mesh, y, ipctk.LBVH()):
        return []  # compiled, where the search for who it is runs in Python
    boxes = ipctk.LBVH()
    boxes.build(y, surface.edges, surface.faces, 0.0)
    found = []
    for c in boxes.detect_edge_face_candidates():
        (a, b), t = surface.edges[c.edge_id], surface.faces[c.face_id]
        if not surface.allowed[surface.owners[a], surface.owners[t[0]]] or a in t or b in t:
            continue
        if ipctk.is_edge_intersecting_triangle(y[a], y[b], *y[t]):
            found.append((int(c.edge_id), int(c.face_id)))
    return sorted(found)


def intersecting(surface: Surface, x: Array) -> list[Finding]:
    """A fault for every two bodies that intersect, those with the most crossings first; the offenders are on both sides."""
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for edge, face in crossings(surface, x):
        one, other = sorted((int(surface.owners[surface.edges[edge, 0]]), int(surface.owners[surface.faces[face, 0]])))
        pairs.setdefault((one, other), []).append((edge, face))
    out = []
    for (one, other), both in sorted(pairs.items(), key=lambda pair: -len(pair[1])):
        edges, faces = np.array(both).T
        a, b = surface.skins[one].name, surface.skins[other].name
        who = f"between '{a}' and '{b}'" if one != other else f"within '{a}'"
        at = point(x[surface.nodes[surface.faces[faces[0]]]].mean(axis=0))
        message = f"{len(both)} edges pass through triangles {who}, the first near {at} m."
        beside = np.flatnonzero(np.isin(surface.mesh.faces_to_edges, edges).any(axis=1))
        triangles = np.union1d(faces, beside)
        out.append(Finding(True, message, surface.nodes[surface.faces[triangles]]))
    return out


def below(surface: Surface, planes: Sequence[Plane], x: Array) -> list[Finding]:
    """A fault for every body that lies on or below a ground, the deepest first."""
    out = []
    for p in planes:
        d = p.ground.distances(x[p.nodes])
        for skin in np.unique(surface.owners_of(p.nodes[d <= 0.0])):
            sunk = np.flatnonzero((d <= 0.0) & (surface.owners_of(p.nodes) == skin))
            worst = int(sunk[np.argmin(d[sunk])])
            message = (
                f"{sunk.size} points of '{surface.skins[skin].name}' lie on or below ground '{p.ground.name}', the lowest "
                f"by {-d[worst]:.4g} m near {point(x[p.nodes[worst]])} m."
            )
            out.append((d[worst], Finding(True, message, surface.triangles_of(p.nodes[sunk]))))
    return [finding for _, finding in sorted(out, key=lambda one: one[0])]


def point(p: Array) -> str:
    """Coordinates for a message."""
    return "(" + ", ".join(f"{c:.4g}" for c in p) + ")"

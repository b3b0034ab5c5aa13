"""What is wrong with a start: surfaces that intersect, points below a ground, gaps that the barrier's distance does not leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Indices
from .barrier import BarrierTerm
from .registry import ContactTerm, Things
from .surface import Surface

SHOWN = 5


@dataclass(frozen=True)
class Finding:
    """A fault or remark: `triangles` (m, 3) in the system's node numbers are the offenders."""

    fault: bool
    message: str
    triangles: Indices


def check_start(things: Things, term: ContactTerm, x: Array) -> None:
    """Raise the first fault of a start."""
    for finding in findings(things, term, x):
        if finding.fault:
            raise ValueError(finding.message)


def findings(things: Things, term: ContactTerm, x: Array) -> list[Finding]:
    """All faults and remarks about positions x of all nodes, the worst first."""
    if not isinstance(term, BarrierTerm):
        return []
    crossing = crossings(things.surface, x)
    if crossing:
        return [_intersecting(things.surface, crossing, x), *_below(things, x)]
    return [*_below(things, x), *_thin(things.surface, term), *_close(things.surface, term, x)]


def crossings(surface: Surface, x: Array) -> list[tuple[int, int]]:
    """Edges and faces of the surface that intersect, by their numbers."""
    import ipctk

    y = surface.positions(x)
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


def _intersecting(surface: Surface, crossing: list[tuple[int, int]], x: Array) -> Finding:
    said = []
    for edge, face in crossing[:SHOWN]:
        one, other = surface.nodes[surface.edges[edge]], surface.nodes[surface.faces[face]]
        said.append(
            f"'{surface.name_of(one[0])}' and '{surface.name_of(other[0])}' near {_point(x[other].mean(axis=0))} m"
        )
    faces = np.array([face for _, face in crossing])
    message = (
        f"The start intersects: {len(crossing)} edges pass through triangles, the first between {'; '.join(dict.fromkeys(said))}. "
        "Move the bodies apart, or exclude the pair with Pair(between=(.., ..), collide=False)."
    )
    return Finding(True, message, surface.nodes[surface.faces[faces]])


def _below(things: Things, x: Array) -> list[Finding]:
    out = []
    for p in things.planes:
        d = p.ground.distances(x[p.nodes])
        below = np.flatnonzero(d <= 0.0)
        if below.size:
            worst = int(below[np.argmin(d[below])])
            node = int(p.nodes[worst])
            message = (
                f"{below.size} points of '{things.surface.name_of(node)}' lie on or below ground '{p.ground.name}', the lowest "
                f"by {-d[worst]:.4g} m near {_point(x[node])} m. Raise the body or lower the ground."
            )
            out.append(Finding(True, message, things.surface.triangles_of(p.nodes[below])))
    return out


DEGENERATE = 1e-2
"""A feature thinner than this share of the barrier's distance is a fault of the mesh."""


def _thin(surface: Surface, term: BarrierTerm) -> list[Finding]:
    """Features of the rest shapes that are thinner than the barrier is wide."""
    out = []
    for thin in term.thin:
        name, at = surface.skins[thin.skin].name, _point(surface.rest_of(thin.nodes).mean(axis=0))
        message = (
            f"The barrier's distance, {term.dhat:.4g} m, is larger than the thinnest feature of '{name}': parts of it that do not "
            f"touch are {thin.gap:.4g} m apart at rest near {at} m. "
        )
        fault = thin.gap < DEGENERATE * term.dhat
        message += (
            "That is hardly there: mend the mesh there, or take a smaller distance."
            if fault
            else f"So '{name}' feels itself from {0.5 * thin.gap:.4g} m on."
        )
        out.append(Finding(fault, message, surface.triangles_of(thin.nodes)))
    return out


def _close(surface: Surface, term: BarrierTerm, x: Array) -> list[Finding]:
    said = term.tightest(x)
    if not said:
        return []
    near = [p.nodes.ravel() for p in term.pairs(x)]
    nodes = np.concatenate(near) if near else np.zeros(0, dtype=np.int64)
    message = f"{said} It is less than the barrier's distance, {term.dhat:.4g} m: contact pushes from the start."
    return [Finding(False, message, surface.triangles_of(nodes))]


def _point(p: Array) -> str:
    return "(" + ", ".join(f"{c:.4g}" for c in p) + ")"

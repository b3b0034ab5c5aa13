"""What is to be said about a start: surfaces that intersect, points below a ground, gaps that the barrier's distance does not leave."""

from __future__ import annotations

import numpy as np

from ..core.arrays import Array
from ..core.finding import Finding
from .barrier import BarrierTerm
from .crossings import below, intersecting, point
from .gaps import Gap
from .registry import ContactTerm, Things
from .surface import Surface


def findings(things: Things, term: ContactTerm, x: Array) -> list[Finding]:
    """All faults and remarks about positions x of all nodes, the worst first."""
    if not isinstance(term, BarrierTerm):
        return []
    apart = "Move the bodies apart, or exclude the pair with Pair(between=(.., ..), collide=False)."
    crossing = [
        Finding(True, f"The start intersects: {f.message} {apart}", f.triangles)
        for f in intersecting(things.surface, x)
    ]
    sunk = [f.with_note("Raise the body or lower the ground.") for f in below(things.surface, things.planes, x)]
    thin = _thin(things.surface, term)
    close = [] if crossing else _close(things.surface, term, x)  # what intersects has no distance
    return sorted([*crossing, *sunk, *thin, *close], key=lambda f: not f.fault)


def distances(things: Things, term: ContactTerm, x: Array) -> list[Gap]:
    """How far things that may touch are apart, as far as it is less than the barrier's distance or an edge of the mesh is long,
    and how far they are above grounds; the nearest first."""
    if not isinstance(term, BarrierTerm):
        return []
    reach = max(term.dhat, things.surface.edge_length)
    wide = BarrierTerm(things, reach, term.kappa, term.squared, term.by_area, term.stick_speed)
    return wide.gaps(x, height=np.inf)


DEGENERATE = 1e-2
"""A feature thinner than this share of the barrier's distance is a fault of the mesh."""


def _thin(surface: Surface, term: BarrierTerm) -> list[Finding]:
    """Features of the rest shapes that are thinner than the barrier is wide."""
    out = []
    for thin in term.thin:
        name, at = surface.skins[thin.skin].name, point(surface.rest_of(thin.nodes).mean(axis=0))
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
    said = f"It is less than the barrier's distance, {term.dhat:.4g} m: contact pushes from the start."
    near = [gap for gap in term.gaps(x, term.dhat) if gap.distance > 0.0]  # the others are faults
    return [Finding(False, f"{gap} {said}", surface.triangles_of(gap.nodes)) for gap in near]

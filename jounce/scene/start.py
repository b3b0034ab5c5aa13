"""What is to be said about a scene's start: elements without finite energy, obstacles that are no surface, contact's findings."""

import numpy as np

from ..contact import check
from ..contact.registry import Things
from ..core.arrays import Indices
from ..core.finding import NOWHERE, Finding
from ..meshes import surface_report
from ..meshes.geometry import FACES
from ..systems.lagrangian import LagrangianSystem
from .scene import Scene
from .select import point


def findings(scene: Scene, system: LagrangianSystem, things: Things | None) -> list[Finding]:
    """All faults and remarks, the faults first."""
    found = [*_elements(system), *_obstacles(scene, system)]
    if things is not None and system.contact is not None:
        found += check.findings(things, system.contact, system.start)
    return sorted(found, key=lambda f: not f.fault)


def _elements(system: LagrangianSystem) -> list[Finding]:
    out = []
    for body in system.bodies:
        for term in body.terms:
            bad = np.flatnonzero(~np.isfinite(term.energies(system.start)))
            if bad.size:
                message = (
                    f"{bad.size} elements of body '{body.name}' have no finite energy at the start, the first is element {int(bad[0])} "
                    f"near {point(system.start[term.nodes[bad[0]]].mean(axis=0))} m: it is inverted or flat. Start from a milder "
                    "deformation, or take a material that bears inversion (stable-neo-hookean, fixed-corotated, corotated, arap)."
                )
                out.append(Finding(True, message, _faces(term.nodes[bad])))
    return out


def _faces(elements: Indices) -> Indices:
    """The faces of tetrahedra; springs have none."""
    return elements[:, FACES].reshape(-1, 3) if elements.shape[1] == 4 else NOWHERE


def _obstacles(scene: Scene, system: LagrangianSystem) -> list[Finding]:
    """Obstacles may be open and wound as they like, but each point of them has one neighbourhood."""
    out, offset = [], sum(len(b.mesh.vertices) for b in scene.bodies)
    for obstacle in scene.obstacles:
        for f in surface_report(obstacle.mesh).findings:
            if f.fault:
                message = f"Obstacle '{obstacle.name}' is not a manifold: {f.message}"
                out.append(Finding(True, message, f.triangles + offset))
        offset += len(obstacle.mesh.vertices)
    return out

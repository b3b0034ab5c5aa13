"""From a scene to a system; the only file that knows every kind of body."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.arrays import Array
from ..elements.fibre import Fibres
from ..elements.placed import Placed
from ..elements.spring import Springs
from ..elements.term import ElementTerm
from ..elements.tet import Tets
from ..meshes import TetMesh, bending_edges
from ..systems.lagged import WindTerm
from ..systems.lagrangian import LagrangianSystem, NodalBody, NodalClamp, NodalForce, NodalWind
from .motion import initial_velocities
from .scene import Body, Clamp, Force, Scene, Solid, SpringNet
from .select import selected


def build(scene: Scene) -> LagrangianSystem:
    """The system that a scene describes; every fault is an error that names the body and what to change."""
    starts, velocities, masses, bodies = [], [], [], []
    clamps: list[NodalClamp] = []
    forces: list[NodalForce] = []
    winds: list[NodalWind] = []
    offset = 0
    for body in scene.bodies:
        rest = np.asarray(body.mesh.vertices) + np.asarray(body.position, dtype=float)
        local, mass = _solid(body, rest) if isinstance(body, Solid) else _net(body, rest)
        terms = tuple(Placed(t, offset, len(rest)) for t in local)
        start = _start(body, rest)
        ids = np.arange(offset, offset + len(rest))
        starts.append(start)
        masses.append(mass)
        velocities.append(initial_velocities(body.velocity, start, mass))
        damping = body.damping
        bodies.append(
            NodalBody(body.name, ids, terms, *((damping.mass, damping.stiffness) if damping is not None else (0.0, 0.0)))
        )
        clamps += [_clamp(c, rest, offset, f"Clamp {i} of body '{body.name}'") for i, c in enumerate(body.clamps)]
        forces += [_force(f, rest, mass, offset, f"Force {i} of body '{body.name}'") for i, f in enumerate(body.forces)]
        if body.wind is not None:
            w = body.wind
            triangles = body.mesh.surface if isinstance(body.mesh, TetMesh) else body.mesh.triangles
            winds.append(NodalWind(WindTerm(triangles + offset), np.asarray(w.velocity, float), w.drag, w.begin, w.until))
        offset += len(rest)
    x = np.concatenate(starts)
    system = LagrangianSystem(
        start=x,
        velocities=np.concatenate(velocities),
        masses=np.concatenate(masses),
        bodies=tuple(bodies),
        gravity=np.asarray(scene.gravity, dtype=float),
        clamps=tuple(clamps),
        forces=tuple(forces),
        winds=tuple(winds),
    )
    _check_start(system, x)
    return system


def _solid(body: Solid, rest: Array) -> tuple[list[ElementTerm], Array]:
    """Element terms of a body in its own node numbers, and its node masses (kg)."""
    tets = Tets(rest, body.mesh.tets, body.material)
    density = _per_element(body.density, tets.centroids, f"The density of body '{body.name}'")
    mass = tets.node_masses(density)
    return [tets, *(Fibres(rest, body.mesh.tets, f) for f in body.fibres)], mass


def _net(body: SpringNet, rest: Array) -> tuple[list[ElementTerm], Array]:
    if isinstance(body.mesh, TetMesh):
        edges, bending, mass = body.mesh.edges, None, _lumped(rest, body.mesh.tets, body.mesh.volumes * body.density)
    else:
        edges, bending = body.mesh.edges, bending_edges(body.mesh)
        mass = _lumped(rest, body.mesh.triangles, body.mesh.areas * body.density)
    if not (np.isfinite(body.density) and body.density > 0):
        raise ValueError(f"The density of body '{body.name}' must be positive; it is {body.density}.")
    edges = edges if body.edges is None else np.asarray(body.edges)
    terms: list[ElementTerm] = [Springs(rest, edges, body.spring)]
    if body.bending is not None:
        across = bending if body.bending_edges is None else np.asarray(body.bending_edges)
        if across is None:
            raise ValueError(f"Body '{body.name}' bends, but a tetrahedral mesh has no bending edges; give bending_edges.")
        terms.append(Springs(rest, across, body.bending))
    return terms, mass


def _lumped(rest: Array, elements: Array, masses: Array) -> Array:
    k = elements.shape[1]
    return np.bincount(elements.ravel(), weights=np.repeat(masses / k, k), minlength=len(rest))


def _per_element(value: Any, centroids: Array, what: str) -> Array:
    given = np.asarray(value(centroids) if callable(value) else value, dtype=float)
    out = np.array(np.broadcast_to(given, (len(centroids),)))
    bad = np.flatnonzero(~(np.isfinite(out) & (out > 0)))
    if bad.size:
        raise ValueError(f"{what} must be positive (kg/m^3); it is {out[bad[0]]} at element {int(bad[0])} and {bad.size} in all.")
    return out


def _start(body: Body, rest: Array) -> Array:
    if body.start is None:
        return rest
    start = np.asarray(body.start, dtype=float)
    if start.shape != rest.shape:
        raise ValueError(f"start of body '{body.name}' has shape {start.shape}; its mesh needs {rest.shape}.")
    bad = np.flatnonzero(~np.isfinite(start).all(axis=1))
    if bad.size:
        raise ValueError(f"start of body '{body.name}' is not finite at node {int(bad[0])} and {bad.size} in all.")
    return start


def _clamp(clamp: Clamp, rest: Array, offset: int, what: str) -> NodalClamp:
    if not clamp.until > clamp.begin:
        raise ValueError(f"{what} ends at {clamp.until} s, before it begins at {clamp.begin} s.")
    return NodalClamp(selected(clamp.nodes, rest, what) + offset, clamp.path, clamp.begin, clamp.until)


def _force(force: Force, rest: Array, mass: Array, offset: int, what: str) -> NodalForce:
    nodes = selected(force.nodes, rest, what)
    weights = mass[nodes] if force.per_mass else mass[nodes] / mass[nodes].sum()
    given = force.total
    total: Callable[[float], Array] = (
        (lambda t: np.asarray(given(t), dtype=float)) if callable(given) else (lambda t, f=np.asarray(given, dtype=float): f)
    )
    if total(max(force.begin, 0.0)).shape != (3,) or not np.all(np.isfinite(total(max(force.begin, 0.0)))):
        raise ValueError(f"{what} is {total(max(force.begin, 0.0))}; a force is three finite numbers (N).")
    return NodalForce(nodes + offset, weights, total, force.begin, force.until)


def _check_start(system: LagrangianSystem, x: Array) -> None:
    for body in system.bodies:
        for term in body.terms:
            energy = term.energies(x)
            bad = np.flatnonzero(~np.isfinite(energy))
            if bad.size:
                at = x[term.nodes[bad[0]]].mean(axis=0)
                raise ValueError(
                    f"{bad.size} elements of body '{body.name}' have no finite energy at the start, the first is element {int(bad[0])} "
                    f"near ({at[0]:.4g}, {at[1]:.4g}, {at[2]:.4g}) m: it is inverted or flat. Start from a milder deformation, or "
                    "take a material that bears inversion (stable-neo-hookean, fixed-corotated, corotated, arap)."
                )

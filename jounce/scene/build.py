"""From a scene to a system; the only file that knows every kind of body."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..contact.ground import Plane
from ..contact.registry import Things
from ..contact.rules import Rules, rules
from ..contact.surface import Skin, Surface
from ..core.arrays import Array, Indices
from ..core.checks import callable_, floats, span
from ..elements.fibre import Fibres
from ..elements.placed import Placed
from ..elements.spring import Springs
from ..elements.term import ElementTerm
from ..elements.tet import Tets
from ..meshes import TetMesh, bending_edges
from ..systems.lagged import WindTerm
from ..systems.lagrangian import LagrangianSystem, NodalBody, NodalClamp, NodalForce, NodalWind
from .motion import Path, initial_velocities, vector
from .scene import Body, Clamp, Force, Obstacle, Scene, Solid, SpringNet
from .select import point, selected
from .start import findings


def build(scene: Scene) -> LagrangianSystem:
    """The system that a scene describes; every fault is an error that names the body and what to change."""
    made = assembled(scene)
    found = findings(scene, *made)
    for finding in found:
        if finding.fault:
            raise ValueError(finding.message)
    return replace(made.system, remarks=tuple(f.message for f in found))


class Assembled(NamedTuple):
    """A system, and what can touch in it; None where the scene has no contact."""

    system: LagrangianSystem
    things: Things | None


def assembled(scene: Scene) -> Assembled:
    """The system that a scene describes, whatever its start is like."""
    starts, velocities, masses, bodies = [], [], [], []
    clamps: list[NodalClamp] = []
    forces: list[NodalForce] = []
    winds: list[NodalWind] = []
    offset = 0
    for body in scene.bodies:
        what = f"body '{body.name}'"
        rest = _placed(body)
        local, mass = _solid(body, rest) if isinstance(body, Solid) else _net(body, rest)
        terms = tuple(Placed(t, offset, len(rest)) for t in local)
        start = _start(body, rest)
        ids = np.arange(offset, offset + len(rest))
        starts.append(start)
        masses.append(mass)
        velocities.append(initial_velocities(body.velocity, start, mass, what))
        damping = body.damping
        bodies.append(
            NodalBody(
                body.name, ids, terms, *((damping.mass, damping.stiffness) if damping is not None else (0.0, 0.0))
            )
        )
        held = [_clamp(c, rest, offset, f"Clamp {i} of {what}") for i, c in enumerate(body.clamps)]
        _check_conflicts(held, rest, offset, what)
        clamps += held
        forces += [_force(f, rest, mass, offset, f"Force {i} of {what}") for i, f in enumerate(body.forces)]
        if body.wind is not None:
            w = body.wind
            winds.append(
                NodalWind(
                    WindTerm(_skin(body) + offset),
                    vector(w.velocity, f"The wind on {what} (m/s)"),
                    w.drag,
                    w.begin,
                    w.until,
                )
            )
        offset += len(rest)
    for obstacle in scene.obstacles:
        rest = _placed(obstacle)
        starts.append(rest)
        velocities.append(np.zeros_like(rest))
        masses.append(np.zeros(len(rest)))
        clamps.append(_path_of(obstacle, rest, offset))
        offset += len(rest)
    system = LagrangianSystem(
        start=np.concatenate(starts),
        velocities=np.concatenate(velocities),
        masses=np.concatenate(masses),
        bodies=tuple(bodies),
        gravity=np.asarray(scene.gravity, dtype=float),
        clamps=tuple(clamps),
        forces=tuple(forces),
        winds=tuple(winds),
    )
    return Assembled(system, None) if scene.contact is None else _with_contact(system, scene)


def _skin(body: Body | Obstacle) -> Indices:
    """A body's outer triangles, in its own node numbers."""
    return np.asarray(body.mesh.surface if isinstance(body.mesh, TetMesh) else body.mesh.triangles)


def _placed(body: Body | Obstacle) -> Array:
    kind = "obstacle" if isinstance(body, Obstacle) else "body"
    return np.asarray(body.mesh.vertices) + vector(body.position, f"The position of {kind} '{body.name}' (m)")


def _path_of(obstacle: Obstacle, rest: Array, offset: int) -> NodalClamp:
    """An obstacle's nodes are held, or moved, for ever."""
    if obstacle.path is not None:
        _check_path(obstacle.path, rest, f"The path of obstacle '{obstacle.name}'")
    return NodalClamp(np.arange(offset, offset + len(rest)), obstacle.path, 0.0, np.inf)


def _with_contact(system: LagrangianSystem, scene: Scene) -> Assembled:
    """The same system, whose surfaces touch each other, obstacles and grounds."""
    contact = scene.contact
    assert contact is not None
    things = _things(system, scene, rules(_names(scene), contact.friction, contact.pairs))
    return Assembled(replace(system, contact=contact.bind(things), lag_iterations=contact.lag_iterations), things)


def _names(scene: Scene) -> list[str]:
    return [b.name for b in (*scene.bodies, *scene.obstacles, *scene.grounds)]


def _things(system: LagrangianSystem, scene: Scene, who: Rules) -> Things:
    rest, skins, offset = [], [], 0
    for body in (*scene.bodies, *scene.obstacles):
        rest.append(_placed(body))
        skins.append(Skin(body.name, _skin(body) + offset, isinstance(body, Obstacle)))
        offset += len(rest[-1])
    surface = Surface(np.concatenate(rest), tuple(skins), who.collide)
    planes = []
    for k, ground in enumerate(scene.grounds):
        column = len(skins) + k
        feels = surface.moving & who.collide[surface.owners, column]
        planes.append(
            Plane(ground, surface.nodes[feels], surface.areas[feels], who.friction[surface.owners[feels], column])
        )
    return Things(surface, tuple(planes), who, lambda: _node_stiffness(system, surface))


def _node_stiffness(system: LagrangianSystem, surface: Surface) -> float:
    """The median stiffness (N/m) of the bodies' surface nodes, each held by its neighbours."""
    mech, start = system.prepare(system.initial_state(), 1.0)
    per_node = mech.elastic.hessian(start.q, psd=True).diagonal().reshape(-1, 3).mean(axis=1)
    return float(np.median(per_node))


def _solid(body: Solid, rest: Array) -> tuple[list[ElementTerm], Array]:
    """Element terms of a body in its own node numbers, and its node masses (kg)."""
    tets = Tets(rest, body.mesh.tets, body.material)
    density = _per_element(body.density, tets.centroids, f"The density of body '{body.name}'")
    mass = tets.node_masses(density)
    return [tets, *(Fibres(rest, body.mesh.tets, f) for f in body.fibres)], mass


def _net(body: SpringNet, rest: Array) -> tuple[list[ElementTerm], Array]:
    if not (np.ndim(body.density) == 0 and np.isfinite(body.density) and body.density > 0):
        raise ValueError(f"The density of body '{body.name}' must be one positive number; it is {body.density}.")
    if isinstance(body.mesh, TetMesh):
        edges, bending, mass = body.mesh.edges, None, _lumped(rest, body.mesh.tets, body.mesh.volumes * body.density)
    else:
        edges, bending = body.mesh.edges, bending_edges(body.mesh)
        mass = _lumped(rest, body.mesh.triangles, body.mesh.areas * body.density)
    edges = edges if body.edges is None else np.asarray(body.edges)
    if edges.ndim == 2 and np.any(edges[:, 0] == edges[:, 1]):
        at = int(np.flatnonzero(edges[:, 0] == edges[:, 1])[0])
        raise ValueError(f"Edge {at} of body '{body.name}' joins node {int(edges[at, 0])} to itself.")
    terms: list[ElementTerm] = [Springs(rest, edges, body.spring)]
    if body.bending is not None:
        across = bending if body.bending_edges is None else np.asarray(body.bending_edges)
        if across is None:
            raise ValueError(
                f"Body '{body.name}' bends, but a tetrahedral mesh has no bending edges; give bending_edges."
            )
        terms.append(Springs(rest, across, body.bending))
    return terms, mass


def _lumped(rest: Array, elements: Indices, masses: Array) -> Array:
    k = elements.shape[1]
    out = np.zeros(len(rest))
    np.add.at(out, elements, (masses / k)[:, None])
    return out


def _per_element(value: Any, centroids: Array, what: str) -> Array:
    given = floats(value(centroids) if callable(value) else value, what)
    if given.ndim and given.shape != (len(centroids),):
        raise ValueError(
            f"{what} has shape {given.shape}, but the mesh has {len(centroids)} elements: give one number, one per "
            "element, or a function of centroids (n, 3)."
        )
    out = np.array(np.broadcast_to(given, (len(centroids),)))
    bad = np.flatnonzero(~(np.isfinite(out) & (out > 0)))
    if bad.size:
        raise ValueError(
            f"{what} must be positive (kg/m^3); it is {out[bad[0]]} at element {int(bad[0])} and {bad.size} in all."
        )
    return out


def _start(body: Body, rest: Array) -> Array:
    if body.start is None:
        return rest
    start = floats(body.start, f"start of body '{body.name}' (m)")
    if start.shape != rest.shape:
        raise ValueError(f"start of body '{body.name}' has shape {start.shape}; its mesh needs {rest.shape}.")
    bad = np.flatnonzero(~np.isfinite(start).all(axis=1))
    if bad.size:
        raise ValueError(f"start of body '{body.name}' is not finite at node {int(bad[0])} and {bad.size} in all.")
    return start


def _clamp(clamp: Clamp, rest: Array, offset: int, what: str) -> NodalClamp:
    span(clamp.begin, clamp.until, what)
    nodes = selected(clamp.nodes, rest, what)
    if clamp.path is not None:
        _check_path(clamp.path, rest[nodes], f"The path of {what[0].lower() + what[1:]}")
    return NodalClamp(nodes + offset, clamp.path, clamp.begin, clamp.until)


def _check_path(path: Path, x: Array, what: str) -> None:
    moved = floats(callable_(path, what, "(seconds, positions)")(0.0, x), what)
    if moved.shape != x.shape or not np.all(np.isfinite(moved)):
        raise ValueError(
            f"{what} must give finite positions of shape {x.shape}, one for each node that it holds; at its beginning it "
            f"gives shape {moved.shape}: {moved.ravel()[:3]} ..."
        )


def _check_conflicts(clamps: list[NodalClamp], rest: Array, offset: int, what: str) -> None:
    """A node follows one path at a time."""
    for j, b in enumerate(clamps):
        for i, a in enumerate(clamps[:j]):
            apart = a.until <= b.begin or b.until <= a.begin
            alike = (a.path is None and b.path is None) or (a.path == b.path and a.begin == b.begin)
            shared = np.intersect1d(a.nodes, b.nodes) - offset
            if apart or alike or not shared.size:
                continue
            raise ValueError(
                f"Clamps {i} and {j} of {what} hold {shared.size} nodes at the same time on different paths, the first is "
                f"node {int(shared[0])} at {point(rest[shared[0]])} m. Select each node once, or let one clamp end before "
                "the other begins."
            )


def _force(force: Force, rest: Array, mass: Array, offset: int, what: str) -> NodalForce:
    nodes = selected(force.nodes, rest, what)
    weights = mass[nodes] if force.per_mass else mass[nodes] / mass[nodes].sum()
    given = force.total

    def total(t: float) -> Array:
        return floats(given(t) if callable(given) else given, what)

    span(force.begin, force.until, what)
    vector(total(max(force.begin, 0.0)), f"{what} ({'m/s^2' if force.per_mass else 'N'})")
    return NodalForce(nodes + offset, weights, total, force.begin, force.until)

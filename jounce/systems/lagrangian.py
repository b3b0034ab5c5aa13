"""Bodies of nodes: what turns their state into one step's mechanics and back."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..contact.potential import ContactPotential, FrictionPotential
from ..contact.registry import ContactTerm
from ..core.arrays import Array
from ..core.mass import DiagonalMass
from ..core.mechanics import Mechanics, Part, State
from ..core.potential import Linear
from ..elements.placed import Placed
from .feasible import FeasibleMoves
from .lagged import LaggedQuadratic, WindTerm, rayleigh, wind
from .layout import Frame, Layout, Script
from .nodal import NodalPotential, script_work

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class NodalClamp:
    """Nodes that follow a path of (seconds since it took hold, positions where it did), or are held where they are."""

    nodes: Ids
    path: Callable[[float, Array], Array] | None
    begin: float
    until: float

    def active(self, t: float, h: float) -> bool:
        """A step is clamped as a whole, by what holds at its middle."""
        return self.begin <= t + 0.5 * h < self.until


@dataclass(frozen=True)
class NodalForce:
    """A force (N) shared among nodes by fixed weights that add up to one, or an acceleration if the weights are masses."""

    nodes: Ids
    weights: Array
    total: Callable[[float], Array]
    begin: float
    until: float


@dataclass(frozen=True)
class NodalWind:
    """Wind of a velocity (m/s) on triangles."""

    term: WindTerm
    velocity: Array
    drag: float
    begin: float
    until: float


@dataclass(frozen=True)
class NodalBody:
    """A body's name, nodes, element terms and Rayleigh coefficients (1/s, s)."""

    name: str
    nodes: Ids
    terms: tuple[Placed, ...]
    mass_damping: float = 0.0
    stiffness_damping: float = 0.0


@dataclass(frozen=True)
class LagrangianSystem:
    """Nodes with lumped masses (kg), element terms between them, clamps, forces, wind and contact.

    The nodes of obstacles come last; they have no mass, and clamps that hold them for ever. `remarks` are what a user should know of
    the start.
    """

    start: Array
    velocities: Array
    masses: Array
    bodies: tuple[NodalBody, ...]
    gravity: Array
    clamps: tuple[NodalClamp, ...] = ()
    forces: tuple[NodalForce, ...] = ()
    winds: tuple[NodalWind, ...] = ()
    contact: ContactTerm | None = None
    lag_iterations: int = 0
    remarks: tuple[str, ...] = ()
    _layouts: dict[tuple[int, ...], Layout] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def terms(self) -> tuple[Placed, ...]:
        return tuple(t for b in self.bodies for t in b.terms)

    def initial_state(self) -> State:
        return State(0.0, self.start.ravel().copy(), self.velocities.ravel().copy())

    def positions(self, s: State) -> Array:
        return s.q.reshape(-1, 3)

    def momenta(self, s: State) -> tuple[Array, Array]:
        """Linear momentum (kg m/s), and angular momentum about the origin (kg m^2/s), of all nodes."""
        p = self.masses[:, None] * s.v.reshape(-1, 3)
        return p.sum(axis=0), np.cross(self.positions(s), p).sum(axis=0)

    def violations(self, s: State) -> tuple[str, ...]:
        """Inverted elements of materials that guard against it, surfaces that intersect, points below a ground."""
        x = self.positions(s)
        if not np.isfinite(x).all():
            node = int(np.argmin(np.isfinite(x).all(axis=1)))
            return (f"the position of node {node} is not finite.",)
        inverted = [_inverted(body, term, x) for body in self.bodies for term in body.terms if term.guards_inversion]
        broken = [] if self.contact is None else self.contact.broken(x)
        return (*filter(None, inverted), *(f.message for f in broken))

    def prepare(self, s: State, h: float) -> tuple[Mechanics, State]:
        held = tuple(i for i, c in enumerate(self.clamps) if c.active(s.t, h))
        layout = self._layout(held)
        anchors, since = self._anchors(s, held)
        script = self._script(s, h, held, anchors, since)
        frame = Frame(layout, script)
        elastic = NodalPotential(frame, self.terms)
        masses = layout.gathered(np.repeat(self.masses[:, None], 3, axis=1))
        gravity = Linear(_constant(layout.gathered(self.masses[:, None] * self.gravity)))
        x, v = s.q.reshape(-1, 3), s.v.reshape(-1, 3)
        term = None if self.contact is None else self.contact.begun(x, v)
        contact = None if term is None else ContactPotential(frame, term)
        mech = Mechanics(
            mass=DiagonalMass(masses),
            elastic=elastic,
            gravity=gravity if np.any(self.gravity) else None,
            loads=self._loads(s, h, layout),
            contact=contact,
            damping=self._damping(s, h, layout, script),
            friction=_friction(frame, term, x, h),
            wind=self._wind(s, h, layout, script),
            step_filter=FeasibleMoves.of(frame, self.terms, term),
            coordinates=held,
            block=3,
            parts=self._parts(frame),
            scripted=script.moving,
            script_work=partial(script_work, elastic, contact) if script.moving else None,
            lags=self.lag_iterations,
            diagnosis=None if term is None else lambda q: term.tightest(frame.positions(q, 0.0)),
        )
        if self.lag_iterations:
            mech = replace(mech, lagged=lambda q: replace(mech, friction=_friction(frame, term, frame.positions(q), h)))
        inner = {
            **s.internal,
            **{f"anchor {i}": a.ravel() for i, a in anchors.items()},
            **{f"since {i}": np.array([t]) for i, t in since.items()},
            "held": np.array(held, dtype=float),
        }
        return mech, State(s.t, layout.gathered(x), layout.gathered(v), inner)

    def commit(self, s: State, start: State, end: State) -> State:
        h = end.t - start.t
        # As prepared: with h rounded, a clamp that ends at the step's very middle could answer otherwise.
        held = tuple(int(i) for i in start.internal["held"])
        layout = self._layout(held)
        script = self._script(s, h, held, *self._anchors(start, held))
        x, v = script.positions(1.0).copy(), script.displacement / h
        x[layout.free], v[layout.free] = end.q.reshape(-1, 3), end.v.reshape(-1, 3)
        return State(end.t, x.ravel(), v.ravel(), end.internal)

    def _layout(self, held: tuple[int, ...]) -> Layout:
        if held not in self._layouts:
            nodes = [self.clamps[i].nodes for i in held]
            clamped = np.unique(np.concatenate(nodes)) if nodes else np.zeros(0, dtype=np.int64)
            self._layouts[held] = Layout(len(self.masses), clamped, [*self.terms, *(w.term for w in self.winds)])
        return self._layouts[held]

    def _anchors(self, s: State, held: tuple[int, ...]) -> tuple[dict[int, Array], dict[int, float]]:
        """Where and since when (s) each clamp holds: as remembered, or where its nodes are now.

        A clamp that begins between two steps takes hold at one of them; its path counts from then, so that no node jumps.
        """
        anchors: dict[int, Array] = {}
        since: dict[int, float] = {}
        for i in held:
            clamp = self.clamps[i]
            if f"anchor {i}" in s.internal:
                anchors[i], since[i] = s.internal[f"anchor {i}"].reshape(-1, 3), float(s.internal[f"since {i}"][0])
            else:
                anchors[i], since[i] = s.q.reshape(-1, 3)[clamp.nodes], max(clamp.begin, s.t)
        return anchors, since

    def _script(
        self, s: State, h: float, held: tuple[int, ...], anchors: dict[int, Array], since: dict[int, float]
    ) -> Script:
        x = s.q.reshape(-1, 3)
        moving = [i for i in held if self.clamps[i].path is not None]

        def positions(fraction: float) -> Array:
            if not moving:
                return x
            out = x.copy()
            for i in moving:
                clamp = self.clamps[i]
                assert clamp.path is not None
                moved = np.asarray(clamp.path(max(s.t + fraction * h - since[i], 0.0), anchors[i]))
                if moved.shape != anchors[i].shape:
                    raise ValueError(
                        f"At t = {s.t + fraction * h:.6g} s the path of a clamp gives positions of shape {moved.shape}; it holds "
                        f"{len(anchors[i])} nodes, so it must give {anchors[i].shape}."
                    )
                out[clamp.nodes] = moved
            return out

        return Script(positions, bool(moving))

    def _loads(self, s: State, h: float, layout: Layout) -> Linear | None:
        blowing = [f for f in self.forces if f.begin <= s.t + 0.5 * h < f.until]
        if not blowing:
            return None

        def force(fraction: float) -> Array:
            full = np.zeros((len(self.masses), 3))
            for f in blowing:
                full[f.nodes] += f.weights[:, None] * f.total(s.t + fraction * h)
            return layout.gathered(full)

        return Linear(force)

    def _damping(self, s: State, h: float, layout: Layout, script: Script) -> LaggedQuadratic | None:
        if not any(b.mass_damping or b.stiffness_damping for b in self.bodies):
            return None
        per_node = np.zeros((len(self.masses), 3))
        for b in self.bodies:
            per_node[b.nodes] = (b.mass_damping * self.masses[b.nodes])[:, None]
        terms = [(t, b.stiffness_damping) for b in self.bodies if b.stiffness_damping for t in b.terms]
        x = script.positions(0.0)
        return rayleigh(layout, terms, layout.gathered(per_node), x, script, h)

    def _wind(self, s: State, h: float, layout: Layout, script: Script) -> LaggedQuadratic | None:
        blowing = [(w.term, w.velocity, w.drag) for w in self.winds if w.begin <= s.t + 0.5 * h < w.until]
        return wind(layout, blowing, s.q.reshape(-1, 3), script, h) if blowing else None

    def _parts(self, frame: Frame) -> tuple[Part, ...]:
        parts = []
        for b in self.bodies:
            blocks = frame.layout.block_of_node[b.nodes]
            own = (3 * blocks[blocks >= 0][:, None] + np.arange(3, dtype=np.int64)).ravel()
            elastic = NodalPotential(frame, b.terms)
            work = partial(script_work, elastic, None) if frame.script.moving else None
            parts.append(Part(b.name, own, elastic, work))
        return tuple(parts)


def _inverted(body: NodalBody, term: Placed, x: Array) -> str:
    """A sentence on a body's inverted elements; empty where there are none."""
    bad = term.inverted(x)
    if not bad.size:
        return ""
    where = ", ".join(f"{c:.4g}" for c in x[term.nodes[bad[0]]].mean(axis=0))
    return f"{bad.size} elements of '{body.name}' are inverted, the first is element {bad[0]} near ({where}) m."


def _constant(force: Array) -> Callable[[float], Array]:
    return lambda fraction: force


def _friction(frame: Frame, term: ContactTerm | None, x: Array, h: float) -> FrictionPotential | None:
    """Friction of a step with the normal forces that act at positions x of all nodes."""
    friction = None if term is None else term.friction(x)
    return None if friction is None else FrictionPotential(frame, friction, h)

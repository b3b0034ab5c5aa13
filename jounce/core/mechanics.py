"""What an integrator sees: one step's mechanics in flat coordinates."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np

from .arrays import Array, Indices, Matrix
from .mass import Mass
from .potential import Dissipation, Linear, Potential, Total


@dataclass(frozen=True)
class State:
    """Time (s), coordinates, their velocity, and what only the system reads (plastic strain and the like)."""

    t: float
    q: Array
    v: Array
    internal: Mapping[str, Array] = field(default_factory=dict)

    def moved(self, h: float, q: Array, v: Array) -> "State":
        return replace(self, t=self.t + h, q=q, v=v)


class StepFilter(Protocol):
    """The longest fraction of a move that stays feasible: no intersection, no inversion.

    What a script moves goes along from where it is at the fraction `begin` of the step to where it is at `finish`.
    """

    def longest_step(self, start: Array, end: Array, begin: float = 1.0, finish: float = 1.0) -> float: ...


class Tangent(NamedTuple):
    """First-order model of the motion at one state: force (N), stiffness (N/m), damping (N s/m)."""

    force: Array
    stiffness: Matrix
    damping: Matrix


class Changes(NamedTuple):
    """Energy changes over a step (J): work of loads (their force at mid-step), of wind (at the mean velocity) and of scripted nodes,
    also through friction and damping; what those took, at the mean velocity."""

    work: float
    friction: float
    damping: float

    @property
    def net(self) -> float:
        return self.work - self.friction - self.damping


@dataclass(frozen=True)
class Part:
    """One body: its name, its coordinates, the elastic energy stored in it, and the work of its scripted clamps (J)."""

    name: str
    coordinates: Indices
    elastic: Potential
    script_work: Callable[[Array, Array], float] | None = None


@dataclass(frozen=True)
class Mechanics:
    """One step's problem: inertia, what stores energy, what applies force, what dissipates, what is feasible.

    The total energy is kinetic + elastic + gravity + contact. `loads` push too, but their work is booked as work.
    `damping`, `friction` and `wind` are potentials of velocity, fixed for the step; what wind does is booked as work too.
    `coordinates` names the coordinates: a method's memory is good for as long as it stays the same.
    `block` is the number of coordinates of one node, over which a move is measured.
    `scripted` says that something moves by script within the step, and `script_work(q0, q1)` is the work it does (J).
    `lagged(q)` are these mechanics with the normal forces of friction as they are at q; `lags` says how often a step wants that.
    `diagnosis(q)` is a sentence on what may have stopped a run at its start q.
    """

    mass: Mass
    elastic: Potential
    gravity: Linear | None = None
    loads: Linear | None = None
    contact: Potential | None = None
    damping: Dissipation | None = None
    friction: Dissipation | None = None
    wind: Potential | None = None
    step_filter: StepFilter | None = None
    coordinates: Hashable = "q"
    block: int = 1
    parts: tuple[Part, ...] = ()
    scripted: bool = False
    script_work: Callable[[Array, Array], float] | None = None
    lagged: "Callable[[Array], Mechanics] | None" = None
    lags: int = 0
    diagnosis: Callable[[Array], str] | None = None

    @property
    def uniform(self) -> Total:
        """The forces that do not depend on the coordinates: gravity and loads."""
        return Total(tuple(p for p in (self.gravity, self.loads) if p is not None))

    @property
    def smooth(self) -> Potential:
        """All that pushes except contact."""
        return Total((self.elastic, *self.uniform.terms)) if self.uniform.terms else self.elastic

    @property
    def potential(self) -> Potential:
        """All that pushes."""
        return self.smooth if self.contact is None else Total((self.smooth, self.contact))

    @property
    def stored(self) -> Total:
        """All that stores energy."""
        return Total(tuple(p for p in (self.elastic, self.gravity, self.contact) if p is not None))

    @property
    def dissipation(self) -> Potential | None:
        """All that depends on velocity."""
        terms = tuple(p for p in (self.damping, self.friction, self.wind) if p is not None)
        return None if not terms else terms[0] if len(terms) == 1 else Total(terms)

    def conservative(self) -> "Mechanics":
        """These mechanics without friction, damping and wind."""
        return replace(self, damping=None, friction=None, wind=None)

    def energy(self, s: State, at: float = 1.0) -> float:
        """Kinetic plus stored energy of a state at a fraction of the step (J)."""
        return 0.5 * self.mass.dot(s.v, s.v) + self.stored.at(at).value(s.q)

    def drag(self, v: Array) -> Array:
        """The gradient of the dissipation: minus the dissipative force (N)."""
        return np.zeros_like(v) if self.dissipation is None else self.dissipation.gradient(v)

    def force(self, s: State, at: float = 0.0) -> Array:
        """All forces at a state, at a fraction of the step (N)."""
        return -self.potential.at(at).gradient(s.q) - self.drag(s.v)

    def acceleration(self, s: State, at: float = 0.0) -> Array:
        return self.mass.solve(self.force(s, at))

    def tangent(self, s: State, at: float = 0.0) -> Tangent:
        gradient, stiffness = self.potential.at(at).linearise(s.q, psd=False)
        if self.dissipation is None:
            return Tangent(-gradient, stiffness, None)
        drag, damping = self.dissipation.linearise(s.v, psd=False)
        return Tangent(-gradient - drag, stiffness, damping)

    def changes(self, q0: Array, q1: Array, h: float) -> "Changes":
        """What was done to the energy over a step by all but the forces that store it."""
        moved = q1 - q0

        def taken(p: Potential | None) -> float:
            return 0.0 if p is None else float(np.dot(p.gradient(moved / h), moved))

        def given(p: Dissipation | None) -> float:
            return 0.0 if p is None or not self.scripted else p.script_push(moved / h)

        rubbed, damped = given(self.friction), given(self.damping)
        work = 0.0 if self.loads is None else -float(np.dot(self.loads.at(0.5).gradient(q0), moved))
        if self.script_work is not None:
            work += self.script_work(q0, q1)
        work += rubbed + damped - taken(self.wind)
        return Changes(work, taken(self.friction) + rubbed, taken(self.damping) + damped)

    def feasible_fraction(self, start: Array, end: Array, begin: float = 1.0, finish: float = 1.0) -> float:
        """The longest feasible fraction of a move while the script goes from one fraction of the step to another."""
        return 1.0 if self.step_filter is None else self.step_filter.longest_step(start, end, begin, finish)

    def restricted(self, origin: Array, basis: Array) -> "Mechanics":
        """The same mechanics with q = origin + basis @ z: Galerkin, once, for every reduced method."""
        from .restriction import restrict

        return restrict(self, origin, basis)

"""The loop: prepare, step, commit, record."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from . import integrators
from .core.arrays import Array
from .core.checks import real
from .core.mechanics import Changes, Mechanics, State
from .core.outcome import Outcome, SimulationError
from .core.registry import nearest
from .energy.ledger import Energies, Ledger, energies
from .integrators.base import Integrator, Step
from .scene.build import build
from .scene.scene import Scene
from .solvers.newton import NewtonSolver
from .systems.system import System


@dataclass(frozen=True)
class Run:
    """Frames and ledger of a simulation: `t` (frames,), `q` and `v` (frames, coordinates), and one ledger row per step.

    `outcome` says whether it reached its end. `end` is where it stopped, `memory` what its method remembers, and
    `coordinates` those that it remembers it in: what `simulate(..., resume=run)` goes on from.
    """

    system: System
    integrator: Integrator
    step: float
    ledger: Ledger
    states: list[State]
    outcome: Outcome = field(default_factory=Outcome)
    memory: Any = None
    origin: tuple[float, int] = (0.0, 0)
    coordinates: Any = None

    @property
    def t(self) -> Array:
        return np.array([s.t for s in self.states])

    @property
    def q(self) -> Array:
        return np.array([s.q for s in self.states])

    @property
    def v(self) -> Array:
        return np.array([s.v for s in self.states])

    @property
    def positions(self) -> Array:
        return np.array([self.system.positions(s) for s in self.states])

    @property
    def end(self) -> State:
        return self.states[-1]


class _Advance:
    """Steps a system and keeps the books."""

    def __init__(
        self,
        system: System,
        method: Integrator,
        solver: NewtonSolver,
        ledger: Ledger,
        halvings: int,
        coordinates: Any,
        verify: bool,
    ):
        self.system, self.method, self.ledger, self.halvings, self.verify = system, method, ledger, halvings, verify
        self.solver = solver.with_tolerance(method.newton_tolerance)
        self.coordinates = coordinates
        self.booked = coordinates
        self.parts = Energies(0.0, 0.0, 0.0, 0.0)

    def open(self, state: State, h: float) -> None:
        """The ledger's first row."""
        mech, start = self.system.prepare(state, h)
        self.parts, self.booked = energies(mech, start, 0.0), mech.coordinates
        self.ledger.open(state.t, self.parts, *self.system.momenta(state))

    def over(self, state: State, h: float, memory: Any, depth: int = 0) -> tuple[State, Any, Outcome]:
        """One step, or two halves of it where its solve fails, down to h / 2^halvings."""
        mech, start = self.system.prepare(state, h)
        if mech.coordinates != self.coordinates:
            memory = None if self.coordinates is not None else memory
            self.coordinates = mech.coordinates
        before = energies(mech, start, 0.0)
        taken: Step = self.method.step(mech, start, h, memory, self.solver)
        for _ in range(mech.lags):
            if mech.lagged is not None and taken.outcome.ok:
                mech = mech.lagged(taken.state.q)
                taken = self.method.step(mech, start, h, memory, self.solver)
        outcome, after = self._judged(mech, start, taken)
        if after is None:
            if depth == self.halvings:
                return state, memory, outcome if mech.diagnosis is None else outcome.with_note(mech.diagnosis(start.q))
            middle, memory, failed = self.over(state, 0.5 * h, memory, depth + 1)
            if not failed.ok:
                return middle, memory, failed
            return self.over(middle, 0.5 * h, memory, depth + 1)
        end = self.system.commit(state, start, taken.state)
        if self.verify and (broken := self.system.violations(end)):
            return state, memory, _violation(end.t, *broken)
        changes = mech.changes(start.q, taken.state.q, h)
        # Work where nodes are let go or held; springs that a model of contact puts anew are the method's own doing.
        released = before.total - self.parts.total if mech.coordinates != self.booked else 0.0
        self.ledger.add(
            end.t,
            after,
            *self.system.momenta(end),
            changes=Changes(changes.work + released, changes.friction, changes.damping),
            target=taken.target,
            measured=taken.measured,
            alpha=taken.alpha,
            reports=taken.reports,
        )
        if self.verify and not (residual := self.ledger.residual(last=1)[0]) < CLOSES:
            self.ledger.take_back()
            return (
                state,
                memory,
                _violation(end.t, f"the ledger's columns do not close by {residual:.1g} of its largest energy."),
            )
        self.parts, self.booked = after, mech.coordinates
        return end, taken.memory, outcome

    def _judged(self, mech: Mechanics, start: State, taken: Step) -> tuple[Outcome, Energies | None]:
        """Whether a step may be used, and its energies if so."""
        if not taken.outcome.ok:
            return taken.outcome, None
        if not (np.all(np.isfinite(taken.state.q)) and np.all(np.isfinite(taken.state.v))):
            return Outcome(
                "not finite", "the new state is not finite: the method is unstable. Take a smaller step."
            ), None
        if not self.method.feasible and mech.feasible_fraction(start.q, taken.state.q, 0.0, 1.0) < 1.0:
            why = (
                f"{self.method.name} does not resolve contact within its step, and this one would pass through something or invert an "
                "element. Take a smaller step, or a method that ends its step where contact was resolved, such as a-search."
            )
            return Outcome("infeasible", why), None
        after = energies(mech, taken.state, 1.0)
        if not np.isfinite(after.total):
            why = (
                "the new state has no finite energy: an element is inverted or a pair intersects. Take a smaller step."
            )
            return Outcome("infeasible", why), None
        return taken.outcome, after


CLOSES = 1e-12
"""How far, relative to the largest energy seen, a verified step's columns of the ledger may be from closing."""


def _violation(t: float, *broken: str) -> Outcome:
    return Outcome(
        "violation",
        f"the step to t = {t:.6g} s was solved, but breaks what is promised: {' '.join(broken)} It is not kept. No cause in a scene "
        "should lead here: please report this one. A smaller step or a larger barrier distance may get past it.",
    )


def simulate(
    scene: Scene | System,
    *,
    integrator: str | Integrator = "a-search",
    step: float,
    steps: int,
    solver: NewtonSolver | None = None,
    record_every: int = 1,
    halvings: int = 4,
    on_failure: Literal["raise", "stop"] = "raise",
    on_step: Callable[[State, Ledger], bool | None] | None = None,
    resume: Run | None = None,
    verify: bool = False,
) -> Run:
    """Simulate `steps` steps of `step` seconds and return the run.

    A step whose solve fails is taken again as two halves, up to `halvings` times over; if that fails too the run ends, by an
    error whose `run` holds all good frames ("raise") or quietly ("stop"). `on_step(state, ledger)` is called after every step
    and may return False to stop. `resume` goes on from an earlier run's end, with the same bits as if it had not ended.

    `verify` looks at every committed step anew: no edge through a triangle, no inverted element of a material that guards against it,
    nothing below a ground, and a ledger that closes. A step that breaks one of these ends the run and is not kept. It costs 3 ms per
    step on a ball of 1,760 nodes and 6,851 tets (two cores).
    """
    if not 0 < real(step, "The time step (s)") < np.inf:
        raise ValueError(f"The time step must be a positive number of seconds; it is {step}.")
    for name, count, least in (("steps", steps, 0), ("record_every", record_every, 1), ("halvings", halvings, 0)):
        if not isinstance(count, int | np.integer) or count < least:
            raise ValueError(f"{name} must be a whole number of at least {least}; it is {count!r}.")
    if on_failure not in ("raise", "stop"):
        raise ValueError(f"on_failure is {on_failure!r}; {nearest(str(on_failure), ['raise', 'stop'])}")
    if not isinstance(scene, Scene | System):
        raise TypeError(f"simulate takes a Scene or a system; this is a {type(scene).__name__}.")
    method = integrators.create(integrator) if isinstance(integrator, str) else integrator
    if isinstance(method, type) or not hasattr(method, "newton_tolerance"):
        raise TypeError(f"integrator must be a name, or what jounce.integrators.create returns; it is {integrator!r}.")
    for name, given, one in (("solver", solver, NewtonSolver), ("resume", resume, Run)):
        if given is not None and not isinstance(given, one):
            raise TypeError(f"{name} must be a {one.__name__} or None; it is {given!r}.")
    system = build(scene) if isinstance(scene, Scene) else scene
    first = system.initial_state()
    if resume is not None and resume.end.q.shape != first.q.shape:
        raise ValueError(
            f"resume is a run of another system: it has {resume.end.q.size} coordinates, this one {first.q.size}."
        )
    ledger = Ledger()
    coordinates = None if resume is None else resume.coordinates
    advance = _Advance(system, method, solver or NewtonSolver(), ledger, halvings, coordinates, verify)
    state = first if resume is None else resume.end
    memory = None if resume is None else resume.memory
    origin, done = (state.t, 0) if resume is None or resume.step != step else resume.origin
    advance.open(state, step)
    states = [state]
    outcome = Outcome()
    n = 0
    for n in range(1, steps + 1):
        state, memory, outcome = advance.over(state, step, memory)
        if not outcome.ok:
            n -= 1
            break
        state = State(origin + (done + n) * step, state.q, state.v, state.internal)
        if n % record_every == 0 or n == steps:
            states.append(state)
        if on_step is not None and on_step(state, ledger) is False:
            break
    if states[-1] is not state and state.t > states[-1].t:
        states.append(state)
    run = Run(system, method, step, ledger, states, outcome, memory, (origin, done + n), advance.coordinates)
    if not outcome.ok and on_failure == "raise":
        error = SimulationError(f"The run stopped at t = {state.t:.6g} s after {len(ledger) - 1} steps: {outcome}")
        error.run = run  # type: ignore[attr-defined]
        raise error
    return run

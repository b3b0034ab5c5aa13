"""Steps a system with a method and keeps the states only: studies take many steps and need no ledger."""

from collections.abc import Iterator

from ..core.mechanics import State
from ..core.outcome import SimulationError
from ..integrators.base import Integrator
from ..solvers.newton import NewtonSolver
from ..systems.system import System


def march(system: System, method: Integrator, h: float, steps: int, solver: NewtonSolver) -> Iterator[State]:
    """The states after each of `steps` steps of h (s)."""
    state, memory = system.initial_state(), None
    for n in range(steps):
        mech, start = system.prepare(state, h)
        taken = method.step(mech, start, h, memory, solver)
        if not taken.outcome.ok:
            raise SimulationError(f"{method.name} stopped at step {n + 1} of {steps} (h = {h:.3g} s): {taken.outcome}")
        state, memory = system.commit(state, start, taken.state), taken.memory
        yield state


def last(system: System, method: Integrator, h: float, steps: int, solver: NewtonSolver) -> State:
    """The state after `steps` steps."""
    state = system.initial_state()
    for state in march(system, method, h, steps, solver):  # noqa: B007 - the last one is wanted
        pass
    return state

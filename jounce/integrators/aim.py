"""What energy-controlled methods remember: the target they aim at and the energy that the ledger allows."""

from collections.abc import Callable
from dataclasses import dataclass

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State
from ..energy.measure import energy_form
from ..energy.targets import Target


@dataclass(frozen=True)
class Aim:
    """The current target and the most that it may be (J), in the target's own measure, which depends on the step h (s)."""

    target: float
    allowed: float
    h: float


def aim(
    target: Target, before: Aim | None, mech: Mechanics, state: State, h: float, q: Array, gradient: Array | None = None
) -> Aim:
    """The target at the end of a step that goes to q; without memory it starts from the energy of `state`."""

    def energy(step: float) -> float:
        return energy_form(mech, target.measure, state.q, step, at=0.0, gradient=gradient)(state.v)

    before = begun(target, before, state.t, h, energy)
    return advanced(target, before, state.t, h, mech.changes(state.q, q, h).net)


def begun(target: Target, before: Aim | None, t: float, h: float, energy: Callable[[float], float]) -> Aim:
    """The aim at the start of a step of length h: a first one, or the last one carried over to this h's measure."""
    if before is None:
        first = energy(h)
        return Aim(target.first(first, t), first, h)
    if before.h == h or target.measure == "plain":
        return Aim(before.target, before.allowed, h)
    shift = energy(h) - energy(before.h)
    return Aim(before.target + shift, before.allowed + shift, h)


def advanced(target: Target, before: Aim, t: float, h: float, change: float) -> Aim:
    """One step's change to a target; it stays under what is allowed unless energy may be added."""
    allowed = before.allowed + change
    wished = target.after(before.target, t, h, change)
    return Aim(wished if target.add_energy else min(wished, allowed), allowed, h)

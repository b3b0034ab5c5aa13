"""What energy-controlled methods remember: the target they aim at and the energy that the ledger allows."""

from dataclasses import dataclass

from ..core.arrays import Array
from ..core.mechanics import Mechanics, State
from ..energy.measure import energy_form
from ..energy.targets import Target


@dataclass(frozen=True)
class Aim:
    """The current target and the most that it may be (J), in the target's own measure."""

    target: float
    allowed: float


def aim(target: Target, before: Aim | None, mech: Mechanics, state: State, h: float, q: Array, gradient: Array | None = None) -> Aim:
    """The target at the end of a step that goes to q; without memory it starts from the energy of `state`."""
    if before is None:
        energy = energy_form(mech, target.measure, state.q, h, at=0.0, gradient=gradient)(state.v)
        before = Aim(target.first(energy, state.t), energy)
    change = mech.work(state.q, q) - mech.dissipated(state.q, q, h)
    return advanced(target, before, state.t, h, change)


def advanced(target: Target, before: Aim, t: float, h: float, change: float) -> Aim:
    """One step's change to a target; it stays under what is allowed unless energy may be added."""
    allowed = before.allowed + change
    wished = target.after(before.target, t, h, change)
    return Aim(wished if target.add_energy else min(wished, allowed), allowed)



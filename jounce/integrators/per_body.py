"""A target for each body: v = w - a_c d_contact - a_b d_body, with one common weight for contact.

One weight per body on all forces would break the balance of contact forces, and with it momentum. So contact keeps a single weight
a_c, chosen for the total energy, and each body's own forces (elastic, gravity, loads) take the weight a_b that its own target asks
for. What contact gives one body and takes from another moves their targets by its work. The works add up to what the contact energy
lost, so the bodies' targets and the contact energy together are the target of the whole.
"""

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ..core.arrays import Array
from ..core.mechanics import Mechanics, Part, State
from ..energy.measure import EnergyForm, energy_form
from ..energy.targets import MeasureName, PerBody
from .aim import Aim, advanced, begun
from .decoupled import Correction


@dataclass(frozen=True)
class BodyAims:
    """Each body's aim by name, and the energy of the whole as it was aimed at and reached, contact included (J)."""

    aims: MappingProxyType[str, Aim]
    total_target: float
    total_measured: float


def correct_bodies(
    target: PerBody,
    limits: tuple[float, float],
    before: BodyAims | None,
    mech: Mechanics,
    state: State,
    h: float,
    c: Correction,
) -> tuple[Array, BodyAims, float]:
    """The corrected velocity, the new aims, and the mean of the bodies' weights."""
    if not mech.parts:
        raise ValueError(
            "A target per body needs a scene with bodies; this system has none. Use Conserve, Decay or Curve."
        )
    unknown = sorted(set(target.bodies) - {p.name for p in mech.parts})
    if unknown:
        raise ValueError(
            f"PerBody names bodies that the scene has not: {', '.join(unknown)}; it has {', '.join(p.name for p in mech.parts)}."
        )
    contact_old, contact_new = _contact_gradients(mech, state.q, c.q)
    d_contact = h * mech.mass.solve(contact_old - contact_new)
    d_own = c.d - d_contact

    contact_energy = 0.0 if mech.contact is None else mech.contact.at(1.0).value(c.q)
    works = _contact_works(mech, state.q, c.q, contact_old, contact_new, contact_energy)
    aims: dict[str, Aim] = {}
    for part, work in zip(mech.parts, works, strict=True):
        own = target.of(part.name)
        last = None if before is None else before.aims.get(part.name)

        def energy(step: float, part: Part = part, measure: MeasureName = own.measure) -> float:
            return _form(mech, part, measure, state.q, step, 0.0, c.old_gradient)(_only(state.v, part))

        change = work + _change(mech, part, state.q, c.q, h)
        aims[part.name] = advanced(own, begun(own, last, state.t, h, energy), state.t, h, change)

    level = contact_energy + sum(a.target for a in aims.values())
    common = energy_form(mech, target.measure, c.q, h, gradient=c.gradient).along(c.w, c.d).reach(level, *limits)
    w = c.w - common * d_contact
    v, weights, measured = w.copy(), [], contact_energy
    for part in mech.parts:
        form = _form(mech, part, target.of(part.name).measure, c.q, h, 1.0, c.gradient)
        own = np.zeros_like(w)
        own[part.coordinates] = d_own[part.coordinates]
        parabola = form.along(_only(w, part), own)
        weight = parabola.reach(aims[part.name].target, *limits)
        v -= weight * own
        weights.append(weight)
        measured += parabola(weight)
    return v, BodyAims(MappingProxyType(aims), level, measured), float(np.mean(weights))


def _only(v: Array, part: Part) -> Array:
    out = np.zeros_like(v)
    out[part.coordinates] = v[part.coordinates]
    return out


def _contact_gradients(mech: Mechanics, q0: Array, q1: Array) -> tuple[Array, Array]:
    if mech.contact is None:
        return np.zeros_like(q0), np.zeros_like(q1)
    return mech.contact.at(0.0).gradient(q0), mech.contact.at(1.0).gradient(q1)


def _form(
    mech: Mechanics, part: Part, measure: MeasureName, q: Array, h: float, at: float, gradient: Array
) -> EnergyForm:
    """A body's energy as a function of its velocity: elastic and gravity of its own, contact left to the work between bodies."""
    inside = np.zeros(q.size, dtype=bool)
    inside[part.coordinates] = True
    constant = part.elastic.at(at).value(q)
    if mech.gravity is not None:
        constant += float(np.dot(mech.gravity.at(at).gradient(q)[inside], q[inside]))
    if measure == "plain" or (measure == "flight" and not mech.uniform.terms):
        return EnergyForm(mech.mass, constant, None)
    slope = mech.uniform.at(at).gradient(q) if measure == "flight" else gradient
    g = np.where(inside, slope, 0.0)
    if measure == "shadow":
        constant += 0.5 * h**2 * float(np.dot(g, mech.mass.solve(g)))
    return EnergyForm(mech.mass, constant, 0.5 * h * g)


def _contact_works(mech: Mechanics, q0: Array, q1: Array, old: Array, new: Array, energy: float) -> list[float]:
    """Work of contact on each body, by the mean of both ends (J).

    That rule is not exact for a barrier. What is missing to the change of the contact energy is shared in proportion to the works.
    """
    if mech.contact is None:
        return [0.0] * len(mech.parts)
    push, moved = -0.5 * (old + new), q1 - q0
    works = np.array([np.dot(push[p.coordinates], moved[p.coordinates]) for p in mech.parts])
    shares = np.abs(works)
    if not shares.any():
        return [0.0] * len(mech.parts)
    released = mech.contact.at(0.0).value(q0) - energy
    return [float(w) for w in works + (released - works.sum()) * shares / shares.sum()]


def _change(mech: Mechanics, part: Part, q0: Array, q1: Array, h: float) -> float:
    """Work of loads at mid-step and of scripted clamps on a body, less its dissipation over a step (J)."""
    moved = (q1 - q0)[part.coordinates]
    push = -mech.drag((q1 - q0) / h)
    if mech.loads is not None:
        push = push - mech.loads.at(0.5).gradient(q0)
    work = float(np.dot(push[part.coordinates], moved))
    return work if part.script_work is None else work + part.script_work(q0, q1)

"""One implicit solve, whatever integrator asked for it.

min over q of  |q - anchor|_M^2 / (2 scale) + load.q + sum_k (weight_k / slope_k) Psi(base_k + slope_k q)
               + D(velocity(q)) / rate,        velocity(q) = rate q + drift
"""

from dataclasses import dataclass

import numpy as np

from .arrays import Array, Matrix
from .matrices import combine
from .mechanics import Mechanics


@dataclass(frozen=True)
class Sample:
    """The potential is felt at base + slope q, at a fraction of the step, with this weight."""

    base: Array | float = 0.0
    slope: float = 1.0
    weight: float = 1.0
    fraction: float = 1.0


@dataclass(frozen=True)
class Stage:
    """The coefficients of one implicit solve.

    `anchor` is where inertia alone would go; `scale` is h^2 for implicit Euler; the stage's velocity is rate q + drift;
    `load` is a constant gradient (forces already known, negated). Contact is felt at q itself, so q stays feasible,
    unless `contact_sample` says otherwise.
    """

    anchor: Array
    scale: float
    rate: float
    drift: Array
    samples: tuple[Sample, ...] = (Sample(),)
    load: Array | float = 0.0
    contact_sample: Sample = Sample()

    def velocity(self, q: Array) -> Array:
        return self.rate * q + self.drift

    def acceleration(self, q: Array) -> Array:
        """The acceleration that the stage's forces give, loads included (m/s^2)."""
        return (q - self.anchor) / self.scale


class StageObjective:
    """The function that a stage minimises.

    On the way there, what moves by script has gone only part of it: the share `progress` from its place at the fraction `begin` of
    the step, where the stage starts from, to the place where each sample feels it.
    """

    def __init__(self, mechanics: Mechanics, stage: Stage, progress: float = 1.0, begin: float = 0.0):
        self.mechanics, self.stage = mechanics, stage
        smooth = mechanics.smooth

        def felt(s: Sample) -> float:
            return s.fraction if progress == 1.0 else begin + progress * (s.fraction - begin)

        self._felt = [(smooth.at(felt(s)), s) for s in stage.samples]
        if mechanics.contact is not None:
            sample = stage.contact_sample
            self._felt.append((mechanics.contact.at(felt(sample)), sample))

    def value(self, q: Array) -> float:
        m, s = self.mechanics, self.stage
        d = q - s.anchor
        out = 0.5 * m.mass.dot(d, d) / s.scale + float(np.sum(s.load * q))
        for potential, p in self._felt:
            out += p.weight / p.slope * potential.value(p.base + p.slope * q)
        if m.dissipation is not None:
            out += m.dissipation.value(s.velocity(q)) / s.rate
        return out

    def gradient(self, q: Array) -> Array:
        m, s = self.mechanics, self.stage
        out = (m.mass @ (q - s.anchor)) / s.scale + s.load
        for potential, p in self._felt:
            out = out + p.weight * potential.gradient(p.base + p.slope * q)
        if m.dissipation is not None:
            out = out + m.dissipation.gradient(s.velocity(q))
        return out

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        m, s = self.mechanics, self.stage
        gradient = (m.mass @ (q - s.anchor)) / s.scale + s.load
        terms: list[tuple[float, Matrix]] = []
        for potential, p in self._felt:
            g, h = potential.linearise(p.base + p.slope * q, psd=psd)
            gradient = gradient + p.weight * g
            terms.append((p.weight * p.slope, h))
        if m.dissipation is not None:
            g, h = m.dissipation.linearise(s.velocity(q), psd=psd)
            gradient = gradient + g
            terms.append((s.rate, h))
        return gradient, combine(terms, mass=m.mass, weight=1.0 / s.scale)

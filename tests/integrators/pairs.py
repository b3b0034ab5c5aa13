"""Two chains of masses on a line, left and right, with a barrier between their facing ends."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import jounce as jn
from jounce.core.mass import DiagonalMass
from jounce.core.mechanics import Mechanics, Part
from jounce.core.potential import Linear, Total
from jounce.systems.analytic import FunctionPotential


@dataclass(frozen=True)
class Gap:
    """-kappa (g - dhat)^2 ln(g / dhat) for the gap g between coordinates `left` and `right` (J)."""

    left: int
    right: int
    dhat: float = 0.05
    kappa: float = 500.0

    def _slopes(self, g):
        d, k = self.dhat, self.kappa
        if g >= d:
            return 0.0, 0.0
        first = -k * (2 * (g - d) * np.log(g / d) + (g - d) ** 2 / g)
        return first, -k * (2 * np.log(g / d) + 4 * (g - d) / g - (g - d) ** 2 / g**2)

    def value(self, q):
        g = q[self.right] - q[self.left]
        if g <= 0:
            return np.inf
        return 0.0 if g >= self.dhat else float(-self.kappa * (g - self.dhat) ** 2 * np.log(g / self.dhat))

    def gradient(self, q):
        out = np.zeros(q.size)
        slope, _ = self._slopes(q[self.right] - q[self.left])
        out[[self.left, self.right]] = -slope, slope
        return out

    def hessian(self, q, *, psd):
        out = np.zeros((q.size, q.size))
        _, bend = self._slopes(q[self.right] - q[self.left])
        out[np.ix_([self.left, self.right], [self.left, self.right])] = bend * np.array([[1.0, -1.0], [-1.0, 1.0]])
        return out

    def linearise(self, q, *, psd):
        return self.gradient(q), self.hessian(q, psd=psd)

    def at(self, fraction):
        return self

    def longest_step(self, a, b, begin=1.0, finish=1.0):
        before, after = a[self.right] - a[self.left], b[self.right] - b[self.left]
        return 1.0 if after > 0.1 * before else 0.9 * before / (before - after)


def springs(n, own, rest, stiffness, cubic):
    """Springs between neighbours, with a cubic term so that nothing is linear."""
    D = np.zeros((own.size - 1, n))
    for i, (a, b) in enumerate(pairwise(own)):
        D[i, a], D[i, b] = -1.0, 1.0

    def stretch(q):
        return D @ q - rest

    return FunctionPotential(
        lambda q: float((0.5 * stiffness * stretch(q) ** 2 + 0.25 * cubic * stretch(q) ** 4).sum()),
        lambda q: D.T @ (stiffness * stretch(q) + cubic * stretch(q) ** 3),
        lambda q: D.T @ np.diag(stiffness + 3 * cubic * stretch(q) ** 2) @ D,
    )


@dataclass(frozen=True)
class TwoChains:
    """Chains "left" (soft, at `speed`) and "right" (stiff, at rest), `gap` apart; `pull` acts on every mass (N)."""

    gap: float = 0.2
    speed: float = 1.0
    pull: float = 0.0
    wobble: float = 0.3
    n: int = 5

    def initial_state(self):
        n, rest = self.n, 0.1
        left = rest * np.arange(n)
        right = left[-1] + self.gap + rest * np.arange(n)
        shape = np.linspace(-1, 1, n)
        v = np.concatenate([self.speed + self.wobble * shape, -2 * self.wobble * shape])
        return jn.State(0.0, np.concatenate([left, right]), v)

    def prepare(self, s, h):
        n = self.n
        own = {"left": np.arange(n), "right": np.arange(n, 2 * n)}
        stiffness = {"left": (200.0, 500.0), "right": (2000.0, 900.0)}
        elastic = {name: springs(2 * n, own[name], 0.1, *stiffness[name]) for name in own}
        gap = Gap(n - 1, n)
        mech = Mechanics(
            mass=DiagonalMass(np.concatenate([np.full(n, 0.2), np.full(n, 0.3)])),
            elastic=Total(tuple(elastic.values())),
            gravity=Linear(lambda c: np.full(2 * n, self.pull)) if self.pull else None,
            contact=gap,
            step_filter=gap,
            parts=tuple(Part(name, own[name], elastic[name]) for name in own),
        )
        return mech, s

    def commit(self, s, start, end):
        return end

    def positions(self, s):
        return s.q

    def violations(self, s):
        return ()

    def momenta(self, s):
        mass = self.prepare(s, 1.0)[0].mass
        return np.array([float(np.sum(mass @ s.v))]), np.zeros(0)

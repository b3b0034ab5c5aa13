"""Small systems with known answers."""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

import jounce as jn
from jounce import meshes


def chain(*, damping=None, wall=None, n=5):
    """A chain of masses on quartic springs, its left end fixed; optionally damped, optionally facing a barrier wall."""
    k, a = 40.0, 60.0
    D = np.eye(n) - np.eye(n, k=-1)
    contact = None if wall is None else Wall(wall, n)
    return jn.AnalyticSystem(
        np.linspace(1.0, 2.0, n),
        lambda q: float((0.5 * k * (D @ q) ** 2 + 0.25 * a * (D @ q) ** 4).sum()),
        lambda q: D.T @ (k * (D @ q) + a * (D @ q) ** 3),
        lambda q: D.T @ np.diag(k + 3 * a * (D @ q) ** 2) @ D,
        q=np.linspace(0.05, 0.3, n),
        v=np.linspace(0.5, -0.4, n),
        damping=None if damping is None else lambda q: damping * np.eye(n),
        contact=contact,
        longest_step=None if contact is None else contact.longest_step,
    )


@dataclass(frozen=True)
class Wall:
    """A log barrier that keeps the last mass left of `place`."""

    place: float
    n: int
    dhat: float = 0.1
    kappa: float = 5.0

    def value(self, q):
        g = self.place - q[-1]
        if g <= 0:
            return np.inf
        return 0.0 if g >= self.dhat else -self.kappa * (g - self.dhat) ** 2 * np.log(g / self.dhat)

    def gradient(self, q):
        out, g, d = np.zeros(self.n), self.place - q[-1], self.dhat
        if 0 < g < d:
            out[-1] = self.kappa * (2 * (g - d) * np.log(g / d) + (g - d) ** 2 / g)
        return out

    def hessian(self, q, *, psd):
        out, g, d = np.zeros((self.n, self.n)), self.place - q[-1], self.dhat
        if 0 < g < d:
            out[-1, -1] = -self.kappa * (2 * np.log(g / d) + 4 * (g - d) / g - (g - d) ** 2 / g**2)
        return out

    def linearise(self, q, *, psd):
        return self.gradient(q), self.hessian(q, psd=psd)

    def at(self, fraction):
        return self

    def longest_step(self, a, b):
        return 1.0 if b[-1] < self.place else 0.9 * (self.place - a[-1]) / (b[-1] - a[-1])


def bar(*, material=None, clamped=True, damping=None, gravity=(0.0, 0.0, 0.0), spin=6.0, cells=(3, 1, 1), **options):
    """A small bar of tets that swings and stretches."""
    mesh = meshes.box(size=(0.3, 0.1, 0.1), cells=cells)
    clamps = (jn.Clamp(nodes=lambda x: x[:, 0] < -0.15 + 1e-9),) if clamped else ()
    body = jn.Solid(
        mesh,
        material or jn.StableNeoHookean(youngs=1e5, poisson=0.3),
        velocity=lambda x: spin * np.stack([0.3 * (x[:, 0] + 0.15), x[:, 0] + 0.15, 0.2 * (x[:, 0] + 0.15)], axis=1),
        clamps=clamps,
        damping=damping,
        name="bar",
        **options,
    )
    return jn.Scene((body,), gravity=gravity)


def exact(system, seconds):
    """The end state by DOP853 at tight tolerance: coordinates and velocities of what is free."""
    mech, start = system.prepare(system.initial_state(), 1e-3)
    n = start.q.size

    def rate(t, u):
        return np.concatenate([u[n:], mech.acceleration(jn.State(t, u[:n], u[n:]))])

    return solve_ivp(rate, (0, seconds), np.concatenate([start.q, start.v]), method="DOP853", rtol=1e-11, atol=1e-12).y[
        :, -1
    ]


def free_part(system, state):
    """Free coordinates and velocities of a state."""
    _, start = system.prepare(state, 1e-3)
    return np.concatenate([start.q, start.v])

"""The 1D bar that bounces off a wall: neo-Hookean elements and a logarithmic barrier (You et al. 2026, section 5.5).

The paper leaves the one-dimensional energies and the start open. These readings reproduce its table 2: psi as below
with m = E/2; lumped masses; a barrier on the first node with kappa = 100 J and dhat = 1 cm; it starts `GAP` from
the wall. At h = 1/30 s every multiple of 1/30 m from 2 to 30 gave the same; a gap of one gives BDF2 another start.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh

from ..core.arrays import Array, Matrix
from ..systems.analytic import AnalyticSystem

ELEMENTS = 30
LENGTH = 1.0
MASS = 10.0
SPEED = 1.0
GAP = 0.1
DURATION = 5.0
WAVE_SPEEDS = {"soft": 1.0, "medium": 10.0, "stiff": 100.0}
"""sqrt(E / density) of the three bars (m/s)."""


@dataclass(frozen=True)
class WallBarrier:
    """-kappa (d/dhat - 1)^2 ln(d/dhat) on the first node, d its distance from the wall at 0 (J, m)."""

    kappa: float = 100.0
    dhat: float = 0.01

    def value(self, q: Array) -> float:
        y = float(q[0]) / self.dhat
        if y >= 1.0:
            return 0.0
        return -self.kappa * (y - 1.0) ** 2 * float(np.log(y)) if y > 0.0 else np.inf

    def gradient(self, q: Array) -> Array:
        g = np.zeros_like(q)
        y = float(q[0]) / self.dhat
        if y < 1.0:
            g[0] = -self.kappa / self.dhat * (2 * (y - 1) * np.log(y) + (y - 1) ** 2 / y)
        return g

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        y = float(q[0]) / self.dhat
        if y >= 1.0:
            return None
        h = np.zeros((q.size, q.size))
        h[0, 0] = -self.kappa / self.dhat**2 * (2 * np.log(y) + 4 * (y - 1) / y - (y - 1) ** 2 / y**2)
        return h

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        return self.gradient(q), self.hessian(q, psd=psd)

    def at(self, fraction: float) -> "WallBarrier":
        return self


@dataclass(frozen=True)
class Bar:
    """Elements with psi(F) = m/2 (F^2 - 1) - m ln F, m = E/2, E = density c^2, unit area; stretches F = dx / rest."""

    wave_speed: float
    gap: float = GAP
    damping: float = 0.0
    """The rate (1/s) at which the bar at rest length loses its momentum; each node's rate follows its own stiffness."""

    @property
    def rest(self) -> float:
        return LENGTH / ELEMENTS

    @property
    def modulus(self) -> float:
        """m (N)."""
        return 0.5 * MASS / LENGTH * self.wave_speed**2

    @cached_property
    def masses(self) -> Array:
        m = np.full(ELEMENTS + 1, MASS / ELEMENTS)
        m[[0, -1]] *= 0.5
        return m

    def value(self, q: Array) -> float:
        u = (q[1:] - q[:-1]) / self.rest - 1.0  # the strain keeps the digits that F^2 - 1 and ln F would cancel
        if not u.min() > -1.0:
            return np.inf
        return self.modulus * self.rest * float((u + 0.5 * u**2 - np.log1p(u)).sum())

    def gradient(self, q: Array) -> Array:
        u = (q[1:] - q[:-1]) / self.rest - 1.0
        tension = self.modulus * u * (2.0 + u) / (1.0 + u)
        g = np.zeros_like(q)
        g[1:] = tension
        g[:-1] -= tension
        return g

    def hessian(self, q: Array) -> Array:
        F = (q[1:] - q[:-1]) / self.rest
        k = self.modulus / self.rest * (1.0 + 1.0 / F**2)
        n = q.size
        h = np.zeros((n, n))
        flat = h.reshape(-1)
        flat[: -n : n + 1] = k
        flat[n + 1 :: n + 1] += k
        flat[1 : -n : n + 1] = -k
        flat[n :: n + 1] = -k
        return h

    def longest_step(self, start: Array, end: Array) -> float:
        """The fraction of a move that keeps nine tenths of the way to the wall and to the inversion of an element."""
        shrunk = 1.0 - (end[1:] - end[:-1]) / (start[1:] - start[:-1])
        worst = max(float(shrunk.max()), 1.0 - float(end[0] / start[0]))
        return 1.0 if worst <= 0.9 else 0.9 / worst

    def drag(self, q: Array) -> Array:
        """The diagonal of damping * K(q), scaled so that it is damping * M at rest."""
        at_rest = 4.0 * self.modulus / self.rest  # of an inner node: two elements of 2 m / L
        return np.diag(self.damping * self.masses[1] / at_rest * self.hessian(q).diagonal())

    def system(self) -> AnalyticSystem:
        return AnalyticSystem(
            self.masses,
            self.value,
            self.gradient,
            self.hessian,
            q=self.gap + np.linspace(0.0, LENGTH, ELEMENTS + 1),
            v=np.full(ELEMENTS + 1, -SPEED),
            contact=WallBarrier(),
            longest_step=self.longest_step,
            damping=self.drag if self.damping else None,
        )

    @cached_property
    def modes(self) -> tuple[Array, Array]:
        """Squared frequencies (1/s^2) and mass-orthonormal modes (columns) at rest."""
        values, vectors = eigh(self.hessian(np.linspace(0.0, LENGTH, ELEMENTS + 1)), np.diag(self.masses))
        return np.maximum(values, 0.0), vectors

    def spectrum(self, q: Array, v: Array) -> Array:
        """The energy of each mode of the bar linearised at rest; mode 0 is the motion of the centroid (J)."""
        squared, modes = self.modes
        rest = np.linspace(0.0, LENGTH, ELEMENTS + 1)
        a, b = modes.T @ (self.masses * (q - rest)), modes.T @ (self.masses * v)
        return 0.5 * (squared * a**2 + b**2)

    def centroid_speed(self, v: Array) -> float:
        return float(self.masses @ v) / MASS

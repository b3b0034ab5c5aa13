"""What a method does to a harmonic oscillator: its step matrix, found by taking steps."""

from typing import Any

import numpy as np

from ..core.arrays import Array
from ..integrators.base import create
from ..solvers.newton import NewtonSolver
from ..systems.analytic import AnalyticSystem
from .march import last


def step_matrix(method: str, hbar: float, **options: Any) -> Array:
    """The 2 x 2 matrix that takes (x, h v) to the next (x, h v), for m x'' = -k x and hbar = h^2 k / m.

    In these coordinates it depends on hbar alone; its determinant and trace are those of the map of (x, v).
    """
    h, mass = 0.1, 2.0
    k = mass * hbar / h**2
    size = 1.0 / (1.0 + hbar)  # explicit stages multiply by hbar; metres stay metres
    columns: list[Array] = []
    for x, v in ((size, 0.0), (0.0, size / h)):
        system = AnalyticSystem(
            mass,
            lambda q: 0.5 * k * float(q @ q),
            lambda q: k * q,
            lambda q: np.array([[k]]),
            q=np.array([x]),
            v=np.array([v]),
        )
        solver = NewtonSolver(tolerance=1e-3 * size / h)  # Newton is exact here; its second step polishes
        end = last(system, create(method, **options), h, 1, solver)
        columns.append(np.concatenate([end.q, h * end.v]) / size)
    return np.array(columns).T


def discriminant(Q: Array) -> float:
    """Tr^2 - 4 det: negative where the eigenvalues are a conjugate pair."""
    return float(np.trace(Q) ** 2 - 4.0 * (Q[0, 0] * Q[1, 1] - Q[0, 1] * Q[1, 0]))


def determinant(Q: Array) -> float:
    return float(Q[0, 0] * Q[1, 1] - Q[0, 1] * Q[1, 0])


def largest_growth(Q: Array) -> float:
    """The spectral radius."""
    return float(np.abs(np.linalg.eigvals(Q)).max())

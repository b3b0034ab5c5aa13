"""Surfaces and ledgers made by hand."""

import numpy as np

from jounce.core.mechanics import Changes
from jounce.energy.ledger import Energies, Ledger
from jounce.view.motion import Motion, Surface

CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
CUBE_TRIANGLES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def ball(n=24, radius=0.5):
    """A ball of squares about the y axis, each cut in two; the seam and the poles are doubled."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n), np.linspace(1e-3, np.pi - 1e-3, n), indexing="ij")
    x = np.stack([np.cos(u) * np.sin(v), np.cos(v), np.sin(u) * np.sin(v)], axis=-1).reshape(-1, 3)
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel(), i[:-1, 1:].ravel()
    return radius * x, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def bouncing_cubes(frames=5, until=0.4):
    """Two cubes that stretch and rise, in one array of nodes."""
    t = np.linspace(0, until, frames)
    x = [np.concatenate([CUBE * [1, 1 + s, 1] + [-1, 1 + s, 0], np.add(CUBE, (1, 1 + 2 * s, 0))]) for s in t]
    surfaces = [Surface("left", slice(0, 8), CUBE_TRIANGLES), Surface("right", 8, CUBE_TRIANGLES)]
    return Motion(surfaces, t, np.array(x))


def ledger(steps=40, decay=0.0, growth=0.0, target=np.nan, alpha=False):
    """A swing between kinetic and elastic energy, 10 J at the start."""
    out = Ledger()
    for n in range(steps + 1):
        t = 0.05 * n
        total = 10 * np.exp((growth - decay) * t)
        parts = Energies(total * np.sin(3 * t) ** 2, total * np.cos(3 * t) ** 2 + 1, -1.0, 0.0)
        spin = np.array([0.1 * t, 0.0, 2 - 0.1 * t])
        if n == 0:
            out.open(t, parts, 0 * spin, spin)
        else:
            weight = 0.5 + 0.1 * np.sin(t) if alpha else np.nan
            out.add(t, parts, 0 * spin, spin, Changes(0, 0, 0), target=target, measured=total, alpha=weight, reports=())
    return out

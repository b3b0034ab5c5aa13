"""One pair of points, edges or triangles at a time, through the kernels that take many."""

import numpy as np

from jounce.kernels import barrier as kernels
from jounce.kernels.closest import EDGE_EDGE, INTERIOR, POINT_EDGE, POINT_POINT, POINT_TRIANGLE

KINDS = {"point-point": POINT_POINT, "point-edge": POINT_EDGE, "point-triangle": POINT_TRIANGLE, "edge-edge": EDGE_EDGE}
DHAT = 0.3


def corners_of(kind, rng, gap=0.1):
    """Corners (k, 3) of a pair whose closest points lie well inside, `gap` (m) apart along z before a random turn."""
    here = {
        POINT_POINT: [[0, 0, gap], [0, 0, 0]],
        POINT_EDGE: [[0.1, 0, gap], [-1, 0, 0], [1, 0, 0]],
        POINT_TRIANGLE: [[0.1, -0.1, gap], [-1, -1, 0], [1, -0.8, 0], [0.2, 1, 0]],
        EDGE_EDGE: [[-1, 0.1, gap], [0.8, -0.1, gap], [-0.1, -1, 0], [0.2, 0.9, 0]],
    }[kind]
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return np.array(here, dtype=float) @ turn.T + rng.normal(size=3)


def evaluate(kind, x, *, level=kernels.HESSIAN, squared=False, dhat=DHAT, weight=1.0, threshold=0.0, nearest=INTERIOR):
    """Energy, gradient (3 k,) and Hessian (3 k, 3 k) of the pair with corners x; what `level` does not ask for is None."""
    k = len(x)
    energies, gradients = np.empty(1), np.full((1, k, 3), np.nan)
    blocks = np.full((1, k * (k + 1) // 2, 3, 3), np.nan)
    kernels.pair_loop(
        np.ascontiguousarray(x), np.arange(k, dtype=np.int64)[None], kind, np.array([nearest]), np.array([threshold]),
        np.array([weight]), np.array([dhat]), squared, level, energies, gradients, blocks,
    )  # fmt: skip
    return energies[0], gradients[0].ravel(), whole(blocks[0], k)


def whole(upper, k):
    """The symmetric matrix (3 k, 3 k) of its upper blocks, row by row."""
    out = np.empty((3 * k, 3 * k))
    block = 0
    for a in range(k):
        for b in range(a, k):
            out[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] = upper[block]
            out[3 * b : 3 * b + 3, 3 * a : 3 * a + 3] = upper[block].T
            block += 1
    return out


def differences(f, x, step):
    """Central differences of fourth order of f by each number of x, the derivative last."""
    out = []
    for i in range(x.size):
        e = np.zeros(x.size)
        e[i] = step
        e = e.reshape(x.shape)
        out.append((8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * step))
    return np.stack(out, axis=-1)

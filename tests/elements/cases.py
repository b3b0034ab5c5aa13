"""Deformations and dense derivatives that the tests of elements and materials share."""

import numpy as np
from scipy.spatial.transform import Rotation

RNG = np.random.default_rng(7)


def rotations(n, seed=0):
    return Rotation.random(n, rng=np.random.default_rng(seed)).as_matrix()


def with_stretches(stretches):
    """Deformation gradients U diag(s) V^T with random rotations."""
    s = np.atleast_2d(np.asarray(stretches, dtype=float))
    return np.einsum("eij,ej,ekj->eik", rotations(len(s), 1), s, rotations(len(s), 2))


UPRIGHT = {
    "ordinary": with_stretches(np.random.default_rng(3).uniform(0.5, 1.6, (6, 3))),
    "rest": np.eye(3)[None],
    "rotated rest": rotations(2, 5),
    "equal stretches": with_stretches([(1.3, 1.3, 1.3), (0.8, 0.8, 0.8)]),
    "nearly equal stretches": with_stretches([(1.2, 1.2 - 1e-9, 0.7), (1.5, 0.9 + 1e-12, 0.9), (1.1, 1.1 - 1e-7, 1.1)]),
    "squeezed": with_stretches([(1.2, 0.9, 0.02), (0.1, 0.1, 0.09)]),
    "huge": with_stretches([(3e3, 2e3, 1.5e3), (5e3, 1.0, 0.5)]),
}
INVERTED = {
    "inverted": with_stretches([(1.4, 0.9, -0.3), (1.1, 1.0, -0.6), (0.7, 0.6, -0.1)]),
    "flat": with_stretches([(1.2, 0.8, 0.0), (1.0, 1.0, 0.0)]),
}


def corner_tets(F, offset=True):
    """Separate tetrahedra, one per F, with unit rest edges along the axes: rest positions, nodes, positions.

    With these edges the gradient at nodes 1, 2, 3 is P by columns, over 6.
    """
    corner = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    n = len(F)
    rest = np.tile(corner, (n, 1))
    x = np.einsum("eij,aj->eai", F, corner) + (0.3 if offset else 0.0)
    return rest, np.arange(4 * n).reshape(n, 4), x.reshape(-1, 3)


def random_tets(F, seed=11):
    """Separate tetrahedra of random shape, one per F: rest positions, nodes, positions."""
    rng = np.random.default_rng(seed)
    rest, nodes, _ = corner_tets(F)
    rest = (rest + rng.uniform(-0.2, 0.2, rest.shape)).reshape(-1, 4, 3)
    x = np.einsum("eij,eaj->eai", F, rest) + 0.3
    return rest.reshape(-1, 3), nodes, x.reshape(-1, 3)


def dense(blocks):
    """Hessians (ne, 3k, 3k) from upper blocks (ne, k(k+1)/2, 3, 3)."""
    k = int((np.sqrt(8 * blocks.shape[1] + 1) - 1) / 2)
    H = np.zeros((len(blocks), k, 3, k, 3))
    for q, (a, b) in enumerate((i, j) for i in range(k) for j in range(i, k)):
        H[:, b, :, a, :] = np.swapaxes(blocks[:, q], 1, 2)
        H[:, a, :, b, :] = blocks[:, q]
    return H.reshape(len(H), 3 * k, 3 * k)


def differences(function, x, k, step):
    """Central differences of a function of separate elements by each of their 3k coordinates, last axis.

    ``step`` (ne,) is the size of the move of every element.
    """
    columns = []
    for a in range(k):
        for i in range(3):
            move = np.zeros((len(step), k, 3))
            move[:, a, i] = step
            move = move.reshape(x.shape)
            plus = function(x + move).copy()
            minus = function(x - move).copy()
            columns.append((plus - minus).reshape(len(step), -1) / (2 * step[:, None]))
    return np.stack(columns, axis=-1)


def largest(a):
    """The largest magnitude in each element of an array whose first axis counts elements."""
    return np.abs(a.reshape(len(a), -1)).max(axis=1)


def close(a, b, tolerance, scale=None):
    """Whether two arrays agree element by element, relative to ``scale`` or the largest entry of each element."""
    if scale is None:
        scale = np.maximum(largest(a), largest(b)) + 1e-300
    return (largest(a - b.reshape(a.shape)) / scale).max() < tolerance

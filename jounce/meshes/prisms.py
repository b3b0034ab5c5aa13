"""Triangular prisms cut into three tets each, with diagonals that neighbours agree on."""

import numpy as np

from jounce.meshes.geometry import Indices


def split_prisms(bottom: Indices, top: Indices, rank: Indices) -> Indices:
    """Three positive tets per prism, (3 m, 4), in the order of the prisms.

    bottom, top: (m, 3) nodes, counter-clockwise seen from the top. rank: (m, 3) distinct numbers of the three columns.
    The diagonal of the side between two columns runs from the bottom of the lower rank to the top of the higher one,
    so prisms that rank a shared side alike fit together.
    """
    order = np.argsort(rank, axis=1, kind="stable")
    # An odd order of the columns mirrors the prism.
    odd = is_odd(order)
    b = np.take_along_axis(bottom, order, axis=1)
    t = np.take_along_axis(top, order, axis=1)
    tets = np.stack(
        [
            np.stack([b[:, 0], b[:, 1], b[:, 2], t[:, 2]], axis=1),
            np.stack([b[:, 0], b[:, 1], t[:, 2], t[:, 1]], axis=1),
            np.stack([b[:, 0], t[:, 0], t[:, 1], t[:, 2]], axis=1),
        ],
        axis=1,
    )
    tets[odd] = tets[odd][:, :, [0, 2, 1, 3]]
    return tets.reshape(-1, 4)


def is_odd(order: Indices) -> np.ndarray:
    """Whether each row of `order`, a permutation, has an odd number of inversions."""
    k = order.shape[1]
    inversions = sum((order[:, i] > order[:, j]).astype(np.int64) for i in range(k) for j in range(i + 1, k))
    return np.asarray(inversions) % 2 == 1

"""Lattice tets cut at the surface: a stencil for each pattern of inside, on and outside (Labelle and Shewchuk 2007)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.geometry import Indices, Points
from jounce.meshes.prisms import is_odd, split_prisms


@dataclass(frozen=True)
class CutLattice:
    """Lattice tets that reach inside, and where the surface cuts their edges.

    places: (n, 3) integer lattice places; tets: (m, 4), local edges 0-1 and 2-3 long; sign: (n,) -1 inside, 0 on the
    surface, 1 outside; edges: (k, 2) sorted pairs of nodes, cut k is node n + k; points: (n + k, 3) metres.
    """

    places: Indices
    tets: Indices
    sign: Indices
    edges: Indices
    points: Points

    def cut(self, a: Indices, b: Indices) -> Indices:
        """Node numbers of the cuts between a and b."""
        n = len(self.places)
        keys = self.edges[:, 0] * n + self.edges[:, 1]
        return n + np.searchsorted(keys, np.minimum(a, b) * n + np.maximum(a, b))

    def cut_tets(self) -> Indices:
        """The tets inside the surface."""
        return np.concatenate([self.whole(), self.tips(), self.pyramids(), self.wedges(), self.stumps()])

    def arranged(self, inside: int, outside: int) -> tuple[Indices, Indices]:
        """The tets with so many nodes inside and outside: nodes ordered inside, on, outside, tets still positive.

        Also the order: local nodes i and i ^ 1 share a long edge.
        """
        signs = self.sign[self.tets]
        rows = ((signs < 0).sum(axis=1) == inside) & ((signs > 0).sum(axis=1) == outside)
        order = np.argsort(signs[rows], axis=1, kind="stable")
        odd = is_odd(order)
        order[odd] = order[odd][:, [1, 0, 2, 3]]
        return np.take_along_axis(self.tets[rows], order, axis=1), order

    def divides(self, tets: Indices, order: Indices, p: int, q: int, c: int) -> NDArray[np.bool_]:
        """Whether the quad left of face (p, q inside, c outside) is divided from p; otherwise it is from q.

        The diagonal meets the cut on the long edge. Where both cuts are on short edges, p and q are neighbours along an
        axis, and the parity of their places decides: any rule does that both tets of the face share.
        """
        even = self.places[tets[:, p]].sum(axis=1) // 2 % 2 == 0
        return np.where(order[:, p] ^ 1 == order[:, c], False, (order[:, q] ^ 1 == order[:, c]) | even)

    def whole(self) -> Indices:
        """Nothing outside: the tet stays."""
        signs = self.sign[self.tets]
        return self.tets[(signs < 0).any(axis=1) & (signs <= 0).all(axis=1)]

    def tips(self) -> Indices:
        """One node inside: the nodes outside move to their cuts."""
        signs = self.sign[self.tets]
        rows = ((signs < 0).sum(axis=1) == 1) & (signs > 0).any(axis=1)
        tets, outside = self.tets[rows], signs[rows] > 0
        tip = np.repeat(tets[signs[rows] < 0], outside.sum(axis=1))
        new = tets.copy()
        new[outside] = self.cut(tip, tets[outside])
        return new

    def pyramids(self) -> Indices:
        """Two inside, one on, one outside: a pyramid over a quad."""
        tets, order = self.arranged(2, 1)
        p, q, z, c = tets.T
        pc, qc = self.cut(p, c), self.cut(q, c)
        from_p = self.divides(tets, order, 0, 1, 3)[:, None]
        first = np.where(from_p, np.stack([p, q, z, qc], axis=1), np.stack([p, q, z, pc], axis=1))
        second = np.where(from_p, np.stack([p, qc, z, pc], axis=1), np.stack([pc, q, z, qc], axis=1))
        return np.concatenate([first, second])

    def wedges(self) -> Indices:
        """Two inside, two outside: a prism with columns p-q, pc-qc, pd-qd; its quad on the surface is free."""
        tets, order = self.arranged(2, 2)
        p, q, c, d = tets.T
        pc, pd, qc, qd = self.cut(p, c), self.cut(p, d), self.cut(q, c), self.cut(q, d)
        with_c, with_d = self.divides(tets, order, 0, 1, 2), self.divides(tets, order, 0, 1, 3)
        x = self.points
        shorter = np.linalg.norm(x[pc] - x[qd], axis=1) < np.linalg.norm(x[pd] - x[qc], axis=1)
        free = np.where(with_c == with_d, shorter, with_d)
        return split_prisms(np.stack([p, pc, pd], axis=1), np.stack([q, qc, qd], axis=1), ranks(with_c, with_d, free))

    def stumps(self) -> Indices:
        """Three inside, one outside: a prism from the three nodes to their cuts."""
        tets, order = self.arranged(3, 1)
        apex = tets[:, 3:]
        ab, ac, bc = (self.divides(tets, order, i, j, 3) for i, j in ((0, 1), (0, 2), (1, 2)))
        return split_prisms(tets[:, :3], self.cut(tets[:, :3], apex + 0 * tets[:, :3]), ranks(ab, ac, bc))


def ranks(ab: NDArray[np.bool_], ac: NDArray[np.bool_], bc: NDArray[np.bool_]) -> Indices:
    """Ranks 0, 1, 2 of three columns a, b, c: `ab` says whether a comes before b, and so on."""
    i, j, k = (x.astype(np.int64) for x in (ab, ac, bc))
    return np.stack([2 - i - j, 1 + i - k, j + k], axis=1)

"""Sums of element gradients and Hessian blocks into vectors and block matrices, the same for any thread count."""

import numpy as np
from numpy.typing import NDArray

from jounce.core.pattern import BlockPattern
from jounce.kernels import block_sparse

Array = NDArray[np.float64]


class Assembler:
    """Where each contribution of one kind of element goes; computed once, so that assembly is a plain gather.

    Elements of k nodes give `gradients` (ne, k, 3) and `blocks` (ne, k (k + 1) / 2, 3, 3), the node pairs on and above
    the diagonal, row-major: (0, 0), (0, 1), ..., (0, k - 1), (1, 1), ... Element Hessians are symmetric, so block
    (b, a) is the transpose of (a, b). `block_of_node` maps a node to its block row, or to -1 where it is clamped.
    """

    def __init__(self, pattern: BlockPattern, nodes: NDArray[np.integer], block_of_node: NDArray[np.integer]) -> None:
        nodes = np.asarray(nodes)
        if nodes.ndim != 2:
            raise ValueError(f"Element nodes have shape (elements, nodes per element), not {nodes.shape}.")
        targets = np.asarray(block_of_node, dtype=np.int64)[nodes]
        if targets.size and int(targets.max()) >= pattern.n_blocks:
            raise ValueError(f"Block row {int(targets.max())} is outside a pattern of {pattern.n_blocks} block rows.")
        self.pattern = pattern
        self.n_elements, self.nodes_per_element = nodes.shape
        self._gather_rows(targets)
        self._gather_slots(targets)

    def _gather_rows(self, targets: NDArray[np.int64]) -> None:
        sources = np.flatnonzero(targets.ravel() >= 0)
        rows = targets.ravel()[sources]
        order = np.argsort(rows, kind="stable")
        counts = np.bincount(rows, minlength=self.pattern.n_blocks)
        self._row_starts = _starts(counts)
        self._row_sources = sources[order].astype(np.uint32)

    def _gather_slots(self, targets: NDArray[np.int64]) -> None:
        a, b = np.triu_indices(self.nodes_per_element)
        i, j = targets[:, a], targets[:, b]
        number = np.arange(i.size, dtype=np.int64).reshape(i.shape)
        free = (i >= 0) & (j >= 0)
        twice = free & (i == j) & (a != b)  # two nodes share a block row: both (a, b) and (b, a) land in its diagonal
        slots = self.pattern.slots(
            np.concatenate([np.minimum(i, j)[free], i[twice]]), np.concatenate([np.maximum(i, j)[free], j[twice]])
        )
        sources = np.concatenate([number[free], number[twice]])
        transposed = np.concatenate([(i > j)[free], np.ones(np.count_nonzero(twice), dtype=bool)])
        order = np.argsort((2 * slots + transposed) * max(i.size, 1) + sources)
        counts = np.bincount(slots, minlength=self.pattern.nnz)
        touched = np.flatnonzero(counts)
        mirrors = self.pattern.slots(self.pattern.indices[touched], self.pattern.rows[touched])
        plain = np.bincount(slots[~transposed], minlength=self.pattern.nnz)[touched]
        self._slot_starts = _starts(counts[touched])
        self._slot_turns = self._slot_starts[:-1] + plain.astype(np.uint64)
        self._slot_sources = sources[order].astype(np.uint32 if i.size < 2**32 else np.uint64)
        self._slots = touched.astype(np.uint32)
        self._mirrors = mirrors.astype(np.uint32)
        self._covers_all = np.unique(np.concatenate([touched, mirrors])).size == self.pattern.nnz

    def vector(self, gradients: Array, out: Array | None = None, *, accumulate: bool = False) -> Array:
        """Sum of the element gradients, (3 n_blocks,); into `out` if given, added to what it holds if `accumulate`."""
        k = self.nodes_per_element
        flat = self._checked(gradients, (self.n_elements, k, 3)).reshape(-1, 3)
        out, accumulate = _target(out, 3 * self.pattern.n_blocks, accumulate)
        block_sparse.gather_vector(self._row_starts, self._row_sources, flat, out.reshape(-1, 3), accumulate)
        return out

    def matrix(self, blocks: Array, out: Array | None = None, *, accumulate: bool = False) -> Array:
        """Sum of the element blocks, values (nnz, 9) for a `BlockMatrix`; `out` and `accumulate` as for `vector`."""
        k = self.nodes_per_element
        flat = self._checked(blocks, (self.n_elements, k * (k + 1) // 2, 3, 3)).reshape(-1, 9)
        out, accumulate = _target(out, 9 * self.pattern.nnz, accumulate)
        values = out.reshape(-1, 9)
        if not accumulate and not self._covers_all:
            values[:] = 0.0
        block_sparse.gather_matrix(
            self._slot_starts,
            self._slot_turns,
            self._slot_sources,
            self._slots,
            self._mirrors,
            flat,
            values,
            accumulate,
        )
        return values

    def _checked(self, contributions: Array, shape: tuple[int, ...]) -> Array:
        array = np.ascontiguousarray(contributions, dtype=np.float64)
        if array.size != int(np.prod(shape)) or array.shape[0] != shape[0]:
            raise ValueError(f"Element contributions have shape {array.shape}, expected {shape}.")
        return array


def _starts(counts: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Where each group starts in a list sorted by group."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)


def _target(out: Array | None, size: int, accumulate: bool) -> tuple[Array, bool]:
    """The array to write to, and whether it holds anything to add to."""
    if out is None:
        return np.empty(size), False
    if out.size != size or out.dtype != np.float64 or not out.flags.c_contiguous:
        raise ValueError(f"`out` must be a contiguous float64 array of {size} numbers, got {out.dtype} {out.shape}.")
    return out, accumulate

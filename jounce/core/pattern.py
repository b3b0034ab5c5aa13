"""Where the 3x3 blocks of a sparse matrix are: an immutable block row pattern."""

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from jounce.kernels import block_sparse

LARGEST_COUNT = 2**31 - 1  # scipy and the direct solvers count with 32 bits


class BlockPattern:
    """Square 3x3-block compressed rows: columns sorted, every diagonal block present, unsigned indices.

    Patterns compare equal when their contents do; identity is tried first and a digest is kept, so this is cheap.
    """

    def __init__(self, indptr: ArrayLike, indices: ArrayLike) -> None:
        starts = np.asarray(indptr)
        columns = np.asarray(indices)
        n = starts.size - 1
        if starts.ndim != 1 or n < 0 or int(starts[0]) != 0 or int(starts[-1]) != columns.size:
            raise ValueError(
                f"A block pattern of {n} rows must start at 0 and end at its {columns.size} entries; "
                "were indptr and indices swapped?"
            )
        if columns.size > LARGEST_COUNT:
            raise ValueError(f"{columns.size} blocks are more than {LARGEST_COUNT} can count; split the scene.")
        if columns.size and (int(columns.min()) < 0 or int(columns.max()) >= n):
            raise ValueError(f"A block pattern of {n} rows names column {int(columns.max())} or a negative one.")
        if np.any(np.diff(starts.astype(np.int64)) < 0):
            raise ValueError("The row starts of a block pattern must not decrease.")
        self.indptr: NDArray[np.uint64] = _frozen(starts, np.uint64)
        self.indices: NDArray[np.uint32] = _frozen(columns, np.uint32)
        keys = self.rows.astype(np.int64) * n + self.indices
        if np.any(np.diff(keys) <= 0):
            raise ValueError("The columns of each row of a block pattern must be sorted and distinct.")
        wanted = np.arange(n, dtype=np.int64) * (n + 1)
        found = np.searchsorted(keys, wanted)
        present = found < keys.size
        present[present] = keys[found[present]] == wanted[present]
        if not present.all():
            raise ValueError(f"Diagonal block {int(np.argmin(present))} is missing; a block pattern holds every one.")
        self.diagonal: NDArray[np.uint32] = _frozen(found, np.uint32)

    @classmethod
    def from_pairs(cls, rows: NDArray, columns: NDArray, n_blocks: int) -> "BlockPattern":
        """Pattern of the given (row, column) pairs, in any order and with repetitions, and of the diagonal."""
        everyone = np.arange(n_blocks)
        i = np.concatenate([np.asarray(rows, dtype=np.int64), everyone])
        j = np.concatenate([np.asarray(columns, dtype=np.int64), everyone])
        matrix = sp.coo_array((np.ones(i.size, dtype=bool), (i, j)), shape=(n_blocks, n_blocks)).tocsr()
        matrix.sum_duplicates()
        matrix.sort_indices()
        return cls(matrix.indptr, matrix.indices)

    @classmethod
    def from_elements(
        cls, element_nodes: Sequence[NDArray[np.integer]], block_of_node: NDArray[np.integer], n_blocks: int
    ) -> "BlockPattern":
        """Pattern that couples all nodes of each element; nodes whose block is -1 are clamped and left out."""
        rows, columns = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for nodes in element_nodes:
            blocks = np.asarray(block_of_node, dtype=np.int64)[np.asarray(nodes)]
            k = blocks.shape[1]
            i, j = np.repeat(blocks, k, axis=1).ravel(), np.tile(blocks, (1, k)).ravel()
            free = (i >= 0) & (j >= 0)
            rows.append(i[free])
            columns.append(j[free])
        return cls.from_pairs(np.concatenate(rows), np.concatenate(columns), n_blocks)

    @classmethod
    def diagonal_only(cls, n_blocks: int) -> "BlockPattern":
        """Pattern of a block-diagonal matrix."""
        return cls(np.arange(n_blocks + 1), np.arange(n_blocks))

    @property
    def n_blocks(self) -> int:
        """Number of block rows."""
        return self.indptr.size - 1

    @property
    def nnz(self) -> int:
        """Number of stored blocks."""
        return self.indices.size

    @cached_property
    def rows(self) -> NDArray[np.uint32]:
        """Block row of each slot."""
        return _frozen(np.repeat(np.arange(self.n_blocks), np.diff(self.indptr.astype(np.int64))), np.uint32)

    @cached_property
    def digest(self) -> bytes:
        """Fingerprint of the contents."""
        return hashlib.blake2b(self.indptr.tobytes() + self.indices.tobytes(), digest_size=16).digest()

    def slots(self, rows: NDArray[np.integer], columns: NDArray[np.integer]) -> NDArray[np.int64]:
        """Slot of each (row, column) pair; an error names the first pair that is not in the pattern."""
        n = self.n_blocks
        keys = self.rows.astype(np.int64) * n + self.indices
        wanted = np.asarray(rows, dtype=np.int64) * n + columns
        found = np.searchsorted(keys, wanted)
        missing = np.flatnonzero(keys[np.minimum(found, keys.size - 1)] != wanted) if wanted.size else found
        if missing.size:
            i, j = divmod(int(wanted[missing[0]]), n)
            raise ValueError(
                f"{missing.size} of {wanted.size} block pairs are not in the pattern, the first is ({i}, {j}); "
                "build the pattern from all elements that are assembled into it."
            )
        return found

    def union(self, other: "BlockPattern") -> tuple["BlockPattern", NDArray[np.uint64], NDArray[np.uint64]]:
        """The smallest pattern that holds both, and where the slots of each went."""
        if self.n_blocks != other.n_blocks:
            raise ValueError(f"Patterns of {self.n_blocks} and {other.n_blocks} block rows cannot be merged.")
        indptr = np.empty(self.n_blocks + 1, np.uint64)
        indices = np.empty(self.nnz + other.nnz, np.uint32)
        mine, theirs = np.empty(self.nnz, np.uint64), np.empty(other.nnz, np.uint64)
        count = block_sparse.merge(
            self.indptr, self.indices, other.indptr, other.indices, indptr, indices, mine, theirs
        )
        if count == self.nnz:
            return self, mine, theirs
        return BlockPattern(indptr, indices[:count]), mine, theirs

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, BlockPattern):
            return NotImplemented
        return self.nnz == other.nnz and self.n_blocks == other.n_blocks and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"BlockPattern({self.n_blocks} block rows, {self.nnz} blocks)"


def _frozen(array: NDArray, dtype: type) -> NDArray:
    """A contiguous copy that nobody can write to."""
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy

"""Sparse matrices of 3x3 blocks: product, sums, conversions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from jounce.core.pattern import BlockPattern
from jounce.kernels import block_sparse

__all__ = ["BlockMatrix", "BlockPattern", "linear_combination"]

Array = NDArray[np.float64]


class BlockMatrix:
    """A square sparse matrix A of 3x3 blocks: `pattern` says where, `values` (nnz, 9) holds the blocks row-major."""

    __array_ufunc__ = None  # let `numpy_scalar * A` come to __rmul__

    def __init__(self, pattern: BlockPattern, values: ArrayLike) -> None:
        blocks = np.ascontiguousarray(values, dtype=np.float64)
        if blocks.size != 9 * pattern.nnz:
            raise ValueError(
                f"A pattern of {pattern.nnz} blocks needs values of shape ({pattern.nnz}, 3, 3), got {blocks.shape}."
            )
        self.pattern = pattern
        self.values: Array = blocks.reshape(pattern.nnz, 9)

    @classmethod
    def from_scipy(cls, matrix: Any) -> "BlockMatrix":
        """The blocks of a scipy sparse matrix whose size is a multiple of three; missing diagonal blocks are zero."""
        if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] % 3:
            raise ValueError(f"A matrix of 3x3 blocks is square with a size divisible by 3, not {matrix.shape}.")
        bsr = sp.csr_array(matrix).tobsr((3, 3))
        bsr.sum_duplicates()
        bsr.sort_indices()
        n = matrix.shape[0] // 3
        rows = np.repeat(np.arange(n), np.diff(bsr.indptr))
        pattern = BlockPattern.from_pairs(rows, bsr.indices, n)
        values = np.zeros((pattern.nnz, 9))
        values[pattern.slots(rows, bsr.indices)] = bsr.data.reshape(-1, 9)
        return cls(pattern, values)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of scalar rows and columns."""
        n = 3 * self.pattern.n_blocks
        return n, n

    def __matmul__(self, x: ArrayLike) -> Array:
        """A x for x of shape (3n,), (n, 3), or (3n, columns); the result has the shape of x."""
        vector = np.ascontiguousarray(x, dtype=np.float64)
        n = self.pattern.n_blocks
        if vector.shape not in ((3 * n,), (n, 3)):
            if vector.ndim == 2 and vector.shape[0] == 3 * n:
                return np.stack([self @ column for column in vector.T], axis=1) if vector.size else vector.copy()
            raise ValueError(f"A matrix of {n} block rows multiplies ({3 * n},) or ({n}, 3), not {vector.shape}.")
        y = np.empty(3 * n)
        block_sparse.multiply(self.pattern.indptr, self.pattern.indices, self.values, vector.reshape(-1), y)
        return y.reshape(vector.shape)

    def __add__(self, other: "BlockMatrix") -> "BlockMatrix":
        if not isinstance(other, BlockMatrix):
            return NotImplemented
        return linear_combination([(1.0, self), (1.0, other)])

    def __sub__(self, other: "BlockMatrix") -> "BlockMatrix":
        if not isinstance(other, BlockMatrix):
            return NotImplemented
        return linear_combination([(1.0, self), (-1.0, other)])

    def __mul__(self, factor: float) -> "BlockMatrix":
        if np.ndim(factor) > 0:
            return NotImplemented
        return BlockMatrix(self.pattern, self.values * float(factor))

    __rmul__ = __mul__

    def __neg__(self) -> "BlockMatrix":
        return self * -1.0

    def plus_diagonal(self, diagonal: ArrayLike) -> "BlockMatrix":
        """A + diag(diagonal), for a diagonal of shape (3n,)."""
        return linear_combination([(1.0, self)], diagonal=diagonal)

    def diagonal_blocks(self) -> Array:
        """Copy of the blocks on the diagonal, (n, 3, 3)."""
        return self.values[self.pattern.diagonal].reshape(-1, 3, 3)

    def diagonal(self) -> Array:
        """Copy of the scalar diagonal, (3n,)."""
        return self.values[self.pattern.diagonal][:, ::4].reshape(-1)

    def tobsr(self) -> sp.bsr_array:
        """The same matrix in scipy's block rows; shares no memory."""
        p = self.pattern
        parts = (self.values.reshape(-1, 3, 3).copy(), p.indices.astype(np.int32), p.indptr.astype(np.int32))
        return sp.bsr_array(parts, shape=self.shape)

    def tocsr(self) -> sp.csr_array:
        """The same matrix in scipy's compressed rows; zeros inside blocks are kept."""
        return self.tobsr().tocsr()

    def toarray(self) -> Array:
        """The same matrix, dense."""
        return self.tobsr().toarray()

    def __repr__(self) -> str:
        return f"BlockMatrix({self.shape[0]} x {self.shape[1]}, {self.pattern.nnz} blocks)"


def linear_combination(terms: Sequence[tuple[float, BlockMatrix]], diagonal: ArrayLike | None = None) -> BlockMatrix:
    """sum of c A over the (c, A) terms, plus diag(diagonal).

    Terms of one pattern are added in a single pass over memory; other patterns are merged. Never aliases its inputs.
    """
    extra = np.empty(0) if diagonal is None else np.ascontiguousarray(diagonal, dtype=np.float64).reshape(-1)
    if not terms:
        if diagonal is None:
            raise ValueError("A linear combination needs at least one matrix or a diagonal.")
        if extra.size % 3:
            raise ValueError(f"The diagonal has {extra.size} entries, which is not a multiple of 3.")
        nothing = BlockPattern.diagonal_only(extra.size // 3)
        return linear_combination([(1.0, BlockMatrix(nothing, np.zeros((nothing.nnz, 9))))], diagonal)
    pattern = max((matrix.pattern for _, matrix in terms), key=lambda p: p.nnz)
    for _, matrix in terms:
        if matrix.pattern != pattern:
            pattern = pattern.union(matrix.pattern)[0]
    if diagonal is not None and extra.size != 3 * pattern.n_blocks:
        raise ValueError(f"The diagonal has {extra.size} entries, but the matrices have {3 * pattern.n_blocks} rows.")
    same = [(c, matrix.values) for c, matrix in terms if matrix.pattern == pattern]
    if not same:
        same = [(0.0, np.zeros((pattern.nnz, 9)))]
    values = np.empty((pattern.nnz, 9))
    coefficients = np.array([c for c, _ in same], dtype=np.float64)
    matrices = tuple(v.reshape(-1) for _, v in same)
    block_sparse.combine(pattern.indptr, pattern.diagonal, coefficients, matrices, extra, values.reshape(-1))
    for c, matrix in terms:
        if matrix.pattern != pattern:
            block_sparse.scatter_add(pattern.union(matrix.pattern)[2], float(c), matrix.values, values)
    return BlockMatrix(pattern, values)

"""Loops over 3x3-block sparse rows: product, sums, merging of patterns.

Blocks are rows of an (nnz, 9) array, row-major. All indices are unsigned: numba then drops its test for negative
indices, which makes the product about four times faster.
"""

import numpy as np
from numba import prange

from jounce.kernels.compile import element_function, kernel

THREE = np.uint64(3)
NINE = np.uint64(9)


@kernel
def multiply(indptr, indices, values, x, y):
    """y = A x, for flat x and y."""
    for i in prange(indptr.size - 1):
        y0 = 0.0
        y1 = 0.0
        y2 = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            c = THREE * np.uint64(indices[k])
            x0 = x[c]
            x1 = x[c + np.uint64(1)]
            x2 = x[c + np.uint64(2)]
            y0 += values[k, 0] * x0 + values[k, 1] * x1 + values[k, 2] * x2
            y1 += values[k, 3] * x0 + values[k, 4] * x1 + values[k, 5] * x2
            y2 += values[k, 6] * x0 + values[k, 7] * x1 + values[k, 8] * x2
        y[3 * i] = y0
        y[3 * i + 1] = y1
        y[3 * i + 2] = y2


@kernel
def combine(indptr, diagonal_slots, coefficients, matrices, diagonal, out):
    """out = sum_t coefficients[t] matrices[t] + diag(diagonal), one pass over memory; all arrays flat.

    `matrices` is a tuple of flat value arrays of one pattern; an empty `diagonal` adds nothing.
    """
    for i in prange(indptr.size - 1):
        first = NINE * indptr[i]
        last = NINE * indptr[i + 1]
        for t in range(len(matrices)):
            values = matrices[t]
            c = coefficients[t]
            if t == 0:
                for k in range(first, last):
                    out[k] = c * values[k]
            else:
                for k in range(first, last):
                    out[k] += c * values[k]
        if diagonal.size > 0:
            s = NINE * np.uint64(diagonal_slots[i])
            out[s] += diagonal[3 * i]
            out[s + np.uint64(4)] += diagonal[3 * i + 1]
            out[s + np.uint64(8)] += diagonal[3 * i + 2]


@kernel
def scatter_add(slots, coefficient, values, out):
    """out[slots] += coefficient * values; the slots are distinct."""
    for k in prange(slots.size):
        s = slots[k]
        for j in range(9):
            out[s, j] += coefficient * values[k, j]


@element_function
def merge(indptr_a, indices_a, indptr_b, indices_b, indptr, indices, slots_a, slots_b):
    """Union of two sorted patterns; records where the entries of each went and returns how many there are."""
    n = np.uint64(0)
    one = np.uint64(1)
    indptr[0] = n
    for i in range(indptr_a.size - 1):
        a = indptr_a[i]
        b = indptr_b[i]
        end_a = indptr_a[i + 1]
        end_b = indptr_b[i + 1]
        while a < end_a or b < end_b:
            take_a = a < end_a and (b >= end_b or indices_a[a] <= indices_b[b])
            take_b = b < end_b and (a >= end_a or indices_b[b] <= indices_a[a])
            if take_a:
                indices[n] = indices_a[a]
                slots_a[a] = n
                a += one
            if take_b:
                indices[n] = indices_b[b]
                slots_b[b] = n
                b += one
            n += one
        indptr[i + 1] = n
    return n


@kernel
def gather_vector(starts, sources, contributions, out, accumulate):
    """out[i] = sum of contributions[sources of i], in the order of the sources; rows of three numbers."""
    for i in prange(starts.size - 1):
        g0 = 0.0
        g1 = 0.0
        g2 = 0.0
        for k in range(starts[i], starts[i + 1]):
            s = np.uint64(sources[k])
            g0 += contributions[s, 0]
            g1 += contributions[s, 1]
            g2 += contributions[s, 2]
        if accumulate:
            out[i, 0] += g0
            out[i, 1] += g1
            out[i, 2] += g2
        else:
            out[i, 0] = g0
            out[i, 1] = g1
            out[i, 2] = g2


@kernel
def gather_matrix(starts, turns, sources, slots, mirrors, blocks, out, accumulate):
    """Sum element blocks into the slots on and above the diagonal, and their transposes into the mirror slots.

    The sources from `turns` on enter transposed. Two loops, because a branch on each block cannot be predicted.
    """
    for u in prange(slots.size):
        b0 = 0.0
        b1 = 0.0
        b2 = 0.0
        b3 = 0.0
        b4 = 0.0
        b5 = 0.0
        b6 = 0.0
        b7 = 0.0
        b8 = 0.0
        for k in range(starts[u], turns[u]):
            s = np.uint64(sources[k])
            b0 += blocks[s, 0]
            b1 += blocks[s, 1]
            b2 += blocks[s, 2]
            b3 += blocks[s, 3]
            b4 += blocks[s, 4]
            b5 += blocks[s, 5]
            b6 += blocks[s, 6]
            b7 += blocks[s, 7]
            b8 += blocks[s, 8]
        for k in range(turns[u], starts[u + 1]):
            s = np.uint64(sources[k])
            b0 += blocks[s, 0]
            b3 += blocks[s, 1]
            b6 += blocks[s, 2]
            b1 += blocks[s, 3]
            b4 += blocks[s, 4]
            b7 += blocks[s, 5]
            b2 += blocks[s, 6]
            b5 += blocks[s, 7]
            b8 += blocks[s, 8]
        s = np.uint64(slots[u])
        m = np.uint64(mirrors[u])
        if accumulate:
            b0 += out[s, 0]
            b1 += out[s, 1]
            b2 += out[s, 2]
            b3 += out[s, 3]
            b4 += out[s, 4]
            b5 += out[s, 5]
            b6 += out[s, 6]
            b7 += out[s, 7]
            b8 += out[s, 8]
        out[m, 0] = b0
        out[m, 1] = b3
        out[m, 2] = b6
        out[m, 3] = b1
        out[m, 4] = b4
        out[m, 5] = b7
        out[m, 6] = b2
        out[m, 7] = b5
        out[m, 8] = b8
        out[s, 0] = b0
        out[s, 1] = b1
        out[s, 2] = b2
        out[s, 3] = b3
        out[s, 4] = b4
        out[s, 5] = b5
        out[s, 6] = b6
        out[s, 7] = b7
        out[s, 8] = b8

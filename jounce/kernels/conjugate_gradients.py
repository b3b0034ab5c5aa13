"""The loop of conjugate gradients with block-Jacobi preconditioner, compiled as a whole.

Dot products sum chunks of fixed size and then the chunk sums in order: the same bits on any number of threads.
"""

import numpy as np
from numba import prange

from jounce.kernels.compile import element_function, kernel

CHUNK = 128  # block rows per partial sum
EPSILON = float(np.finfo(np.float64).eps)
CONVERGED, CAPPED, INDEFINITE, BROKEN, STALLED = 0, 1, 2, 3, 4  # why the loop ended


@kernel
def invert_blocks(values, diagonal, inverses, bad):
    """Inverses of the diagonal blocks; one that is not positive definite is marked and a multiple of 1 stands in."""
    for i in prange(diagonal.size):
        s = np.uint64(diagonal[i])
        a = values[s, 0]
        b = 0.5 * (values[s, 1] + values[s, 3])
        c = 0.5 * (values[s, 2] + values[s, 6])
        d = values[s, 4]
        e = 0.5 * (values[s, 5] + values[s, 7])
        f = values[s, 8]
        c00 = d * f - e * e
        c01 = c * e - b * f
        c02 = b * e - c * d
        c11 = a * f - c * c
        c12 = b * c - a * e
        c22 = a * d - b * b
        determinant = a * c00 + b * c01 + c * c02
        if a > 0.0 and c22 > 0.0 and determinant > 0.0:
            inverses[i, 0] = c00 / determinant
            inverses[i, 1] = c01 / determinant
            inverses[i, 2] = c02 / determinant
            inverses[i, 3] = c01 / determinant
            inverses[i, 4] = c11 / determinant
            inverses[i, 5] = c12 / determinant
            inverses[i, 6] = c02 / determinant
            inverses[i, 7] = c12 / determinant
            inverses[i, 8] = c22 / determinant
        else:
            bad[i] = True
            size = max(abs(a), abs(d), abs(f))
            for j in range(9):
                inverses[i, j] = 0.0
            for j in range(0, 9, 4):
                inverses[i, j] = 1.0 / size if size > 0.0 else 1.0


@kernel
def _product_and_dots(indptr, indices, values, p, q, sums):
    """q = A p; partial sums of p.q, p.p and q.q."""
    three = np.uint64(3)
    one = np.uint64(1)
    two = np.uint64(2)
    n = indptr.size - 1
    for chunk in prange(sums.shape[0]):
        pq = 0.0
        pp = 0.0
        qq = 0.0
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            y0 = 0.0
            y1 = 0.0
            y2 = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                c = three * np.uint64(indices[k])
                x0 = p[c]
                x1 = p[c + one]
                x2 = p[c + two]
                y0 += values[k, 0] * x0 + values[k, 1] * x1 + values[k, 2] * x2
                y1 += values[k, 3] * x0 + values[k, 4] * x1 + values[k, 5] * x2
                y2 += values[k, 6] * x0 + values[k, 7] * x1 + values[k, 8] * x2
            r = three * np.uint64(i)
            q[r] = y0
            q[r + one] = y1
            q[r + two] = y2
            pq += p[r] * y0 + p[r + one] * y1 + p[r + two] * y2
            pp += p[r] * p[r] + p[r + one] * p[r + one] + p[r + two] * p[r + two]
            qq += y0 * y0 + y1 * y1 + y2 * y2
        sums[chunk, 0] = pq
        sums[chunk, 1] = pp
        sums[chunk, 2] = qq


@kernel
def _advance(step, p, q, inverses, x, r, z, sums):
    """x += step p, r -= step q, z = D^-1 r; partial sums of r.z and r.r."""
    three = np.uint64(3)
    one = np.uint64(1)
    two = np.uint64(2)
    n = inverses.shape[0]
    for chunk in prange(sums.shape[0]):
        rz = 0.0
        rr = 0.0
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            k = three * np.uint64(i)
            x[k] += step * p[k]
            x[k + one] += step * p[k + one]
            x[k + two] += step * p[k + two]
            r0 = r[k] - step * q[k]
            r1 = r[k + one] - step * q[k + one]
            r2 = r[k + two] - step * q[k + two]
            z0 = inverses[i, 0] * r0 + inverses[i, 1] * r1 + inverses[i, 2] * r2
            z1 = inverses[i, 3] * r0 + inverses[i, 4] * r1 + inverses[i, 5] * r2
            z2 = inverses[i, 6] * r0 + inverses[i, 7] * r1 + inverses[i, 8] * r2
            r[k] = r0
            r[k + one] = r1
            r[k + two] = r2
            z[k] = z0
            z[k + one] = z1
            z[k + two] = z2
            rz += r0 * z0 + r1 * z1 + r2 * z2
            rr += r0 * r0 + r1 * r1 + r2 * r2
        sums[chunk, 0] = rz
        sums[chunk, 1] = rr


@kernel
def _turn(ratio, z, p):
    """p = z + ratio p."""
    for i in prange(p.size):
        p[i] = z[i] + ratio * p[i]


@element_function
def _total(sums, column):
    total = 0.0
    for chunk in range(sums.shape[0]):
        total += sums[chunk, column]
    return total


@element_function
def iterate(indptr, indices, values, inverses, b, x, tolerance, cap):
    """The loop of conjugate gradients; x is the guess and becomes the answer. Gives (iterations, state)."""
    sums = np.zeros(((inverses.shape[0] + CHUNK - 1) // CHUNK, 3))
    q = np.empty_like(b)
    z = np.empty_like(b)
    p = np.zeros_like(b)
    r = b.copy()
    _advance(0.0, p, p, inverses, p, r, z, sums)
    target = tolerance * tolerance * _total(sums, 1)
    if np.any(x != 0.0):
        _product_and_dots(indptr, indices, values, x, q, sums)
        _advance(1.0, p, q, inverses, p, r, z, sums)
    rz = _total(sums, 0)
    rr = _total(sums, 1)
    _turn(0.0, z, p)
    for iteration in range(cap + 1):
        if not np.isfinite(rr) or not np.isfinite(rz):
            return iteration, BROKEN
        if rr <= target:
            return iteration, CONVERGED
        if iteration == cap:
            break
        _product_and_dots(indptr, indices, values, p, q, sums)
        curvature = _total(sums, 0)
        size = np.sqrt(_total(sums, 1)) * np.sqrt(_total(sums, 2))
        if not np.isfinite(size):
            return iteration, BROKEN
        if curvature <= EPSILON * size:
            return iteration, INDEFINITE
        _advance(rz / curvature, p, q, inverses, x, r, z, sums)
        last = rz
        rz = _total(sums, 0)
        rr = _total(sums, 1)
        _turn(rz / last, z, p)
    return cap, CAPPED

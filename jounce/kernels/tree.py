"""Trees of boxes over the elements of each skin, and the search for pairs that can come near each other while they move.

A tree is an implicit binary one: node k has the children 2k and 2k + 1, the root is node 1 of its skin. The boxes hold what an
element sweeps relative to the mean motion (`drift`) of its skin, so that a body in flight has small ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import prange

from jounce.kernels.compile import element_function, kernel
from jounce.kernels.proximity import edge_edge, point_triangle

DEPTH = 64
"""Nodes that wait while a tree is searched: one per level, and a tree of 2^60 leaves is enough."""


@element_function
def sweep(y: Any, move: Any, drift: Any, corners: Any, e: int, s: int, low: Any, high: Any, k: int) -> None:
    """Write into row k the box of element e of skin s while it moves, relative to the drift of its skin."""
    for i in range(3):
        lowest, highest = math.inf, -math.inf
        for a in range(corners.shape[1]):
            begin = y[corners[e, a], i]
            end = begin + move[corners[e, a], i] - drift[s, i]
            lowest, highest = min(lowest, begin, end), max(highest, begin, end)
        low[k, i], high[k, i] = lowest, highest


@kernel
def fit(y: Any, move: Any, drift: Any, corners: Any, skins: Any, leaves: Any, roots: Any, low: Any, high: Any) -> None:
    """The boxes of all nodes; `leaves` says where each element's is, `roots` (skins + 1,) where each skin's tree begins."""
    for n in prange(corners.shape[0]):
        e = np.uint64(n)
        sweep(y, move, drift, corners, e, skins[e], low, high, leaves[e])
    for n in prange(roots.shape[0] - 1):
        begin = roots[n]
        for k in range((roots[n + 1] - begin) // 2 - 1, 0, -1):
            a, b, up = begin + 2 * k, begin + 2 * k + 1, begin + k
            for i in range(3):
                low[up, i], high[up, i] = min(low[a, i], low[b, i]), max(high[a, i], high[b, i])


@element_function
def apart(y: Any, move: Any, a: int, b: int, c: int, d: int, edges: bool) -> float:
    """How far two elements stay apart at least on their way, from their distance in the middle of it (m).

    `y` are positions there; the ends lie half of the longest move of any corner against another away.
    """
    longest = 0.0
    first, second = (2, 2) if edges else (1, 3)
    corners = (a, b, c, d)
    for p in range(first):
        for q in range(first, first + second):
            total = 0.0
            for i in range(3):
                between = move[corners[p], i] - move[corners[q], i]
                total += between * between
            longest = max(longest, total)
    square = edge_edge(y, a, b, c, d)[0] if edges else point_triangle(y, a, b, c, d)[0]
    return math.sqrt(square) - 0.5 * math.sqrt(longest)


@kernel
def search(
    y: Any, middle: Any, move: Any, drift: Any, queries: Any, query_skins: Any, corners: Any, roots: Any, elements: Any,
    low: Any, high: Any, allowed: Any, reach: Any, slack: float, edges: bool, counts: Any, found: Any,
) -> None:  # fmt: skip
    """Write to found[q] the first elements that query q can come near, in the order of their tree, and to counts[q] how many there are.

    Queries (n, k) are the edges themselves, each pair once, or points against triangles. `reach` (skins, skins) is how far two feel
    each other (m), and every corner may be `slack` off its way in each direction.
    """
    for n in prange(queries.shape[0]):
        q = np.uint64(n)
        own = query_skins[q]
        box_low, box_high, lowest, highest = np.empty((1, 3)), np.empty((1, 3)), np.empty(3), np.empty(3)
        sweep(y, move, drift, queries, q, own, box_low, box_high, 0)
        stack = np.empty(DEPTH, dtype=np.int64)
        count = 0
        for other in range(own if edges else 0, roots.shape[0] - 1):
            if not allowed[own, other]:
                continue
            near = reach[own, other] + 2.0 * math.sqrt(3.0) * slack
            for i in range(3):
                towards = drift[other, i] - drift[own, i]
                lowest[i] = box_low[0, i] - max(towards, 0.0) - near
                highest[i] = box_high[0, i] - min(towards, 0.0) + near
            begin = roots[other]
            leaf = (roots[other + 1] - begin) // 2
            stack[0] = 1
            waiting = 1
            while waiting > 0:
                waiting -= 1
                k = stack[waiting]
                node = begin + k
                meets = True
                for i in range(3):
                    meets = meets and low[node, i] <= highest[i] and high[node, i] >= lowest[i]
                if not meets:
                    continue
                if k < leaf:
                    stack[waiting], stack[waiting + 1] = 2 * k + 1, 2 * k
                    waiting += 2
                    continue
                e = elements[node]
                if edges:
                    a, b, c, d = queries[q, 0], queries[q, 1], corners[e, 0], corners[e, 1]
                    if (other == own and e <= np.int64(q)) or a in (c, d) or b in (c, d):
                        continue
                else:
                    a, b, c, d = queries[q, 0], corners[e, 0], corners[e, 1], corners[e, 2]
                    if a in (b, c, d):
                        continue
                if apart(middle, move, a, b, c, d, edges) > near:
                    continue
                if count < found.shape[1]:
                    found[q, count] = e
                count += 1
        counts[q] = count


@kernel
def apart_loop(middle: Any, move: Any, corners: Any, edges: bool, distances: Any) -> None:
    """How far each pair (n, 4) stays apart at least on its way (m)."""
    for n in prange(corners.shape[0]):
        e = np.uint64(n)
        a, b, c, d = corners[e, 0], corners[e, 1], corners[e, 2], corners[e, 3]
        distances[e] = apart(middle, move, a, b, c, d, edges)

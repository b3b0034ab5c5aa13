"""The search for what can come near on a move, against all pairs."""

import numpy as np
import pytest

from jounce import meshes
from jounce.contact.hierarchy import Feel, Hierarchy, Motion
from jounce.contact.surface import Skin, Surface
from jounce.kernels.proximity import proximity_loop

SLACK = 0.02


def three_balls(collide=None, fixed=(False, False, False)):
    ball = meshes.ball(resolution=2)
    x = np.asarray(ball.vertices) / np.ptp(ball.vertices[:, 0])
    rest = np.vstack([x + np.array([1.2 * i, 0.0, 0.0]) for i in range(3)])
    skins = tuple(Skin(f"ball {i}", ball.surface + i * len(x), fixed[i]) for i in range(3))
    return Surface(rest, skins, np.ones((3, 3), dtype=bool) if collide is None else collide), rest


def moves(surface, rng, speed):
    """Vertices at the start and end of a move: skins fly apart, and every vertex has a way of its own."""
    y0 = surface.rest + 0.02 * rng.normal(size=surface.rest.shape)
    drift = speed * rng.normal(size=(3, 3))[surface.owners]
    return y0, y0 + drift + 0.1 * rng.normal(size=y0.shape)


def brute_force(surface, queries, corners, y0, y1, reach, rng):
    """Pairs that come within reach at some of many points near the move."""
    n, m = len(queries), len(corners)
    a, b = np.divmod(np.arange(n * m), m)
    quads = np.column_stack([queries[a], corners[b]])
    shared = np.array([len(set(q)) < 4 for q in quads.tolist()])
    keep = ~shared & surface.allowed[surface.owners[quads[:, 0]], surface.owners[quads[:, -1]]]
    if queries.shape[1] == 2:
        keep &= a < b
    a, b, quads = a[keep], b[keep], quads[keep]
    found = np.zeros(len(quads), dtype=bool)
    squares, parts, crossings = np.empty(len(quads)), np.empty(len(quads), dtype=np.int64), np.empty(len(quads))
    for t in np.linspace(0.0, 1.0, 9):
        y = y0 + t * (y1 - y0) + SLACK * rng.uniform(-1.0, 1.0, size=y0.shape)
        proximity_loop(y, quads, queries.shape[1] == 2, squares, parts, crossings)
        found |= np.sqrt(squares) < reach
    return {tuple(sorted(p)) if queries.shape[1] == 2 else tuple(p) for p in zip(a[found], b[found], strict=True)}


@pytest.mark.parametrize("speed", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("kind", ["edges", "faces"])
def test_nothing_that_comes_near_is_missed(kind, speed):
    surface, _ = three_balls()
    rng = np.random.default_rng(6)
    feel = Feel(surface, 0.08, np.array([0.08, 0.02, 0.08]), False)
    corners = (surface.edges if kind == "edges" else surface.faces).astype(np.int64)
    queries = corners if kind == "edges" else np.arange(len(surface.nodes))[:, None]
    tree = Hierarchy(surface, corners)
    for _ in range(2):
        y0, y1 = moves(surface, rng, speed)
        ids = tree.near(Motion(surface, y0, y1), queries, feel, SLACK)
        found = {tuple(sorted(p)) if kind == "edges" else tuple(p) for p in ids.tolist()}
        assert len(found) == len(ids)
        # A body feels itself from 0.02 m on; 0.02 m is within every reach.
        missed = brute_force(surface, queries, corners, y0, y1, 0.02, rng) - found
        assert not missed


def test_a_body_that_flies_as_a_whole_is_not_searched_for_what_it_flies_along():
    surface, rest = three_balls()
    feel = Feel(surface, 0.01, np.full(3, 0.01), False)
    edges, y = surface.edges.astype(np.int64), rest[surface.nodes]
    far = y + np.array([[0.0, 0, 0], [50.0, 0, 0], [0, 90.0, 0]])[surface.owners]
    ids = Hierarchy(surface, edges).near(Motion(surface, y, far), edges, feel, 0.0)
    own = surface.owners[edges[ids][:, :, 0]]
    assert len(ids) > 0
    assert np.all(own[:, 0] != own[:, 1])
    assert len(Hierarchy(surface, edges).near(Motion(surface, far, far), edges, feel, 0.0)) == 0


def test_who_may_pass_is_not_searched():
    collide = np.ones((3, 3), dtype=bool)
    collide[0, 1] = collide[1, 0] = collide[2, 2] = False
    surface, rest = three_balls(collide, fixed=(False, True, True))
    feel = Feel(surface, 0.5, np.full(3, 0.5), False)
    edges = surface.edges.astype(np.int64)
    y = rest[surface.nodes]
    ids = Hierarchy(surface, edges).near(Motion(surface, y, y), edges, feel, 0.5)
    pairs = {tuple(sorted(p)) for p in surface.owners[edges[ids][:, :, 0]].tolist()}
    assert pairs == {(0, 0), (0, 2)}


def test_skins_of_one_triangle_are_found():
    triangle = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    rest = np.vstack([triangle, triangle + np.array([0, 0, 0.1])])
    surface = Surface(
        rest, (Skin("low", np.array([[0, 1, 2]])), Skin("high", np.array([[3, 4, 5]]))), np.ones((2, 2), bool)
    )
    feel = Feel(surface, 0.2, np.full(2, 0.2), False)
    points = np.arange(6)[:, None]
    ids = Hierarchy(surface, surface.faces.astype(np.int64)).near(Motion(surface, rest, rest), points, feel, 0.0)
    assert {tuple(i) for i in ids.tolist()} == {(v, 1 if v < 3 else 0) for v in range(6)}

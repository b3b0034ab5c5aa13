"""The pairs in contact, against the collision toolkit's own set."""

import ipctk
import numpy as np
import pytest

from jounce import meshes
from jounce.contact.hierarchy import Feel
from jounce.contact.neighbours import Neighbourhood
from jounce.contact.surface import Skin, Surface

REACH = 0.15
SWAPPED = (0, 2, 1, 3, 6, 7, 4, 5, 8)
"""The toolkit's nearest parts of two edges, when the edges change places."""


def two_boxes():
    box = meshes.box(size=(1, 1, 1), cells=(3, 3, 3))
    x = np.asarray(box.vertices)
    rest = np.vstack([x, x + np.array([1.02, 0.0, 0.0])])
    skins = (Skin("left", box.surface), Skin("right", box.surface + len(x)))
    return Surface(rest, skins, np.ones((2, 2), dtype=bool)), rest


def toolkit_pairs(surface, x, by_area):
    y = np.asfortranarray(x[surface.nodes])
    candidates = ipctk.Candidates()
    candidates.build(surface.mesh, y, y, REACH, ipctk.LBVH())
    found = ipctk.NormalCollisions()
    found.use_area_weighting = by_area
    found.build(candidates, surface.mesh, y, REACH)
    out = {}
    for c in found.vv_collisions:
        out[2, *sorted((c.vertex0_id, c.vertex1_id))] = (c.weight,)
    for c in found.ev_collisions:
        out[3, c.vertex_id, *sorted(surface.edges[c.edge_id])] = (c.weight,)
    for c in found.fv_collisions:
        out[4, c.vertex_id, *surface.faces[c.face_id]] = (c.weight,)
    for c in found.ee_collisions:
        (i, j), part = (c.edge0_id, c.edge1_id), int(c.dtype)
        (i, j), part = ((i, j), part) if i < j else ((j, i), SWAPPED[part])
        out[5, *surface.edges[i], *surface.edges[j]] = (c.weight, c.eps_x, part)
    return out


def our_pairs(surface, x, by_area):
    feel = Feel(surface, REACH, np.full(len(surface.skins), REACH), by_area)
    out = {}
    for p in Neighbourhood(feel).pairs(x):
        vertices = np.searchsorted(surface.nodes, p.nodes)
        for v, weight, threshold, part in zip(vertices, p.weights, p.thresholds, p.nearest, strict=True):
            out[p.kind, *v] = (weight, threshold, part) if p.kind == 5 else (weight,)
    return out


@pytest.mark.parametrize("by_area", [False, True], ids=["counted", "area"])
@pytest.mark.parametrize("crumple", [0.01, 0.06, 0.12])
def test_pairs_are_the_toolkits(crumple, by_area):
    surface, rest = two_boxes()
    rng = np.random.default_rng(3)
    for _ in range(4):
        x = rest + crumple * rng.normal(size=rest.shape)
        ours, theirs = our_pairs(surface, x, by_area), toolkit_pairs(surface, x, by_area)
        assert set(ours) == set(theirs)
        assert len({key[0] for key in ours}) == 4
        for key, values in theirs.items():
            assert ours[key] == pytest.approx(values, rel=1e-12)


def test_a_body_feels_itself_from_its_own_distance_on():
    surface, rest = two_boxes()
    x = rest + 0.06 * np.random.default_rng(4).normal(size=rest.shape)
    found = Neighbourhood(Feel(surface, REACH, np.array([0.02, REACH]), False)).pairs(x)
    for p in found:
        within = (p.owners[:, 0] == 0) & (p.owners[:, 1] == 0)
        assert np.all(p.distances(x)[within] < 0.02)
        assert np.all(p.distances(x) < REACH)
    between = {tuple(o) for p in found for o in p.owners}
    assert {(0, 1), (1, 1)} <= between


def test_the_order_of_pairs_does_not_depend_on_what_was_asked_before():
    surface, rest = two_boxes()
    rng = np.random.default_rng(5)
    feel = Feel(surface, REACH, np.full(2, REACH), True)
    x, travelled = rest + 0.05 * rng.normal(size=rest.shape), Neighbourhood(feel)
    for _ in range(3):
        travelled.pairs(rest + 0.05 * rng.normal(size=rest.shape))
    travelled.longest_step(rest, x, 0.0)
    for old, new in zip(travelled.pairs(x), Neighbourhood(feel).pairs(x), strict=True):
        assert np.array_equal(old.nodes, new.nodes)
        assert np.array_equal(old.weights, new.weights)

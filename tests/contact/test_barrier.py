"""The barrier as a potential of all nodes: derivatives, the toolkit's potential, units, what is refused."""

import ipctk
import numpy as np
import pytest

import jounce as jn
from jounce import meshes

from ..kernels.pairs import differences
from . import CALM, GRID, cube, mechanics, triangles

DHAT = 0.03
FORMS = pytest.mark.parametrize("form", ["metric", "squared"])
WEIGHTS = pytest.mark.parametrize("weights", ["vertex", "area"])


def crumpled(form="squared", weights="vertex", stiffness=50.0, seed=0, distance=DHAT):
    """Two cubes face to face, all nodes a little off their places: mechanics and coordinates."""
    rng = np.random.default_rng(seed)
    bodies = [cube(name, cells=2, position=(i * (0.1 + 0.5 * DHAT), 0, 0)) for i, name in enumerate("ab")]
    starts = [np.asarray(b.mesh.vertices) + np.asarray(b.position) for b in bodies]
    starts = [x + 0.1 * DHAT * rng.uniform(-1, 1, x.shape) for x in starts]
    bodies = tuple(
        jn.Solid(b.mesh, b.material, position=b.position, name=b.name, start=x) for b, x in zip(bodies, starts)
    )
    contact = jn.Barrier(distance=distance, stiffness=stiffness, form=form, weights=weights)
    system = jn.build(jn.Scene(bodies, contact=contact, gravity=CALM))
    mech, state = mechanics(system)
    return system, mech.contact, state.q


@FORMS
@WEIGHTS
def test_gradient_and_hessian_are_the_derivatives_of_the_energy(weights, form):
    _, potential, q = crumpled(form, weights)
    rng = np.random.default_rng(1)
    step = 1e-5 * DHAT  # short, since the Hessian jumps where another part becomes the nearest
    gradient, hessian = potential.linearise(q, psd=False)
    np.testing.assert_array_equal(gradient, potential.gradient(q))
    for _ in range(4):
        p = rng.uniform(-1, 1, q.size)
        slope = differences(lambda s, p=p: potential.value(q + s[0] * p), np.zeros(1), step)[0]
        bend = differences(lambda s, p=p: potential.gradient(q + s[0] * p), np.zeros(1), step)[:, 0]
        assert gradient @ p == pytest.approx(slope, abs=1e-7 * np.linalg.norm(gradient) * np.linalg.norm(p))
        np.testing.assert_allclose(hessian @ p, bend, atol=1e-6 * np.abs(bend).max())


@WEIGHTS
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_squared_form_is_the_toolkits_potential(seed, weights):
    system, potential, q = crumpled("squared", weights, seed=seed)
    surface = system.contact.surface
    y = np.asfortranarray(q.reshape(-1, 3)[surface.nodes])
    mesh = ipctk.CollisionMesh(surface.rest, surface.edges, surface.faces)
    collisions = ipctk.NormalCollisions()
    collisions.use_area_weighting = weights == "area"
    collisions.build(mesh, y, DHAT)
    theirs = ipctk.BarrierPotential(DHAT, 50.0 / DHAT ** (3 if weights == "area" else 2))
    on = (3 * surface.nodes[:, None] + np.arange(3)).ravel()
    gradient, hessian = theirs.gradient(collisions, mesh, y), theirs.hessian(collisions, mesh, y).toarray()
    assert {p.kind for p in system.contact.pairs(q.reshape(-1, 3))} >= {2, 3, 4}
    assert potential.value(q) == pytest.approx(theirs(collisions, mesh, y), rel=1e-12)
    np.testing.assert_allclose(potential.gradient(q)[on], gradient, atol=1e-12 * np.abs(gradient).max())
    ours = potential.hessian(q, psd=False).toarray()[np.ix_(on, on)]
    np.testing.assert_allclose(ours, hessian, atol=1e-10 * np.abs(hessian).max())


@FORMS
@WEIGHTS
def test_the_projected_hessian_is_positive_semidefinite(weights, form):
    _, potential, q = crumpled(form, weights)
    hessian = potential.hessian(q, psd=True).toarray()
    assert np.linalg.eigvalsh(hessian)[0] > -1e-12 * np.abs(hessian).max()


def test_forces_between_bodies_balance():
    _, potential, q = crumpled()
    g = potential.gradient(q).reshape(-1, 3)
    assert np.abs(g.sum(axis=0)).max() < 1e-12 * np.abs(g).sum()
    assert np.abs(np.cross(q.reshape(-1, 3), g).sum(axis=0)).max() < 1e-12 * np.abs(g).sum()


def test_far_from_the_origin_contact_is_the_same():
    _, potential, q = crumpled()
    far = q + np.tile([1024.0, -4096.0, 512.0], q.size // 3)
    assert potential.value(far) == pytest.approx(potential.value(q), rel=1e-9)
    here, there = potential.gradient(q), potential.gradient(far)
    np.testing.assert_allclose(there, here, atol=1e-8 * np.abs(here).max())


def test_what_is_not_finite_has_no_energy():
    _, potential, q = crumpled()
    for bad in (np.nan, np.inf):
        broken = q.copy()
        broken[4] = bad
        assert potential.value(broken) == np.inf
        assert not np.isfinite(potential.gradient(broken)).all()


def sheets(cells, weights, gap=0.5e-2):
    """Two parallel sheets of a square metre each, and the energy between them per `stiffness`."""
    sheet = meshes.sheet(size=(1, 1), cells=(cells, cells))
    nets = tuple(jn.SpringNet(sheet, GRID, name=n, position=(0, y, 0)) for n, y in (("low", 0.0), ("high", gap)))
    contact = jn.Barrier(distance=1e-2, stiffness=1.0, weights=weights)
    mech, state = mechanics(jn.build(jn.Scene(nets, contact=contact, gravity=CALM)))
    return mech.contact.value(state.q)


def test_area_weights_make_the_energy_independent_of_the_mesh_but_for_its_rim():
    by_area = [sheets(cells, "area") for cells in (4, 8, 16)]
    rims = -np.diff(by_area)
    assert by_area[2] == pytest.approx(by_area[1], rel=0.1)
    assert rims[1] == pytest.approx(0.5 * rims[0], rel=0.1)  # what the rim lacks halves with the length of its edges
    assert sheets(16, "vertex") == pytest.approx(4 * sheets(8, "vertex"), rel=0.15)


def test_a_relative_distance_is_a_share_of_the_size_of_what_moves():
    scene = jn.Scene((cube(),), grounds=(jn.Ground(height=-1.0),), contact=jn.Barrier(distance=1e-2, relative=True))
    assert jn.build(scene).contact.dhat == pytest.approx(1e-2 * 0.1 * 3**0.5)


@pytest.mark.parametrize("factor", [1e-2, 1e4])
@WEIGHTS
def test_a_chosen_stiffness_grows_with_that_of_the_bodies(weights, factor):
    def chosen(youngs):
        body = cube(material=jn.NeoHookean(youngs=youngs, poisson=0.3))
        return jn.build(jn.Scene((body,), contact=jn.Barrier(distance=1e-3, weights=weights))).contact.kappa

    assert chosen(1e5 * factor) == pytest.approx(factor * chosen(1e5), rel=1e-9)
    by_node = chosen(1e5) if weights == "vertex" else chosen(1e5) * (0.1**2 * 6 / 8) / 1e-3
    assert 1e5 * 0.1 / 30 < by_node < 1e5 * 0.1 * 30


def test_a_body_with_thin_features_feels_itself_later_but_never_crosses_itself():
    T = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    V = np.vstack([T, T + np.array([0, 0, 0.04])])
    net = jn.SpringNet(jn.SurfaceMesh(V, np.array([[0, 1, 2], [3, 4, 5]])), GRID, name="pages")
    term = jn.build(jn.Scene((net,), contact=jn.Barrier(distance=0.1), gravity=CALM)).contact
    assert term.value(V) == 0.0
    closer = V.copy()
    closer[:3, 2] += 0.03
    assert term.value(closer) > 0.0
    through = V.copy()
    through[:3, 2] += 0.044
    through[3:, 2] -= 0.044
    assert 0.0 < term.longest_step(V, through) < 0.04 / 0.088


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"distance": 0.0}, "distance must be positive and finite .m.; it is 0"),
        ({"distance": np.nan}, "distance must be positive"),
        ({"distance": -1.0}, "distance must be positive"),
        ({"stiffness": -5.0}, "stiffness must be positive and finite"),
        ({"stiffness": np.inf}, "stiffness must be positive and finite"),
        ({"stick_speed": 0.0}, "stick_speed of .* must be positive"),
        ({"friction": -0.1}, "coefficient of friction of the barrier must be at least 0; it is -0.1"),
        ({"friction": np.nan}, "must be at least 0"),
        ({"form": "cubic"}, "form is 'cubic'; valid: metric, squared"),
        ({"weights": "face"}, "weights is 'face'; valid: vertex, area"),
        ({"lag_iterations": -1}, "lag_iterations must be a whole number of at least 0; it is -1"),
        ({"lag_iterations": 1.5}, "lag_iterations must be a whole number"),
    ],
)
def test_bad_options_are_answered_with_a_sentence(options, said):
    with pytest.raises(ValueError, match=said):
        jn.Barrier(**options)


def test_excluded_bodies_have_no_energy_together():
    T = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    apart = (jn.Pair(between=("0", "1"), collide=False),)
    for pairs, felt in (((), True), (apart, False)):
        system = triangles(T, T + np.array([0, 0, 0.01]), contact=jn.Barrier(distance=0.1, pairs=pairs))
        mech, state = mechanics(system)
        assert (mech.contact.value(state.q) > 0.0) == felt
        through = system.start.copy()
        through[3:, 2] -= 0.02
        assert (system.contact.longest_step(system.start, through) < 1.0) == felt

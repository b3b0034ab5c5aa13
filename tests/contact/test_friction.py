"""Friction of one step: a potential of velocity whose loads are the contact's own forces."""

import ipctk
import numpy as np
import pytest

import jounce as jn
from jounce import meshes

from ..kernels.pairs import differences
from . import CALM, SOFT, cube, mechanics

DHAT, MU, EPS = 0.02, 0.4, 1e-2
MODELS = {
    "barrier": jn.Barrier(distance=DHAT, stiffness=200.0, friction=MU, stick_speed=EPS, form="squared"),
    "penalty": jn.Penalty(stiffness=300.0, friction=MU, stick_speed=EPS),
    "repulsion": jn.Repulsion(stiffness=300.0, friction=MU, stick_speed=EPS),
}


ABOUT_X = np.array([[1, 0, 0], [0, np.cos(0.3), -np.sin(0.3)], [0, np.sin(0.3), np.cos(0.3)]])


def resting(contact, gap=0.4 * DHAT, path=None, pairs=True):
    """A cube above a tilted ground, and beside an obstacle where the model feels it."""
    plate = meshes.sheet(size=(0.3, 0.3), cells=(2, 2))
    # Turned about x, so that no edge of the plate is parallel to one of the cube: a mollified pair has forces beside its normal.
    turned = jn.SurfaceMesh(np.asarray(plate.vertices)[:, [1, 0, 2]] @ ABOUT_X.T, plate.triangles)
    wall = jn.Obstacle(turned, path=path, position=(-0.05 - 0.6 * DHAT, 0.013, 0.017), name="wall")
    ground = jn.Ground(height=-0.05 - gap, normal=(0.0, 1.0, 0.0))
    scene = jn.Scene(
        (cube(cells=2),), obstacles=(wall,) if pairs else (), grounds=(ground,), contact=contact, gravity=CALM
    )
    return jn.build(scene)


def random_velocities(q, speed, seed=0):
    return speed * np.random.default_rng(seed).normal(size=q.size)


@pytest.mark.parametrize("speed", [0.1 * EPS, EPS, 30 * EPS])
@pytest.mark.parametrize("name", MODELS)
def test_gradient_and_hessian_are_the_derivatives_of_the_potential(name, speed):
    system = resting(MODELS[name], gap=0.4 * DHAT if name == "barrier" else -0.01)
    mech, state = mechanics(system)
    v = random_velocities(state.q, speed)
    gradient, hessian = mech.friction.linearise(v, psd=False)
    p = random_velocities(state.q, 1.0, seed=1)
    slope = differences(lambda s: mech.friction.value(v + s[0] * p), np.zeros(1), 1e-3 * speed)[0]
    bend = differences(lambda s: mech.friction.gradient(v + s[0] * p), np.zeros(1), 1e-4 * speed)[:, 0]
    assert gradient @ p == pytest.approx(slope, abs=1e-6 * np.linalg.norm(gradient) * np.linalg.norm(p))
    np.testing.assert_allclose(hessian @ p, bend, atol=1e-4 * np.abs(bend).max())
    assert np.linalg.eigvalsh(hessian.toarray())[0] > -1e-12 * np.abs(hessian.diagonal()).max()


@pytest.mark.parametrize("name", MODELS)
def test_sliding_friction_is_mu_times_the_force_of_contact(name):
    system = resting(MODELS[name], gap=0.4 * DHAT if name == "barrier" else -0.01, pairs=False)
    mech, state = mechanics(system)
    v = np.tile([3.0, 0.7, 4.0], state.q.size // 3)  # what goes along the normal does not rub
    drag = mech.friction.gradient(v).reshape(-1, 3).sum(axis=0)
    push = -mech.contact.gradient(state.q).reshape(-1, 3).sum(axis=0)
    np.testing.assert_allclose(drag, MU * push[1] * np.array([0.6, 0.0, 0.8]), atol=1e-12 * push[1])
    assert push[1] > 0


def test_a_wall_that_moves_takes_along():
    system = resting(MODELS["barrier"], path=jn.Translate(velocity=(0.0, 2.0, 0.0)))
    mech, state = mechanics(system)
    force = -mech.friction.gradient(np.zeros(state.q.size)).reshape(-1, 3).sum(axis=0)
    push = -mech.contact.at(0.0).gradient(state.q).reshape(-1, 3).sum(axis=0)
    assert force[1] == pytest.approx(MU * push[0], rel=0.02)  # few normals are not quite the plate's


def test_friction_between_bodies_is_the_toolkits():
    """The toolkit leaves out nearly parallel edges, of which these two have none."""
    x = np.asarray(cube(cells=2).mesh.vertices)
    rng = np.random.default_rng(3)
    starts = [x, x @ ABOUT_X.T + np.array([0.1 + 0.5 * DHAT, 0.0, 0.0])]
    bodies = tuple(
        jn.Solid(cube(cells=2).mesh, SOFT, name=n, start=s + 0.1 * DHAT * rng.uniform(-1, 1, s.shape))
        for n, s in zip("ab", starts, strict=True)
    )
    system = jn.build(jn.Scene(bodies, contact=MODELS["barrier"], gravity=CALM))
    mech, state = mechanics(system)
    surface = system.contact.surface
    y = np.asfortranarray(state.q.reshape(-1, 3)[surface.nodes])
    mesh = ipctk.CollisionMesh(surface.rest, surface.edges, surface.faces)
    collisions, theirs = ipctk.NormalCollisions(), ipctk.TangentialCollisions()
    collisions.build(mesh, y, DHAT)
    theirs.build(mesh, y, collisions, ipctk.BarrierPotential(DHAT, 200.0 / DHAT**2), MU)
    potential = ipctk.FrictionPotential(EPS)
    on = (3 * surface.nodes[:, None] + np.arange(3)).ravel()
    for speed in (0.3 * EPS, 10 * EPS):
        v = random_velocities(state.q, speed)
        w = np.asfortranarray(v[on].reshape(-1, 3))
        gradient = potential.gradient(theirs, mesh, w)
        assert mech.friction.value(v) == pytest.approx(potential(theirs, mesh, w), rel=1e-9)
        np.testing.assert_allclose(mech.friction.gradient(v)[on], gradient, atol=1e-9 * np.abs(gradient).max())


def test_without_contact_or_without_mu_there_is_no_friction():
    far = mechanics(resting(MODELS["barrier"], gap=1.0, pairs=False))[0]
    assert far.friction is None
    smooth = jn.Barrier(distance=DHAT, stiffness=200.0)
    assert mechanics(resting(smooth))[0].friction is None


def test_a_pair_of_bodies_may_have_its_own_coefficient():
    rough = (jn.Pair(between=("cube", "ground"), friction=0.1),)
    contact = jn.Barrier(distance=DHAT, stiffness=200.0, friction=MU, pairs=rough)
    mech, state = mechanics(resting(contact, pairs=False))
    drag = mech.friction.gradient(np.tile([1.0, 0.0, 0.0], state.q.size // 3)).sum()
    assert drag == pytest.approx(0.1 * -mech.contact.gradient(state.q).sum(), rel=1e-9)


def test_lagged_loads_follow_the_normal_forces_of_the_positions_asked():
    contact = jn.Barrier(distance=DHAT, stiffness=200.0, friction=MU, lag_iterations=2)
    mech, state = mechanics(resting(contact, pairs=False))
    lower = state.q - np.tile([0.0, 0.2 * DHAT, 0.0], state.q.size // 3)
    v = np.tile([1.0, 0.0, 0.0], state.q.size // 3)
    drag = mech.lagged(lower).friction.gradient(v).sum()
    assert drag == pytest.approx(MU * -mech.contact.gradient(lower).sum(), rel=1e-9)
    assert drag > 1.2 * mech.friction.gradient(v).sum()

"""What a scene says is what its system has: masses, velocities, starts, parameters, fibres, springs, several bodies."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes

FLOATING = (0.0, 0.0, 0.0)
MESH = meshes.box(size=(0.3, 0.1, 0.1), cells=(3, 1, 1))
STVK = jn.StVenantKirchhoff(youngs=1e5, poisson=0.3)


def system(*bodies):
    return jn.build(jn.Scene(tuple(bodies), gravity=FLOATING))


def elastic(built, x):
    mech, start = built.prepare(jn.State(0.0, x.ravel(), np.zeros(x.size)), 0.01)
    return mech.elastic, start.q


def bent(x):
    return x + 0.1 * np.sin(5 * x[:, [1, 2, 0]]) * [1.0, 0.5, -0.7]


def test_a_constant_velocity_launches_every_node():
    v = system(jn.Solid(MESH, STVK, velocity=(1.0, -2.0, 3.0))).initial_state().v.reshape(-1, 3)
    assert np.array_equal(v, np.tile([1.0, -2.0, 3.0], (16, 1)))


def test_a_spin_turns_about_the_centre_of_mass_or_a_given_one():
    built = system(jn.Solid(MESH, STVK, velocity=jn.Spin(axis=(0.0, 0.0, 2.0), rate=3.0), position=(5.0, 0.0, 0.0)))
    x, v = built.start, built.velocities
    np.testing.assert_allclose(built.masses @ v, 0.0, atol=1e-12)
    np.testing.assert_allclose(v, 3.0 * np.stack([-x[:, 1], x[:, 0] - 5.0, 0 * x[:, 0]], axis=1), atol=1e-12)
    around = system(jn.Solid(MESH, STVK, velocity=jn.Spin(axis=(1.0, 0.0, 0.0), rate=2.0, centre=(0.0, 1.0, 0.0))))
    x = around.start
    np.testing.assert_allclose(around.velocities, 2.0 * np.stack([0 * x[:, 0], -x[:, 2], x[:, 1] - 1.0], axis=1))


def test_a_ramp_grows_from_one_end_to_the_other():
    built = system(jn.Solid(MESH, STVK, velocity=jn.Ramp(velocity=(0.0, 4.0, 0.0), along=(-2.0, 0.0, 0.0))))
    np.testing.assert_allclose(built.velocities[:, 1], 4.0 * (0.15 - built.start[:, 0]) / 0.3, atol=1e-12)


def test_a_velocity_may_be_a_function_of_where_the_nodes_start():
    start = bent(np.asarray(MESH.vertices))
    built = system(jn.Solid(MESH, STVK, velocity=lambda x: 2.0 * x, start=start))
    assert np.array_equal(built.velocities, 2.0 * start)


def test_a_start_leaves_the_rest_shape():
    start = bent(np.asarray(MESH.vertices))
    built = system(jn.Solid(MESH, STVK, start=start))
    assert np.array_equal(built.start, start)
    at_start, q = elastic(built, start)
    assert at_start.value(q) > 0.1
    at_rest, q = elastic(built, np.asarray(MESH.vertices))
    assert at_rest.value(q) == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(built.masses.sum(), 1000.0 * MESH.volume)


def test_masses_follow_the_density_of_each_element():
    rho = 500.0 + 1e4 * (np.asarray(MESH.centroids)[:, 0] + 0.15)
    by_array = system(jn.Solid(MESH, STVK, density=rho))
    by_function = system(jn.Solid(MESH, STVK, density=lambda c: 500.0 + 1e4 * (c[:, 0] + 0.15)))
    assert by_array.masses.sum() == pytest.approx(float(rho @ MESH.volumes))
    expected = np.zeros(16)
    for tet, mass in zip(MESH.tets, rho * MESH.volumes, strict=True):
        expected[tet] += mass / 4
    np.testing.assert_allclose(by_array.masses, expected)
    np.testing.assert_allclose(by_function.masses, expected)


def test_a_density_that_is_a_function_sees_where_the_body_stands():
    built = system(jn.Solid(MESH, STVK, density=lambda c: c[:, 1], position=(0.0, 7.0, 0.0)))
    assert built.masses.sum() == pytest.approx(7.0 * MESH.volume, rel=1e-6)


def test_parameters_of_each_element_weigh_its_own_energy():
    x = bent(np.asarray(MESH.vertices))
    soft = np.asarray(MESH.centroids)[:, 0] < 0
    youngs = np.where(soft, 1e4, 1e6)
    by_array = system(jn.Solid(MESH, jn.StVenantKirchhoff(youngs=youngs, poisson=0.3)))
    by_function = system(
        jn.Solid(MESH, jn.StVenantKirchhoff(youngs=lambda c: np.where(c[:, 0] < 0, 1e4, 1e6), poisson=0.3))
    )
    reference = system(jn.Solid(MESH, STVK)).terms[0].energies(x).copy()
    for built in (by_array, by_function):
        np.testing.assert_allclose(built.terms[0].energies(x), reference * youngs / 1e5, rtol=1e-12)


def differences(built, x):
    felt, q = elastic(built, x)
    slope, eps = felt.gradient(q), 1e-6
    found = np.array([(felt.value(q + e) - felt.value(q - e)) / (2 * eps) for e in eps * np.eye(q.size)])
    np.testing.assert_allclose(slope, found, atol=1e-6 * np.abs(slope).max())
    columns = np.array([(felt.gradient(q + e) - felt.gradient(q - e)) / (2 * eps) for e in eps * np.eye(q.size)])
    hessian = felt.hessian(q, psd=False)
    dense = np.stack([hessian @ e for e in np.eye(q.size)])
    np.testing.assert_allclose(dense, columns, atol=1e-5 * np.abs(columns).max())
    return felt.value(q)


def test_fibres_add_their_energy_and_their_forces_to_the_solid():
    x = np.asarray(MESH.vertices) * [1.2, 1.0, 1.0]
    fibre = jn.AnisotropicStVK(stiffness=2e5, direction=(1.0, 0.0, 0.0))
    plain = differences(system(jn.Solid(MESH, STVK)), x)
    with_fibres = differences(system(jn.Solid(MESH, STVK, fibres=(fibre,))), x)
    assert with_fibres - plain == pytest.approx(0.5 * 2e5 * (1.44 - 1) ** 2 * MESH.volume, rel=1e-9)


def test_springs_of_a_sheet_run_along_its_edges_and_bending_across_them():
    sheet = meshes.sheet(size=(1.0, 1.0), cells=(2, 2))
    x = np.asarray(sheet.vertices)
    stretched = x * [1.1, 1.0, 1.0] + np.array([0.0, 0.05, 0.0]) * np.abs(x[:, :1])
    lengths = np.linalg.norm(x[sheet.edges[:, 0]] - x[sheet.edges[:, 1]], axis=1)
    now = np.linalg.norm(stretched[sheet.edges[:, 0]] - stretched[sheet.edges[:, 1]], axis=1)
    net = jn.SpringNet(sheet, jn.HookeanSpring(stiffness=30.0), density=2.0)
    assert differences(system(net), stretched) == pytest.approx(0.5 * 30.0 * np.sum((now - lengths) ** 2))
    assert system(net).masses.sum() == pytest.approx(2.0)
    bending = meshes.bending_edges(sheet)
    a, b = x[bending[:, 0]] - x[bending[:, 1]], stretched[bending[:, 0]] - stretched[bending[:, 1]]
    both = jn.SpringNet(sheet, jn.HookeanSpring(stiffness=30.0), bending=jn.StVKSpring(stiffness=7.0), density=2.0)
    extra = differences(system(both), stretched) - differences(system(net), stretched)
    assert extra == pytest.approx(0.5 * 7.0 * np.sum((np.sum(b * b, axis=1) - np.sum(a * a, axis=1)) ** 2))


def test_springs_may_run_along_given_edges_and_those_of_tetrahedra():
    given = jn.SpringNet(MESH, jn.HookeanSpring(stiffness=10.0), density=1000.0, edges=[[0, 1], [2, 3]])
    assert system(given).terms[0].nodes.tolist() == [[0, 1], [2, 3]]
    every = jn.SpringNet(MESH, jn.HookeanSpring(stiffness=10.0), density=1000.0)
    assert len(system(every).terms[0].nodes) == len(MESH.edges)
    assert system(every).masses.sum() == pytest.approx(1000.0 * MESH.volume)


def test_nodes_without_springs_move_freely():
    loose = jn.SpringNet(
        MESH, jn.HookeanSpring(stiffness=10.0), density=1000.0, edges=[[0, 1], [2, 3]], velocity=(0.0, 1.0, 0.0)
    )
    run = jn.simulate(jn.Scene((loose,)), integrator="implicit-midpoint", step=0.1, steps=3)
    fallen = run.positions[-1, :, 1] - run.positions[0, :, 1]
    np.testing.assert_allclose(fallen, 0.3 - 0.5 * 9.8 * 0.09, atol=1e-6)


def pair():
    first = jn.Solid(
        MESH, STVK, name="first", position=(0.0, 1.0, 0.0), velocity=lambda x: np.sin(9 * x),
        clamps=(jn.Clamp(nodes=lambda x: x[:, 0] < -0.14),), damping=jn.Rayleigh(mass=1.0, stiffness=1e-4),
        fibres=(jn.AnisotropicStVK(stiffness=1e4, direction=(1.0, 1.0, 0.0)),),
    )  # fmt: skip
    second = jn.SpringNet(
        meshes.sheet(size=(0.5, 0.5), cells=(2, 3)), jn.StVKSpring(stiffness=300.0), name="second",
        velocity=lambda x: np.cos(7 * x), forces=(jn.Force(total=(0.1, 0.0, 0.3), nodes=[0, 5]),),
        wind=jn.Wind(velocity=(1.0, 2.0, 0.0), drag=0.3),
    )  # fmt: skip
    return first, second


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_bodies_in_one_scene_move_as_each_alone_bit_for_bit(order):
    bodies = [pair()[i] for i in order]
    settings = {"integrator": "symplectic-euler", "step": 1e-4, "steps": 20}
    together = jn.simulate(jn.Scene(tuple(bodies)), **settings).positions
    offset = 0
    for body in bodies:
        alone = jn.simulate(jn.Scene((body,)), **settings).positions
        assert np.array_equal(together[:, offset : offset + alone.shape[1]], alone)
        offset += alone.shape[1]


def test_bodies_solved_together_move_as_each_alone():
    tight = jn.NewtonSolver(tolerance=1e-11, linear_tolerance=1e-13)
    settings = {"integrator": "bdf2", "step": 0.01, "steps": 6, "solver": tight}
    together = jn.simulate(jn.Scene(pair()), **settings).positions
    alone = [jn.simulate(jn.Scene((body,)), **settings).positions for body in pair()]
    np.testing.assert_allclose(together, np.concatenate(alone, axis=1), atol=1e-12)


def test_neo_hookean_elements_stay_valid_when_a_clamp_crushes_them():
    crush = jn.Clamp(nodes=lambda x: x[:, 0] > 0.14, path=jn.Translate(velocity=(-2.0, 0.0, 0.0), duration=0.09))
    held = jn.Clamp(nodes=lambda x: x[:, 0] < -0.14)
    body = jn.Solid(MESH, jn.NeoHookean(youngs=1e5, poisson=0.3), clamps=(held, crush))
    run = jn.simulate(jn.Scene((body,), gravity=FLOATING), integrator="implicit-euler", step=0.02, steps=6)
    for x in run.positions:
        corners = x[MESH.tets]
        assert np.linalg.det(corners[:, 1:] - corners[:, :1]).min() > 0
    assert np.ptp(run.positions[-1, :, 0]) == pytest.approx(0.12, abs=0.03)

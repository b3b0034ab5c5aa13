"""Tetrahedra: inversion-free steps, masses, reused buffers, threads, and sentences for wrong meshes."""

import numba
import numpy as np
import pytest

from jounce import materials
from jounce.elements import Tets
from tests.elements.cases import UPRIGHT, corner_tets, random_tets

NEO_HOOKEAN = materials.create("neo-hookean", youngs=1.0, poisson=0.3)


def volumes(x, nodes):
    corners = x[nodes]
    return np.linalg.det(corners[:, 1:] - corners[:, :1])


def brute_force(x, dx, nodes, limit):
    """First fraction at which each volume stops being positive, by companion-matrix roots of the interpolated cubic."""
    t = np.array([0.0, 1 / 3, 2 / 3, 1.0])
    samples = np.array([volumes(x + s * dx, nodes) for s in t])
    cubics = np.polyfit(t, samples, 3).T
    first = []
    for cubic in cubics:
        roots = np.roots(cubic)
        real = roots.real[(np.abs(roots.imag) < 1e-9) & (roots.real > 0)]
        first.append(min(real.min() if len(real) else np.inf, limit))
    return np.array(first)


def test_longest_step_agrees_with_brute_force():
    rng = np.random.default_rng(4)
    rest, nodes, x = random_tets(np.tile(UPRIGHT["ordinary"], (50, 1, 1)))
    for size in (0.05, 0.3, 1.0, 30.0):
        dx = size * rng.normal(size=x.shape)
        expected = brute_force(x, dx, nodes, 1 / 0.9)
        for e in range(0, len(nodes), 3):
            got = Tets(rest, nodes[e : e + 1], NEO_HOOKEAN).longest_step(x, dx)
            assert got == pytest.approx(min(1.0, 0.9 * expected[e]), rel=1e-6)
        together = Tets(rest, nodes, NEO_HOOKEAN).longest_step(x, dx)
        assert together == pytest.approx(min(1.0, 0.9 * expected.min()), rel=1e-6)
        for part in np.linspace(0, 1, 50):
            assert volumes(x + part * together * dx, nodes).min() > 0


def test_longest_step_stops_before_a_volume_that_only_touches_zero():
    rest, nodes, x = corner_tets(np.eye(3)[None])
    dx = np.zeros_like(x)
    dx[nodes[0, 1], 0] = -2.0  # two edges shrink through zero together, so the volume touches zero at one half
    dx[nodes[0, 2], 1] = -2.0
    step = Tets(rest, nodes, NEO_HOOKEAN).longest_step(x, dx)
    assert 0.44 < step < 0.5


@pytest.mark.parametrize("move", ["linear", "quadratic", "cubic"])
def test_longest_step_of_moves_of_every_degree(move):
    rest, nodes, x = corner_tets(np.eye(3)[None])
    dx = np.zeros_like(x)
    for axis in range({"linear": 1, "quadratic": 2, "cubic": 3}[move]):
        dx[nodes[0, axis + 1], axis] = -4.0
    assert Tets(rest, nodes, NEO_HOOKEAN).longest_step(x, dx) == pytest.approx(0.9 / 4, rel=1e-3)


def test_longest_step_is_whole_when_nothing_inverts():
    rest, nodes, x = corner_tets(np.eye(3)[None])
    tets = Tets(rest, nodes, NEO_HOOKEAN)
    assert tets.longest_step(x, np.zeros_like(x)) == 1
    assert tets.longest_step(x, x) == 1
    assert tets.longest_step(x, np.full_like(x, np.nan)) == 1
    soft = Tets(rest, nodes, materials.create("stable-neo-hookean", youngs=1.0, poisson=0.3))
    assert soft.longest_step(x, -2 * x) == 1


def test_masses_add_up():
    rest, nodes, _ = random_tets(UPRIGHT["ordinary"])
    tets = Tets(rest, nodes, NEO_HOOKEAN)
    assert tets.node_masses(3.0).sum() == pytest.approx(3 * tets.volumes.sum())
    density = np.linspace(1, 2, len(nodes))
    np.testing.assert_allclose(tets.node_masses(density)[nodes[2]], density[2] * tets.volumes[2] / 4)


def test_a_linearisation_outlives_other_calls():
    rest, nodes, x = random_tets(UPRIGHT["ordinary"])
    tets = Tets(rest, nodes, NEO_HOOKEAN)
    kept = tets.linearise(x, psd=True)
    copies = [array.copy() for array in kept]
    tets.energies(rest)
    tets.gradients(rest)
    for array, copy in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(5)
    rest, nodes, x = random_tets(np.eye(3) + 0.1 * rng.normal(size=(500, 3, 3)))
    tets = Tets(rest, nodes, NEO_HOOKEAN)
    before = numba.get_num_threads()
    results = []
    try:
        for threads in (1, before):
            numba.set_num_threads(threads)
            results.append([array.copy() for array in (tets.energies(x), *tets.linearise(x, psd=True))])
    finally:
        numba.set_num_threads(before)
    for one, many in zip(*results, strict=True):
        np.testing.assert_array_equal(one, many)


def test_an_empty_mesh_has_no_energy():
    tets = Tets(np.zeros((0, 3)), np.zeros((0, 4), dtype=int), NEO_HOOKEAN)
    x = np.zeros((0, 3))
    assert tets.energies(x).shape == (0,)
    assert tets.linearise(x, psd=True)[1].shape == (0, 10, 3, 3)
    assert tets.longest_step(x, x) == 1


def test_wrong_meshes_are_refused_with_a_sentence():
    rest, nodes, x = corner_tets(np.tile(np.eye(3), (2, 1, 1)))
    with pytest.raises(ValueError, match=r"1 of 2 tetrahedra are flat or inverted at rest: -0.167 m\^3 \(element 1\)"):
        Tets(rest, np.array([nodes[0], nodes[1][[0, 2, 1, 3]]]), NEO_HOOKEAN)
    with pytest.raises(ValueError, match="name nodes that do not exist: element 1 has nodes"):
        Tets(rest, np.array([nodes[0], [0, 1, 2, 99]]), NEO_HOOKEAN)
    with pytest.raises(ValueError, match="name nodes that do not exist"):
        Tets(rest, np.array([[0, 1, 2, -1]]), NEO_HOOKEAN)
    with pytest.raises(ValueError, match=r"shape \(ne, 4\)"):
        Tets(rest, nodes[:, :3], NEO_HOOKEAN)
    with pytest.raises(ValueError, match="Positions have shape"):
        Tets(rest, nodes, NEO_HOOKEAN).energies(x[:-1])

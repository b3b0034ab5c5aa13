"""Fibres and springs: derivatives, projections and limits."""

import numpy as np
import pytest

from jounce import materials
from jounce.elements import Fibres, Springs, Tets
from tests.elements.cases import (
    INVERTED,
    UPRIGHT,
    close,
    corner_tets,
    dense,
    differences,
    largest,
    random_tets,
    rotations,
)

FIBRES = {name: {"stiffness": 3.0, "direction": (1, 2, -1)} for name in materials.names("fibre")}
FIBRES["anisotropic-fung"]["exponent"] = 0.7
MODERATE = {key: F for key, F in {**UPRIGHT, **INVERTED}.items() if key != "huge"}
DEFORMATIONS = np.concatenate(list(MODERATE.values()))


def fibre(name, **more):
    return materials.create(name, **FIBRES[name], **more)


@pytest.mark.parametrize("tension_only", [False, True])
@pytest.mark.parametrize("name", FIBRES)
def test_fibre_derivatives_are_those_of_the_energy(name, tension_only):
    rest, nodes, x = random_tets(DEFORMATIONS)
    term = Fibres(rest, nodes, fibre(name, tension_only=tension_only))
    squared = np.sum(np.einsum("eij,j->ei", DEFORMATIONS, np.array((1, 2, -1)) / np.sqrt(6)) ** 2, axis=1)
    away = np.abs(squared - 1) > 1e-3 if tension_only else np.full(len(x) // 4, True)
    step = np.full(len(nodes), 1e-5)
    gradients, blocks = term.linearise(x, psd=False)
    numeric = differences(term.energies, x, 4, step)[:, 0]
    scale = 3.0 * term.volumes[:, None] + np.abs(numeric)
    assert (np.abs(gradients.reshape(len(nodes), -1) - numeric) / scale)[away].max() < 1e-7
    assert close(dense(blocks)[away], differences(term.gradients, x, 4, step)[away], 1e-6)
    np.testing.assert_array_equal(gradients, term.gradients(x))


def test_st_venant_kirchhoff_fibres_bear_huge_strains():
    rest, nodes, x = random_tets(UPRIGHT["huge"])
    term = Fibres(rest, nodes, fibre("anisotropic-stvk"))
    step = np.full(len(nodes), 1e-2)
    gradients, blocks = term.linearise(x, psd=False)
    assert close(gradients, differences(term.energies, x, 4, step), 1e-7)
    assert close(dense(blocks), differences(term.gradients, x, 4, step), 1e-7)


@pytest.mark.parametrize("name", FIBRES)
def test_fibre_energy_is_the_formula(name):
    rest, nodes, x = random_tets(DEFORMATIONS)
    term = Fibres(rest, nodes, fibre(name))
    I = np.sum(np.einsum("eij,j->ei", DEFORMATIONS, np.array((1, 2, -1)) / np.sqrt(6)) ** 2, axis=1)
    formulas = {
        "anisotropic-stvk": 1.5 * (I - 1) ** 2,
        "anisotropic-fung": 3.0 / 1.4 * (np.exp(0.7 * (I - 1) ** 2) - 1),
    }
    np.testing.assert_allclose(term.energies(x), term.volumes * formulas[name], rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("name", FIBRES)
def test_fibre_projection_clamps_the_eigenvalues_of_the_stress_derivative(name):
    rest, nodes, x = corner_tets(DEFORMATIONS)
    term = Fibres(rest, nodes, fibre(name))
    exact = dense(term.linearise(x, psd=False)[1])[:, 3:, 3:]
    w, Q = np.linalg.eigh(exact)
    assert (w < -1e-3).any()
    expected = np.einsum("eij,ej,ekj->eik", Q, np.maximum(w, 0), Q)
    assert close(dense(term.linearise(x, psd=True)[1])[:, 3:, 3:], expected, 1e-13, largest(exact))


@pytest.mark.parametrize("name", FIBRES)
def test_fibres_do_not_feel_a_rotation(name):
    rest, nodes, x = random_tets(rotations(5))
    term = Fibres(rest, nodes, fibre(name))
    np.testing.assert_allclose(term.energies(x), 0, atol=1e-14)
    np.testing.assert_allclose(term.gradients(x), 0, atol=1e-14)


@pytest.mark.parametrize("name", FIBRES)
def test_short_fibres_carry_nothing_with_tension_only(name):
    rest, nodes, x = random_tets(np.eye(3)[None] * 0.9)
    term = Fibres(rest, nodes, fibre(name, tension_only=True))
    assert term.energies(x)[0] == 0
    assert not np.any(term.gradients(x))
    assert not np.any(term.linearise(x, psd=False)[1])
    assert Fibres(rest, nodes, fibre(name)).energies(x)[0] > 0


def test_a_fung_fibre_beyond_all_bounds_has_infinite_energy_and_no_nan():
    rest, nodes, x = random_tets(np.eye(3)[None] * np.array([10.0, 40.0])[:, None, None])
    term = Fibres(rest, nodes, materials.create("anisotropic-fung", stiffness=1e3, exponent=5.0, direction=(1, 0, 0)))
    assert (term.energies(x) == np.inf).all()
    for array in (term.gradients(x), *term.linearise(x, psd=True)):
        assert np.isfinite(array).all()


def test_fibre_directions_vary_over_the_mesh():
    rest, nodes, x = corner_tets(np.tile(np.diag([1.5, 1.0, 1.0]), (2, 1, 1)))
    directions = np.array([(1, 0, 0), (0, 1, 0)])
    term = Fibres(rest, nodes, materials.create("anisotropic-stvk", stiffness=2.0, direction=lambda c: directions))
    np.testing.assert_allclose(term.energies(x), [1.25**2 / 6, 0], atol=1e-15)


SPRINGS = materials.names("spring")


def separate_springs(n=8):
    rng = np.random.default_rng(2)
    rest = rng.normal(size=(2 * n, 3))
    x = rest.reshape(n, 2, 3).copy()
    x[:, 1] = x[:, 0] + (x[:, 1] - x[:, 0]) * np.linspace(0.2, 2.5, n)[:, None]
    x[:, 1] += rng.normal(size=(n, 3)) * 0.05
    return rest, np.arange(2 * n).reshape(n, 2), x.reshape(-1, 3)


@pytest.mark.parametrize("name", SPRINGS)
def test_spring_derivatives_are_those_of_the_energy(name):
    rest, nodes, x = separate_springs()
    term = Springs(rest, nodes, materials.create(name, stiffness=np.linspace(1, 5, len(nodes))))
    step = np.full(len(nodes), 1e-5)
    gradients, blocks = term.linearise(x, psd=False)
    assert close(gradients, differences(term.energies, x, 2, step), 1e-8)
    assert close(dense(blocks), differences(term.gradients, x, 2, step), 1e-8)
    np.testing.assert_array_equal(gradients, term.gradients(x))


@pytest.mark.parametrize("length", [-1.3, 1e-3, 1e4], ids=["turned round", "nearly of no length", "huge"])
@pytest.mark.parametrize("name", SPRINGS)
def test_spring_derivatives_hold_far_from_rest(name, length):
    rest, nodes, _ = separate_springs()
    x = rest.reshape(-1, 2, 3).copy()
    x[:, 1] = x[:, 0] + length * (x[:, 1] - x[:, 0])
    x = x.reshape(-1, 3)
    term = Springs(rest, nodes, materials.create(name, stiffness=2.0))
    step = 3e-5 * abs(length) * term.lengths
    gradients, blocks = term.linearise(x, psd=False)
    numeric = differences(term.energies, x, 2, step)
    # At tiny lengths the energy hardly changes: what is left of it is measured against the energy itself.
    scale = largest(numeric) + 1e-5 * term.energies(x) / (abs(length) * term.lengths)
    assert close(gradients, numeric, 1e-6, scale)
    assert close(dense(blocks), differences(term.gradients, x, 2, step), 1e-6)


@pytest.mark.parametrize("name", SPRINGS)
def test_spring_energy_is_the_formula(name):
    rest, nodes, x = separate_springs()
    term = Springs(rest, nodes, materials.create(name, stiffness=3.0), lengths=0.4)
    d = np.linalg.norm(x[nodes[:, 1]] - x[nodes[:, 0]], axis=1)
    formulas = {"hookean-spring": 1.5 * (d - 0.4) ** 2, "stvk-spring": 1.5 * (d**2 - 0.16) ** 2}
    np.testing.assert_allclose(term.energies(x), formulas[name], rtol=1e-12)


@pytest.mark.parametrize("name", SPRINGS)
def test_spring_projection_clamps_the_eigenvalues(name):
    rest, nodes, x = separate_springs()
    term = Springs(rest, nodes, materials.create(name, stiffness=3.0))
    exact = dense(term.linearise(x, psd=False)[1])
    w, Q = np.linalg.eigh(exact)
    assert (w < -1e-3).any()
    expected = np.einsum("eij,ej,ekj->eik", Q, np.maximum(w, 0), Q)
    assert close(dense(term.linearise(x, psd=True)[1]), expected, 1e-13, largest(exact))


@pytest.mark.parametrize("name", SPRINGS)
@pytest.mark.parametrize("length", [0.0, 1.0])
def test_a_spring_of_no_length_has_finite_derivatives(name, length):
    x = np.zeros((2, 3))
    term = Springs(x, np.array([[0, 1]]), materials.create(name, stiffness=2.0), lengths=length)
    assert np.isfinite(term.energies(x)).all()
    for psd in (True, False):
        for array in term.linearise(x, psd):
            assert np.isfinite(array).all()
    assert (np.linalg.eigvalsh(dense(term.linearise(x, psd=True)[1])) >= -1e-12).all()


@pytest.mark.parametrize("kind", ["fibre", "spring"])
def test_a_nan_stays_in_its_element(kind):
    for name in materials.names(kind):
        if kind == "fibre":
            rest, nodes, x = random_tets(UPRIGHT["ordinary"])
            term = Fibres(rest, nodes, fibre(name))
        else:
            rest, nodes, x = separate_springs()
            term = Springs(rest, nodes, materials.create(name, stiffness=1.0))
        x[nodes[1]] = np.nan
        assert np.isnan(term.energies(x)).tolist() == [e == 1 for e in range(len(nodes))]
        assert np.isnan(term.linearise(x, psd=True)[1]).all(axis=(1, 2, 3)).tolist() == [
            e == 1 for e in range(len(nodes))
        ]


def test_negative_rest_lengths_are_refused():
    with pytest.raises(ValueError, match="lengths"):
        Springs(np.eye(3), np.array([[0, 1]]), materials.create("hookean-spring", stiffness=1.0), lengths=-1.0)


def test_fibres_add_to_the_solid_on_the_same_nodes():
    rest, nodes, _ = random_tets(UPRIGHT["ordinary"])
    solid = Tets(rest, nodes, materials.create("arap", youngs=1.0, poisson=0.3))
    term = Fibres(rest, nodes, fibre("anisotropic-stvk"))
    np.testing.assert_array_equal(solid.nodes, term.nodes)
    np.testing.assert_allclose(solid.volumes, term.volumes)

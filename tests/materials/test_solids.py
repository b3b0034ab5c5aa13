"""Every registered solid keeps the contract of a material; a new one is tested because it is registered."""

import functools

import numpy as np
import pytest
from scipy.linalg import polar

from jounce import materials
from jounce.elements import Tets
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

SOLIDS = materials.names("solid")
E, NU = 2.0, 0.3
MU, LAM = E / (2 * (1 + NU)), E * NU / ((1 + NU) * (1 - 2 * NU))


@functools.cache
def material(name):
    return materials.create(name, youngs=E, poisson=NU)


def states(name):
    finite_everywhere = not material(name).guards_inversion
    return {**UPRIGHT, **(INVERTED if finite_everywhere else {})}


def deformations(name):
    return np.concatenate(list(states(name).values()))


def steps(F):
    """A move per element, in proportion to its smallest stretch where that matters."""
    s = np.linalg.svd(F, compute_uv=False)
    return 3e-6 * np.clip(s[:, 2], 0.02, None)


@pytest.mark.parametrize("name", SOLIDS)
def test_gradient_is_the_derivative_of_the_energy(name):
    for label, F in states(name).items():
        rest, nodes, x = random_tets(F)
        tets = Tets(rest, nodes, material(name))
        numeric = differences(tets.energies, x, 4, 10 * steps(F))
        scale = np.abs(numeric).max(axis=(1, 2)) + E * tets.volumes
        error = np.abs(tets.gradients(x).reshape(len(F), -1) - numeric[:, 0]).max(axis=1) / scale
        assert error.max() < 1e-6, (label, error)


@pytest.mark.parametrize("name", SOLIDS)
def test_hessian_is_the_derivative_of_the_gradient(name):
    for label, F in states(name).items():
        rest, nodes, x = random_tets(F)
        tets = Tets(rest, nodes, material(name))
        numeric = differences(tets.gradients, x, 4, steps(F))
        gradients, blocks = tets.linearise(x, psd=False)
        assert close(gradients, tets.gradients(x), 1e-14), label
        assert close(dense(blocks), numeric, 3e-6), label


@pytest.mark.parametrize("name", SOLIDS)
def test_projection_clamps_the_eigenvalues_of_the_stress_derivative(name):
    rest, nodes, x = corner_tets(deformations(name))
    tets = Tets(rest, nodes, material(name))
    exact = 6 * dense(tets.linearise(x, psd=False)[1])[:, 3:, 3:]
    w, Q = np.linalg.eigh(exact)
    assert name == "linear" or (w < -1e-3).any(), "no case needs the clamp"
    expected = np.einsum("eij,ej,ekj->eik", Q, np.maximum(w, 0), Q)
    projected = 6 * dense(tets.linearise(x, psd=True)[1])[:, 3:, 3:]
    assert close(projected, expected, 1e-12, largest(exact))


@pytest.mark.parametrize("name", SOLIDS)
def test_projected_hessian_is_positive_semi_definite(name):
    rest, nodes, x = random_tets(deformations(name))
    tets = Tets(rest, nodes, material(name))
    scale = largest(tets.linearise(x, psd=False)[1])
    assert (np.linalg.eigvalsh(dense(tets.linearise(x, psd=True)[1])).min(axis=1) > -1e-13 * scale).all()


@pytest.mark.parametrize("name", SOLIDS)
def test_rest_is_free_of_stress_and_energy(name):
    F = np.eye(3)[None] if name == "linear" else np.concatenate((np.eye(3)[None], rotations(5)))
    rest, nodes, x = random_tets(F)
    tets = Tets(rest, nodes, material(name))
    np.testing.assert_allclose(tets.energies(x), 0, atol=1e-14)
    np.testing.assert_allclose(tets.gradients(x), 0, atol=1e-14)


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("poisson", [-0.4, 0.0, 0.3, 0.49])
def test_rest_stiffness_is_linear_elasticity(name, poisson):
    mu, lam = E / (2 * (1 + poisson)), E * poisson / ((1 + poisson) * (1 - 2 * poisson))
    if name == "arap":
        lam = 0.0
    I = np.eye(3)
    expected = lam * np.einsum("ij,kl->jilk", I, I) + mu * (
        np.einsum("ik,jl->jilk", I, I) + np.einsum("il,jk->jilk", I, I)
    )
    rest, nodes, x = corner_tets(I[None])
    tets = Tets(rest, nodes, materials.create(name, youngs=E, poisson=poisson))
    H = 6 * dense(tets.linearise(x, psd=False)[1])[0, 3:, 3:]
    np.testing.assert_allclose(H, expected.reshape(9, 9), atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("name", [name for name in SOLIDS if name != "linear"])
def test_energy_does_not_change_with_a_rotation_of_space_or_of_the_material(name):
    F = deformations(name)
    energies = []
    for turned in (F, rotations(len(F), 8) @ F, F @ rotations(len(F), 9)):
        rest, nodes, x = corner_tets(turned)
        energies.append(Tets(rest, nodes, material(name)).energies(x))
    np.testing.assert_allclose(energies[1], energies[0], rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(energies[2], energies[0], rtol=1e-9, atol=1e-13)


def norm2(A):
    return np.sum(A * A)


def shape_change(F):
    return norm2(F - polar(F)[0])


det, tr, eye = np.linalg.det, np.trace, np.eye(3)
FORMULAS = {
    "neo-hookean": lambda F: MU / 2 * (norm2(F) - 3) - MU * np.log(det(F)) + LAM / 2 * np.log(det(F)) ** 2,
    "stable-neo-hookean": lambda F: MU / 2 * (norm2(F) - 3) - MU * (det(F) - 1) + (LAM + MU) / 2 * (det(F) - 1) ** 2,
    "corotated": lambda F: MU * shape_change(F) + LAM / 2 * tr(polar(F)[0].T @ F - eye) ** 2,
    "fixed-corotated": lambda F: MU * shape_change(F) + LAM / 2 * (det(F) - 1) ** 2,
    "arap": lambda F: MU * shape_change(F),
    "st-venant-kirchhoff": lambda F: MU * norm2((F.T @ F - eye) / 2) + LAM / 2 * tr((F.T @ F - eye) / 2) ** 2,
    "linear": lambda F: MU * norm2((F + F.T) / 2 - eye) + LAM / 2 * tr(F - eye) ** 2,
}


@pytest.mark.parametrize("name", FORMULAS)
def test_energy_is_the_formula_in_the_deformation_gradient(name):
    F = np.concatenate((UPRIGHT["ordinary"], UPRIGHT["squeezed"]))
    rest, nodes, x = random_tets(F)
    tets = Tets(rest, nodes, material(name))
    expected = [FORMULAS[name](f) for f in F]
    np.testing.assert_allclose(tets.energies(x) / tets.volumes, expected, rtol=1e-10)


@pytest.mark.parametrize("name", SOLIDS)
def test_each_element_has_its_own_parameters(name):
    F = UPRIGHT["ordinary"]
    rest, nodes, x = random_tets(F)
    youngs, poisson = np.linspace(1, 9, len(F)), np.linspace(0.1, 0.4, len(F))
    together = Tets(rest, nodes, materials.create(name, youngs=youngs, poisson=lambda c: poisson))
    energies, blocks = together.energies(x), together.linearise(x, psd=True)[1]
    for e in range(len(F)):
        alone = Tets(rest, nodes[e : e + 1], materials.create(name, youngs=youngs[e], poisson=float(poisson[e])))
        np.testing.assert_allclose(energies[e], alone.energies(x)[0], rtol=1e-12)
        np.testing.assert_allclose(blocks[e], alone.linearise(x, psd=True)[1][0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SOLIDS)
def test_a_nan_comes_out_as_a_nan_or_infinity_and_stays_in_its_element(name):
    rest, nodes, x = random_tets(UPRIGHT["ordinary"])
    clean = Tets(rest, nodes, material(name))
    tets = Tets(rest, nodes, material(name))
    bad = x.copy()
    bad[4:8] = np.nan
    keep = np.arange(len(nodes)) != 1
    assert not np.isfinite(tets.energies(bad)[1])
    assert not np.isfinite(tets.gradients(bad)[1]).any()
    for psd in (True, False):
        for broken, whole in zip(tets.linearise(bad, psd), clean.linearise(x, psd), strict=True):
            np.testing.assert_array_equal(broken[keep], whole[keep])
    assert tets.longest_step(bad, x) <= 1


@pytest.mark.parametrize("name", SOLIDS)
def test_energy_is_infinite_for_inverted_elements_exactly_if_the_material_guards_against_inversion(name):
    F = np.concatenate(list(INVERTED.values()))
    rest, nodes, x = corner_tets(F, offset=False)
    x[nodes[-1, 3]] = x[nodes[-1, 0]]  # exactly flat
    energies = Tets(rest, nodes, material(name)).energies(x)
    if material(name).guards_inversion:
        inverted = np.linalg.det(F) < -1e-3
        assert (energies[inverted] == np.inf).all()
        assert energies[-1] == np.inf
    else:
        assert np.isfinite(energies).all()

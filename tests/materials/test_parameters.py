"""Material parameters are checked when they are given, and what is wrong with them is said in a sentence."""

import numpy as np
import pytest

from jounce import materials

CENTROIDS = np.random.default_rng(0).uniform(size=(4, 3))


def test_an_unknown_material_is_answered_with_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'neo-hookean'"):
        materials.create("neohookean", youngs=1.0, poisson=0.3)


def test_an_unknown_option_is_answered_with_the_nearest_option():
    with pytest.raises(TypeError, match=r"no option 'young'; did you mean 'youngs'"):
        materials.create("arap", young=1.0, poisson=0.3)


def test_a_missing_option_is_named():
    with pytest.raises(TypeError, match="also needs poisson"):
        materials.create("linear", youngs=1.0)


@pytest.mark.parametrize("youngs", [0.0, -1.0, np.nan, np.inf])
def test_youngs_must_be_positive_and_finite(youngs):
    with pytest.raises(ValueError, match=r"youngs .* positive and finite"):
        materials.create("linear", youngs=youngs, poisson=0.3)


@pytest.mark.parametrize("poisson", [0.5, -1.0, 0.7, np.nan])
def test_poisson_must_lie_between_its_limits(poisson):
    with pytest.raises(ValueError, match=r"between -1 and 0\.5"):
        materials.create("linear", youngs=1.0, poisson=poisson)


def test_offending_elements_are_named():
    with pytest.raises(ValueError, match=r"-2 \(element 1\), 0 \(element 3\)"):
        materials.create("linear", youngs=np.array([1.0, -2.0, 3.0, 0.0]), poisson=0.3)


def test_functions_are_checked_when_there_is_a_mesh():
    material = materials.create("linear", youngs=lambda c: c[:, 0] - 10, poisson=0.3)
    with pytest.raises(ValueError, match="positive and finite"):
        material.parameters(CENTROIDS)


def test_an_array_of_the_wrong_length_is_refused():
    material = materials.create("linear", youngs=np.ones(3), poisson=0.3)
    with pytest.raises(ValueError, match=r"youngs has shape \(3,\), but the mesh has 4 elements"):
        material.parameters(CENTROIDS)


def test_lame_parameters_come_back():
    for mu, lam in ((3.0, 5.0), (2.0, 0.0), (np.array([1.0, 2.0, 3.0, 4.0]), 1.0), (lambda c: 1 + c[:, 0], 2.0)):
        material = materials.NeoHookean.from_lame(shear_modulus=mu, lame=lam)
        got = material.lame_parameters(CENTROIDS)
        np.testing.assert_allclose(got[0], mu(CENTROIDS) if callable(mu) else mu * np.ones(4), rtol=1e-12)
        np.testing.assert_allclose(got[1], lam * np.ones(4), rtol=1e-12, atol=1e-12)


def test_names_are_listed_by_kind():
    assert materials.names() == sorted(n for kind in ("solid", "fibre", "spring") for n in materials.names(kind))
    assert "neo-hookean" in materials.names("solid")
    assert "hookean-spring" not in materials.names("solid")


def test_a_name_belongs_to_one_class():
    class Other(materials.Material):
        name = "neo-hookean"

    with pytest.raises(ValueError, match="already belongs to NeoHookean"):
        materials.register(Other)


@pytest.mark.parametrize("direction", [(0, 0, 0), (1, np.nan, 0), np.ones(2), np.ones((3, 3))])
def test_directions_of_fibres_are_checked(direction):
    material = materials.create("anisotropic-stvk", stiffness=1.0, direction=direction)
    with pytest.raises(ValueError, match="direction"):
        material.directions(CENTROIDS)


@pytest.mark.parametrize(
    "direction", [(0, 0, 2), np.tile((0, 0, 3), (4, 1)), lambda c: np.tile((0, 0, 0.1), (len(c), 1))]
)
def test_directions_of_fibres_become_unit_vectors(direction):
    material = materials.create("anisotropic-stvk", stiffness=1.0, direction=direction)
    np.testing.assert_allclose(material.directions(CENTROIDS), np.tile((0, 0, 1), (4, 1)))


def test_fibre_constants_must_be_positive():
    material = materials.create("anisotropic-fung", stiffness=1.0, exponent=-1.0, direction=(1, 0, 0))
    with pytest.raises(ValueError, match="exponent"):
        material.parameters(CENTROIDS)

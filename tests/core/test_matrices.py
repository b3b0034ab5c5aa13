"""Sums of matrices of any kind equal the dense sum."""

import numpy as np
import pytest
import scipy.sparse as sp

from jounce.core.blocks import BlockMatrix
from jounce.core.mass import DenseMass, DiagonalMass
from jounce.core.matrices import combine

from .test_blocks import random_matrix

MASSES = [None, DiagonalMass(np.linspace(1, 2, 60)), DenseMass(np.eye(60) + 0.1)]


def dense(a):
    return a.toarray() if hasattr(a, "toarray") else a


KINDS = ("dense", "sparse", "blocks", "sparse and dense", "other blocks")
CASES = [
    (k, m) for k in KINDS for m in MASSES if not ("blocks" in k and isinstance(m, DenseMass))
]  # a body's mass is lumped


@pytest.mark.parametrize(("kinds", "mass"), CASES)
def test_any_kinds_add_up(kinds, mass):
    a, b = random_matrix(20, 60, 0), random_matrix(20, 70, 1)
    b = BlockMatrix(a.pattern, 2 * a.values) if kinds == "blocks" else b
    first, second = {
        "dense": (a.toarray(), b.toarray()),
        "sparse": (a.tocsr(), b.tocsr()),
        "blocks": (a, b),
        "sparse and dense": (a.tocsr(), b.toarray()),
        "other blocks": (a, b),
    }[kinds]
    found = combine([(2.0, first), (1.0, None), (-0.5, second), (0.0, first)], mass=mass, weight=3.0)
    expected = 2.0 * a.toarray() - 0.5 * b.toarray()
    if isinstance(mass, DiagonalMass):
        expected += 3.0 * np.diag(mass.diagonal)
    if isinstance(mass, DenseMass):
        expected += 3.0 * mass.matrix
    np.testing.assert_allclose(dense(found), expected, atol=1e-13)
    assert isinstance(found, BlockMatrix) == isinstance(first, BlockMatrix)


@pytest.mark.parametrize("n", [3, 90])
def test_mass_alone(n):
    mass = DiagonalMass(np.arange(1.0, n + 1))
    np.testing.assert_allclose(dense(combine([(1.0, None)], mass=mass, weight=2.0)), 2.0 * np.diag(mass.diagonal))
    assert combine([]) is None
    assert combine([(0.0, np.eye(2)), (1.0, None)]) is None


def test_inputs_are_left_alone():
    a = sp.csr_array(np.eye(70))
    before = a.toarray()
    combine([(1.0, a), (2.0, a)], mass=DiagonalMass(np.ones(70)), weight=1.0)
    assert np.array_equal(a.toarray(), before)

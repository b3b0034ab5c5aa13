"""The decompositions hold for every matrix a simulation can meet."""

import numpy as np
import pytest
from scipy.linalg import polar as scipy_polar

from jounce.kernels.algebra import determinant, inverse, positive_part, symmetric_eigen
from jounce.kernels.svd import polar, svd
from tests.elements.cases import rotations, with_stretches

RNG = np.random.default_rng(0)


def flat(F):
    return tuple(float(a) for a in np.ravel(F))


def square(M):
    return np.array(M).reshape(3, 3)


CASES = {
    "random": RNG.normal(size=(200, 3, 3)),
    "rotations": rotations(20),
    "near rotations": rotations(20) + 1e-9 * RNG.normal(size=(20, 3, 3)),
    "reflections": -rotations(20),
    "zero": np.zeros((1, 3, 3)),
    "rank one": np.einsum("ei,ej->eij", RNG.normal(size=(20, 3)), RNG.normal(size=(20, 3))),
    "axis rank one": np.einsum("ei,ej->eij", np.eye(3).repeat(3, 0), np.tile(np.eye(3), (3, 1))),
    "rank two": with_stretches([(1.3, 0.4, 0.0), (1, 1, 0), (1e4, 1e-4, 0)]),
    "huge": 1e8 * RNG.normal(size=(50, 3, 3)),
    "tiny": 1e-8 * RNG.normal(size=(50, 3, 3)),
    "ill-conditioned": with_stretches([(1e8, 1, 1e-8), (1, 1e-13, -1e-14), (1e8, 1e8, 1e-8)]),
    "close": with_stretches([(1, 1 - 1e-15, 1 - 1e-14), (2, 2, -2), (1, 1 - 1e-8, 1e-8)]),
    "underflow": np.array([np.diag([1, 1e-160, 0]), np.diag([1e-155, 1e-155, 1e-156]), np.diag([1, 1e-139, 1e-170])]),
    "permutations": np.eye(3)[[[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0]]],
}


@pytest.mark.parametrize("case", CASES)
def test_svd_reproduces_with_rotations_and_ordered_values(case):
    for F in CASES[case]:
        U, s, V = svd(flat(F))
        U, V, s = square(U), square(V), np.array(s)
        scale = np.abs(F).max()
        np.testing.assert_allclose(U @ np.diag(s) @ V.T, F, rtol=0, atol=2e-15 * 8 * scale)
        for Q in (U, V):
            np.testing.assert_allclose(Q.T @ Q, np.eye(3), atol=1e-13)
            assert np.linalg.det(Q) > 0.99
        assert s[0] >= s[1] * (1 - 1e-15)
        assert s[1] >= abs(s[2]) * (1 - 1e-12)
        np.testing.assert_allclose(np.abs(s), np.linalg.svd(F, compute_uv=False), rtol=1e-12, atol=1e-15 * 8 * scale)
        assert s[2] * np.linalg.det(F) >= -1e-15 * scale**4


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_svd_of_what_is_not_a_number_ends(bad):
    F = np.eye(3)
    F[0, 1] = bad
    assert not np.isfinite(svd(flat(F))[1]).all()


def test_polar_agrees_with_scipy():
    for F in with_stretches(RNG.uniform(0.2, 2, (20, 3))):
        R, S = polar(flat(F))
        expected_R, expected_S = scipy_polar(F)
        np.testing.assert_allclose(square(R), expected_R, atol=1e-13)
        np.testing.assert_allclose(square(S), expected_S, atol=1e-13)


def test_polar_of_an_inverted_matrix_is_a_rotation():
    R, S = polar(flat(with_stretches([(1.2, 0.9, -0.4)])[0]))
    assert np.linalg.det(square(R)) == pytest.approx(1)
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(square(S))), (-0.4, 0.9, 1.2), atol=1e-13)


def upper(A):
    return tuple(float(a) for a in A[np.triu_indices(3)])


def full(a):
    return np.array([[a[0], a[1], a[2]], [a[1], a[3], a[4]], [a[2], a[4], a[5]]])


SYMMETRIC = [
    *(A + A.T for A in RNG.normal(size=(50, 3, 3))),
    np.zeros((3, 3)),
    np.eye(3),
    np.ones((3, 3)),
    -np.ones((3, 3)),
    np.diag([1.0, -2.0, 3.0]),
    np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=float),
    1e12 * np.ones((3, 3)) + np.diag([1, 2, 3]),
]


@pytest.mark.parametrize("A", SYMMETRIC)
def test_symmetric_eigen_agrees_with_numpy(A):
    w, *v = symmetric_eigen(upper(A))
    Q = np.array(v).T
    scale = np.abs(A).max() + 1e-300
    np.testing.assert_allclose(Q @ Q.T, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(Q @ np.diag(w) @ Q.T, A, atol=1e-14 * scale)
    np.testing.assert_allclose(np.sort(w), np.linalg.eigvalsh(A), atol=1e-14 * scale)


@pytest.mark.parametrize("A", SYMMETRIC)
def test_positive_part_is_the_nearest_semi_definite_matrix(A):
    w, Q = np.linalg.eigh(A)
    expected = Q @ np.diag(np.maximum(w, 0)) @ Q.T
    np.testing.assert_allclose(full(positive_part(upper(A))), expected, atol=1e-14 * (np.abs(A).max() + 1e-300))


def test_determinant_and_inverse_agree_with_numpy():
    for F in CASES["random"]:
        assert determinant(flat(F)) == pytest.approx(np.linalg.det(F), rel=1e-9)
        np.testing.assert_allclose(square(inverse(flat(F))) @ F, np.eye(3), atol=1e-9)

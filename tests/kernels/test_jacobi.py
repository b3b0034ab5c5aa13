"""The nearest positive semi-definite matrix of any size."""

import numpy as np
import pytest

from jounce.kernels.jacobi import clamp_symmetric


def clamped(A):
    A = A.copy()
    V, w = np.empty_like(A), np.empty(len(A))
    clamp_symmetric(A, V, w)
    return A, V, w


def random(n, eigenvalues, seed=0):
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))
    return Q @ np.diag(eigenvalues) @ Q.T


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9, 12])
def test_negative_eigenvalues_become_zero_and_the_rest_stays(n):
    eigenvalues = np.linspace(-3.0, 2.0, n)
    A = random(n, eigenvalues)
    found, V, w = clamped(A)
    np.testing.assert_allclose(found, random(n, np.maximum(eigenvalues, 0)), atol=1e-13)
    np.testing.assert_allclose(np.sort(w), eigenvalues, atol=1e-13)
    np.testing.assert_allclose(V.T @ V, np.eye(n), atol=1e-13)


@pytest.mark.parametrize("scale", [1e-100, 1e-30, 1.0, 1e30, 1e150])
def test_its_accuracy_is_relative_to_the_matrix(scale):
    eigenvalues = np.array([-1.0, -1e-8, 0.0, 1e-8, 0.5, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    found, _, _ = clamped(random(12, scale * eigenvalues))
    np.testing.assert_allclose(found / scale, random(12, np.maximum(eigenvalues, 0)), atol=1e-13)


def test_what_is_semidefinite_already_is_kept():
    A = random(12, np.concatenate([np.zeros(6), np.geomspace(1e-6, 1e6, 6)]), seed=1)
    found, _, _ = clamped(A)
    np.testing.assert_allclose(found, A, atol=1e-14 * 1e6)


@pytest.mark.parametrize("A", [np.zeros((4, 4)), np.diag([1.0, -2.0, 0.0, 3.0])], ids=["zero", "diagonal"])
def test_diagonal_matrices_are_clamped_entry_by_entry(A):
    np.testing.assert_array_equal(clamped(A)[0], np.maximum(A, 0))


def test_a_nan_is_not_hidden():
    A = random(6, np.arange(6.0))
    A[2, 3] = A[3, 2] = np.nan
    assert np.isnan(clamped(A)[0]).any()

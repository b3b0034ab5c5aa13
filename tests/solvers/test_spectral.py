"""Modes agree with dense algebra, free bodies have six zero modes, and a bar vibrates as a bar."""

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

from jounce.solvers.spectral import lowest_modes
from tests.solvers.problems import bar


@pytest.mark.parametrize("clamped", [True, False])
def test_lanczos_agrees_with_dense_algebra_and_is_mass_orthonormal(clamped):
    K, m, _ = bar(12, 3, 3, clamped=clamped)
    assert K.shape[0] > 400
    modes = lowest_modes(K, m, 12)
    dense = la.eigh(K.toarray(), np.diag(m), eigvals_only=True, subset_by_index=(0, 11))
    np.testing.assert_allclose(modes.eigenvalues, dense, rtol=1e-8, atol=1e-6)
    np.testing.assert_allclose(modes.vectors.T @ (m[:, None] * modes.vectors), np.eye(12), atol=1e-12)
    residual = K @ modes.vectors - m[:, None] * modes.vectors * modes.eigenvalues
    assert np.abs(residual).max() < 1e-6 * np.abs(K.values).max() * np.abs(modes.vectors).max()
    zero = np.count_nonzero(np.abs(modes.eigenvalues) < 1e-6)
    assert zero == (0 if clamped else 6)


def test_indefinite_stiffness_gives_its_negative_modes():
    K, m, _ = bar(12, 3, 3)
    shift = lowest_modes(K, m, 4).eigenvalues[2] * 1.001
    modes = lowest_modes(K.plus_diagonal(-shift * m), m, 5)
    dense = la.eigh(K.toarray() - shift * np.diag(m), np.diag(m), eigvals_only=True, subset_by_index=(0, 4))
    assert np.count_nonzero(modes.eigenvalues < 0) == 3
    np.testing.assert_allclose(modes.eigenvalues, dense, rtol=1e-6, atol=1e-6)
    assert np.all(modes.frequencies[:3] == 0.0)


def test_all_modes_of_a_small_system_and_a_matrix_mass():
    K, m, _ = bar(2, 1, 1)
    n = K.shape[0]
    modes = lowest_modes(K, sp.diags_array(m), n)
    np.testing.assert_allclose(modes.vectors @ modes.vectors.T, np.diag(1 / m), atol=1e-10 / m.min())
    np.testing.assert_allclose(modes.eigenvalues, la.eigh(K.toarray(), np.diag(m), eigvals_only=True), rtol=1e-9)


def test_a_free_bar_stretches_at_the_frequency_of_the_wave_equation():
    """First longitudinal mode of a free bar: f = sqrt(E / rho) / (2 L), for Poisson's ratio zero."""
    K, m, X = bar(40, 2, 2, poisson=0.0, clamped=False)
    modes = lowest_modes(K, m, 30)
    along = (m[0::3, None] * modes.vectors[0::3] ** 2).sum(axis=0)
    stretching = np.flatnonzero((along > 0.99) & (modes.eigenvalues > 1e-3))
    assert modes.frequencies[stretching[0]] == pytest.approx(np.sqrt(1e6 / 1000.0) / (2 * np.ptp(X[:, 0])), rel=2e-3)


def test_the_same_bits_twice():
    K, m, _ = bar(12, 3, 3)
    assert np.array_equal(lowest_modes(K, m, 6).vectors, lowest_modes(K, m, 6).vectors)


def test_massless_unknowns_and_bad_counts_are_named():
    K, m, _ = bar(2, 1, 1)
    m[7] = 0.0
    with pytest.raises(ValueError, match=r"unknown 7 \(node 2\)"):
        lowest_modes(K, m, 2)
    with pytest.raises(ValueError, match="modes 1 to 24"):
        lowest_modes(K, np.ones(24), 25)

"""Direct solutions agree with numpy, and failures are said, not raised."""

import numpy as np
import pytest

from jounce.core.blocks import BlockMatrix
from jounce.solvers.direct import DirectSolver
from jounce.solvers.factors import SuperLU, installed
from tests.solvers.problems import bar, right_side


@pytest.fixture(scope="module")
def stiffness():
    return bar(6, 3, 3)[0]


@pytest.mark.parametrize("factorisation", installed())
def test_solution_equals_the_dense_one(stiffness, factorisation):
    b = right_side(stiffness.shape[0])
    solver = DirectSolver(factorisation=factorisation)
    for A in (stiffness, stiffness.plus_diagonal(np.full(b.size, 1e4)), stiffness.tocsr(), stiffness.tocsr().tocsc()):
        s = solver.solve(A, b)
        np.testing.assert_allclose(s.x, np.linalg.solve(A.toarray(), b), rtol=1e-9, atol=1e-12)
        assert (s.converged, s.indefinite, s.note) == (True, False, "")
        assert factorisation in s.method


@pytest.mark.parametrize("factorisation", installed())
def test_changed_values_on_the_same_pattern_are_not_stale(stiffness, factorisation):
    b, solver = right_side(stiffness.shape[0]), DirectSolver(factorisation=factorisation)
    first = solver.solve(stiffness, b).x
    np.testing.assert_allclose(solver.solve(2.0 * stiffness, b).x, first / 2, rtol=1e-9, atol=1e-14)
    bigger = bar(7, 3, 3)[0]
    assert solver.solve(bigger, right_side(bigger.shape[0])).converged
    np.testing.assert_allclose(solver.solve(stiffness, b).x, first, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("factorisation", installed())
def test_indefinite_systems_are_solved_and_flagged(stiffness, factorisation):
    b = right_side(stiffness.shape[0])
    A = stiffness.plus_diagonal(np.where(np.arange(b.size) % 3 == 1, -3e4, 0.0))
    assert np.linalg.eigvalsh(A.toarray())[0] < 0
    s = DirectSolver(factorisation=factorisation).solve(A, b)
    assert s.converged
    assert s.indefinite
    assert "not positive definite" in s.note
    np.testing.assert_allclose(A.toarray() @ s.x, b, atol=1e-7)


def test_pivots_count_the_negative_eigenvalues(stiffness):
    A = stiffness.plus_diagonal(np.full(stiffness.shape[0], -4e3))
    negative = int(np.count_nonzero(np.linalg.eigvalsh(A.toarray()) < 0))
    assert negative > 1
    assert SuperLU(A.tocsr().tocsc()).negative == negative


def test_a_zero_diagonal_needs_and_gets_pivoting():
    n = 150
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = A[n:, :n] = np.diag(np.arange(1.0, n + 1))
    b = right_side(2 * n)
    s = DirectSolver(factorisation="superlu").solve(BlockMatrix.from_scipy(to_csr(A)), b)
    assert s.converged
    assert s.indefinite
    np.testing.assert_allclose(s.x, np.linalg.solve(A, b))


def to_csr(A):
    import scipy.sparse as sp

    return sp.csr_array(A)


@pytest.mark.parametrize("size", [(3, 2, 2), (6, 3, 3)])
def test_a_free_body_without_mass_is_reported_singular(size):
    K = bar(*size, clamped=False)[0]
    s = DirectSolver().solve(K, right_side(K.shape[0]))
    assert not s.converged
    assert "singular" in s.note
    assert "Clamp the body" in s.note
    assert np.isfinite(s.x).all()


def test_an_empty_row_is_reported_singular(stiffness):
    values = stiffness.values.copy()
    p = stiffness.pattern
    values[(p.rows == 5) | (p.indices == 5)] = 0.0
    s = DirectSolver().solve(BlockMatrix(p, values), right_side(stiffness.shape[0]))
    assert not s.converged
    assert "singular" in s.note


def test_dense_matrices_definite_indefinite_singular_and_not_finite():
    root = np.random.default_rng(3).standard_normal((8, 8))
    spd, b = root @ root.T + np.eye(8), right_side(8)
    s = DirectSolver().solve(spd, b)
    assert (s.converged, s.indefinite) == (True, False)
    np.testing.assert_allclose(s.x, np.linalg.solve(spd, b))
    mixed = root + root.T
    s = DirectSolver().solve(mixed, b)
    assert (s.converged, s.indefinite) == (True, True)
    np.testing.assert_allclose(s.x, np.linalg.solve(mixed, b))
    flat = np.outer(b, b)
    s = DirectSolver().solve(flat, 2 * b)
    np.testing.assert_allclose(flat @ s.x, 2 * b)
    assert "singular" in s.note
    assert not DirectSolver().solve(flat, np.arange(8.0)).converged
    spd[2, 2] = np.inf
    assert "not finite" in DirectSolver().solve(spd, b).note


def test_an_unknown_factorisation_names_the_ones_there_are():
    with pytest.raises(ValueError, match="superlu"):
        DirectSolver(factorisation="quantum")

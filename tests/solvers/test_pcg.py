"""Compiled PCG solves what numpy solves, and stops where it must."""

import numba
import numpy as np
import pytest
import scipy.linalg as la

from jounce.core.blocks import BlockMatrix, BlockPattern
from jounce.solvers.pcg import PCGSolver
from tests.solvers.problems import bar, right_side


def block_diagonal(diagonal) -> BlockMatrix:
    d = np.asarray(diagonal, dtype=float)
    pattern = BlockPattern.diagonal_only(d.size // 3)
    return BlockMatrix(pattern, np.zeros((pattern.nnz, 9))).plus_diagonal(d)


def test_solution_equals_the_dense_one_and_meets_its_tolerance():
    K, _, _ = bar(6, 3, 3)
    b = right_side(K.shape[0])
    exact = np.linalg.solve(K.toarray(), b)
    for tolerance in (1e-3, 1e-12):
        s = PCGSolver().solve(K, b, tolerance=tolerance)
        assert s.converged
        assert not s.indefinite
        assert s.note == ""
        assert np.linalg.norm(K.toarray() @ s.x - b) <= 1.01 * tolerance * np.linalg.norm(b)
        assert s.residual == pytest.approx(np.linalg.norm(K.toarray() @ s.x - b) / np.linalg.norm(b), rel=1e-2)
    np.testing.assert_allclose(s.x, exact, rtol=1e-8, atol=1e-9 * np.abs(exact).max())


def test_a_good_guess_saves_all_iterations_and_is_not_overwritten():
    K, _, _ = bar(4, 2, 2)
    b = right_side(K.shape[0])
    exact = np.linalg.solve(K.toarray(), b)
    guess = exact.copy()
    assert PCGSolver().solve(K, b, guess=guess).iterations == 0
    assert np.array_equal(guess, exact)
    cold = PCGSolver().solve(K, b)
    warm = PCGSolver().solve(K, b, guess=exact * (1 + 1e-4 * right_side(b.size)))
    assert warm.converged
    assert warm.iterations < cold.iterations


def test_block_preconditioner_solves_a_block_diagonal_system_at_once():
    rng = np.random.default_rng(0)
    roots = rng.standard_normal((50, 3, 3)) * 10.0 ** rng.uniform(-3, 3, (50, 1, 1))
    A = BlockMatrix(BlockPattern.diagonal_only(50), roots @ roots.transpose(0, 2, 1) + 1e-3 * np.eye(3))
    s = PCGSolver(tolerance=1e-10).solve(A, right_side(150))
    assert s.converged
    assert s.iterations <= 2


def test_scipy_and_dense_matrices_of_any_size_are_accepted():
    root = np.random.default_rng(1).standard_normal((7, 7))
    A = root @ root.T + np.eye(7)
    b = right_side(7)
    np.testing.assert_allclose(PCGSolver(tolerance=1e-12).solve(A, b).x, np.linalg.solve(A, b), rtol=1e-8)
    K, _, _ = bar(2, 2, 2)
    b = right_side(K.shape[0])
    assert np.array_equal(PCGSolver().solve(K.tocsr(), b).x, PCGSolver().solve(K, b).x)


def test_negative_curvature_at_once_gives_the_right_side():
    b = np.array([0.0, 0.0, 3.0])
    s = PCGSolver().solve(block_diagonal([1.0, 2.0, -1.0]), b)
    assert s.indefinite
    assert not s.converged
    assert np.array_equal(s.x, b)
    assert "not positive definite" in s.note


def test_negative_curvature_later_gives_a_descent_direction():
    K, m, _ = bar(5, 2, 2)
    lowest = la.eigh(K.toarray(), np.diag(m), eigvals_only=True)[:3]
    A = K.plus_diagonal(-m * (lowest[1] + lowest[2]) / 2)
    b = right_side(K.shape[0])
    s = PCGSolver(tolerance=1e-10).solve(A, b)
    assert s.indefinite
    assert s.iterations > 0
    assert s.x @ b > 0
    assert s.x @ (A @ s.x) > 0


def test_cap_nan_zero_and_overflow_are_reported_not_looped_on():
    K, _, _ = bar(4, 2, 2)
    b = right_side(K.shape[0])
    capped = PCGSolver(max_iterations=3).solve(K, b)
    assert (capped.iterations, capped.converged) == (3, False)
    assert "cap of 3" in capped.note
    zero = PCGSolver().solve(K, 0 * b)
    assert zero.converged
    assert not zero.x.any()
    holed = BlockMatrix(K.pattern, K.values.copy())
    holed.values[5, 3] = np.nan
    for A, right in ((holed, b), (K, np.where(np.arange(b.size) == 4, np.nan, b))):
        s = PCGSolver().solve(A, right)
        assert not s.converged
        assert "not finite" in s.note
        assert np.isfinite(s.x).all()
    s = PCGSolver().solve(block_diagonal([1e200, 1e200, 1e200]), b[:3])
    assert not s.converged
    assert "overflowed" in s.note


@pytest.mark.parametrize("scale", [1e-250, 1e250])
def test_the_size_of_the_right_side_does_not_matter(scale):
    K, _, _ = bar(4, 2, 2)
    b = right_side(K.shape[0])
    s = PCGSolver().solve(K, scale * b)
    assert s.converged
    assert s.residual <= 1.1e-6
    np.testing.assert_allclose(s.x / scale, PCGSolver().solve(K, b).x, rtol=1e-4, atol=1e-9)


def test_convergence_means_the_true_residual():
    """Entries from 1 to 1e14: the residual that CG updates drifts away from b - A x."""
    root = np.random.default_rng(2).standard_normal((90, 90))
    scale = np.logspace(-7, 7, 90)
    A = scale[:, None] * (root @ root.T + 0.1 * np.eye(90)) * scale
    s = PCGSolver(tolerance=1e-9, max_iterations=20000).solve(A, right_side(90))
    assert s.converged == (s.residual <= 1.1e-9)
    assert s.converged or s.note


def test_the_bits_do_not_depend_on_the_number_of_threads():
    K, _, _ = bar(14, 8, 8)
    b, before, answers = right_side(K.shape[0]), numba.get_num_threads(), []
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        answers.append(PCGSolver().solve(K, b))
    numba.set_num_threads(before)
    assert answers[0].iterations == answers[1].iterations
    assert np.array_equal(answers[0].x, answers[1].x)


def test_bad_options_and_shapes_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        PCGSolver(tolerance=0.0)
    with pytest.raises(ValueError, match="at least one iteration"):
        PCGSolver(max_iterations=0)
    with pytest.raises(ValueError, match="do not fit"):
        PCGSolver().solve(np.eye(6), np.ones(5))

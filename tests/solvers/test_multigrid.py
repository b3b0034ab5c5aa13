"""Multigrid needs few iterations and the rigid modes are the right ones."""

import numpy as np
import pytest

from jounce.solvers.multigrid import MultigridSolver, rigid_modes
from jounce.solvers.pcg import PCGSolver
from tests.solvers.problems import bar, right_side


def test_rigid_modes_cost_no_energy():
    K, _, X = bar(3, 2, 2, clamped=False)
    modes = rigid_modes(X, len(X))
    assert np.linalg.matrix_rank(modes) == 6
    np.testing.assert_allclose(K @ modes, 0.0, atol=1e-9)
    with pytest.raises(ValueError, match="3 positions"):
        rigid_modes(X[:3], len(X))


def test_multigrid_solves_in_a_fraction_of_the_iterations():
    K, _, X = bar(14, 4, 4, poisson=0.45)
    b = right_side(K.shape[0])
    s = MultigridSolver(positions=X).solve(K, b)
    assert s.converged
    assert np.linalg.norm(b - K @ s.x) <= 1.01e-6 * np.linalg.norm(b)
    assert s.iterations < PCGSolver().solve(K, b).iterations / 8
    assert MultigridSolver(positions=X).solve(K, b, guess=s.x, tolerance=1e-5).iterations == 0


def test_negative_curvature_is_flagged():
    K, _, X = bar(6, 4, 4)
    b = right_side(K.shape[0])
    s = MultigridSolver(positions=X).solve(K.plus_diagonal(np.full(b.size, -1e4)), b)
    assert not s.converged
    assert s.note

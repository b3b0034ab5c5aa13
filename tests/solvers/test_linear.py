"""The automatic choice is visible, and names are checked."""

import numpy as np
import pytest

from jounce.solvers import linear
from tests.solvers.problems import bar, right_side


def test_every_name_solves():
    K, _, _ = bar(4, 2, 2)
    b = right_side(K.shape[0])
    exact = np.linalg.solve(K.toarray(), b)
    for name in linear.names():
        s = linear.create(name, tolerance=1e-10).solve(K, b)
        assert s.converged
        np.testing.assert_allclose(s.x, exact, rtol=1e-5, atol=1e-7 * np.abs(exact).max())


def test_wrong_names_and_options_are_answered_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'direct'"):
        linear.create("driect")
    with pytest.raises(TypeError, match=r"no option 'max_iteration'.*did you mean 'max_iterations'"):
        linear.create("pcg", max_iteration=3)


def test_auto_takes_direct_when_small_and_pcg_when_large():
    K, m, _ = bar(5, 3, 3)
    A, b = K.plus_diagonal(1e3 * m), right_side(K.shape[0])
    small = linear.AutoSolver()
    assert small.solve(A, b).method.startswith("direct")
    assert "fewer than 1000" in small.log[-1].reason
    assert linear.AutoSolver(direct_below=10).solve(A, b).method == "pcg"
    assert small.solve(np.eye(4), np.ones(4)).method == "direct (dense)"
    assert small.log[-1].reason == "the matrix is dense"


def test_auto_turns_to_direct_at_the_cap_remembers_and_forgets():
    K, _, _ = bar(5, 3, 3)
    b = right_side(K.shape[0])
    solver = linear.AutoSolver(direct_below=10, max_iterations=4, patience=2)
    s = solver.solve(K, b)
    assert s.converged
    assert s.iterations == 5
    np.testing.assert_allclose(K @ s.x, b, atol=1e-9)
    solver.solve(K, b)
    solver.solve(K, b)
    solver.solve(K, b)
    methods = [choice.method.split()[0] for choice in solver.log]
    assert methods == ["pcg", "direct", "direct", "direct", "pcg", "direct"]
    assert "cap of 4 iterations" in solver.log[1].reason


def test_auto_returns_the_descent_direction_of_an_indefinite_system():
    K, _, _ = bar(5, 3, 3)
    b = right_side(K.shape[0])
    solver = linear.AutoSolver(direct_below=10)
    s = solver.solve(K.plus_diagonal(np.full(b.size, -1e5)), b)
    assert s.indefinite
    assert s.x @ b > 0
    assert len(solver.log) == 1

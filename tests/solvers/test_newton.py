"""Newton's method converges as it should, guards itself, and says in a sentence how it ended."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from jounce import NewtonSolver, gallery, simulate
from jounce.solvers.solution import LinearSolution


@dataclass
class Function:
    """An objective written as functions; it remembers where it was linearised."""

    value: object
    gradient: object
    hessian: object
    seen: list = field(default_factory=list)

    def linearise(self, q, *, psd):
        self.seen.append(q.copy())
        h = self.hessian(q)
        if psd:
            w, v = np.linalg.eigh(h)
            h = (v * np.maximum(w, 1e-9)) @ v.T
        return self.gradient(q), h


A = np.array([[2.0, 1.0], [0.0, 1.0], [-1.0, 3.0]])


def convex():
    """sum cosh(a_i . q) - b . q."""
    b = np.array([1.0, 4.0])
    return Function(
        lambda q: float(np.cosh(A @ q).sum() - b @ q),
        lambda q: A.T @ np.sinh(A @ q) - b,
        lambda q: A.T @ np.diag(np.cosh(A @ q)) @ A,
    )


def double_well(n=3):
    """sum (q^2 - 1)^2 / 4 + 0.05 q, indefinite around 0."""
    return Function(
        lambda q: float(((q**2 - 1) ** 2 / 4 + 0.05 * q).sum()),
        lambda q: q**3 - q + 0.05,
        lambda q: np.diag(3 * q**2 - 1),
    )


def well_floor():
    return min(np.roots([1, 0, -1, 0.05]).real)


def soft_vee():
    """sqrt(1 + q^2), on which the textbook method diverges from |q| > 1: q -> -q^3."""
    return Function(
        lambda q: float(np.hypot(1, q).sum()), lambda q: q / np.hypot(1, q), lambda q: np.diag(np.hypot(1, q) ** -3.0)
    )


@dataclass
class Stubborn:
    """A linear solver that answers as it is told to."""

    answer: object

    def solve(self, A, b, *, tolerance=None, guess=None):
        return LinearSolution(self.answer(A, b), 1, 0.0, "stubborn", True)


def minimise(objective, guesses, *, feasible_fraction=lambda a, b: 1.0, **options):
    options = {"tolerance": 1e-9, "linear_tolerance": 1e-13, **options}
    guesses = [np.asarray(g, dtype=float) for g in guesses]
    return NewtonSolver(**options).minimise(objective, guesses, duration=1.0, feasible_fraction=feasible_fraction)


@pytest.mark.parametrize("line_search", ["armijo", "wolfe"])
def test_convergence_on_a_convex_function_is_quadratic(line_search):
    objective = convex()
    found = minimise(objective, [[1.0, -1.0]], line_search=line_search)
    assert found.report.outcome.ok
    assert np.linalg.norm(objective.gradient(found.q)) < 1e-12
    errors = [np.linalg.norm(q - found.q) for q in objective.seen]
    late = [(a, b) for a, b in pairwise(errors) if 1e-6 < a < 0.3]
    assert len(late) >= 2
    assert all(b < 3.0 * a**2 for a, b in late)


@pytest.mark.parametrize("hessian", ["adaptive", "psd", "tikhonov"])
@pytest.mark.parametrize("line_search", ["armijo", "wolfe"])
def test_an_indefinite_start_still_leads_down_to_a_minimum(hessian, line_search):
    objective = double_well()
    start = np.array([-0.05, 0.01, -0.3])
    found = minimise(objective, [start], hessian=hessian, line_search=line_search)
    assert found.report.outcome.ok
    assert objective.value(found.q) < objective.value(start)
    assert np.abs(objective.gradient(found.q)).max() < 1e-8
    assert np.linalg.eigvalsh(objective.hessian(found.q)).min() > 0
    assert well_floor() == pytest.approx(found.q[2], abs=1e-9)


def test_the_textbook_method_goes_to_a_maximum_where_tikhonov_does_not():
    plain = minimise(double_well(), [[0.1, -0.1, 0.1]], hessian="plain", line_search="none")
    assert np.linalg.eigvalsh(double_well().hessian(plain.q)).max() < 0
    safe = minimise(double_well(), [[0.1, -0.1, 0.1]], hessian="tikhonov")
    assert np.linalg.eigvalsh(double_well().hessian(safe.q)).min() > 0


def test_the_textbook_method_diverges_where_the_safeguarded_one_converges():
    with np.errstate(all="ignore"):
        plain = minimise(soft_vee(), [[2.0]], hessian="plain", line_search="none", step_clamp=np.inf, max_iterations=8)
    assert plain.report.outcome.kind == "breakdown"  # far out the curvature is zero, and so is the direction
    assert abs(plain.q[0]) > 1e3
    for hessian in ("adaptive", "tikhonov"):
        safe = minimise(soft_vee(), [[2.0]], hessian=hessian)
        assert safe.report.outcome.ok
        assert abs(safe.q[0]) < 1e-9
        assert safe.report.cuts > 0


def test_a_loose_tolerance_ends_with_its_last_step_applied():
    """The report's speed is that of a step already taken, so the answer is better than the tolerance."""
    exact = minimise(convex(), [[1.0, -1.0]]).q
    found = minimise(convex(), [[1.0, -1.0]], tolerance=0.1)
    assert 1e-4 < found.report.speed < 0.1
    assert np.linalg.norm(found.q - exact) < 0.3 * found.report.speed


def test_the_better_of_two_guesses_is_used():
    for guesses in ([[5.0, 5.0], [0.1, 0.2]], [[0.1, 0.2], [5.0, 5.0]]):
        objective = convex()
        minimise(objective, guesses)
        assert np.array_equal(objective.seen[0], [0.1, 0.2])
    objective = convex()
    inside = objective.value
    objective.value = lambda q: np.inf if q[0] > 4 else inside(q)
    minimise(objective, [[5.0, 5.0], [0.1, 0.2]])
    assert np.array_equal(objective.seen[0], [0.1, 0.2])


def test_no_step_moves_a_node_by_more_than_the_clamp():
    objective = Function(lambda q: 0.5 * float(q @ q), lambda q: q, lambda q: np.eye(3))
    found = minimise(objective, [[0.0, 30.0, 40.0]], step_clamp=10.0)
    assert found.report.outcome.ok
    moves = np.linalg.norm(np.diff(objective.seen, axis=0), axis=1)
    assert moves[0] == pytest.approx(40.0 * 10 / 40, rel=0.3)  # one number per node: the largest entry moves 10
    assert np.abs(np.diff(objective.seen, axis=0)).max() <= 10 + 1e-12


def test_no_step_goes_further_than_is_feasible():
    objective = Function(lambda q: 0.5 * float(q @ q), lambda q: q, lambda q: np.eye(1))
    minimise(objective, [[8.0]], feasible_fraction=lambda a, b: 0.5, max_iterations=3)
    np.testing.assert_allclose(np.ravel(objective.seen), [8.0, 4.0, 2.0])


@pytest.mark.parametrize(
    "answer", [lambda A, b: np.array([b[1], -b[0]]), lambda A, b: -np.linalg.solve(A, b)], ids=["sideways", "uphill"]
)
def test_a_bad_direction_is_turned_downhill(answer):
    objective = convex()
    found = minimise(objective, [[1.0, -1.0]], linear=Stubborn(answer), tolerance=1e-6, max_iterations=500)
    assert found.report.outcome.ok
    assert np.diff([objective.value(q) for q in objective.seen]).max() < 1e-12
    np.testing.assert_allclose(found.q, minimise(convex(), [[1.0, -1.0]]).q, atol=1e-5)


def pit():
    """A gradient where the value jumps up all around: no step lowers it."""
    return Function(lambda q: float(q[0] != 3.0), lambda q: np.ones(1), lambda q: np.eye(1))


def nan_gradient():
    return Function(lambda q: 1.0, lambda q: np.full(q.size, np.nan), lambda q: np.eye(q.size))


def steep():
    return Function(lambda q: 0.5 * float(q @ q), lambda q: q, lambda q: np.eye(q.size))


NOWHERE = Stubborn(lambda A, b: b * np.nan)
BLOCKED = {"feasible_fraction": lambda a, b: 0.0}
NO_DOMAIN = Function(lambda q: np.inf, None, None)
TWO = {"max_iterations": 2}


@pytest.mark.parametrize(
    ("kind", "sentence", "objective", "guess", "options"),
    [
        ("not finite", "gradient is not finite at Newton iteration 1", nan_gradient(), [1.0], {}),
        ("breakdown", "stubborn.*no usable direction.*hessian='tikhonov'", steep(), [1.0], {"linear": NOWHERE}),
        ("stalled", "found no lower energy at Newton iteration 1", pit(), [3.0], {}),
        ("iteration limit", "^2 Newton iterations were not enough.*raise max_iterations", convex(), [1.0, -1.0], TWO),
        ("infeasible", "no initial guess has a finite energy", NO_DOMAIN, [1.0], {}),
        ("infeasible", "no part of the move at Newton iteration 1", steep(), [1.0], BLOCKED),
        ("converged", "", steep(), [1.0], {}),
    ],
    ids=["not finite", "breakdown", "stalled", "limit", "bad guess", "blocked", "converged"],
)  # fmt: skip
def test_each_way_to_end_says_so_in_a_sentence(kind, sentence, objective, guess, options):
    outcome = minimise(objective, [guess], **options).report.outcome
    assert outcome.kind == kind
    assert re.search(sentence, outcome.message)
    assert outcome.ok == (kind == "converged")


def test_a_singular_stiffness_does_no_harm_where_the_load_leaves_it_alone():
    """f = (q0 + q1 - 1)^2 / 2: a valley, whose floor is reached anyway."""
    ones = np.ones(2)
    objective = Function(
        lambda q: 0.5 * float(q @ ones - 1) ** 2, lambda q: (q @ ones - 1) * ones, lambda q: np.outer(ones, ones)
    )
    found = minimise(objective, [[5.0, -2.0]], hessian="plain")
    assert found.report.outcome.ok
    assert found.q.sum() == pytest.approx(1.0, abs=1e-8)
    assert np.abs(found.q).max() < 10


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tolerance": 0.0}, "tolerance must be positive"),
        ({"max_iterations": 0}, "max_iterations must be a whole number of at least 1"),
        ({"hessian": "newton"}, "hessian is 'newton'; valid: adaptive, psd, tikhonov, plain"),
        ({"line_search": "exact"}, "line_search is 'exact'; valid: armijo, wolfe, none"),
        ({"guesses": "worst"}, "guesses is 'worst'; valid: best, state"),
        ({"linear": "pgc"}, "no linear solver named 'pgc'"),
    ],
)
def test_senseless_options_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        NewtonSolver(**options)


def test_a_method_sets_the_tolerance_only_where_the_user_did_not():
    assert NewtonSolver().with_tolerance(0.5).tolerance == 0.5
    assert NewtonSolver(tolerance=0.1).with_tolerance(0.5).tolerance == 0.1


@pytest.mark.parametrize("loose", [None, 0.3])
def test_a_step_that_is_short_because_its_solve_was_loose_does_not_end_the_minimisation(loose):
    """Steps of a stiff turning cube, whose conjugate gradients may stop at a large residual."""
    scene = gallery.scene("rotating-cube", youngs=1e6, cells=3)

    def end(**options):
        solver = NewtonSolver(linear="pcg", **options)
        return simulate(scene, integrator="implicit-euler", step=1 / 30, steps=5, solver=solver).end.q

    error = np.abs(end(linear_tolerance=loose) - end(tolerance=1e-6, linear_tolerance=1e-8)).max()
    assert error < 2e-3  # metres; it was 6e-2 and 1e-1 where such a step counted as the last

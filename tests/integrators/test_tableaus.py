"""The decoupled method on Runge-Kutta methods that were not built in."""

import numpy as np
import pytest

import jounce as jn
from jounce.integrators import Tableau

from ..systems import chain, exact, free_part

TIGHT = jn.NewtonSolver(tolerance=1e-10, linear_tolerance=1e-13)
CREATE = jn.integrators.create
GIVEN = {
    "two halves of implicit Euler": Tableau(1, ((0.5,), (0.5, 0.5)), (0.5, 0.5)),
    "stiffly accurate": Tableau(2, ((1 / 3,), (0.75, 0.25)), (0.75, 0.25)),
    "trapezoidal": Tableau(2, ((0.0,), (0.5, 0.5)), (0.5, 0.5)),
    "two midpoints": Tableau(2, ((0.25,), (0.5, 0.25)), (0.5, 0.5)),
    "backward stage in the adjoint": Tableau(1, ((0.75,), (0.5, 0.25)), (0.5, 0.5)),
}


@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize("name", GIVEN)
def test_a_given_tableau_keeps_its_order(name, alpha):
    method = CREATE("decoupled", tableau=GIVEN[name], alpha=alpha)
    system, errors = chain(), []
    reference = exact(system, 0.5)
    for n in (100, 200):
        run = jn.simulate(system, integrator=method, step=0.5 / n, steps=n, solver=TIGHT)
        errors.append(np.linalg.norm(free_part(system, run.end) - reference))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.2)


@pytest.mark.parametrize("tableau", ["implicit-euler", "sdirk2", *GIVEN.values()])
def test_the_symplectic_weight_keeps_the_determinant_of_an_oscillator(tableau):
    """alpha = 1 on any tableau: det Q = 1 (You et al. 2026, appendix D)."""
    method, columns = CREATE("decoupled", tableau=tableau, alpha=1.0), []
    for q, v in ((1.0, 0.0), (0.0, 1.0)):
        system = jn.AnalyticSystem(1.0, lambda x: 8.0 * x @ x, lambda x: 16.0 * x, lambda x: 16.0 * np.eye(1), q=q, v=v)
        end = jn.simulate(system, integrator=method, step=0.3, steps=1, solver=TIGHT).end
        columns.append([end.q[0], end.v[0]])
    assert np.linalg.det(columns) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("name", ["two halves of implicit Euler", "stiffly accurate"])
def test_a_search_on_a_given_tableau_meets_its_target(name):
    method = CREATE("a-search", tableau=GIVEN[name], target=jn.Conserve(measure="plain"), alpha=(-1.0, 2.0))
    ledger = jn.simulate(chain(), integrator=method, step=0.02, steps=60, solver=TIGHT).ledger
    assert ledger.measured[-20:] == pytest.approx(ledger.target[-20:], rel=1e-3)


def test_only_a_method_that_ends_at_a_stage_says_that_its_end_is_feasible():
    assert CREATE("decoupled", tableau=GIVEN["stiffly accurate"]).feasible
    assert not CREATE("decoupled", tableau=GIVEN["two midpoints"]).feasible
    assert not CREATE("a-search", tableau="implicit-midpoint").feasible


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Tableau(1, ((1.0,), (1.0,)), (0.5, 0.5)), ValueError, "rows of 1, 2, ... coefficients"),
        (lambda: Tableau(1, ((1.0,),), (0.9,)), ValueError, "must add up to 1; they add up to 0.9"),
        (lambda: CREATE("decoupled", tableau=Tableau(1, ((-1.0,),), (1.0,))), ValueError, "negative coefficient"),
        (
            lambda: CREATE(
                "decoupled", tableau=Tableau(2, ((0.0,), (0.25, 0.25), (1 / 3, 1 / 3, 1 / 3)), (1 / 3,) * 3)
            ),
            ValueError,
            r"couples all its stages.*a\[i\]\[j\] must be b\[j\]",
        ),
        (lambda: CREATE("decoupled", tableau=ImportError), TypeError, "must be a Tableau or one of implicit-euler"),
    ],
)
def test_senseless_tableaus_are_refused(make, kind, message):
    with pytest.raises(kind, match=message):
        make()

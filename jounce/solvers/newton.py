"""Newton's method as a minimiser: filtered line search, inexact solves, and a plain answer when it fails.

The safeguards are those of Gast et al. 2015, section 3.1: the better of several initial guesses, conjugate gradients that stop on
indefiniteness, a downhill test with gradient fallback, a clamp on the step, and a line search that never raises the objective.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from ..core.arrays import Array, Matrix
from ..core.checks import real
from ..core.mass import DiagonalMass
from ..core.matrices import combine
from ..core.outcome import Outcome, SolveReport
from .auto import AutoSolver
from .line_search import armijo, strong_wolfe

SLOW = 0.5
"""Steps that shrink by less than this per iteration converge slowly."""
ROUNDOFF = 16 * np.finfo(float).eps
TRUSTED = 1e-2
"""The loosest linear solve whose short step says that the minimum is near: a looser one is short because it was stopped early."""
CANCELLED = 1e-9
"""Below this share of the value a predicted decrease may be lost in roundoff: then the gradient is asked."""


class Objective(Protocol):
    def value(self, q: Array) -> float: ...
    def gradient(self, q: Array) -> Array: ...
    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]: ...


class Point(NamedTuple):
    q: Array
    value: float


class Minimum(NamedTuple):
    q: Array
    report: SolveReport


def largest_move(p: Array, block: int) -> float:
    """The longest nodal displacement in a flat vector (m)."""
    return float(np.sqrt((p.reshape(-1, block) ** 2).sum(axis=1).max())) if p.size else 0.0


@dataclass(frozen=True, kw_only=True)
class NewtonSolver:
    """Projected Newton with a backtracking or strong Wolfe line search.

    tolerance       a Newton step whose largest nodal move is under tolerance * h ends the solve, that step applied (m/s), if its
                    linear solve went to a residual of 1e-2 or less;
                    None takes the integrator's own (0.01, or 1e-3 where velocities are corrected by force differences)
    hessian         "adaptive": each element projected to positive semi-definite, but the exact Hessian where projection has made
                    convergence slow and the exact one still leads downhill; "psd": always projected; "tikhonov": a multiple of the
                    identity added until the direction goes downhill; "plain": as it is, for comparison with the textbook method
    line_search     "armijo", "wolfe" (strong), or "none" (the textbook method)
    guesses         "best": the better of inertia alone and inertia with the old forces, unless both overshoot; "state": the old
                    coordinates
    linear          a linear solver, or its name
    linear_tolerance  relative residual of the linear solves; None takes min(1/2, sqrt(max(|g| / f, tolerance))) of Gast et al.
                    2015, with f the force that would change all velocities by 1 m/s within the step
    """

    tolerance: float | None = None
    max_iterations: int = 400
    hessian: Literal["adaptive", "psd", "tikhonov", "plain"] = "adaptive"
    line_search: Literal["armijo", "wolfe", "none"] = "armijo"
    guesses: Literal["best", "state"] = "best"
    linear: Any = "auto"
    linear_tolerance: float | None = 1e-4
    downhill: float = 1e-8
    step_clamp: float = 1e3
    _linear: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for option in ("tolerance", "linear_tolerance", "downhill", "step_clamp"):
            given = getattr(self, option)
            if given is not None and not real(given, f"Newton's {option}") > 0:
                raise ValueError(f"Newton's {option} must be positive; it is {given}.")
        if not isinstance(self.max_iterations, int | np.integer) or self.max_iterations < 1:
            raise ValueError(f"max_iterations must be a whole number of at least 1; it is {self.max_iterations}.")
        for option, choices in (
            ("hessian", ("adaptive", "psd", "tikhonov", "plain")),
            ("line_search", ("armijo", "wolfe", "none")),
            ("guesses", ("best", "state")),
        ):
            if getattr(self, option) not in choices:
                raise ValueError(f"{option} is '{getattr(self, option)}'; valid: {', '.join(choices)}.")
        solver = self.linear
        if isinstance(solver, str):
            from .linear import create

            solver = create(solver)
        if not hasattr(solver, "solve"):
            raise TypeError(f"linear must be a linear solver or the name of one; it is {solver!r}.")
        object.__setattr__(self, "_linear", solver)

    def with_tolerance(self, tolerance: float) -> "NewtonSolver":
        """The same solver with this tolerance where none was asked for."""
        return self if self.tolerance is not None else replace(self, tolerance=tolerance, linear=self._linear)

    @property
    def linear_solver(self) -> Any:
        """The linear solver that `linear` names."""
        return self._linear

    def solve(self, matrix: Matrix, rhs: Array) -> Array:
        """One linear solve, for methods that need no minimisation."""
        return self._linear.solve(matrix, rhs, tolerance=1e-10).x

    def minimise(
        self,
        objective: Objective,
        guesses: Sequence[Array],
        *,
        duration: float,
        block: int = 1,
        force_scale: float = 1.0,
        feasible_fraction: Callable[[Array, Array], float] = lambda a, b: 1.0,
    ) -> Minimum:
        """The minimum near the best guess; `duration` (s) turns the tolerance into a length."""
        tolerance = 0.01 if self.tolerance is None else self.tolerance
        if isinstance(self._linear, AutoSolver):
            self._linear.forget()
        q, value = self._best(objective, guesses)
        if not np.isfinite(value):
            return Minimum(q, SolveReport(_infeasible(value)))
        linear_iterations = cuts = 0
        speed = last_speed = residual = np.inf
        method = ""
        exact = self.hessian in ("tikhonov", "plain")
        loosest = 0.5

        def report(outcome: Outcome, iterations: int) -> SolveReport:
            return SolveReport(outcome, iterations, linear_iterations, cuts, speed, residual, method)

        for iteration in range(1, self.max_iterations + 1):
            exact = exact or (self.hessian == "adaptive" and speed > SLOW * last_speed)
            last_speed = speed
            gradient, hessian = objective.linearise(q, psd=not exact)
            residual = float(np.linalg.norm(gradient))
            if not np.isfinite(residual):
                return Minimum(q, report(_not_finite(iteration), iteration - 1))
            if residual == 0.0:
                speed = 0.0
                return Minimum(q, report(Outcome(), iteration - 1))
            relative = min(loosest, self.linear_tolerance or max(residual / force_scale, tolerance) ** 0.5)
            p, used, method, bad = self._direction(gradient, hessian, relative)
            if bad and exact and self.hessian == "adaptive":
                exact = False
                gradient, hessian = objective.linearise(q, psd=True)
                p, again, method, _ = self._direction(gradient, hessian, relative)
                used += again
            linear_iterations += used
            if not np.all(np.isfinite(p)):
                return Minimum(q, report(_breakdown(iteration, method), iteration))
            p = self._downhill(p, gradient)
            if not p.any():
                return Minimum(q, report(_breakdown(iteration, method), iteration))
            move = largest_move(p, block)
            if move > self.step_clamp:
                p, move = p * (self.step_clamp / move), self.step_clamp
            speed = move / duration
            longest = feasible_fraction(q, q + p)
            if not longest > 0.0:
                return Minimum(q, report(_blocked(iteration), iteration))
            q, value, cut, ok = self._search(objective, q, value, p, gradient, longest)
            cuts += cut
            if speed < tolerance and ok and relative <= TRUSTED:
                return Minimum(q, report(Outcome(), iteration))
            if speed < tolerance:
                loosest = TRUSTED
            if not ok:
                at_roundoff = (
                    speed < tolerance or -float(np.dot(gradient, p)) < ROUNDOFF * (1.0 + abs(value)) * q.size**0.5
                )
                outcome = Outcome() if at_roundoff else _stalled(iteration, speed)
                return Minimum(q, report(outcome, iteration))
        return Minimum(q, report(_too_many(self.max_iterations, speed, tolerance), self.max_iterations))

    def _best(self, objective: Objective, guesses: Sequence[Array]) -> tuple[Array, float]:
        values = [objective.value(q) for q in guesses]
        best = int(np.argmin([v if np.isfinite(v) else np.inf for v in values]))
        return guesses[best], values[best]

    def _direction(self, gradient: Array, hessian: Matrix, relative: float) -> tuple[Array, int, str, bool]:
        """The Newton direction, iterations, the linear method, and whether the matrix proved not to be positive definite."""
        solution = self._linear.solve(hessian, -gradient, tolerance=relative)
        used = solution.iterations
        if self.hessian == "tikhonov":
            shift = 1e-3 * float(np.abs(hessian.diagonal()).mean())
            while solution.indefinite or not float(np.dot(gradient, solution.x)) < 0.0:
                shifted = combine([(1.0, hessian)], mass=DiagonalMass(np.ones_like(gradient)), weight=shift)
                solution = self._linear.solve(shifted, -gradient, tolerance=relative)
                used += solution.iterations
                shift *= 10.0
        bad = solution.indefinite or not float(np.dot(gradient, solution.x)) < 0.0
        return solution.x, used, solution.method, bad

    def _downhill(self, p: Array, gradient: Array) -> Array:
        """p, its opposite, or the gradient's: whichever surely goes down (Gast et al. 2015)."""
        if self.line_search == "none":
            return p
        slope, bound = float(np.dot(gradient, p)), self.downhill * float(np.linalg.norm(p) * np.linalg.norm(gradient))
        if slope < -bound:
            return p
        return -p if slope > bound else -gradient

    def _search(
        self, objective: Objective, q: Array, value: float, p: Array, gradient: Array, longest: float
    ) -> tuple[Array, float, int, bool]:
        """The new point, its value, how often the step was cut, and whether it was found."""
        if self.line_search == "none":
            q = q + p
            return q, objective.value(q), 0, True
        slope = float(np.dot(gradient, p))
        if self.line_search == "armijo":
            found = armijo(lambda a: objective.value(q + a * p), slope, value, start=min(1.0, longest))
            if found.evaluations > 1 and (found.value >= value or -slope < CANCELLED * abs(value)):
                full = self._by_gradient(objective, q, min(1.0, longest) * p, gradient)
                if full is not None:
                    return full.q, full.value, 0, True
                if found.value >= value:
                    return q, value, found.evaluations - 1, False
        else:

            def along(a: float) -> tuple[float, float]:
                point = q + a * p
                at = objective.value(point)
                return (at, float(np.dot(objective.gradient(point), p))) if np.isfinite(at) else (np.inf, 0.0)

            found = strong_wolfe(along, slope, value, longest=longest if longest < 1.0 else np.inf)
        cuts = max(found.evaluations - 1, 0)
        return (q + found.step * p, found.value, cuts, True) if found.step > 0.0 else (q, value, cuts, False)

    def _by_gradient(self, objective: Objective, q: Array, p: Array, gradient: Array) -> Point | None:
        """The end of the full step if it halves the gradient: for where differences of values are lost in roundoff."""
        end = Point(q + p, objective.value(q + p))
        if np.isfinite(end.value) and np.linalg.norm(objective.gradient(end.q)) <= 0.5 * np.linalg.norm(gradient):
            return end
        return None


def _infeasible(value: float) -> Outcome:
    return Outcome(
        "infeasible",
        f"no initial guess has a finite energy (it is {value}): the step starts from an inverted or intersecting state. "
        "Check the scene's start, its scripted clamps and its loads.",
    )


def _not_finite(iteration: int) -> Outcome:
    return Outcome(
        "not finite",
        f"the gradient is not finite at Newton iteration {iteration}. The motion has left the material's range: take a smaller "
        "step, or a material that bears the strain (stable-neo-hookean, fixed-corotated).",
    )


def _breakdown(iteration: int, method: str) -> Outcome:
    return Outcome(
        "breakdown",
        f"the linear solver ({method}) gave no usable direction at Newton iteration {iteration}: the matrix is singular or huge. "
        "Look for parts without mass or stiffness; try linear='direct' or hessian='tikhonov'.",
    )


def _blocked(iteration: int) -> Outcome:
    return Outcome(
        "infeasible",
        f"no part of the move at Newton iteration {iteration} is free of inversion or intersection: the state is on the edge of "
        "what is feasible. Take a smaller step.",
    )


def _stalled(iteration: int, speed: float) -> Outcome:
    return Outcome(
        "stalled",
        f"the line search found no lower energy at Newton iteration {iteration}, {speed:.3g} m/s from the end. The energy is not "
        "smooth there: take a smaller step or a looser tolerance.",
    )


def _too_many(limit: int, speed: float, tolerance: float) -> Outcome:
    return Outcome(
        "iteration limit",
        f"{limit} Newton iterations were not enough: the last step moved {speed:.3g} m/s, asked for is {tolerance:.3g}. "
        "Take a smaller step, raise max_iterations, or loosen the tolerance.",
    )

"""The default linear solver: direct when small, PCG when large, direct again where PCG struggles."""

import importlib.util
import logging
from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from jounce.solvers.direct import DirectSolver
from jounce.solvers.multigrid import MultigridSolver
from jounce.solvers.pcg import PCGSolver
from jounce.solvers.solution import Array, LinearSolution, LinearSolver, Matrix

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Choice:
    """One decision of the automatic solver."""

    method: str
    reason: str
    unknowns: int
    iterations: int


class AutoSolver:
    """Chooses per solve; `log` holds the last choices and their reasons.

    Fewer than `direct_below` unknowns, or a dense matrix: direct. At least `multigrid_above` unknowns, if pyamg is
    installed: multigrid. Else PCG. When an iterative solver stops at its cap the system is solved directly, and so are
    the next `patience` systems of that size: contact changes the pattern at every step, but what makes it stiff stays.
    """

    def __init__(
        self,
        *,
        tolerance: float = 1e-6,
        max_iterations: int = 1500,
        direct_below: int = 1000,
        multigrid_above: int = 300_000,
        patience: int = 20,
        positions: ArrayLike | None = None,
        factorisation: str | None = None,
    ) -> None:
        self.direct_below = direct_below
        self.multigrid_above = multigrid_above
        self.patience = patience
        self.log: deque[Choice] = deque(maxlen=1000)
        self._direct = DirectSolver(factorisation=factorisation)
        self._pcg = PCGSolver(tolerance=tolerance, max_iterations=max_iterations)
        self._multigrid: LinearSolver | None = None
        if importlib.util.find_spec("pyamg") is not None:
            self._multigrid = MultigridSolver(positions=positions, tolerance=tolerance)
        self._stiff_size = -1
        self._stiff_left = 0

    def forget(self) -> None:
        """Begin anew: what earlier systems taught is dropped, so that a resumed run chooses as an unbroken one does."""
        self._stiff_left = 0

    def solve(
        self, A: Matrix, b: Array, *, tolerance: float | None = None, guess: Array | None = None
    ) -> LinearSolution:
        """Solve A x = b with the method that suits it."""
        n = A.shape[0]
        exact = max(tolerance or 0.0, self._direct.tolerance)  # no direct solution is refused for less
        if isinstance(A, np.ndarray):
            return self._noted(self._direct.solve(A, b, tolerance=exact), "the matrix is dense", n)
        if n < self.direct_below:
            return self._noted(self._direct.solve(A, b, tolerance=exact), f"fewer than {self.direct_below} unknowns", n)
        if self._stiff_left > 0 and n == self._stiff_size:
            self._stiff_left -= 1
            return self._noted(
                self._direct.solve(A, b, tolerance=exact), "iterations stopped at their cap a few solves ago", n
            )
        if self._multigrid is not None and n >= self.multigrid_above:
            solver, reason = self._multigrid, f"at least {self.multigrid_above} unknowns"
        else:
            solver, reason = self._pcg, f"at least {self.direct_below} unknowns"
        solution = self._noted(solver.solve(A, b, tolerance=tolerance, guess=guess), reason, n)
        if solution.converged or solution.indefinite or not np.isfinite(solution.residual):
            return solution
        direct = self._noted(
            self._direct.solve(A, b, tolerance=exact), f"{solution.method} stopped: {solution.note}", n
        )
        if not direct.converged:
            return direct if direct.residual < solution.residual else solution
        self._stiff_size, self._stiff_left = n, self.patience
        return replace(direct, iterations=solution.iterations + direct.iterations)

    def _noted(self, solution: LinearSolution, reason: str, n: int) -> LinearSolution:
        choice = Choice(solution.method, reason, n, solution.iterations)
        self.log.append(choice)
        logger.debug("%s for %d unknowns: %s", choice.method, n, reason)
        return solution

"""Sparse factorisations of symmetric matrices, from whichever package is installed.

Every factor has `solve(b)` and `negative`, the number of negative eigenvalues where the factorisation tells, else None.
"""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from jounce.core.blocks import BlockPattern
from jounce.solvers.solution import Array

PACKAGES = {"cholmod": "cvxopt", "pardiso": "pypardiso", "superlu": "scipy"}


class NotPositiveDefiniteError(ArithmeticError):
    """A Cholesky factorisation met a pivot that is not positive."""


class SingularError(ArithmeticError):
    """An elimination met a column without pivot."""


class Factor(Protocol):
    negative: int | None

    def solve(self, b: Array) -> Array: ...


def installed() -> list[str]:
    """Names of the factorisations that can be used here, fastest first."""
    return [name for name, package in PACKAGES.items() if importlib.util.find_spec(package) is not None]


class SuperLU:
    """LU of scipy, ordered by minimum degree on the pattern of A + A^T.

    Without `pivoting` the pivots stay on the diagonal: stable for positive definite matrices, half the fill, and the
    signs of the pivots count the negative eigenvalues (Sylvester's law of inertia). With it, rows are exchanged.
    """

    def __init__(self, matrix: sp.csc_array, *, pivoting: bool = False) -> None:
        threshold = 1.0 if pivoting else 0.0
        try:
            self._lu = spla.splu(
                matrix,
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=threshold,
                options={"SymmetricMode": not pivoting},
            )
        except RuntimeError as error:  # "Factor is exactly singular"
            raise SingularError(str(error)) from error
        self.negative: int | None = None
        if not pivoting and np.array_equal(self._lu.perm_r, self._lu.perm_c):
            self.negative = int(np.count_nonzero(self._lu.U.diagonal() < 0.0))

    def solve(self, b: Array) -> Array:
        return self._lu.solve(b)


def definite_factor(matrix: sp.csc_array) -> Factor:
    """Factor by the fastest package installed; raises NotPositiveDefiniteError where the matrix is not."""
    name = installed()[0]
    if name != "superlu":
        return CHOLESKY[name]().factor(matrix, None)
    factor = SuperLU(matrix)
    if factor.negative != 0:
        raise NotPositiveDefiniteError(f"{factor.negative} pivots are negative.")
    return factor


class Cholmod:
    """Supernodal Cholesky of CHOLMOD through cvxopt, with nested dissection where pymetis is installed.

    The symbolic factor is kept while the pattern stays the same object.
    """

    def __init__(self) -> None:
        self._pattern: BlockPattern | None = None
        self._symbolic: Any = None

    def factor(self, matrix: sp.csc_array, pattern: BlockPattern | None) -> Factor:
        """Factor of a positive definite matrix."""
        cvxopt: Any = importlib.import_module("cvxopt")
        cholmod: Any = importlib.import_module("cvxopt.cholmod")
        cholmod.options["supernodal"] = 2
        lower = sp.tril(matrix, format="coo")
        held = cvxopt.spmatrix(lower.data, lower.row, lower.col, lower.shape)
        if pattern is None or pattern is not self._pattern:
            order = None if pattern is None else _dissection(pattern)
            self._symbolic = cholmod.symbolic(held) if order is None else cholmod.symbolic(held, cvxopt.matrix(order))
            self._pattern = pattern
        try:
            cholmod.numeric(held, self._symbolic)
        except ArithmeticError as error:
            self._pattern = None
            raise NotPositiveDefiniteError(str(error)) from error
        symbolic = self._symbolic

        def solve(b: Array) -> Array:
            x = cvxopt.matrix(b)
            cholmod.solve(symbolic, x)
            return np.array(x).reshape(b.shape)

        return _Solve(solve)


class Pardiso:
    """Cholesky of MKL PARDISO through pypardiso; orders anew in each factorisation."""

    def factor(self, matrix: sp.csc_array, pattern: BlockPattern | None) -> Factor:
        """Factor of a positive definite matrix."""
        pypardiso: Any = importlib.import_module("pypardiso")
        wrapper: Any = importlib.import_module("pypardiso.pardiso_wrapper")
        upper = sp.csr_matrix(sp.triu(matrix, format="csr"))
        solver = pypardiso.PyPardisoSolver(mtype=2)
        try:
            solver.factorize(upper)
        except wrapper.PyPardisoError as error:
            solver.free_memory(everything=True)
            raise NotPositiveDefiniteError(str(error)) from error
        return _PardisoFactor(solver, upper)


CHOLESKY: dict[str, type[Cholmod] | type[Pardiso]] = {"cholmod": Cholmod, "pardiso": Pardiso}


class _Solve:
    """A factor made of a function."""

    def __init__(self, solve: Callable[[Array], Array]) -> None:
        self._solve = solve
        self.negative: int | None = 0

    def solve(self, b: Array) -> Array:
        return self._solve(b)


class _PardisoFactor:
    """Holds PARDISO's memory and gives it back when dropped."""

    def __init__(self, solver: Any, upper: sp.csr_matrix) -> None:
        self._solver, self._upper = solver, upper
        self.negative: int | None = 0

    def solve(self, b: Array) -> Array:
        return self._solver.solve(self._upper, b)

    def __del__(self) -> None:
        self._solver.free_memory(everything=True)


def _dissection(pattern: BlockPattern) -> Sequence[int] | None:
    """Nested dissection of the graph of blocks, as an ordering of scalar rows; None without pymetis."""
    if importlib.util.find_spec("pymetis") is None:
        return None
    pymetis: Any = importlib.import_module("pymetis")
    apart = pattern.rows != pattern.indices
    degrees = np.bincount(pattern.rows[apart], minlength=pattern.n_blocks)
    starts = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    adjacency = pymetis.CSRAdjacency(starts, pattern.indices[apart].astype(np.int32))
    order = np.asarray(pymetis.nested_dissection(adjacency=adjacency)[0])
    return (3 * order[:, None] + np.arange(3)).ravel().tolist()

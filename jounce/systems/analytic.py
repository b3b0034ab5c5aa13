"""Any Hamiltonian system given as functions: for teaching, tests and new ideas."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.arrays import Array, Matrix
from ..core.mass import DenseMass, DiagonalMass, Mass
from ..core.mechanics import Mechanics, State
from ..core.potential import Linear, Potential, Quadratic


def psd_part(a: Matrix) -> Matrix:
    """The nearest positive semi-definite matrix, by clamping eigenvalues; one that is so to roundoff comes back as is."""
    dense = np.asarray(a.toarray() if hasattr(a, "toarray") else a)
    roundoff = 1e-14 * float(np.trace(dense))  # a free body's stiffness is singular: its zeros come out on either side
    try:
        np.linalg.cholesky(dense + roundoff * np.eye(len(dense)))
        return a
    except np.linalg.LinAlgError:
        w, v = np.linalg.eigh(0.5 * (dense + dense.T))
        return (v * np.maximum(w, 0.0)) @ v.T


@dataclass(frozen=True)
class FunctionPotential:
    """A potential made of three functions of q: J, N and N/m for coordinates in metres."""

    energy: Callable[[Array], float]
    slope: Callable[[Array], Array]
    curvature: Callable[[Array], Matrix]

    def value(self, q: Array) -> float:
        energy = float(self.energy(q))
        return energy if energy == energy else np.inf

    def gradient(self, q: Array) -> Array:
        slope = np.asarray(self.slope(q), dtype=float)
        if slope.size != q.size:
            raise ValueError(f"The gradient has shape {slope.shape}; with {q.size} coordinates it must be {q.shape}.")
        return slope.reshape(q.shape)

    def hessian(self, q: Array, *, psd: bool) -> Matrix:
        h = self.curvature(q)
        if not hasattr(h, "toarray"):
            h = np.asarray(h, dtype=float)
            if h.size != q.size**2:
                raise ValueError(
                    f"The Hessian has shape {h.shape}; with {q.size} coordinates it must be {2 * q.shape}."
                )
            h = h.reshape(q.size, q.size)
        return psd_part(h) if psd else h

    def linearise(self, q: Array, *, psd: bool) -> tuple[Array, Matrix]:
        return self.gradient(q), self.hessian(q, psd=psd)

    def at(self, fraction: float) -> "FunctionPotential":
        return self


@dataclass(frozen=True)
class _FunctionFilter:
    longest: Callable[[Array, Array], float]

    def longest_step(self, start: Array, end: Array, begin: float = 1.0, finish: float = 1.0) -> float:
        return float(self.longest(start, end))


@dataclass(frozen=True)
class AnalyticSystem:
    """H(q, v) = |v|_M^2 / 2 + value(q), given as functions.

    mass          kilograms: a number, one per coordinate, or a symmetric positive definite matrix
    longest_step  (start, end) -> the longest fraction of that move which stays in the domain, 0 to 1
    contact       a potential that is booked as contact and felt at the end of a step
    damping       q -> a positive semi-definite matrix C; the force -C v is lagged: C is taken at the start of each step
    force         a constant force (N), booked as gravity
    """

    mass: float | Array
    value: Callable[[Array], float]
    gradient: Callable[[Array], Array]
    hessian: Callable[[Array], Matrix]
    q: Array = field(kw_only=True)
    v: Array = field(kw_only=True)
    longest_step: Callable[[Array, Array], float] | None = field(default=None, kw_only=True)
    contact: Potential | None = field(default=None, kw_only=True)
    damping: Callable[[Array], Matrix] | None = field(default=None, kw_only=True)
    force: Array | float | None = field(default=None, kw_only=True)
    _mechanics: Mechanics = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        q = np.atleast_1d(np.asarray(self.q, dtype=float)).ravel()
        v = np.asarray(self.v, dtype=float)
        if v.size not in (1, q.size):
            raise ValueError(f"v is one number or as many as q has, {q.size}; it has shape {v.shape}.")
        v = np.broadcast_to(v.ravel(), q.shape).copy()
        for name, array in (("q", q), ("v", v)):
            if not np.all(np.isfinite(array)):
                raise ValueError(f"{name} must be finite; entry {int(np.argmin(np.isfinite(array)))} is not.")
            object.__setattr__(self, name, array)
        force = self.force
        mechanics = Mechanics(
            mass=mass_matrix(self.mass, q.size),
            elastic=FunctionPotential(self.value, self.gradient, self.hessian),
            gravity=None
            if force is None
            else Linear(lambda c: np.broadcast_to(np.asarray(force, dtype=float), q.shape)),
            contact=self.contact,
            step_filter=None if self.longest_step is None else _FunctionFilter(self.longest_step),
        )
        object.__setattr__(self, "_mechanics", mechanics)

    def initial_state(self) -> State:
        return State(0.0, np.asarray(self.q), np.asarray(self.v))

    def prepare(self, s: State, h: float) -> tuple[Mechanics, State]:
        if self.damping is None:
            return self._mechanics, s
        return replace(self._mechanics, damping=Quadratic(np.asarray(self.damping(s.q), dtype=float))), s

    def commit(self, s: State, start: State, end: State) -> State:
        return end

    def positions(self, s: State) -> Array:
        return s.q

    def momenta(self, s: State) -> tuple[Array, Array]:
        """The sum of M v, and no angular momentum: coordinates of no known geometry."""
        return np.array([float(np.sum(self._mechanics.mass @ s.v))]), np.zeros(0)

    def violations(self, s: State) -> tuple[str, ...]:
        """Coordinates or velocities that are not finite; functions tell of no more."""
        return tuple(
            f"entry {int(np.argmin(np.isfinite(array)))} of {name} is not finite."
            for name, array in (("q", s.q), ("v", s.v))
            if not np.isfinite(array).all()
        )


def mass_matrix(mass: float | Array, size: int) -> Mass:
    m = np.asarray(mass, dtype=float)
    if m.ndim == 2:
        if m.shape != (size, size):
            raise ValueError(
                f"The mass matrix has shape {m.shape}; with {size} coordinates it must be ({size}, {size})."
            )
        lowest = float(np.linalg.eigvalsh(m)[0])
        if not lowest > 0:
            raise ValueError(f"The mass matrix must be positive definite; its lowest eigenvalue is {lowest:.3g} kg.")
        return DenseMass(m)
    if m.ndim > 1 or (m.ndim == 1 and m.size not in (1, size)):
        raise ValueError(f"mass is one number, {size} numbers, or a {size} x {size} matrix; it has shape {m.shape}.")
    diagonal = np.broadcast_to(m, (size,)).copy()
    if not np.all(diagonal > 0):
        i = int(np.argmin(diagonal))
        raise ValueError(f"Masses must be positive (kg); entry {i} is {diagonal[i]}.")
    return DiagonalMass(diagonal)

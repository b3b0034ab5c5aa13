"""Modal energy spectra: how the energy of a state is shared among the modes of vibration."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..core.arrays import Array, Matrix
from ..core.blocks import BlockMatrix
from ..core.mass import DenseMass, DiagonalMass, Mass
from ..core.mechanics import Mechanics, Part, State
from ..core.registry import nearest
from ..solvers.spectral import lowest_modes

Ids = NDArray[np.int64]
INSTANT = 1e-9
"""A step so short (s) that only what holds at its start holds in it."""


class Prepares(Protocol):
    """The side of a system that a spectrum needs."""

    def initial_state(self) -> State: ...
    def prepare(self, s: State, h: float) -> tuple[Mechanics, State]: ...


@dataclass(frozen=True)
class Modes:
    """Solutions of K v = omega^2 M v, lowest first: `squares` is omega^2 (1/s^2), `vectors` has V^T M V = 1.

    `weighted` is M V, which turns coordinates into amplitudes; `coordinates` are the flat coordinates that move.
    """

    squares: Array
    vectors: Array
    weighted: Array
    coordinates: Ids

    @property
    def frequencies(self) -> Array:
        """Angular frequencies (rad/s); zero for rigid and for unstable modes."""
        return np.sqrt(np.maximum(self.squares, 0.0))

    def amplitudes(self, u: Array) -> Array:
        """The share of each mode in a vector of all flat coordinates, V^T M u."""
        return self.weighted.T @ u[self.coordinates]


class Spectrum(NamedTuple):
    """Angular frequency (rad/s) and energy (J) of each mode."""

    frequencies: Array
    energies: Array


def modes(mech: Mechanics, q: Array, count: int | None = None, body: str | None = None) -> Modes:
    """The `count` lowest modes of the elastic energy about q, or all: of all coordinates, or of one body's."""
    elastic, own = mech.elastic, np.arange(q.size, dtype=np.int64)
    if body is not None:
        part = _part(mech.parts, body)
        elastic, own = part.elastic, np.asarray(part.coordinates, dtype=np.int64)
    if count is not None and count < 1:
        raise ValueError(f"A spectrum needs at least one mode; count is {count}.")
    stiffness = _submatrix(elastic.at(0.0).hessian(q, psd=False), own)
    mass = _submass(mech.mass, own)
    found = lowest_modes(stiffness, mass, own.size if count is None else min(count, own.size))
    weighted = mass[:, None] * found.vectors if mass.ndim == 1 else mass @ found.vectors
    return Modes(found.eigenvalues, found.vectors, weighted, own)


def modal_energies(modes: Modes, u: Array, v: Array) -> Array:
    """(a'^2 + omega^2 a^2) / 2 of each mode (J), a and a' being the amplitudes of u = q - q_rest and of v."""
    return 0.5 * (modes.amplitudes(v) ** 2 + modes.squares * modes.amplitudes(u) ** 2)


def spectrum(
    system: Prepares, state: State, count: int | None = None, body: str | None = None, *, rest: State | None = None
) -> Spectrum:
    """The modal energies of a state about `rest` (by default the system's initial state), of all bodies or of one."""
    mech, now = system.prepare(state, INSTANT)
    _, about = system.prepare(replace(system.initial_state() if rest is None else rest, t=state.t), INSTANT)
    found = modes(mech, about.q, count, body)
    return Spectrum(found.frequencies, modal_energies(found, now.q - about.q, now.v))


def _part(parts: Sequence[Part], name: str) -> Part:
    for part in parts:
        if part.name == name:
            return part
    raise ValueError(f"There is no body named '{name}'; {nearest(name, [p.name for p in parts])}")


def _submatrix(matrix: Matrix, own: Ids) -> Matrix:
    if matrix is None:
        return np.zeros((own.size, own.size))
    if isinstance(matrix, BlockMatrix):
        matrix = matrix.tocsr()
    return sparse.csr_array(matrix)[own][:, own]


def _submass(mass: Mass, own: Ids) -> Array:
    """A vector for lumped masses, else a matrix."""
    if isinstance(mass, DiagonalMass):
        return mass.diagonal[own]
    assert isinstance(mass, DenseMass)
    return mass.matrix[np.ix_(own, own)]

"""The contract of every element term: local energies, gradients and Hessian blocks of positions."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class ElementTerm(Protocol):
    """A sum of energies of ne elements with k nodes each; x is the array (n, 3) of all positions."""

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Shape (ne, k)."""
        ...

    @property
    def guards_inversion(self) -> bool:
        """Whether the energy is infinite for an inverted element, so that moves must stop before inversion."""
        ...

    def energies(self, x: Array) -> Array:
        """Energy of every element (ne,), in J; +inf outside the domain. Valid until the next call of `energies`."""
        ...

    def gradients(self, x: Array) -> Array:
        """dE/dx of every element, shape (ne, k, 3), in N. Valid until the next call of `gradients`."""
        ...

    def linearise(self, x: Array, psd: bool) -> tuple[Array, Array]:
        """Gradients (ne, k, 3) and Hessian blocks (ne, k(k+1)/2, 3, 3), both valid until the next call of `linearise`.

        The blocks are the upper ones row by row: (0,0), (0,1), .., (0,k-1), (1,1), ..; block (a, b)[i, j] is
        d2E/dx_ai dx_bj. With ``psd`` each element's Hessian is projected to its nearest positive semi-definite matrix
        (in the frame of the strain), otherwise it is exact.
        """
        ...

    def longest_step(self, x: Array, dx: Array) -> float:
        """The largest safe fraction, in (0, 1], of the move dx that leaves no element inverted."""
        ...

    def inverted(self, x: Array) -> NDArray[np.int64]:
        """Numbers of the elements that are inside out or flat; none of a kind that has no inside."""
        ...

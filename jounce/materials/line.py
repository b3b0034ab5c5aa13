"""What an energy of one squared length is: the law shared by fibres in a solid and springs along edges."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jounce.materials.fields import Array, Field, require, sampled
from jounce.materials.registry import Registered


class LineLaw(NamedTuple):
    """The compiled functions of an energy of one squared length I = |y|^2, with c the constants of one element.

    ``energy(I, c)`` is psi; ``across(I, c)`` is 2 psi' and ``along(I, c)`` is 2 psi' + 4 psi'' I: the eigenvalues of
    d2psi/dy2 across and along y.
    """

    energy: Any
    across: Any
    along: Any


class Fibre(Registered):
    """Fibres that add to an isotropic solid: psi(I) of the squared stretch I = |F a|^2 along the rest direction a.

    ``stiffness`` in Pa is one number, one per element, or a function of the rest centroids. ``direction`` is a vector,
    one vector per element, or a function of the rest centroids (n, 3) that gives (n, 3); its length does not matter.
    With ``tension_only`` a fibre shorter than at rest carries nothing.
    """

    kind: ClassVar[str] = "fibre"
    law: ClassVar[LineLaw]

    stiffness: Field
    direction: Field | NDArray[np.float64]
    tension_only: bool

    def directions(self, centroids: Array) -> Array:
        """The unit rest direction of every element, shape (n, 3)."""
        given = self.direction(centroids) if callable(self.direction) else self.direction
        values = np.asarray(given, dtype=np.float64)
        if values.shape not in ((3,), (len(centroids), 3)):
            raise ValueError(
                f"direction has shape {values.shape}. Give one vector (3,), one per element ({len(centroids)}, 3), or "
                "a function of the centroids (n, 3) that returns (n, 3)."
            )
        values = np.broadcast_to(values, (len(centroids), 3))
        lengths = np.linalg.norm(values, axis=1)
        require(lengths, np.isfinite(lengths) & (lengths > 0), "The length of direction", "positive and finite")
        return values / lengths[:, None]

    def parameters(self, centroids: Array) -> Array:
        """The constants c of every element, shape (n, k); the last one is 1 for tension only, else 0."""
        columns = [*self.constants(centroids), np.full(len(centroids), float(self.tension_only))]
        return np.ascontiguousarray(np.column_stack(columns))

    def constants(self, centroids: Array) -> tuple[Array, ...]:
        """The columns of `parameters` before the flag."""
        return (positive(self.stiffness, centroids, "stiffness (of fibres, Pa)"),)


class Spring(Registered):
    """Springs along edges. ``stiffness`` is one number, one per edge, or a function of the rest midpoints (n, 3)."""

    kind: ClassVar[str] = "spring"
    law: ClassVar[LineLaw]

    stiffness: Field

    def parameters(self, midpoints: Array, lengths: Array) -> Array:
        """The constants c = (stiffness, rest length) of every edge, shape (n, 2)."""
        k = positive(self.stiffness, midpoints, "stiffness (of springs)")
        return np.ascontiguousarray(np.column_stack((k, lengths)))


def positive(field: Field, centroids: Array, what: str) -> Array:
    """A field as one positive and finite float per element."""
    values = sampled(field, centroids, what)
    require(values, np.isfinite(values) & (values > 0), what, "positive and finite")
    return values

"""What an isotropic material is: a law in a frame, and constants from Young's modulus and Poisson's ratio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from jounce.core.checks import floats
from jounce.kernels.frame import PRINCIPAL, Frame
from jounce.materials.fields import Array, Field, require, sampled
from jounce.materials.registry import Registered

YOUNGS, POISSON = "youngs (Young's modulus, Pa)", "poisson (Poisson's ratio)"


class Law(NamedTuple):
    """The compiled functions of a material, with s the strain of its frame and c the constants of one element.

    ``energy(s, c)`` is psi, ``stress(s, c)`` is p = dpsi/ds, and ``stiffness(s, c)`` is (A, flips, twists): the upper
    triangle of d2psi/ds_i ds_j, then (p_i - p_j)/(s_i - s_j) and (p_i + p_j)/(s_i + s_j) in the planes 01, 02, 12, in a
    form without the division.
    """

    energy: Any
    stress: Any
    stiffness: Any
    frame: Frame = PRINCIPAL


@dataclass(frozen=True, eq=False, kw_only=True)
class Material(Registered):
    """An isotropic elastic solid.

    ``youngs`` is Young's modulus in Pa (positive), ``poisson`` is Poisson's ratio in (-1, 0.5). Each is one number, one
    number per element, or a function of the rest centroids (n, 3).
    """

    youngs: Field
    poisson: Field

    kind: ClassVar[str] = "solid"
    law: ClassVar[Law]
    guards_inversion: ClassVar[bool] = False
    """Whether the energy is infinite for an inverted element, so that a step must stop before inversion."""

    def __post_init__(self) -> None:
        # What is known without a mesh is refused at once.
        for field in (self.youngs, self.poisson):
            if not callable(field) and np.ndim(field) > 1:
                raise ValueError(f"A material parameter must have at most one axis, but has shape {np.shape(field)}.")
        if not callable(self.youngs):
            _check_youngs(np.atleast_1d(floats(self.youngs, YOUNGS)))
        if not callable(self.poisson):
            _check_poisson(np.atleast_1d(floats(self.poisson, POISSON)))

    @classmethod
    def from_lame(cls, *, shear_modulus: Field, lame: Field) -> Self:
        """The same material from the shear modulus mu and the first Lame parameter lambda, both in Pa."""
        return cls(
            youngs=_combined(lambda mu, lam: mu * (3 * lam + 2 * mu) / (lam + mu), shear_modulus, lame),
            poisson=_combined(lambda mu, lam: lam / (2 * (lam + mu)), shear_modulus, lame),
        )

    def lame_parameters(self, centroids: Array) -> tuple[Array, Array]:
        """Shear modulus mu and first Lame parameter lambda of every element, in Pa."""
        E = sampled(self.youngs, centroids, "youngs")
        nu = sampled(self.poisson, centroids, "poisson")
        _check_youngs(E)
        _check_poisson(nu)
        return E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))

    def parameters(self, centroids: Array) -> Array:
        """The constants c of every element, shape (n, k), as the law of the material reads them."""
        mu, lam = self.lame_parameters(centroids)
        return np.ascontiguousarray(np.column_stack(self.constants(mu, lam)))

    def constants(self, mu: Array, lam: Array) -> tuple[Array, ...]:
        """The columns of `parameters`: (mu, lambda) unless the law wants others."""
        return mu, lam


def _check_youngs(E: Array) -> None:
    require(E, np.isfinite(E) & (E > 0), YOUNGS, "positive and finite")


def _check_poisson(nu: Array) -> None:
    require(nu, (nu > -1) & (nu < 0.5), POISSON, "between -1 and 0.5, both excluded")


def _combined(formula: Callable[[Any, Any], Any], a: Field, b: Field) -> Field:
    if callable(a) or callable(b):
        return lambda c: formula(sampled(a, c, "shear_modulus"), sampled(b, c, "lame"))
    result = formula(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return float(result) if result.ndim == 0 else result

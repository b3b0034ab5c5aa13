"""What a material is: a law in a frame, constants per element, and the registry that finds it by name."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from jounce.kernels.frame import PRINCIPAL, Frame

Array = NDArray[np.float64]
Field = float | Array | Callable[[Array], Any]
"""One value, one value per element, or a function of the rest centroids (n, 3) that gives one value per element."""


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


class FibreLaw(NamedTuple):
    """The compiled functions of an energy of one squared length I = |y|^2, with c the constants of one element.

    ``energy(I, c)`` is psi; ``across(I, c)`` is 2 psi' and ``along(I, c)`` is 2 psi' + 4 psi'' I: the eigenvalues of
    d2psi/dy2 across and along y.
    """

    energy: Any
    across: Any
    along: Any


@dataclass(frozen=True, eq=False, kw_only=True)
class Registered:
    """A material that is found by its name."""

    name: ClassVar[str]
    """As scene files and `create` call it."""
    kind: ClassVar[str]
    """``solid``: fills tetrahedra; ``fibre``: adds to a solid; ``spring``: runs along edges."""


R = TypeVar("R", bound=type[Registered])
_REGISTRY: dict[str, type[Registered]] = {}


def register(cls: R) -> R:
    """Class decorator: the material is found by `create`, scene files, the command line and the contract tests."""
    _REGISTRY[cls.name] = cls
    return cls


def names(kind: str | None = None) -> list[str]:
    """Names of all materials, or of one kind: ``solid``, ``fibre`` or ``spring``."""
    return sorted(name for name, cls in _REGISTRY.items() if kind in (None, cls.kind))


def material_class(name: str) -> type[Registered]:
    """The class registered under a name."""
    if name not in _REGISTRY:
        raise ValueError(f"There is no material {name!r}.{_nearest(name, names())} All names: {', '.join(names())}.")
    return _REGISTRY[name]


def create(name: str, **options: Any) -> Any:
    """The material called ``name``: ``create("neo-hookean", youngs=1e6, poisson=0.3)``."""
    cls = material_class(name)
    known = [field.name for field in dataclasses.fields(cls) if field.init]
    for option in options:
        if option not in known:
            raise ValueError(
                f"The material {name!r} has no option {option!r}.{_nearest(option, known)} "
                f"Its options: {', '.join(known)}."
            )
    needed = [
        field.name
        for field in dataclasses.fields(cls)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    if missing := [option for option in needed if option not in options]:
        raise ValueError(f"The material {name!r} also needs {' and '.join(missing)}.")
    return cls(**options)


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.4)
    return f" Did you mean {close[0]!r}?" if close else ""


def sampled(field: Field, centroids: Array, what: str) -> Array:
    """A field as one float per element, or a sentence that says why it cannot be."""
    values = np.asarray(field(centroids) if callable(field) else field, dtype=np.float64)
    if values.ndim == 0:
        return np.full(len(centroids), values)
    if values.shape != (len(centroids),):
        raise ValueError(
            f"{what} has shape {values.shape}, but the mesh has {len(centroids)} elements. Give one number, an array "
            f"of shape ({len(centroids)},), or a function of the centroids (n, 3) that returns n numbers."
        )
    return values


def require(values: Array, good: NDArray[np.bool_], what: str, rule: str) -> None:
    """Raise a sentence that names the offending elements."""
    if good.all():
        return
    bad = np.flatnonzero(~good)
    shown = ", ".join(f"{values[i]:g} (element {i})" for i in bad[:5])
    more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
    raise ValueError(f"{what} must be {rule}, but is {shown}{more}.")


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
            _check_youngs(np.atleast_1d(np.asarray(self.youngs, dtype=np.float64)))
        if not callable(self.poisson):
            _check_poisson(np.atleast_1d(np.asarray(self.poisson, dtype=np.float64)))

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
    require(E, np.isfinite(E) & (E > 0), "youngs (Young's modulus, Pa)", "positive and finite")


def _check_poisson(nu: Array) -> None:
    require(nu, (nu > -1) & (nu < 0.5), "poisson (Poisson's ratio)", "between -1 and 0.5, both excluded")


def _combined(formula: Callable[[Any, Any], Any], a: Field, b: Field) -> Field:
    if callable(a) or callable(b):
        return lambda c: formula(sampled(a, c, "shear_modulus"), sampled(b, c, "lame"))
    result = formula(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return float(result) if result.ndim == 0 else result

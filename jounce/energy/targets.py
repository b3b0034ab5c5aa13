"""Energy targets: what a run is asked to keep, lose or follow (J).

A target advances from step to step by e_next = wish(e + change), where `change` is the work done on the system less what
friction and damping took. It never exceeds what the ledger allows, unless the user asks for energy to be added.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from ..core.checks import real

MeasureName = Literal["plain", "flight", "shadow"]
MEASURES: tuple[MeasureName, ...] = ("plain", "flight", "shadow")


@runtime_checkable
class Target(Protocol):
    """`measure` is the energy that is aimed with; see `jounce.energy.measure`."""

    @property
    def measure(self) -> MeasureName: ...
    @property
    def add_energy(self) -> bool: ...
    def first(self, energy: float, t: float) -> float: ...
    def after(self, target: float, t: float, h: float, change: float) -> float: ...


@dataclass(frozen=True, kw_only=True)
class _Base:
    """`start` is the share of the initial energy above `ground` (J) that the target begins with."""

    measure: MeasureName = "flight"
    start: float = 1.0
    ground: float = 0.0
    add_energy: bool = False

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise ValueError(f"measure is '{self.measure}'; valid: {', '.join(MEASURES)}.")
        if not np.isfinite(real(self.ground, "The ground of a target (J)")):
            raise ValueError(f"The ground of a target must be finite (J); it is {self.ground}.")
        if not real(self.start, "The start of a target") >= 0.0 or (self.start > 1.0 and not self.add_energy):
            raise ValueError(
                f"A target starts at a share of the initial energy between 0 and 1; start is {self.start}. "
                "To start above it, say add_energy=True."
            )

    def first(self, energy: float, t: float) -> float:
        return self.ground + self.start * (energy - self.ground)


@dataclass(frozen=True, kw_only=True)
class Conserve(_Base):
    """Keep the energy there was, less what friction and damping take, plus the work done by loads."""

    def after(self, target: float, t: float, h: float, change: float) -> float:
        return target + change


def _decayed(target: float, ground: float, h: float, tau: float, change: float) -> float:
    """E' - Eg = exp(-h/tau) (E - Eg + change), You et al. 2026, section 4.5; tau is an e-folding time."""
    return ground + float(np.exp(-h / tau)) * (target - ground + change)


@dataclass(frozen=True, kw_only=True)
class Decay(_Base):
    """Decay exponentially towards `ground` (J) with the e-folding time `tau` (s), from time `begin` (s) on."""

    tau: float = 1.0
    begin: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not real(self.tau, "The decay time tau (s)") > 0:
            raise ValueError(f"The decay time tau must be positive (s); it is {self.tau}.")

    def after(self, target: float, t: float, h: float, change: float) -> float:
        if t + h <= self.begin:
            return target + change
        return _decayed(target, self.ground, min(h, t + h - self.begin), self.tau, change)


@dataclass(frozen=True, kw_only=True)
class Schedule(_Base):
    """Decay with a time constant that changes: `taus` holds pairs (from time, tau); before the first, energy is kept."""

    taus: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        times = [t for t, _ in _pairs(self.taus, "The taus of a schedule", "(time, tau)")]
        if times != sorted(times) or any(not tau > 0 for _, tau in self.taus):
            raise ValueError(
                f"A schedule is pairs (time, tau) with rising times and positive tau (s); it is {self.taus}."
            )

    def after(self, target: float, t: float, h: float, change: float) -> float:
        current = [tau for begin, tau in self.taus if begin < t + 0.5 * h]
        return _decayed(target, self.ground, h, current[-1], change) if current else target + change


@dataclass(frozen=True, kw_only=True)
class Curve(_Base):
    """Follow a curve of total energy: a function of time, or pairs (time, energy) with straight lines between (J)."""

    energy: Callable[[float], float] | tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.energy):
            return
        times = [t for t, _ in _pairs(self.energy, "The energy of a curve", "(time, energy)")]
        if not times:
            raise ValueError("A curve needs a function of time or at least one pair (time, energy).")
        if times != sorted(times):
            raise ValueError(f"A curve is pairs (time, energy) with rising times; they are {times}.")

    def _at(self, t: float) -> float:
        if callable(self.energy):
            return float(self.energy(t))
        times, energies = zip(*self.energy, strict=True)
        return float(np.interp(t, times, energies))

    def first(self, energy: float, t: float) -> float:
        return self._at(t)

    def after(self, target: float, t: float, h: float, change: float) -> float:
        return self._at(t + h)


@dataclass(frozen=True, kw_only=True)
class PerBody:
    """A target for each body by name, and `default` for the rest; contact keeps one common weight, so momentum is exact."""

    default: Target = field(default_factory=Conserve)
    bodies: Mapping[str, Target] = field(default_factory=dict)

    @property
    def measure(self) -> MeasureName:
        return self.default.measure

    def __post_init__(self) -> None:
        for name, target in {"default": self.default, **self.bodies}.items():
            aimable(target, f"The target of '{name}'")

    def of(self, name: str) -> Target:
        return self.bodies.get(name, self.default)


def aimable(given: Any, what: str = "The target", *, per_body: bool = False) -> None:
    """Refuse what is no target, with the ones there are; `per_body` allows a `PerBody`."""
    if isinstance(given, type) or not (isinstance(given, Target) or (per_body and isinstance(given, PerBody))):
        also = " or PerBody" if per_body else ""
        raise TypeError(f"{what} must be Conserve, Decay, Schedule, Curve{also}, such as Conserve(); it is {given!r}.")


def _pairs(given: Any, what: str, pair: str) -> list[tuple[float, float]]:
    """Pairs of numbers, or a sentence."""
    if np.ndim(given) == 2 and np.shape(given)[1] == 2:
        return [(real(a, what), real(b, what)) for a, b in given]
    if isinstance(given, tuple | list) and not given:
        return []
    raise TypeError(f"{what} must be pairs {pair}; it is {given!r}.")

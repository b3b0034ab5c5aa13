"""Energy targets: what a run is asked to keep, lose or follow (J).

A target advances from step to step by e_next = wish(e + change), where `change` is the work done on the system less what
friction and damping took. It never exceeds what the ledger allows, unless the user asks for energy to be added.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

MeasureName = Literal["plain", "flight", "shadow"]
MEASURES: tuple[MeasureName, ...] = ("plain", "flight", "shadow")


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
        if not self.start >= 0.0 or (self.start > 1.0 and not self.add_energy):
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
        if not self.tau > 0:
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
        times = [t for t, _ in self.taus]
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
        if not callable(self.energy) and len(self.energy) < 1:
            raise ValueError("A curve needs a function of time or at least one pair (time, energy).")

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

    def of(self, name: str) -> Target:
        return self.bodies.get(name, self.default)

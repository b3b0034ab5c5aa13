"""The door of every contact model, and the models by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ..core.arrays import Array, Indices
from ..core.finding import Finding
from ..core.registry import Registry
from .friction import FrictionTerm
from .ground import Plane
from .rules import Rules
from .surface import Surface


class Group(NamedTuple):
    """Contributions of pairs that touch alike: `nodes` (n, k), energies (n,) in J, gradients (n, k, 3) in N, and the upper
    Hessian blocks (n, k (k + 1) / 2, 3, 3) in N/m; the last two are empty where they were not asked for."""

    nodes: Indices
    energies: Array
    gradients: Array
    blocks: Array


class ContactTerm(Protocol):
    """A contact model of one system; x are the positions (n, 3) of all nodes, v their velocities.

    `guards` says whether the model keeps every pair apart, so that `longest_step` limits moves.
    """

    @property
    def guards(self) -> bool: ...
    def begun(self, x: Array, v: Array) -> ContactTerm:
        """The model for a step that starts here."""
        ...

    def value(self, x: Array) -> float: ...
    def groups(self, x: Array, level: int) -> tuple[Group, ...]: ...
    def longest_step(self, x0: Array, x1: Array) -> float:
        """The longest fraction of a straight move of all nodes without collision."""
        ...

    def friction(self, x: Array) -> FrictionTerm | None:
        """Friction with the normal forces that act at x."""
        ...

    def broken(self, x: Array) -> list[Finding]:
        """Where positions break what the model guards: nothing intersects, and nothing is below a ground."""
        ...

    def tightest(self, x: Array) -> str:
        """A sentence on the closest pair; empty where nothing is close."""
        ...


@dataclass(frozen=True)
class Things:
    """What can touch: the surface of all bodies and obstacles, the grounds with the nodes that feel them, who may touch whom,
    and a typical stiffness (N/m) of the bodies' nodes."""

    surface: Surface
    planes: tuple[Plane, ...]
    rules: Rules
    node_stiffness: Callable[[], float]


class ContactModel(Protocol):
    """What a scene's `contact` is: frozen data that `bind` turns into a term."""

    @property
    def friction(self) -> float: ...
    @property
    def pairs(self) -> tuple[Any, ...]: ...
    @property
    def lag_iterations(self) -> int: ...
    def bind(self, things: Things) -> ContactTerm: ...


registry: Registry[Any] = Registry("contact model")
names: Callable[[], list[str]] = registry.names
create: Callable[..., Any] = registry.create

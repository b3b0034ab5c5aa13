"""What a user describes: bodies, clamps, loads and gravity; frozen data in SI units."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..contact.ground import Ground
from ..contact.registry import ContactModel
from ..contact.registry import registry as contact_models
from ..core.arrays import Array
from ..core.checks import real, span
from ..materials.base import Material
from ..materials.registry import Registered, names
from ..meshes import SurfaceMesh, TetMesh
from .motion import Path, Vector, Velocity, vector

Selection: TypeAlias = Any
"""Node numbers, a mask, a function of rest positions (n, 3) -> mask, or "all"."""


@dataclass(frozen=True, kw_only=True)
class Clamp:
    """Nodes that are held, or moved along a path, from `begin` until `until` (s), and free before and after."""

    nodes: Selection
    path: Path | None = None
    begin: float = 0.0
    until: float = np.inf


@dataclass(frozen=True, kw_only=True)
class Rayleigh:
    """Damping C = mass * M + stiffness * K, with K positive semi-definite and taken at the start of each step (1/s and s)."""

    mass: float = 0.0
    stiffness: float = 0.0

    def __post_init__(self) -> None:
        mass, stiffness = real(self.mass, "Rayleigh's mass (1/s)"), real(self.stiffness, "Rayleigh's stiffness (s)")
        if not (0 <= mass < np.inf and 0 <= stiffness < np.inf):
            given = f"mass={self.mass}, stiffness={self.stiffness}"
            raise ValueError(f"Rayleigh coefficients must be finite and not negative; they are {given}.")


@dataclass(frozen=True, kw_only=True)
class Force:
    """A force on the selected nodes, shared among them by mass, from `begin` until `until` (s).

    `total` (N) is one vector or a function of time; with `per_mass` it is an acceleration (m/s^2) instead.
    """

    total: Vector | Callable[[float], Vector]
    nodes: Selection = "all"
    begin: float = -np.inf
    until: float = np.inf
    per_mass: bool = False


@dataclass(frozen=True, kw_only=True)
class Wind:
    """Wind on surfaces: a pressure drag * ((velocity - v) . n) along each triangle's normal n (drag in Pa s/m, m/s), lagged in n."""

    velocity: Vector
    drag: float = 1.0
    begin: float = -np.inf
    until: float = np.inf

    def __post_init__(self) -> None:
        span(self.begin, self.until, "the wind")
        if not 0 <= real(self.drag, "The wind's drag (Pa s/m)") < np.inf:
            raise ValueError(f"The wind's drag must be finite and not negative (Pa s/m); it is {self.drag}.")


@dataclass(frozen=True)
class Solid:
    """A body of tetrahedra.

    `position` (m) and `velocity` (m/s) place and launch it; `start` (n, 3) begins from other positions while the rest shape stays;
    `fibres` are anisotropic terms added to the material; `density` in kg/m^3 may vary per element (array or function of centroids).
    """

    mesh: TetMesh
    material: Material
    density: float | Array | Callable[[Array], Array] = 1000.0
    position: Vector = (0.0, 0.0, 0.0)
    velocity: Velocity = (0.0, 0.0, 0.0)
    name: str = "body"
    start: Array | None = None
    clamps: tuple[Clamp, ...] = ()
    forces: tuple[Force, ...] = ()
    fibres: tuple[Any, ...] = ()
    damping: Rayleigh | None = None
    wind: Wind | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.fibres, tuple | list):
            raise TypeError(f"The fibres of body '{self.name}' must be a tuple; it is {_kind(self.fibres)}.")
        fibres = {f"fibre {i}": ("fibre", f) for i, f in enumerate(self.fibres)}
        _check_parts(self, (TetMesh,), {"material": ("solid", self.material), **fibres})


@dataclass(frozen=True)
class SpringNet:
    """Springs on the edges of a mesh: cloth, thin sheets, nets.

    `spring` acts on `edges` (default: the mesh's own), `bending` on `bending_edges` (default: across each inner edge) if given.
    `density` is kg/m^2 over a surface (kg/m^3 over tetrahedra).
    """

    mesh: SurfaceMesh | TetMesh
    spring: Any
    bending: Any = None
    density: float = 1.0
    edges: Array | None = None
    bending_edges: Array | None = None
    position: Vector = (0.0, 0.0, 0.0)
    velocity: Velocity = (0.0, 0.0, 0.0)
    name: str = "net"
    start: Array | None = None
    clamps: tuple[Clamp, ...] = ()
    forces: tuple[Force, ...] = ()
    damping: Rayleigh | None = None
    wind: Wind | None = None

    def __post_init__(self) -> None:
        bending = {} if self.bending is None else {"bending": ("spring", self.bending)}
        _check_parts(self, (SurfaceMesh, TetMesh), {"spring": ("spring", self.spring), **bending})


Body: TypeAlias = Solid | SpringNet


@dataclass(frozen=True)
class Obstacle:
    """A surface that nothing enters and nothing moves: it stays at `position` (m), or follows `path` whatever is in its way.

    It may be open, such as a sheet or a bowl; its triangles need no winding.
    """

    mesh: SurfaceMesh
    path: Path | None = None
    position: Vector = (0.0, 0.0, 0.0)
    name: str = "obstacle"

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, SurfaceMesh):
            raise TypeError(f"Obstacle '{self.name}' needs a SurfaceMesh, not {_kind(self.mesh)}.")


def _kind(thing: object) -> str:
    return f"a {type(thing).__name__}"


def _check_parts(body: Body, mesh: tuple[type, ...], laws: dict[str, tuple[str, Any]]) -> None:
    """A body's mesh and laws are of the kinds that it takes; `laws` holds (kind, law) by the law's name."""
    if not isinstance(body.mesh, mesh):
        kinds = " or ".join(f"a {m.__name__}" for m in mesh)
        raise TypeError(f"Body '{body.name}' needs {kinds}, not {_kind(body.mesh)}.")
    for name, (kind, law) in laws.items():
        if not isinstance(law, Registered) or law.kind != kind:
            known = ", ".join(names(kind))
            raise TypeError(f"The {name} of body '{body.name}' must be one of {known}; it is {_kind(law)}.")
    if not isinstance(body.name, str):
        raise TypeError(f"The name of a body must be text; it is {body.name!r}.")
    for name, one, given in (("damping", Rayleigh, body.damping), ("wind", Wind, body.wind)):
        if given is not None and not isinstance(given, one):
            raise TypeError(f"The {name} of body '{body.name}' must be {one.__name__} or None; it is {_kind(given)}.")
    for name, one, many in (("clamps", Clamp, body.clamps), ("forces", Force, body.forces)):
        if not isinstance(many, tuple | list) or any(not isinstance(m, one) for m in many):
            raise TypeError(f"The {name} of body '{body.name}' must be a tuple of {one.__name__}; it is {_kind(many)}.")


@dataclass(frozen=True)
class Scene:
    """Bodies under gravity (m/s^2), and what they may touch.

    Without `contact` bodies pass through each other; obstacles and grounds need one.
    """

    bodies: tuple[Body, ...]
    gravity: Vector = (0.0, -9.8, 0.0)
    obstacles: tuple[Obstacle, ...] = ()
    grounds: tuple[Ground, ...] = ()
    contact: ContactModel | None = None

    def __post_init__(self) -> None:
        for body in self.bodies if isinstance(self.bodies, tuple | list) else (self.bodies,):
            if not isinstance(body, Solid | SpringNet) or not isinstance(self.bodies, tuple | list):
                kinds = "a tuple of Solid and SpringNet, as in Scene((body,))"
                raise TypeError(f"A scene's bodies are {kinds}; this is {_kind(body)}.")
        if not self.bodies:
            raise ValueError("A scene needs at least one body.")
        for what, one, many in (("obstacles", Obstacle, self.obstacles), ("grounds", Ground, self.grounds)):
            if not isinstance(many, tuple | list) or any(not isinstance(m, one) for m in many):
                raise TypeError(f"A scene's {what} are a tuple of {one.__name__}; this is {_kind(many)}.")
        if self.contact is not None and not contact_models.holds(self.contact):
            known = ", ".join(contact_models.names())
            raise TypeError(f"A scene's contact must be one of {known}; this is {_kind(self.contact)}.")
        if self.contact is None and (self.obstacles or self.grounds):
            raise ValueError("A scene with obstacles or grounds needs contact, such as contact=Barrier(distance=1e-3).")
        names = [b.name for b in (*self.bodies, *self.obstacles, *self.grounds)]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(
                f"Bodies, obstacles and grounds must have different names; these occur twice: {', '.join(twice)}."
            )
        vector(self.gravity, "Gravity (m/s^2)")

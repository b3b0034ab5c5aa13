"""Materials by name, for scene files, the command line, the documentation and the contract tests."""

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from jounce.core.registry import Registry


@dataclass(frozen=True, eq=False, kw_only=True)
class Registered:
    """A material that is found by its name."""

    name: ClassVar[str]
    """As scene files and `create` call it."""
    kind: ClassVar[str]
    """``solid``: fills tetrahedra; ``fibre``: adds to a solid; ``spring``: runs along edges."""


R = TypeVar("R", bound=type[Registered])
registry: Registry[Registered] = Registry("material")


def register(cls: R) -> R:
    """Class decorator: the material is found by `create`, scene files, the command line and the contract tests."""
    registry.add(cls.name, cls)
    return cls


def names(kind: str | None = None) -> list[str]:
    """Names of all materials, or of one kind: ``solid``, ``fibre`` or ``spring``."""
    return [name for name in registry.names() if kind in (None, registry.get(name).kind)]


def material_class(name: str) -> type[Registered]:
    """The class registered under a name."""
    return registry.get(name)


def create(name: str, **options: Any) -> Any:
    """The material called ``name``: ``create("neo-hookean", youngs=1e6, poisson=0.3)``."""
    return registry.create(name, **options)

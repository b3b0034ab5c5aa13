"""Materials by name, for scene files, the command line, the documentation and the contract tests."""

from __future__ import annotations

import dataclasses
import difflib
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar


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
    other = _REGISTRY.get(cls.name, cls)
    if other.__qualname__ != cls.__qualname__:
        raise ValueError(
            f"The name {cls.name!r} already belongs to {other.__qualname__}; {cls.__qualname__} needs another."
        )
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

"""Scenes by name, each with the step, length and integrator that suit it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from ..core.checks import alike
from ..core.registry import nearest
from ..integrators.base import Integrator
from ..integrators.base import create as create_integrator
from ..scene.scene import Scene


@dataclass(frozen=True)
class Entry:
    """A scene of the gallery: what makes it, what it shows, and how it is meant to be run (s)."""

    name: str
    make: Callable[..., Scene]
    summary: str
    paper: str
    step: float
    seconds: float
    integrator: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def parameters(self) -> list[str]:
        return list(signature(self.make).parameters)

    def method(self) -> Integrator:
        return create_integrator(self.integrator, **self.options)


_ENTRIES: dict[str, Entry] = {}


def scene_entry(
    name: str, *, paper: str, step: float, seconds: float, integrator: str = "a-search", **options: Any
) -> Callable[[Callable[..., Scene]], Callable[..., Scene]]:
    """Put a function that returns a scene into the gallery; its docstring's first line is the summary."""

    def add(make: Callable[..., Scene]) -> Callable[..., Scene]:
        summary = (make.__doc__ or "").strip().splitlines()[0]
        _ENTRIES[name] = Entry(name, make, summary, paper, step, seconds, integrator, options)
        return make

    return add


def names() -> list[str]:
    """The scenes of the gallery."""
    return sorted(_ENTRIES)


def entry(name: str) -> Entry:
    """A scene's entry: its summary, paper, step, length and integrator."""
    if name not in _ENTRIES:
        raise ValueError(f"There is no scene named '{name}' in the gallery; {nearest(name, names())}")
    return _ENTRIES[name]


def scene(name: str, **options: Any) -> Scene:
    """The scene of that name, with its options."""
    found = entry(name)
    for option, value in options.items():
        if option not in found.parameters:
            raise TypeError(f"The scene '{name}' has no option '{option}'; {nearest(option, found.parameters)}")
        alike(value, signature(found.make).parameters[option].default, f"The option '{option}' of the scene '{name}'")
    return found.make(**options)

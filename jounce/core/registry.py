"""Names to classes, with errors that name the nearest valid choice."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any, Generic, TypeVar

from .checks import alike

T = TypeVar("T")


def nearest(name: str, choices: list[str]) -> str:
    """A phrase that leads from a wrong name to the right one."""
    close = get_close_matches(name, choices, n=1, cutoff=0.4)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}Valid: {', '.join(choices) if choices else 'none'}."


class Registry(Generic[T]):
    """Classes of one kind by their public name; `create` checks names and options."""

    def __init__(self, kind: str):
        self.kind = kind
        self._classes: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        def add(cls: type[T]) -> type[T]:
            self.add(name, cls)
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return add

    def add(self, name: str, cls: type[T]) -> None:
        """Give a class a name; a name belongs to one class (which may be defined anew, as in a notebook)."""
        other = self._classes.get(name, cls)
        if other.__qualname__ != cls.__qualname__:
            raise ValueError(
                f"The name '{name}' already belongs to {other.__qualname__}; {cls.__qualname__} needs another."
            )
        self._classes[name] = cls

    def names(self) -> list[str]:
        return sorted(self._classes)

    def get(self, name: str) -> type[T]:
        if name not in self._classes:
            raise ValueError(f"There is no {self.kind} named '{name}'; {nearest(name, self.names())}")
        return self._classes[name]

    def holds(self, thing: object) -> bool:
        """Whether something is of a class that has a name here."""
        return type(thing) in self._classes.values()

    def parameters(self, name: str) -> dict[str, Parameter]:
        """What the class of that name takes."""
        cls = self.get(name)
        return {} if cls.__init__ is object.__init__ else dict(signature(cls).parameters)

    def options(self, name: str) -> list[str]:
        return list(self.parameters(name))

    def create(self, name: str, **options: Any) -> T:
        taken = self.parameters(name)
        for key in options:
            if key not in taken:
                raise TypeError(f"The {self.kind} '{name}' has no option '{key}'; {nearest(key, list(taken))}")
            alike(options[key], taken[key].default, f"The option '{key}' of the {self.kind} '{name}'")
        missing = [key for key, p in taken.items() if p.default is Parameter.empty and key not in options]
        if missing:
            raise TypeError(f"The {self.kind} '{name}' also needs {' and '.join(missing)}.")
        return self.get(name)(**options)

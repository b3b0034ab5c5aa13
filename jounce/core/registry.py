"""Names to classes, with errors that name the nearest valid choice."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

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
            self._classes[name] = cls
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return add

    def names(self) -> list[str]:
        return sorted(self._classes)

    def get(self, name: str) -> type[T]:
        if name not in self._classes:
            raise ValueError(f"There is no {self.kind} named '{name}'; {nearest(name, self.names())}")
        return self._classes[name]

    def options(self, name: str) -> list[str]:
        cls = self.get(name)
        return [f.name for f in fields(cls) if f.init] if is_dataclass(cls) else []

    def create(self, name: str, **options: Any) -> T:
        cls = self.get(name)
        valid = self.options(name)
        for key in options:
            if key not in valid:
                raise TypeError(f"The {self.kind} '{name}' has no option '{key}'; {nearest(key, valid)}")
        return cls(**options)

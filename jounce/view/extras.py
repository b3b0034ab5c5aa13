"""Packages that only pictures need, imported when they are used."""

from importlib import import_module
from types import ModuleType

PIP = 'pip install "jounce[render]"'


class MissingExtraError(ImportError):
    """A package is not installed; the message says how to get it."""


def extra(module: str, what_for: str) -> ModuleType:
    """The module, or a sentence that says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0].replace("_", "-")
        raise MissingExtraError(
            f"{what_for} needs the package '{package}', which cannot be imported ({error}). Install it: {PIP}"
        ) from error

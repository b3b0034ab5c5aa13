"""One file per material; each registers itself by name."""

from jounce.materials.base import Material, create, names
from jounce.materials.neo_hookean import NeoHookean

__all__ = ["Material", "NeoHookean", "create", "names"]

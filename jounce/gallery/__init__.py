"""The papers' scenes; each is a function that returns a Scene."""

from . import average_vector_field, contact, energy_control, exponential, friction, robust
from .registry import Entry, entry, names, scene, scene_entry

__all__ = [
    "Entry",
    "average_vector_field",
    "contact",
    "energy_control",
    "entry",
    "exponential",
    "friction",
    "names",
    "robust",
    "scene",
    "scene_entry",
]

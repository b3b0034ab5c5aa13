"""What a user describes: bodies, clamps, loads, gravity; frozen data."""

from .motion import Ramp, Rotate, Spin, Translate
from .scene import Clamp, Force, Obstacle, Rayleigh, Scene, Solid, SpringNet, Wind

__all__ = [
    "Clamp",
    "Force",
    "Obstacle",
    "Ramp",
    "Rayleigh",
    "Rotate",
    "Scene",
    "Solid",
    "Spin",
    "SpringNet",
    "Translate",
    "Wind",
]

"""What a user describes: bodies, clamps, loads, gravity; frozen data."""

from .motion import Ramp, Rotate, Spin, Translate
from .scene import Clamp, Force, Rayleigh, Scene, Solid, SpringNet, Wind

__all__ = ["Clamp", "Force", "Ramp", "Rayleigh", "Rotate", "Scene", "Solid", "Spin", "SpringNet", "Translate", "Wind"]

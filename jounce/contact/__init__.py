"""Contact models: barriers that keep everything apart, and cheaper ones that push back what has entered."""

from .barrier import Barrier
from .ground import Ground
from .penalty import Penalty
from .registry import create, names, registry
from .repulsion import Repulsion
from .rules import Pair

__all__ = ["Barrier", "Ground", "Pair", "Penalty", "Repulsion", "create", "names", "registry"]

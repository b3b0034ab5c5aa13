"""What turns coordinates into strain: tetrahedra, fibres, springs."""

from jounce.elements.term import ElementTerm
from jounce.elements.tet import Tets

__all__ = ["ElementTerm", "Tets"]

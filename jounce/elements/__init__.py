"""What turns coordinates into strain: tetrahedra, fibres, springs."""

from jounce.elements.fibre import Fibres
from jounce.elements.spring import Springs
from jounce.elements.term import ElementTerm
from jounce.elements.tet import Tets

__all__ = ["ElementTerm", "Fibres", "Springs", "Tets"]

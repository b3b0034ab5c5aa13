"""What turns coordinates into strain: tetrahedra, fibres, springs."""

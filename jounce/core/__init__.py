"""The doors: state, mechanics, potentials, stages, outcomes, coordinates and assembly."""

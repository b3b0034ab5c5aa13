"""Procedural shapes, file input, checks."""

"""Reproductions of published results and comparisons of methods."""

"""One file per time integration method; each registers itself by name."""

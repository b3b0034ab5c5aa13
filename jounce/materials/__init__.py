"""One file per material; each registers itself by name."""

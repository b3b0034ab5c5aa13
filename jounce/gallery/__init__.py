"""The papers' scenes; each is a function that returns a Scene."""

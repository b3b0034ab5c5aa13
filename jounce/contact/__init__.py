"""Contact models."""

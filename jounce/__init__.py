"""Elastodynamics with contact that never intersects and with energy that you control."""

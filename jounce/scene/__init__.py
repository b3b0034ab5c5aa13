"""What a user describes: bodies, clamps, loads, grounds, contact; frozen data."""

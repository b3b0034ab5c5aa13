"""What jounce costs: `python -m benchmarks` measures everything, compares it with its goals and writes `results/`."""

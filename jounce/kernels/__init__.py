"""The element mathematics in the restricted Python that numba compiles for CPU and GPU."""

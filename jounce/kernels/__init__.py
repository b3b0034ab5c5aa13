"""The element mathematics in the restricted Python that numba compiles for CPU and GPU."""

from jounce.kernels.compile import element_function, kernel, specialise

__all__ = ["element_function", "kernel", "specialise"]

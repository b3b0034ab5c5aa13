"""The array and matrix types every room shares."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Matrix: TypeAlias = Any
"""A dense array, a scipy sparse matrix or a `BlockMatrix`; `None` stands for zero."""

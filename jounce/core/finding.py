"""What is to be said about a scene or a mesh: a sentence, and the triangles to look at."""

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Indices

NOWHERE: Indices = np.zeros((0, 3), dtype=np.int64)
"""The offenders of a finding that is about no triangle."""


@dataclass(frozen=True, eq=False)
class Finding:
    """A fault, which is refused, or a remark; `triangles` (m, 3) are the offenders in the node numbers of what was looked at."""

    fault: bool
    message: str
    triangles: Indices

    def with_note(self, note: str) -> "Finding":
        """The same with one more sentence."""
        return replace(self, message=f"{self.message} {note}")

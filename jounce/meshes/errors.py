"""The error that a faulty mesh raises: a list of sentences."""

from collections.abc import Sequence


class MeshError(ValueError):
    """What is wrong with a mesh, where, why and what to do; `findings` holds one entry per fault."""

    def __init__(self, title: str, findings: Sequence[str]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join([title, *(f"- {finding}" for finding in self.findings)]))

"""The linear solvers by name."""

import difflib
import inspect
from typing import Any

from jounce.solvers.auto import AutoSolver, Choice
from jounce.solvers.direct import DirectSolver
from jounce.solvers.multigrid import MultigridSolver
from jounce.solvers.pcg import PCGSolver
from jounce.solvers.solution import LinearSolution, LinearSolver

__all__ = [
    "AutoSolver",
    "Choice",
    "DirectSolver",
    "LinearSolution",
    "LinearSolver",
    "MultigridSolver",
    "PCGSolver",
    "create",
    "names",
]

SOLVERS: dict[str, type] = {
    "auto": AutoSolver,
    "pcg": PCGSolver,
    "direct": DirectSolver,
    "multigrid": MultigridSolver,
}


def names() -> list[str]:
    """Names that `create` knows."""
    return list(SOLVERS)


def create(name: str, **options: Any) -> LinearSolver:
    """The linear solver of that name; its options are the keyword arguments of its class."""
    if name not in SOLVERS:
        raise ValueError(f"There is no linear solver '{name}'. {_nearest(name, names())}")
    known = [p for p in inspect.signature(SOLVERS[name]).parameters if p != "self"]
    for option in options:
        if option not in known:
            raise ValueError(f"The linear solver '{name}' has no option '{option}'. {_nearest(option, known)}")
    return SOLVERS[name](**options)


def _nearest(wrong: str, valid: list[str]) -> str:
    match = difflib.get_close_matches(wrong, valid, n=1, cutoff=0.5)
    return (f"Did you mean '{match[0]}'? " if match else "") + f"Choose from {', '.join(valid)}."

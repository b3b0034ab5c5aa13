"""The linear solvers by name."""

from jounce.core.registry import Registry
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

registry: Registry[LinearSolver] = Registry("linear solver")
registry.add("auto", AutoSolver)
registry.add("pcg", PCGSolver)
registry.add("direct", DirectSolver)
registry.add("multigrid", MultigridSolver)

names = registry.names
create = registry.create

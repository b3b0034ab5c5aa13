"""Time per step of A-search against implicit Euler on the same states, and where a Newton iteration's time goes.

Both methods step from the same states, in turns at being first, so that the machine's mood is shared; the ratio is the
median of pairs. The iteration is taken apart at one state: energies, derivatives of elements, assembly, sums of matrices, linear solve.
"""

import time
from itertools import cycle
from typing import Any

import numba
import numpy as np

import jounce as jn
from benchmarks.scenes import bar
from benchmarks.timing import best
from jounce.core.blocks import BlockMatrix
from jounce.core.matrices import combine
from jounce.core.stage import Stage, StageObjective
from jounce.integrators import create

NODES = (2_000, 10_000, 30_000)
STEP = 1 / 60


def ratio(system: Any, pairs: int) -> dict[str, Any]:
    """A-search's time per step over implicit Euler's, from the same states, with the same tolerance and iterations."""
    solver = jn.NewtonSolver(tolerance=1e-3)
    search, euler = create("a-search"), create("implicit-euler")
    run = jn.simulate(system, integrator=search, step=STEP, steps=5, solver=solver)
    state, memory, times, iterations = run.end, run.memory, [], [0, 0]
    for pair in range(pairs):
        mech, start = system.prepare(state, STEP)
        taken: list[Any] = [None, None]
        seconds = [0.0, 0.0]
        for i in (0, 1) if pair % 2 else (1, 0):
            method, remembered = (search, memory) if i else (euler, None)
            begun = time.perf_counter()
            taken[i] = method.step(mech, start, STEP, remembered, solver)
            seconds[i] = time.perf_counter() - begun
            iterations[i] += taken[i].reports[0].iterations
        times.append(seconds)
        state, memory = system.commit(state, start, taken[1].state), taken[1].memory
    euler_times, search_times = np.array(times).T
    return {
        "implicit_euler_ms": 1e3 * float(np.median(euler_times)),
        "a_search_ms": 1e3 * float(np.median(search_times)),
        "ratio": float(np.median(search_times / euler_times)),
        "newton_per_step": iterations[1] / pairs,
        "same_iterations": iterations[0] == iterations[1],
    }


def iteration(system: Any) -> dict[str, float]:
    """Milliseconds of each part of one Newton iteration at a state in motion."""
    run = jn.simulate(system, integrator="a-search", step=STEP, steps=5)
    mech, s = system.prepare(run.end, STEP)
    stage = Stage(s.q + STEP * s.v, STEP**2, 1 / STEP, -s.q / STEP)
    objective = StageObjective(mech, stage)
    elastic = mech.elastic
    term, layout = elastic.terms[0], elastic.layout
    assembler = layout.assemblers[id(term)]
    x = elastic.positions(s.q)
    gradients, blocks = term.linearise(x, True)
    values = assembler.matrix(blocks)
    stiffness = BlockMatrix(layout.pattern, values)
    gradient, matrix = objective.linearise(s.q, psd=True)
    solver = jn.NewtonSolver()
    solution = solver._linear.solve(matrix, -gradient, tolerance=1e-4)
    end = s.q + STEP * s.v
    places = cycle([s.q + i * 1e-9 for i in range(8)])  # energies of the last few places are remembered
    parts = {
        "energy (one value)": lambda: objective.value(next(places)),
        "inversion filter": lambda: mech.feasible_fraction(s.q, end),
        "elements (gradient and Hessian)": lambda: term.linearise(x, True),
        "assembly": lambda: (assembler.matrix(blocks, out=values), assembler.vector(gradients)),
        "sum with inertia": lambda: combine([(1.0, stiffness)], mass=mech.mass, weight=1 / STEP**2),
        f"linear solve ({solution.method}, {solution.iterations} iterations)": lambda: solver._linear.solve(
            matrix, -gradient, tolerance=1e-4
        ),
    }
    return {name: 1e3 * best(part, 7) for name, part in parts.items()}


def measure() -> dict:
    sizes = []
    for nodes in NODES:
        system = jn.build(bar(nodes))
        found = {
            "nodes": len(system.masses),
            "tetrahedra": sum(len(t.nodes) for t in system.terms),
            **ratio(system, 10 if nodes > 15_000 else 30),
            "iteration_ms": iteration(system),
        }
        sizes.append(found)
        print(
            f"  {found['nodes']} nodes: implicit Euler {found['implicit_euler_ms']:.1f} ms, A-search {found['a_search_ms']:.1f} ms per "
            f"step, ratio {found['ratio']:.3f} ({found['newton_per_step']:.1f} Newton iterations each)"
        )
        total = sum(found["iteration_ms"].values())
        for name, ms in found["iteration_ms"].items():
            print(f"    {name:46s} {ms:8.2f} ms  {ms / total:5.0%}")
    return {"threads": numba.get_num_threads(), "sizes": sizes}


def goals(found: dict) -> list[tuple[str, str, str, bool]]:
    return [
        (
            f"A-search over implicit Euler, {size['nodes']} nodes",
            f"{size['ratio']:.3f} x",
            "at most 1.03 x",
            size["ratio"] <= 1.03,
        )
        for size in found["sizes"]
    ]

"""Time per step of A-search against implicit Euler on the same states, and where a Newton iteration's time goes.

    python benchmarks/steps.py            # 2k, 10k and 30k nodes

Both methods step from the same states in turn, so that the machine's mood is shared; the ratio is of medians of pairs. The iteration is
taken apart at one state: energies, derivatives of elements, assembly, sums of matrices, linear solve.
"""

import argparse
import json
import time
from pathlib import Path

import numba
import numpy as np

import jounce as jn
from jounce.core.blocks import BlockMatrix
from jounce.core.matrices import combine
from jounce.core.stage import Stage, StageObjective
from jounce.integrators import create
from jounce.meshes import box


def scene(nodes: int) -> jn.Scene:
    """A bar of about that many nodes that swings under gravity."""
    across = max(3, round((nodes / 4) ** (1 / 3)) - 1)
    mesh = box(size=(0.4, 0.1, 0.1), cells=(4 * across, across, across))
    held = jn.Clamp(nodes=lambda x: x[:, 0] < -0.2 + 1e-9)
    return jn.Scene((jn.Solid(mesh, jn.NeoHookean(youngs=1e5, poisson=0.3), clamps=(held,), name="bar"),))


def best(call, repeats: int = 7) -> float:
    """Shortest of several runs (s)."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def ratio(system, h: float, pairs: int) -> dict[str, float]:
    """A-search's time per step over implicit Euler's, from the same states, with the same tolerance and iterations."""
    solver = jn.NewtonSolver(tolerance=1e-3)
    search, euler = create("a-search"), create("implicit-euler")
    run = jn.simulate(system, integrator=search, step=h, steps=5, solver=solver)
    state, memory, pairs_of_times = run.end, run.memory, []
    iterations = [0, 0]
    for _ in range(pairs):
        mech, start = system.prepare(state, h)
        begun = time.perf_counter()
        one = euler.step(mech, start, h, None, solver)
        middle = time.perf_counter()
        two = search.step(mech, start, h, memory, solver)
        pairs_of_times.append((middle - begun, time.perf_counter() - middle))
        iterations[0] += one.reports[0].iterations
        iterations[1] += two.reports[0].iterations
        state, memory = system.commit(state, start, two.state), two.memory
    euler_times, search_times = np.array(pairs_of_times).T
    return {
        "implicit_euler_ms": 1e3 * float(np.median(euler_times)),
        "a_search_ms": 1e3 * float(np.median(search_times)),
        "ratio": float(np.median(search_times / euler_times)),
        "newton_per_step": iterations[1] / pairs,
        "same_iterations": iterations[0] == iterations[1],
    }


def iteration(system, h: float) -> dict[str, float]:
    """Milliseconds of each part of one Newton iteration at a state in motion."""
    run = jn.simulate(system, integrator="a-search", step=h, steps=5)
    mech, s = system.prepare(run.end, h)
    stage = Stage(s.q + h * s.v, h**2, 1 / h, -s.q / h)
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
    end = s.q + h * s.v
    parts = {
        "energy (one value)": best(lambda: objective.value(s.q)),
        "inversion filter": best(lambda: mech.feasible_fraction(s.q, end)),
        "elements (gradient and Hessian)": best(lambda: term.linearise(x, True)),
        "assembly": best(lambda: (assembler.matrix(blocks, out=values), assembler.vector(gradients))),
        "sum with inertia": best(lambda: combine([(1.0, stiffness)], mass=mech.mass, weight=1 / h**2)),
        f"linear solve ({solution.method}, {solution.iterations} iterations)": best(
            lambda: solver._linear.solve(matrix, -gradient, tolerance=1e-4)
        ),
    }
    return {name: 1e3 * seconds for name, seconds in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, nargs="*", default=[2_000, 10_000, 30_000])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "steps.json")
    chosen = parser.parse_args()
    results = {"threads": numba.get_num_threads(), "sizes": []}
    for nodes in chosen.nodes:
        system = jn.build(scene(nodes))
        h = 1 / 60
        found = {
            "nodes": len(system.masses),
            "tets": sum(len(t.nodes) for t in system.terms),
            **ratio(system, h, 12 if nodes > 15_000 else 40),
            "iteration_ms": iteration(system, h),
        }
        results["sizes"].append(found)
        print(f"{found['nodes']} nodes, {found['tets']} tets, {results['threads']} threads:")
        print(
            f"  implicit Euler {found['implicit_euler_ms']:.1f} ms, A-search {found['a_search_ms']:.1f} ms per step: ratio "
            f"{found['ratio']:.3f} ({found['newton_per_step']:.1f} Newton iterations each)"
        )
        total = sum(found["iteration_ms"].values())
        for name, ms in found["iteration_ms"].items():
            print(f"  {name:48s} {ms:8.2f} ms  {ms / total:5.0%}")
    chosen.out.parent.mkdir(exist_ok=True)
    chosen.out.write_text(json.dumps(results, indent=1) + "\n")
    print(f"wrote {chosen.out}")


if __name__ == "__main__":
    main()

"""The element functions in a CUDA kernel, compared with the CPU and timed: ``python -m benchmarks.gpu``.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` runs kernels and CPU loops as plain Python in numba's
simulator. That checks how the kernels call the element functions; what a device compiler makes of them it cannot tell.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numba import cuda

from jounce import materials
from jounce.elements import Fibres, Springs, Tets
from jounce.elements.compiled import CompiledTerm
from jounce.kernels.algebra import dot
from jounce.kernels.compile import config
from jounce.kernels.frame import ROW, clamp_stiffness
from jounce.kernels.line import vector, write_line_blocks, write_line_gradient
from jounce.kernels.tet import deformation, write_blocks, write_gradient

TOLERANCE = 1e-10
THREADS = 64
MANY = 100_000
"""Elements in the timed calls."""


def solid_kernel(law: materials.Law, row, psd):
    """One thread per element: energy, gradient and Hessian of a solid, exact or projected."""
    split, join = law.frame
    energy, stress, stiffness = law.energy, law.stress, law.stiffness

    @cuda.jit
    def kernel(x, nodes, shape, volumes, table, energies, gradients, blocks):
        e = cuda.grid(1)
        if e < nodes.shape[0]:
            U, s, V = split(deformation(x, nodes, shape, e))
            c = row(table, e)
            energies[e] = volumes[e] * energy(s, c)
            write_gradient(join(U, stress(s, c), V), volumes[e], shape, e, gradients)
            A, flips, twists = stiffness(s, c)
            if psd:
                A, flips, twists = clamp_stiffness(A, flips, twists)
            write_blocks(U, V, A, flips, twists, volumes[e], shape, e, blocks)

    return kernel


def line_kernel(law: materials.LineLaw, row, psd):
    """One thread per element: energy, gradient and Hessian of fibres and springs, exact or projected."""
    energy, across, along = law

    @cuda.jit
    def kernel(x, nodes, w, weights, table, energies, gradients, blocks):
        e = cuda.grid(1)
        if e < nodes.shape[0]:
            y = vector(x, nodes, w, e)
            I = dot(y, y)
            c = row(table, e)
            t, l = across(I, c), along(I, c)
            energies[e] = weights[e] * energy(I, c)
            write_line_gradient(y, t, weights[e], w, e, gradients)
            least = 0.0 if psd else -math.inf
            write_line_blocks(y, I, max(t, least), max(l, least), weights[e], w, e, blocks)

    return kernel


def outputs_for(nodes: np.ndarray) -> list[Any]:
    """Arrays on the device for energies, gradients and upper Hessian blocks."""
    ne, k = nodes.shape
    return [cuda.device_array(shape) for shape in ((ne,), (ne, k, 3), (ne, k * (k + 1) // 2, 3, 3))]


def on_device(kernel, x, nodes, *data):
    """Energies, gradients and blocks that a kernel computes."""
    ne = len(nodes)
    outputs = outputs_for(nodes)
    inputs = [cuda.to_device(array) for array in (x, nodes, *data)]
    kernel[-(-ne // THREADS), THREADS](*inputs, *outputs)
    return [array.copy_to_host() for array in outputs]


def separate_tets(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deformed tetrahedra that share no nodes: rest positions, nodes, positions."""
    rng = np.random.default_rng(0)
    rest = (np.vstack((np.zeros(3), np.eye(3))) + rng.uniform(-0.2, 0.2, (count, 4, 3))).reshape(-1, 3)
    x = np.einsum("eij,eaj->eai", np.eye(3) + 0.25 * rng.uniform(-1, 1, (count, 3, 3)), rest.reshape(-1, 4, 3))
    return rest, np.arange(4 * count).reshape(-1, 4), x.reshape(-1, 3)


def milliseconds(kernel: Any, x: np.ndarray, nodes: np.ndarray, *data: np.ndarray, calls: int = 20) -> float:
    """Time of one call on data that already lies on the device, the mean of several in a row."""
    ne = len(nodes)
    outputs = outputs_for(nodes)
    inputs = [cuda.to_device(array) for array in (x, nodes, *data)]
    begin, end = cuda.event(), cuda.event()
    for _ in range(3):
        kernel[-(-ne // THREADS), THREADS](*inputs, *outputs)
    begin.record()
    for _ in range(calls):
        kernel[-(-ne // THREADS), THREADS](*inputs, *outputs)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / calls


def cases(count: int, psd: bool) -> list[tuple[str, CompiledTerm, Any, tuple[np.ndarray, ...], np.ndarray]]:
    """Every material: name, term, kernel, the kernel's data, and deformed positions."""
    rest, nodes, x = separate_tets(count)
    found = []
    for name in materials.names("solid"):
        term = Tets(rest, nodes, materials.create(name, youngs=1e3, poisson=0.3))
        kernel = solid_kernel(term.material.law, ROW[term.table.shape[1]], psd)
        found.append((name, term, kernel, (term.shape, term.volumes, term.table), x))
    for name in materials.names("fibre"):
        options = {"stiffness": 1e3, "direction": (1, 2, -1), **({"exponent": 0.5} if name.endswith("fung") else {})}
        term = Fibres(rest, nodes, materials.create(name, **options))
        kernel = line_kernel(term.material.law, ROW[term.table.shape[1]], psd)
        found.append((name, term, kernel, (term.weights, term.volumes, term.table), x))
    for name in materials.names("spring"):
        term = Springs(rest, nodes[:, :2], materials.create(name, stiffness=1e3))
        kernel = line_kernel(term.material.law, ROW[term.table.shape[1]], psd)
        found.append((name, term, kernel, term._data, x))
    return found


def differences(term: CompiledTerm, x: np.ndarray, psd: bool, got: list[np.ndarray]) -> dict[str, float]:
    """The largest difference of energies, gradients and Hessians from the CPU's, relative to the largest value."""
    expected = (term.energies(x), *term.linearise(x, psd=psd))
    names = ("energy", "gradient", "projected hessian" if psd else "hessian")
    return {n: float(np.abs(a - b).max() / np.abs(b).max()) for n, a, b in zip(names, got, expected, strict=True)}


def main() -> None:
    results: dict[str, Any] = {"elements_timed": MANY, "materials": {}}
    simulated = bool(config.ENABLE_CUDASIM)  # pyright: ignore[reportAttributeAccessIssue]
    results["device"] = "simulator" if simulated else str(cuda.get_current_device().name)
    for psd in (False, True):
        for name, term, kernel, data, x in cases(200, psd):
            found = differences(term, x, psd, on_device(kernel, x, term.nodes, *data))
            results["materials"].setdefault(name, {}).update(found)
            print(f"{name:22} " + "  ".join(f"{what} {error:.1e}" for what, error in found.items()))
            if not max(found.values()) < TOLERANCE:
                raise SystemExit(f"{name}: the device and the CPU differ by more than {TOLERANCE}.")
    if simulated:
        return
    for name, term, kernel, data, x in cases(MANY, psd=True):
        ms = milliseconds(kernel, x, term.nodes, *data)
        results["materials"][name].update(ms=ms, million_elements_per_s=MANY / ms / 1e3)
        print(f"{name:22} {ms:.3f} ms for {MANY} elements, {MANY / ms / 1e3:.0f} M elements/s")
    out = Path(__file__).parent / "results" / "gpu.json"
    out.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

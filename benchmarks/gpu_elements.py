"""The element functions in a CUDA kernel, compared with the CPU: ``python benchmarks/gpu_elements.py``.

Without a GPU, ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` runs kernels and CPU loops as plain Python in numba's
simulator. That checks how the kernels call the element functions; what a device compiler makes of them it cannot tell.
"""

import numpy as np
from numba import cuda

from jounce import materials
from jounce.elements import Fibres, Tets
from jounce.kernels.algebra import dot
from jounce.kernels.frame import ROW, clamp_stiffness
from jounce.kernels.line import vector, write_line_blocks, write_line_gradient
from jounce.kernels.tet import deformation, write_blocks, write_gradient

TOLERANCE = 1e-10
THREADS = 64


def solid_kernel(law: materials.Law, row):
    """One thread per element: energy, gradient and projected Hessian of a solid."""
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
            A, flips, twists = clamp_stiffness(A, flips, twists)
            write_blocks(U, V, A, flips, twists, volumes[e], shape, e, blocks)

    return kernel


def fibre_kernel(law: materials.LineLaw, row):
    """One thread per element: energy, gradient and projected Hessian of fibres."""
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
            write_line_blocks(y, I, 0.0 if t < 0.0 else t, 0.0 if l < 0.0 else l, weights[e], w, e, blocks)

    return kernel


def on_device(kernel, x, nodes, *data):
    """Energies, gradients and blocks that a kernel computes."""
    ne = len(nodes)
    outputs = [cuda.device_array(shape) for shape in ((ne,), (ne, 4, 3), (ne, 10, 3, 3))]
    inputs = [cuda.to_device(array) for array in (x, nodes, *data)]
    kernel[-(-ne // THREADS), THREADS](*inputs, *outputs)
    return [array.copy_to_host() for array in outputs]


def separate_tets(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deformed tetrahedra that share no nodes: rest positions, nodes, positions."""
    rng = np.random.default_rng(0)
    rest = (np.vstack((np.zeros(3), np.eye(3))) + rng.uniform(-0.2, 0.2, (count, 4, 3))).reshape(-1, 3)
    x = np.einsum("eij,eaj->eai", np.eye(3) + 0.25 * rng.uniform(-1, 1, (count, 3, 3)), rest.reshape(-1, 4, 3))
    return rest, np.arange(4 * count).reshape(-1, 4), x.reshape(-1, 3)


def main() -> None:
    rest, nodes, x = separate_tets(200)
    for name in materials.names("solid"):
        term = Tets(rest, nodes, materials.create(name, youngs=1e3, poisson=0.3))
        kernel = solid_kernel(term.material.law, ROW[term.table.shape[1]])
        report(name, term, x, on_device(kernel, x, term.nodes, term.shape, term.volumes, term.table))
    for name in materials.names("fibre"):
        options = {"stiffness": 1e3, "direction": (1, 2, -1), **({"exponent": 0.5} if name.endswith("fung") else {})}
        term = Fibres(rest, nodes, materials.create(name, **options))
        kernel = fibre_kernel(term.material.law, ROW[term.table.shape[1]])
        report(name, term, x, on_device(kernel, x, term.nodes, term.weights, term.volumes, term.table))


def report(name: str, term: Tets | Fibres, x: np.ndarray, got: list[np.ndarray]) -> None:
    """Print the largest relative difference from the CPU, and stop if it is not roundoff."""
    expected = (term.energies(x), *term.linearise(x, psd=True))
    errors = [np.abs(a - b).max() / np.abs(b).max() for a, b in zip(got, expected, strict=True)]
    print(f"{name:22} energy {errors[0]:.1e}  gradient {errors[1]:.1e}  Hessian {errors[2]:.1e}")
    if not max(errors) < TOLERANCE:
        raise SystemExit(f"{name}: the device and the CPU differ by more than {TOLERANCE}.")


if __name__ == "__main__":
    main()

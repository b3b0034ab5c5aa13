"""A hare, a dragon, an upright creature and a blob, modelled from rounded parts and stuffed with tets.

Dihedral angles at 300, 1000, 3000 and 10000 nodes: 10.8 to 157.9 degrees at worst (the creature of 1000 nodes).
"""

from collections.abc import Callable

import numpy as np
from scipy.spatial import KDTree

from jounce.meshes.checks import at_least, positive
from jounce.meshes.distances import Clay, Part, Plate, mirrored, tube
from jounce.meshes.stuffing import stuffed
from jounce.meshes.tetmesh import TetMesh

# Every place has a lattice point within sqrt(5)/4 = 0.56 spacings, which survives the warp when 0.36 spacings deep: a
# tube of radius 0.92 spacings never breaks, and thinner ones mostly do not. The radii to try, in spacings:
THICKNESSES, SAFE = (0.7, 0.8), 0.92
DETAIL = 0.5  # details thinner than this many spacings are left out
PILOT = 0.08
ATTEMPTS, TOLERANCE = 6, 0.1


def hare(*, height: float = 0.5, nodes: int = 3000) -> TetMesh:
    """A sitting hare of about `nodes` nodes (300 to 30000), `height` metres to the tips of its ears.

    It rests on y = 0 and faces +z. The ears are the nodes above 0.68 `height`.
    """
    parts = [
        tube([(0, 0.28, -0.22), (0, 0.33, -0.05), (0, 0.38, 0.12)], [0.21, 0.19, 0.14]),
        tube([(0, 0.40, 0.12), (0, 0.56, 0.22)], [0.12, 0.10]),
        tube([(0, 0.60, 0.22), (0, 0.57, 0.34)], [0.12, 0.07]),
        tube([(0, 0.30, -0.42), (0, 0.34, -0.48)], [0.07, 0.075]),
        *mirrored(tube([(0.14, 0.2, -0.18), (0.15, 0.15, -0.12)], [0.16, 0.13], squeeze=(0.75, 1, 1))),
        *mirrored(tube([(0.17, 0.04, -0.24), (0.18, 0.035, 0.03)], [0.055, 0.05])),
        *mirrored(tube([(0.09, 0.34, 0.14), (0.1, 0.18, 0.21), (0.1, 0.04, 0.23)], [0.085, 0.055, 0.05])),
        *mirrored(tube([(0.1, 0.035, 0.23), (0.1, 0.03, 0.29)], [0.05, 0.045])),
    ]
    ears = mirrored(
        tube([(0.055, 0.66, 0.18), (0.115, 0.82, 0.12), (0.16, 0.98, 0.06)], [0.045, 0.07, 0.035], squeeze=(1, 1, 0.6))
    )
    return modelled([*parts, *ears], [], height, nodes)


def dragon(*, height: float = 1.0, nodes: int = 6000) -> TetMesh:
    """A standing dragon with raised wings, of about `nodes` nodes (1000 to 30000; plump below), `height` metres tall.

    It rests on y = 0 and faces +z; the tail trails behind by about 1.2 `height`. Spikes along the back and horns appear
    where the lattice is fine enough for them. The tail are the nodes below z = -0.45 `height`.
    """
    parts: list[Part] = [
        tube([(0, 0.38, -0.28), (0, 0.42, -0.05), (0, 0.46, 0.2)], [0.15, 0.175, 0.14]),
        tube(
            [(0, 0.47, 0.24), (0, 0.62, 0.42), (0, 0.80, 0.44), (0, 0.90, 0.52)], [0.13, 0.095, 0.075, 0.075], pieces=6
        ),
        tube([(0, 0.91, 0.5), (0, 0.88, 0.62), (0, 0.85, 0.78)], [0.11, 0.085, 0.06]),
        tube([(0, 0.83, 0.54), (0, 0.79, 0.7)], [0.06, 0.04]),
        tube(
            [(0, 0.37, -0.3), (0.02, 0.25, -0.55), (0.1, 0.14, -0.8), (0.1, 0.07, -1.03), (-0.03, 0.05, -1.22)],
            [0.135, 0.105, 0.08, 0.06, 0.035],
            pieces=6,
        ),
        *mirrored(tube([(0.12, 0.34, -0.22), (0.19, 0.21, -0.14), (0.19, 0.05, -0.24)], [0.13, 0.085, 0.055])),
        *mirrored(tube([(0.19, 0.035, -0.24), (0.2, 0.03, -0.1)], [0.055, 0.045])),
        *mirrored(tube([(0.1, 0.4, 0.18), (0.17, 0.22, 0.14), (0.17, 0.05, 0.2)], [0.1, 0.065, 0.05])),
        *mirrored(tube([(0.17, 0.035, 0.2), (0.18, 0.03, 0.31)], [0.05, 0.042])),
        *mirrored(tube([(0.08, 0.52, 0.1), (0.36, 0.92, 0.02), (0.78, 0.78, -0.22)], [0.055, 0.04, 0.025])),
        *mirrored(Plate(np.array([(0.09, 0.52, 0.08), (0.36, 0.91, 0.02), (0.38, 0.56, -0.3)]), 0.018)),
        *mirrored(Plate(np.array([(0.36, 0.91, 0.02), (0.78, 0.78, -0.22), (0.38, 0.56, -0.3)]), 0.018)),
    ]
    horns = mirrored(tube([(0.055, 0.98, 0.5), (0.09, 1.05, 0.4), (0.1, 1.12, 0.33)], [0.045, 0.034, 0.02]))
    back = [
        ((0, 0.86, 0.4), (0, 0.93, 0.31)),
        ((0, 0.7, 0.36), (0, 0.78, 0.26)),
        ((0, 0.58, 0.22), (0, 0.7, 0.13)),
        ((0, 0.57, 0.03), (0, 0.72, -0.05)),
        ((0, 0.54, -0.15), (0, 0.69, -0.24)),
        ((0, 0.46, -0.33), (0, 0.6, -0.43)),
        ((0.02, 0.34, -0.51), (0.02, 0.45, -0.61)),
        ((0.06, 0.23, -0.69), (0.06, 0.32, -0.78)),
        ((0.1, 0.16, -0.87), (0.1, 0.23, -0.95)),
    ]
    spikes = [tube([root, tip], [0.055, 0.015], squeeze=(0.7, 1, 1)) for root, tip in back]
    return modelled(parts, [*horns, *spikes], height, nodes)


def creature(*, height: float = 1.0, nodes: int = 4000) -> TetMesh:
    """An upright two-legged creature with a snout, ears, a shell and a tail, of about `nodes` nodes (300 to 30000).

    It rests on y = 0 and faces +z, arms raised; `height` metres to the tips of its ears.
    The ears are the nodes above 0.9 `height`.
    """
    parts: list[Part] = [
        tube([(0, 0.34, -0.02), (0, 0.45, 0.0), (0, 0.62, -0.01)], [0.14, 0.165, 0.13]),
        tube([(0, 0.36, -0.1), (0, 0.5, -0.12), (0, 0.64, -0.08)], [0.13, 0.16, 0.12]),
        tube([(0, 0.66, 0.0), (0, 0.8, 0.06)], [0.09, 0.115]),
        tube([(0, 0.79, 0.12), (0, 0.75, 0.22), (0, 0.74, 0.29)], [0.08, 0.05, 0.035]),
        *mirrored(
            tube(
                [(0.07, 0.87, 0.02), (0.14, 0.95, -0.02), (0.17, 1.02, -0.04)],
                [0.045, 0.06, 0.025],
                squeeze=(1, 1, 0.6),
            )
        ),
        *mirrored(tube([(0.1, 0.63, 0.0), (0.25, 0.55, 0.06), (0.33, 0.62, 0.17)], [0.075, 0.06, 0.05])),
        *mirrored(tube([(0.33, 0.62, 0.17), (0.35, 0.68, 0.21)], [0.055, 0.05])),
        *mirrored(tube([(0.1, 0.33, 0.0), (0.16, 0.2, 0.05), (0.17, 0.06, 0.0)], [0.11, 0.085, 0.065])),
        *mirrored(tube([(0.17, 0.04, -0.02), (0.19, 0.035, 0.13)], [0.065, 0.055])),
        tube([(0, 0.3, -0.14), (0, 0.15, -0.28), (0, 0.07, -0.46), (0, 0.06, -0.62)], [0.1, 0.075, 0.055, 0.03]),
    ]
    fingers = [
        side
        for tip in ((0.31, 0.75, 0.24), (0.37, 0.765, 0.23), (0.42, 0.74, 0.21))
        for side in mirrored(tube([(0.35, 0.68, 0.21), tip], [0.032, 0.022]))
    ]
    return modelled(parts, list(fingers), height, nodes)


def blob(*, height: float = 1.0, nodes: int = 300) -> TetMesh:
    """A soft lump of about `nodes` nodes (100 to 30000) that stands wide and has two stubs for arms, `height` metres tall.

    It rests on y = 0 and faces +z.
    """
    parts: list[Part] = [
        tube([(0, 0.3, 0), (0, 0.5, 0), (0, 0.72, 0)], [0.42, 0.36, 0.27]),
        *mirrored(tube([(0.2, 0.14, 0.02), (0.42, 0.12, 0.02)], [0.2, 0.14])),
        *mirrored(tube([(0.25, 0.58, 0.05), (0.56, 0.7, 0.1)], [0.15, 0.1])),
        *mirrored(tube([(0.1, 0.92, 0), (0.14, 1.02, 0)], [0.11, 0.08])),
    ]
    return modelled(parts, [], height, nodes)


def modelled(parts: list[Part], details: list[Part], height: float, nodes: int) -> TetMesh:
    """Stuff the smooth union with about that many nodes and scale it to its height.

    Parts are thickened to what the lattice can hold, so that limbs close to each other may merge in coarse meshes;
    details that it cannot hold are left out.
    """
    target, tall = at_least("nodes", nodes, 50), positive("height", height)
    skeleton = np.concatenate([part.skeleton() for part in parts])
    skeleton = skeleton[skeleton[:, 1] > 0.0]

    def filled(spacing: float, thickness: float) -> TetMesh:
        kept = [part for part in details if part.thickness() >= DETAIL * spacing]
        clay = Clay(tuple(part.no_thinner(thickness * spacing) for part in [*parts, *kept]), blend=0.05)
        return stuffed(clay, clay.bounds(), spacing=spacing)

    def mesh(spacing: float) -> TetMesh:
        for thickness in THICKNESSES:
            result = filled(spacing, thickness)
            # A limb that broke off leaves a part of the skeleton bare.
            if KDTree(result.vertices).query(skeleton)[0].max() < 0.8 * spacing:
                return result
        return filled(spacing, SAFE)

    result = closest(mesh, target)
    low, high = result.vertices.min(axis=0), result.vertices.max(axis=0)
    return TetMesh((result.vertices - [0.0, low[1], 0.0]) * (tall / (high[1] - low[1])), result.tets)


def closest(mesh: Callable[[float], TetMesh], nodes: int) -> TetMesh:
    """The mesh whose number of nodes comes closest: a secant search on log nodes against log spacing."""
    spacing, slope = float(np.log(PILOT)), -2.7
    trials: list[tuple[float, float, TetMesh]] = []
    while len(trials) < ATTEMPTS and not (trials and abs(trials[-1][1]) < TOLERANCE):
        trial = mesh(float(np.exp(spacing)))
        trials.append((spacing, float(np.log(len(trial.vertices) / nodes)), trial))
        if len(trials) > 1 and abs(trials[-1][0] - trials[-2][0]) > 0.05:
            slope = (trials[-1][1] - trials[-2][1]) / (trials[-1][0] - trials[-2][0])
        spacing -= trials[-1][1] / float(np.clip(slope, -3.2, -1.8))
    return min(trials, key=lambda trial: abs(trial[1]))[2]

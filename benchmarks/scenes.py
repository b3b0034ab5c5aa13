"""The scene that the benchmarks share."""

import jounce as jn


def bar(nodes: int) -> jn.Scene:
    """A bar of about that many nodes, held at one end, that swings under gravity."""
    across = max(3, round((nodes / 4) ** (1 / 3)) - 1)
    mesh = jn.meshes.box(size=(0.4, 0.1, 0.1), cells=(4 * across, across, across))
    held = jn.Clamp(nodes=lambda x: x[:, 0] < -0.2 + 1e-9)
    return jn.Scene((jn.Solid(mesh, jn.NeoHookean(youngs=1e5, poisson=0.3), clamps=(held,), name="bar"),))

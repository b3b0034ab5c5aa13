"""A dragon spinning about one fixed point (Rojas et al. 2018, figures 7 and 8): what AVF does to angular momentum."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .. import gallery
from ..core.arrays import Array
from ..integrators.base import create
from ..scene.build import build
from ..scene.scene import Solid
from ..simulation import Run
from .march import march
from .pictures import motion, strips
from .plots import COLOURS, panels, save
from .pulled_hare import LABELS, SOLVER, H, Swing, swing
from .report import Check, Report, Table

NODES = 500
STEPS = 150
RATE = 12.0
"""Fast enough to show what the methods do (rad/s); at the gallery's 4 none of them explodes."""
METHODS = ("avf", "implicit-midpoint", "implicit-euler")
FINE = 400
"""Steps of symplectic Euler in one of ours, for the reference of the first seconds."""
COMPARED = 2.0
"""How long the reference is run (s)."""
STYLES = {
    "avf": COLOURS["avf"],
    "implicit-midpoint": COLOURS["implicit-midpoint"],
    "implicit-euler": COLOURS["implicit-euler"],
    "reference": COLOURS["reference"],
}


def fixed_point(nodes: int) -> Array:
    """Where the dragon is held (m)."""
    body = gallery.scene("spinning-dragon", nodes=nodes).bodies[0]
    assert isinstance(body, Solid)
    return np.asarray(body.mesh.vertices)[int(body.clamps[0].nodes[0])]


def spin(run: Run, centre: Array) -> Array:
    """Angular momentum about a point, at every step (kg m^2/s)."""
    return run.ledger.angular_momentum - np.cross(centre, run.ledger.momentum)


def reference(nodes: int, seconds: float, fine: int = FINE) -> tuple[Array, Array, Array]:
    """Times, angular momenta about the fixed point and energies of symplectic Euler with tiny steps."""
    system = build(gallery.scene("spinning-dragon", nodes=nodes, rate=RATE))
    centre = fixed_point(nodes)
    times, momenta, energies = [], [], []
    for n, state in enumerate(march(system, create("symplectic-euler"), H / fine, round(seconds / H) * fine, SOLVER)):
        if (n + 1) % fine == 0:
            p, L = system.momenta(state)
            times.append(state.t)
            momenta.append(L - np.cross(centre, p))
            mech, start = system.prepare(state, H)
            energies.append(mech.energy(start))
    return np.array(times), np.array(momenta), np.array(energies)


def wander(L: Array) -> float:
    """The largest distance of an angular momentum from its start, relative."""
    return float(np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0]))


def run(out: Path, *, full: bool = False) -> Report:
    nodes = 1000 if full else NODES
    centre = fixed_point(nodes)
    swings = {name: swing("spinning-dragon", name, STEPS, nodes=nodes, rate=RATE) for name in METHODS}
    spins = {name: spin(s.run, centre) for name, s in swings.items()}
    slow = swing("spinning-dragon", "implicit-midpoint", STEPS, nodes=nodes)
    t, L, energy = reference(nodes, COMPARED)
    sizes = {name: np.linalg.norm(s, axis=1) for name, s in spins.items()}
    avf, midpoint = swings["avf"], swings["implicit-midpoint"]
    checks = (
        Check("AVF: largest |H − H₀| / H₀", avf.drift, 1e-10, kind="at most"),
        Check("AVF: largest |L − L₀| / |L₀|", wander(spins["avf"]), 0.1, kind="at most"),
        Check("AVF: mean of |L| / |L₀|", float(sizes["avf"].mean() / sizes["avf"][0]), 1.0, 0.05),
        Check("implicit midpoint: largest |L − L₀| / |L₀|", wander(spins["implicit-midpoint"]), 1e-6, kind="at most"),
        Check(
            "implicit midpoint: highest energy at 4 rad/s, of the start's",
            float(slow.energy.max()),
            2.0,
            kind="at most",
        ),
        Check("implicit midpoint: energy passes 10 H₀ by (s)", midpoint.exploded, 5.0, kind="at most"),
    )
    rows = [
        (
            LABELS[name],
            f"{s.drift:.1e}",
            "–" if np.isinf(s.exploded) else f"{s.exploded:.1f}",
            f"{s.energy[-1]:.3g}",
            f"{wander(spins[name]):.1e}",
            f"{sizes[name].min() / sizes[name][0]:.3f} to {sizes[name].max() / sizes[name][0]:.3f}",
            f"{s.run.ledger.newton_iterations[1:].mean():.1f}",
            str(s.halved),
            f"{s.cost:.0f}",
        )
        for name, s in swings.items()
    ]
    start = avf.run.ledger.total[0]
    rows.append(
        (
            f"symplectic Euler, h / {FINE}, {COMPARED:g} s",
            f"{np.abs(energy / start - 1).max():.1e}",
            "–",
            f"{energy[-1] / start:.3g}",
            f"{np.linalg.norm(L - spins['avf'][0], axis=1).max() / sizes['avf'][0]:.1e}",
            "–",
            "–",
            "–",
            "–",
        )
    )
    columns = (
        "method",
        "drift of H",
        "10 H₀ at (s)",
        "H at the end",
        "drift of L",
        "|L|, of its start",
        "Newton",
        "halved",
        "s",
    )
    table = Table(
        f"The dragon at {RATE:g} rad/s, {STEPS} steps of 1/30 s, {avf.run.positions.shape[1]} nodes",
        columns,
        tuple(rows),
    )
    notes = (
        "The paper: AVF's angular momentum oscillates with a small amplitude about its value; midpoint keeps it and "
        "explodes.",
        f"At 4 rad/s midpoint's energy stays within {slow.drift:.1%} of the start's, and nothing explodes.",
    )
    files = (_plot(out, swings, sizes, (t, np.linalg.norm(L, axis=1), energy)), _picture(out, swings, nodes))
    title = "The spinning dragon (Rojas et al. 2018, figures 7 and 8)"
    return Report("spinning-dragon", title, checks, (table,), files, notes)


def _plot(out: Path, swings: Mapping[str, Swing], sizes: Mapping[str, Array], fine: tuple[Array, Array, Array]) -> Path:
    figure, (left, right) = panels(1, 2, width=4.8, height=3.4)
    for name, s in swings.items():
        left.plot(s.run.ledger.t, sizes[name], color=STYLES[name], linewidth=1.6, label=LABELS[name])
        right.plot(s.run.ledger.t, s.energy, color=STYLES[name], linewidth=1.6)
    t, size, energy = fine
    left.plot(
        t, size, color=STYLES["reference"], linestyle=(0, (3, 2)), linewidth=1.2, label="symplectic Euler, tiny steps"
    )
    right.plot(
        t, energy / swings["avf"].run.ledger.total[0], color=STYLES["reference"], linestyle=(0, (3, 2)), linewidth=1.2
    )
    top = 1.6 * float(sizes["avf"].max())
    left.set(xlabel="time (s)", ylabel="|L| about the fixed point (kg m²/s)", ylim=(0, top))
    left.set_title("Angular momentum (figure 8)", fontsize=9, loc="left")
    left.legend(frameon=False, fontsize=7, loc="upper right", ncols=2)
    right.set(xlabel="time (s)", ylabel="total energy, of the start's", yscale="log")
    right.set_title("Energy", fontsize=9, loc="left")
    return save(figure, out / "spinning-dragon.png")


def _picture(out: Path, swings: Mapping[str, Swing], nodes: int) -> Path:
    scene = gallery.scene("spinning-dragon", nodes=nodes)
    shown = {LABELS[name]: motion(s.run, scene, STYLES[name]) for name, s in swings.items()}
    times = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0)
    return strips(out / "spinning-dragon-frames.png", shown, times, shown["AVF"], size=(260, 260))

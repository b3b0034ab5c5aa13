"""A body in free flight: what the step takes of its fall, and what aiming at the energy alone gives back as vibration.

Implicit Euler, and every method with its positions, falls m g^2 h^2 / 2 too deep per step. The force difference of a
rigid fall is zero, so no weight corrects this; but a search that aims at H itself puts the missing energy into
whatever vibrates. The flight and the shadow measure count what the positions keep.
"""

from pathlib import Path

import numpy as np

from ..core.arrays import Array
from ..energy.targets import MEASURES, Conserve
from ..integrators.base import Integrator, create
from ..materials import Corotated
from ..meshes import box
from ..scene import Scene, Solid
from ..simulation import Run, simulate
from ..solvers.newton import NewtonSolver
from .plots import COLOURS, panels, save
from .report import Check, Report, Table

GRAVITY = 9.81
H = 1 / 120
STEPS = 120
MASS = 8.0
STRETCH = 0.01
SOLVER = NewtonSolver(tolerance=1e-9, linear_tolerance=1e-10)
LABELS = {
    "implicit-euler": "implicit Euler",
    "bdf2": "BDF2",
    "plain": "A-search, plain",
    "flight": "A-search, flight",
    "shadow": "A-search, shadow",
}


def methods() -> dict[str, Integrator]:
    searches = {m: create("a-search", target=Conserve(measure=m)) for m in MEASURES}
    return {"implicit-euler": create("implicit-euler"), "bdf2": create("bdf2"), **searches}


def falling(stretch: float = 0.0) -> Scene:
    """A cube of 20 cm and 8 kg, let go stretched by a share of its height."""
    mesh = box(size=(0.2, 0.2, 0.2), cells=(2, 2, 2))
    start = np.array(mesh.vertices) * (1.0, 1.0 + stretch, 1.0)
    body = Solid(mesh, Corotated(youngs=1e5, poisson=0.3), density=1000.0, start=start, name="cube")
    return Scene((body,), gravity=(0.0, -GRAVITY, 0.0))


def fall(method: Integrator, stretch: float = 0.0, steps: int = STEPS) -> Run:
    return simulate(falling(stretch), integrator=method, step=H, steps=steps, solver=SOLVER)


def vibration(run: Run) -> Array:
    """Energy about the centre's own motion, in every recorded frame (J)."""
    kinetic_of_centre = 0.5 * (run.ledger.momentum**2).sum(axis=1) / MASS
    return np.abs(run.ledger.kinetic + run.ledger.elastic - kinetic_of_centre)


def run(out: Path, *, full: bool = False) -> Report:
    still = {name: fall(method) for name, method in methods().items()}
    ringing = {name: fall(method, STRETCH) for name, method in methods().items()}
    per_step = 0.5 * MASS * GRAVITY**2 * H**2
    rows = []
    for name, r in still.items():
        book = r.ledger
        drop = float(r.positions[0, :, 1].mean() - r.positions[-1, :, 1].mean())
        speed = float(np.linalg.norm(book.momentum[-1])) / MASS
        missed = abs(book.measured[-1] - book.target[-1])
        loud = vibration(ringing[name])
        rows.append(
            (
                LABELS[name],
                f"{100 * (speed / np.sqrt(2 * GRAVITY * drop) - 1):+.3f} %",
                f"{book.integrator_loss[1:].sum():.4f}",
                "–" if np.isnan(missed) else f"{missed:.1e}",
                f"{loud[0]:.4f}",
                f"{loud[-1]:.4f}",
            )
        )
    euler = still["implicit-euler"].ledger
    loss = euler.integrator_loss[1:]
    checks = [
        Check(
            "implicit Euler: loss per step from m g² h² / 2, relative",
            float(np.abs(loss / per_step - 1).max()),
            1e-9,
            kind="at most",
        )
    ]
    for name in ("flight", "shadow"):
        book = still[name].ledger
        missed = float(np.abs(book.measured[1:] - book.target[1:]).max() / book.kinetic[-1])
        checks.append(
            Check(f"A-search, {name}: distance from its target, of the kinetic energy", missed, 1e-9, kind="at most")
        )
    gained = {name: float(vibration(r)[-1] - vibration(r)[0]) / (STEPS * per_step) for name, r in ringing.items()}
    checks += [
        Check("let go stretched, plain: share of the fall's loss that vibration gains", gained["plain"], 1.0, 1e-3),
        Check("let go stretched, flight: share of the fall's loss that vibration gains", gained["flight"], 0.0, 1e-6),
    ]
    columns = ("method", "speed for its drop", "H lost (J)", "target missed (J)", "vibration before (J)", "after (J)")
    table = Table(
        f"{STEPS * H:g} s of free flight, h = 1/{1 / H:.0f} s, {MASS:g} kg; vibration: let go {STRETCH:.0%} stretched",
        columns,
        tuple(rows),
    )
    notes = (
        f"m g² h² / 2 is {per_step:.6f} J a step, {STEPS * per_step:.4f} J in all. Aimed at H, the search cannot give "
        "it back to a rigid fall, and gives it to vibration as soon as there is any.",
    )
    title = "A body in free flight"
    return Report("free-fall", title, tuple(checks), (table,), (_plot(out, still, ringing),), notes)


def _plot(out: Path, still: dict[str, Run], ringing: dict[str, Run]) -> Path:
    figure, (left, right) = panels(1, 2, width=4.6, height=3.4)
    for name, r in still.items():
        colour = "#444444" if name == "bdf2" else COLOURS[name]
        if name in ("implicit-euler", "bdf2"):
            left.plot(r.ledger.t, np.cumsum(r.ledger.integrator_loss), color=colour, linewidth=1.8)
        loud = np.maximum(vibration(ringing[name]), 1e-9)
        right.plot(r.ledger.t, loud, color=colour, linewidth=1.8, label=LABELS[name])
    left.text(0.5, 1.8, "implicit Euler and A-search\nin all three measures ", fontsize=8, ha="right")
    left.text(0.98, 0.12, "BDF2", fontsize=8, ha="right", color="#444444")
    left.set(xlabel="time (s)", ylabel="H lost since the start (J)")
    left.set_title("A cube at rest falls", fontsize=9, loc="left")
    right.set(xlabel="time (s)", ylabel="energy of vibration (J)", yscale="log", ylim=(1e-4, 10.0))
    right.set_title(f"A cube let go {STRETCH:.0%} stretched falls", fontsize=9, loc="left")
    right.legend(frameon=False, fontsize=8, loc="lower right")
    return save(figure, out / "free-fall.png")

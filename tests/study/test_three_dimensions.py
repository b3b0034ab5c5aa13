"""The studies of bodies, small and short: what they claim holds, and what they read is right."""

from pathlib import Path

import numpy as np
import pytest

from jounce import study
from jounce.integrators.base import create
from jounce.meshes import box
from jounce.scene.motion import rotation
from jounce.solvers.newton import NewtonSolver
from jounce.study import free_fall, pulled_hare, recovery, rotating_cube, spinning_dragon


def png(path: Path) -> bool:
    return path.read_bytes()[:4] == b"\x89PNG"


def test_free_fall_passes_and_draws(tmp_path: Path) -> None:
    report = study.reproduce("free-fall", tmp_path)
    assert [c.name for c in report.checks if not c.passed] == []
    assert all(png(f) for f in report.files)


def test_bdf2_loses_the_fall_of_its_first_step_only() -> None:
    lost = free_fall.fall(create("bdf2"), steps=12).ledger.integrator_loss[1:]
    per_step = 0.5 * free_fall.MASS * (free_fall.GRAVITY * free_fall.H) ** 2
    assert lost.sum() == pytest.approx(1.5 * per_step, rel=1e-3)


@pytest.fixture(scope="module")
def turned() -> dict[str, rotating_cube.Turning]:
    low = rotating_cube.hanging(5e4, 3)
    methods = rotating_cube.methods(full=False)
    return {name: rotating_cube.turn(m, 5e4, low, cells=3, seconds=3.0) for name, m in methods.items()}


def test_searches_never_exceed_their_target(turned: dict[str, rotating_cube.Turning]) -> None:
    for name in ("plain", "flight"):
        assert turned[name].missed.max() < 1e-9
    assert turned["shadow"].missed.max() < rotating_cube.UNREACHED


def test_flight_measure_meets_its_target_where_the_plain_one_cannot(turned: dict[str, rotating_cube.Turning]) -> None:
    near = {name: np.mean(np.abs(turned[name].missed) < 0.02) for name in ("plain", "flight")}
    assert near["flight"] > 0.85
    assert near["plain"] < 0.7


def test_cube_turns_on_or_stops_or_explodes(turned: dict[str, rotating_cube.Turning]) -> None:
    for name in ("plain", "flight", "a-1"):
        assert turned[name].turns > 5.0
        assert turned[name].energy[-1] > 0.7
    for name in ("bdf2", "implicit-euler"):
        assert turned[name].turns < 1.0
        assert turned[name].energy[-1] < 0.2
    wild = turned["implicit-midpoint"]
    assert not wild.run.outcome.ok or wild.energy.max() > 2.0


def test_angular_momentum_of_the_cube_starts_as_that_of_a_turning_rigid_body(
    turned: dict[str, rotating_cube.Turning],
) -> None:
    t = turned["a-1"]
    system = t.run.system
    x = system.positions(t.run.states[0]) - rotating_cube.EDGE
    inertia = float((system.masses * (x[:, 0] ** 2 + x[:, 1] ** 2)).sum())  # type: ignore[attr-defined]
    assert t.spin[0] == pytest.approx(15.0 * inertia, rel=1e-12)


def test_cube_study_draws(turned: dict[str, rotating_cube.Turning], tmp_path: Path) -> None:
    assert png(rotating_cube.plot(tmp_path, {"soft": turned}))
    assert len(rotating_cube.row("a", turned["plain"])) == 11


def test_avf_keeps_the_energy_of_the_hare_and_midpoint_does_not() -> None:
    kept = pulled_hare.swing("pulled-hare", "avf", 20, nodes=500)
    assert kept.drift < 1e-10
    assert kept.halved == 0
    assert np.isinf(kept.exploded)
    wild = pulled_hare.swing("pulled-hare", "trapezoidal", 40, nodes=500)
    assert wild.exploded < 1.4


def test_avf_nearly_keeps_the_angular_momentum_of_the_dragon_and_midpoint_keeps_it() -> None:
    centre = spinning_dragon.fixed_point(300)
    runs = {m: pulled_hare.swing("spinning-dragon", m, 12, nodes=300) for m in ("avf", "implicit-midpoint")}
    wander = {m: spinning_dragon.wander(spinning_dragon.spin(s.run, centre)) for m, s in runs.items()}
    assert runs["avf"].drift < 1e-10
    assert 1e-6 < wander["avf"] < 0.01
    assert wander["implicit-midpoint"] < 1e-9


def test_one_step_per_frame_is_enough_for_ours_and_not_for_textbook_newton() -> None:
    assert recovery.frames_converged(0.0, NewtonSolver(), cells=8)[0] == recovery.FRAMES
    assert recovery.frames_converged(0.0, recovery.TEXTBOOK, cells=8)[0] < recovery.FRAMES


def test_stiff_cubes_lose_all_inverted_elements_in_one_step() -> None:
    for start in ("random-start", "point-start"):
        found = recovery.recover(start, 1e9, cells=4, steps=3)
        assert found.steps == 1
        assert found.inverted[0] > 0.4 * found.elements


def test_a_point_unfolds_to_the_cube() -> None:
    assert recovery.recover("point-start", 1e9, cells=4).off < 1e-6


def test_distance_is_free_of_rotation_and_shift_and_counts_the_rest() -> None:
    x = np.asarray(box(size=(1.0, 1.0, 1.0), cells=(2, 2, 2)).vertices)
    turned = x @ rotation(np.array([0.6, 0.0, 0.8]), 2.0).T + (1.0, 2.0, 3.0)
    assert recovery.distance(turned, x) < 1e-14
    size = np.sqrt((x**2).sum(axis=1).mean())
    assert recovery.distance(1.1 * turned, x) == pytest.approx(0.1 * size, rel=1e-12)
    mirrored = x * (-1.0, 1.0, 1.0)
    assert recovery.distance(mirrored, np.vstack([x[:-1], [[5.0, 6.0, 7.0]]])) > 0.1


def test_inverted_counts_flat_and_turned_elements() -> None:
    mesh = box(size=(1.0, 1.0, 1.0), cells=(1, 1, 1))
    x = np.asarray(mesh.vertices)
    assert recovery.inverted(x, mesh.tets) == 0
    assert recovery.inverted(0.0 * x, mesh.tets) == len(mesh.tets)
    assert recovery.inverted(-x, mesh.tets) == len(mesh.tets)

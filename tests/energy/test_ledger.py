"""The ledger's columns against closed forms."""

import numpy as np
import pytest

import jounce as jn
from jounce.core.mass import DiagonalMass
from jounce.core.mechanics import Changes, Mechanics
from jounce.core.potential import Linear, Quadratic
from jounce.energy.ledger import COLUMNS, Energies, Ledger

from ..systems import bar

TIGHT = jn.NewtonSolver(tolerance=1e-11, linear_tolerance=1e-13)
OMEGA2 = 9.0


def oscillator(**options):
    return jn.AnalyticSystem(
        2.0,
        lambda q: OMEGA2 * q @ q,
        lambda q: 2 * OMEGA2 * q,
        lambda q: 2 * OMEGA2 * np.eye(1),
        q=[0.3],
        v=[-1.0],
        **options,
    )


def test_implicit_euler_on_an_oscillator_loses_what_the_closed_form_says():
    """One step divides the energy by 1 + h^2 omega^2."""
    h = 0.05
    run = jn.simulate(oscillator(), integrator="implicit-euler", step=h, steps=40, solver=TIGHT)
    energy = run.ledger.total[0] * (1 + h**2 * OMEGA2) ** -np.arange(41.0)
    np.testing.assert_allclose(run.ledger.total, energy, rtol=1e-11)
    np.testing.assert_allclose(run.ledger.integrator_loss[1:], -np.diff(energy), rtol=1e-9)
    assert run.ledger.residual().max() < 1e-14


def test_sums_over_steps_are_the_change_of_the_energy():
    push = jn.Force(total=(0, 3.0, 0), begin=0.02)
    scene = bar(damping=jn.Rayleigh(mass=2.0, stiffness=1e-3), gravity=(0, -9.8, 0), forces=(push,))
    ledger = jn.simulate(scene, integrator="a-search", step=1 / 120, steps=30).ledger
    total = ledger.total[-1] - ledger.total[0]
    booked = [ledger[c].sum() for c in ("work", "friction_loss", "damping_loss", "integrator_loss")]
    assert total == pytest.approx(booked[0] - sum(booked[1:]), rel=1e-10)
    assert booked[0] != 0
    assert booked[2] > 0
    parts = ledger.kinetic + ledger.elastic + ledger.gravity + ledger.contact
    np.testing.assert_allclose(ledger.total, parts, rtol=1e-14)


def test_a_constant_load_works_by_force_times_path():
    scene = bar(clamped=False, spin=0.0, forces=(jn.Force(total=(0.0, 0.0, 5.0)),))
    run = jn.simulate(scene, integrator="implicit-euler", step=1 / 240, steps=24, solver=TIGHT)
    masses = run.system.masses
    assert run.ledger.momentum[-1, 2] == pytest.approx(5.0 * 0.1, rel=1e-9)
    path = (masses @ run.positions[..., 2].T) / masses.sum()
    np.testing.assert_allclose(np.cumsum(run.ledger.work)[1:], 5.0 * (path[1:] - path[0]), rtol=1e-9)


def test_a_load_that_changes_within_a_step_works_at_its_middle():
    loads = Linear(lambda c: np.array([c, 2.0]))
    mech = Mechanics(mass=DiagonalMass(np.ones(2)), elastic=Quadratic(np.zeros((2, 2))), loads=loads)
    changes = mech.changes(np.zeros(2), np.array([3.0, -1.0]), 0.1)
    assert changes == Changes(0.5 * 3.0 - 2.0, 0.0, 0.0)
    assert changes.net == pytest.approx(-0.5)


def test_a_linear_damper_takes_c_times_the_square_of_the_mean_velocity():
    system = oscillator(damping=lambda q: [[0.7]])
    run = jn.simulate(system, integrator="trapezoidal", step=0.01, steps=50, solver=TIGHT)
    speeds = np.diff(run.q[:, 0]) / 0.01
    np.testing.assert_allclose(run.ledger.damping_loss[1:], 0.7 * speeds**2 * 0.01, rtol=1e-10)
    assert np.abs(run.ledger.integrator_loss).max() < 1e-12 * run.ledger.total[0]


def test_friction_and_wind_are_booked_apart():
    mech = Mechanics(
        mass=DiagonalMass(np.ones(1)),
        elastic=Quadratic(np.zeros((1, 1))),
        friction=Quadratic(np.array([[2.0]])),
        damping=Quadratic(np.array([[3.0]])),
        wind=Quadratic(np.array([[4.0]]), np.array([5.0])),
    )
    q1, h = np.array([0.2]), 0.1  # a mean velocity of 2 m/s
    changes = mech.changes(np.zeros(1), q1, h)
    assert changes.friction == pytest.approx(2.0 * 2.0 * 0.2)
    assert changes.damping == pytest.approx(3.0 * 2.0 * 0.2)
    assert changes.work == pytest.approx(4.0 * (5.0 - 2.0) * 0.2)


def test_a_scripted_clamp_works_by_its_force():
    """A bar dragged at one end: its energy came through the clamp, but for what the method adds."""
    material, losses = jn.StableNeoHookean(youngs=1e5, poisson=0.3), []
    for n in (20, 40):
        clamp = jn.Clamp(nodes=lambda x: x[:, 0] < -0.15 + 1e-9, path=jn.Translate(velocity=(-0.2, 0, 0)))
        scene = jn.Scene((jn.Solid(bar().bodies[0].mesh, material, clamps=(clamp,)),), gravity=(0, 0, 0))
        ledger = jn.simulate(scene, integrator="trapezoidal", step=0.01 / n, steps=n, solver=TIGHT).ledger
        assert ledger.residual().max() < 1e-12
        gained = ledger.total[-1] - ledger.total[0]
        assert gained > 0
        losses.append(abs(ledger.integrator_loss.sum()) / gained)
    assert losses[1] < 0.5 * losses[0] < 1e-5


def test_rows_for_files_are_flat_numbers_named_by_component():
    ledger = Ledger()
    ledger.open(0.0, Energies(1.0, 2.0, 3.0, 4.0), np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    parts, none, changes = Energies(1.0, 2.0, 3.0, 3.0), np.zeros(3), Changes(0.5, 0.2, 0.1)
    ledger.add(0.1, parts, none, none, changes, target=9.0, measured=9.1, alpha=0.8, reports=())
    first, second = ledger.rows()
    names = [c for c in COLUMNS if "momentum" not in c]
    assert list(first) == names + [f"{m}_{i}" for m in ("momentum", "angular_momentum") for i in range(3)]
    assert all(np.ndim(x) == 0 for x in second.values())
    assert first["total"] == 10.0
    assert first["angular_momentum_2"] == 6.0
    assert second["integrator_loss"] == pytest.approx(1.0 + 0.5 - 0.2 - 0.1)
    assert len(ledger) == 2
    assert ledger.last()["alpha"] == 0.8


def test_unknown_columns_are_answered_with_the_list():
    with pytest.raises(KeyError, match="no column 'speed'; it has t, kinetic"):
        Ledger()["speed"]
    with pytest.raises(AttributeError, match="no column 'speed'"):
        _ = Ledger().speed

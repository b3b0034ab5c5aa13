"""Modal energies add up to the energy, and bars vibrate at the frequencies of bar and beam theory."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes
from jounce.energy.spectrum import modal_energies, modes, spectrum

YOUNGS, DENSITY, LENGTH = 1e6, 1000.0, 1.0


def linear_chain(mass):
    K = np.diag([30.0, 50.0, 20.0]) - 8.0 * (np.eye(3, k=1) + np.eye(3, k=-1))
    q, v = np.array([0.1, -0.3, 0.2]), np.array([1.0, 0.5, -2.0])
    system = jn.AnalyticSystem(mass, lambda q: 0.5 * q @ K @ q, lambda q: K @ q, lambda q: K, q=q, v=v)
    return system, K


@pytest.mark.parametrize("mass", [np.array([1.0, 2.0, 0.5]), np.diag([2.0, 1.0, 3.0]) + 0.4], ids=["lumped", "dense"])
def test_all_modes_of_a_linear_system_hold_its_energy(mass):
    system, _ = linear_chain(mass)
    state = system.initial_state()
    at_rest = jn.State(0.0, np.zeros(3), np.zeros(3))
    found = spectrum(system, state, rest=at_rest)
    mech, _ = system.prepare(state, 0.1)
    assert found.energies.sum() == pytest.approx(mech.energy(state), rel=1e-12)
    assert found.energies.min() > 0


def test_each_mode_keeps_its_energy_in_free_vibration():
    """Along the exact solution, sum of cosines in the eigenvectors, written with numpy alone."""
    system, K = linear_chain(np.ones(3))
    w2, V = np.linalg.eigh(K)
    w, mech = np.sqrt(w2), system.prepare(system.initial_state(), 0.1)[0]
    found = modes(mech, np.zeros(3))
    np.testing.assert_allclose(found.frequencies, w, rtol=1e-12)
    a, b = V.T @ system.q, V.T @ np.asarray(system.v)
    for t in (0.0, 0.37, 2.1):
        q = V @ (a * np.cos(w * t) + b / w * np.sin(w * t))
        v = V @ (b * np.cos(w * t) - a * w * np.sin(w * t))
        np.testing.assert_allclose(modal_energies(found, q, v), 0.5 * (b**2 + w2 * a**2), rtol=1e-11)


def beam(cells, thickness=0.1, **options):
    mesh = meshes.box(size=(LENGTH, thickness, thickness), cells=cells)
    clamp = jn.Clamp(nodes=lambda x: x[:, 0] < x[:, 0].min() + 1e-9)
    material = jn.StableNeoHookean(youngs=YOUNGS, poisson=0.0)
    return jn.Solid(mesh, material, density=DENSITY, clamps=(clamp,), name="beam", **options)


def lowest(cells, count):
    system = jn.build(jn.Scene((beam(cells),), gravity=(0, 0, 0)))
    mech, start = system.prepare(system.initial_state(), 1e-3)
    return modes(mech, start.q, count)


def test_a_clamped_bar_stretches_at_a_quarter_wave():
    """omega = (pi / 2) sqrt(E / rho) / L, within 0.5 % on 16 cells, and four times nearer than on 8 (second order)."""
    exact = 0.5 * np.pi * np.sqrt(YOUNGS / DENSITY) / LENGTH
    errors = []
    for n in (8, 16):
        found = lowest((n, 1, 1), 8)
        along = (found.vectors[0::3] * found.weighted[0::3]).sum(axis=0)
        errors.append(abs(found.frequencies[np.argmax(along > 0.95)] / exact - 1))
        assert along.max() > 0.95
    assert errors[1] < 5e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.25)


def test_a_clamped_beam_bends_at_its_frequency_as_cells_shrink():
    """omega = 1.8751^2 sqrt(E I / (rho A L^4)): linear tets are too stiff, with an error of second order."""
    exact = 1.87510**2 * np.sqrt(YOUNGS * 0.1**2 / (12 * DENSITY)) / LENGTH**2
    coarse, fine = (lowest((n, n // 10, n // 10), 2).frequencies[0] / exact for n in (20, 40))
    assert coarse > fine > 1.0
    assert fine + (fine - coarse) / 3 == pytest.approx(1.0, abs=0.05)


def test_one_body_of_two_has_its_own_modes():
    rubber = jn.StableNeoHookean(youngs=5e5, poisson=0.3)
    box = meshes.box(size=(0.2, 0.2, 0.2), cells=(1, 1, 1))
    cube = jn.Solid(box, rubber, position=(0, 3, 0), velocity=(1.0, 0, 0), density=800.0, name="cube")
    both = jn.build(jn.Scene((beam((4, 1, 1)), cube), gravity=(0, 0, 0)))
    single = jn.build(jn.Scene((beam((4, 1, 1)),), gravity=(0, 0, 0)))
    alone = spectrum(single, single.initial_state())
    state = both.initial_state()
    np.testing.assert_allclose(spectrum(both, state, body="beam").frequencies, alone.frequencies, rtol=1e-9)
    found = spectrum(both, state, body="cube")
    assert np.all(found.frequencies[:6] < 1e-2 * found.frequencies[6])
    assert found.energies[:6].sum() == pytest.approx(0.5 * 800.0 * 0.2**3, rel=1e-9)
    assert found.energies[6:].sum() == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ValueError, match="no body named 'cub'; did you mean 'cube'"):
        spectrum(both, state, body="cub")
    with pytest.raises(ValueError, match="at least one mode; count is 0"):
        spectrum(both, state, 0)

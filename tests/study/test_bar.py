"""The bouncing bar: derivatives, modes, and entries of table 2 of You et al. 2026."""

import numpy as np
import pytest

from jounce.study.bar import WAVE_SPEEDS, Bar, WallBarrier
from jounce.study.table_2 import check, final_speed

REST = np.linspace(0.0, 1.0, 31)


@pytest.mark.parametrize("potential", [Bar(10.0), WallBarrier()], ids=["bar", "barrier"])
def test_derivatives_match_finite_differences(potential) -> None:
    rng = np.random.default_rng(0)
    q = REST + 0.003 * rng.standard_normal(31)
    q[0] = 0.004
    e = 1e-6
    steps = e * np.eye(31)
    slope = np.array([potential.value(q + d) - potential.value(q - d) for d in steps]) / (2 * e)
    gradient = potential.gradient(q)
    np.testing.assert_allclose(gradient, slope, atol=1e-6 * np.abs(gradient).max())
    bend = np.array([potential.gradient(q + d) - potential.gradient(q - d) for d in steps]) / (2 * e)
    hessian = potential.hessian(q) if isinstance(potential, Bar) else potential.hessian(q, psd=False)
    np.testing.assert_allclose(hessian, bend, atol=1e-6 * np.abs(hessian).max())


def test_barrier_is_nothing_beyond_its_reach_and_infinite_behind_the_wall() -> None:
    barrier = WallBarrier()
    assert barrier.value(REST + 0.01) == 0.0
    assert barrier.hessian(REST + 0.01, psd=True) is None
    assert barrier.value(REST - 1e-9) == np.inf


def test_modes_are_those_of_a_free_chain_and_the_spectrum_sums_to_the_energy() -> None:
    bar = Bar(10.0)
    squared, modes = bar.modes
    k, m = 4 * bar.modulus / (2 * bar.rest), bar.masses[1]
    expected = 4 * k / m * np.sin(np.arange(31) * np.pi / 60) ** 2
    np.testing.assert_allclose(squared, expected, atol=1e-9 * expected.max())
    np.testing.assert_allclose(modes.T @ (bar.masses[:, None] * modes), np.eye(31), atol=1e-12)
    rng = np.random.default_rng(1)
    u, v = 1e-6 * rng.standard_normal(31), 1e-4 * rng.standard_normal(31)
    total = bar.value(REST + u) + 0.5 * bar.masses @ v**2
    assert bar.spectrum(REST + u, v).sum() == pytest.approx(total, rel=1e-3)
    assert bar.spectrum(REST, np.full(31, -1.0))[0] == pytest.approx(5.0)


def test_longest_step_stops_short_of_wall_and_inversion() -> None:
    bar = Bar(1.0)
    start = REST + 0.02
    assert bar.longest_step(start, start - 0.01) == 1.0
    assert bar.longest_step(start, start - 0.04) == pytest.approx(0.45)
    squeezed = start.copy()
    squeezed[15:] -= 2 / 30
    assert bar.longest_step(start, squeezed) == pytest.approx(0.45)


def test_drag_of_the_bar_at_rest_is_proportional_to_mass() -> None:
    bar = Bar(1.0, damping=0.05)
    np.testing.assert_allclose(bar.drag(REST), 0.05 * np.diag(bar.masses), rtol=1e-12)


@pytest.mark.parametrize("case", WAVE_SPEEDS)
@pytest.mark.parametrize("method", ["bdf2", "a-1"])
@pytest.mark.parametrize("rate", [30, 300])
def test_table_2(case: str, method: str, rate: int) -> None:
    entry = check(case, method, rate, final_speed(case, method, rate))
    assert entry.passed, entry


def test_search_keeps_the_speed_of_a_stiff_bar_at_huge_steps() -> None:
    assert final_speed("stiff", "a-search", 30) >= 0.9995

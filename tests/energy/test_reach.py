"""Which weight a parabola of energies is answered with."""

import numpy as np
import pytest

from jounce.core.mass import DiagonalMass
from jounce.energy.measure import EnergyForm, Parabola


def with_roots(r, s, a=2.0):
    return Parabola(a, -a * (r + s), a * r * s)


PAIRS = [((0.9, 3.0), 0.9), ((-1.0, 1.05), 1.05), ((0.2, 1.5), 1.5), ((0.6, 1.5), 0.6)]


@pytest.mark.parametrize(("roots", "nearer"), PAIRS)
def test_the_root_nearer_to_one_is_taken(roots, nearer):
    assert with_roots(*roots).reach(0.0, -10.0, 10.0) == pytest.approx(nearer)


def test_the_level_is_met_at_the_root():
    parabola = Parabola(1.3, -2.1, 5.0)
    assert parabola(parabola.reach(4.5, -10.0, 10.0)) == pytest.approx(4.5, rel=1e-14)


def test_without_a_real_root_the_vertex_is_nearest():
    parabola = Parabola(2.0, -2.8, 10.0)
    alpha = parabola.reach(1.0, 0.0, 1.1)
    assert alpha == pytest.approx(0.7)
    assert parabola(alpha) < min(parabola(alpha - 0.01), parabola(alpha + 0.01))


def test_roots_outside_the_range_are_clipped_to_it():
    assert with_roots(1.4, 5.0).reach(0.0, 0.0, 1.1) == 1.1
    assert with_roots(-0.3, -2.0).reach(0.0, 0.0, 1.1) == 0.0
    assert Parabola(1.0, 4.0, 9.0).reach(0.0, 0.0, 1.1) == 0.0


@pytest.mark.parametrize("tiny", [0.0, 1e-18])
def test_without_a_correction_to_make_alpha_is_one(tiny):
    assert Parabola(tiny, -tiny, 3.0).reach(2.0, 0.0, 1.1) == 1.0
    assert Parabola(tiny, -tiny, 3.0).reach(2.0, 0.0, 0.5) == 0.5


@pytest.mark.parametrize("tilt", [None, np.array([0.3, -1.0, 2.0])])
def test_the_parabola_is_the_energy_along_the_correction(tilt):
    rng = np.random.default_rng(1)
    mass, w, d = DiagonalMass(np.array([1.0, 2.0, 0.5])), rng.standard_normal(3), rng.standard_normal(3)
    form = EnergyForm(mass, 7.0, tilt)
    parabola = form.along(w, d)
    for alpha in (-0.5, 0.0, 0.8, 1.1):
        v = w - alpha * d
        by_hand = 7.0 + 0.5 * np.sum(mass.diagonal * v**2) - (0.0 if tilt is None else tilt @ v)
        assert parabola(alpha) == pytest.approx(by_hand, rel=1e-13)

"""The quick reproductions pass all their checks and draw."""

from pathlib import Path

import numpy as np
import pytest

from jounce import study
from jounce.integrators.runge_kutta import IMPLICIT_EULER
from jounce.study import appendix_c, appendix_e, avf_1d


@pytest.mark.parametrize(("name", "files"), [("appendix-c", 1), ("appendix-e", 1)])
def test_reproduction_passes_and_writes_its_figures(name: str, files: int, tmp_path: Path) -> None:
    report = study.reproduce(name, tmp_path / "new")
    assert [c.name for c in report.checks if not c.passed] == []
    assert len(report.files) == files
    assert all(f.read_bytes()[:4] == b"\x89PNG" for f in report.files)


def test_stability_functions_give_the_trace_of_implicit_euler() -> None:
    for hbar in (0.1, 3.0, 1e3):
        assert appendix_c.stability_trace(IMPLICIT_EULER, hbar) == pytest.approx(1 + 1 / (1 + hbar), rel=1e-13)


def test_search_velocities_reduce_to_the_closed_form_at_the_true_energy() -> None:
    for beta in np.linspace(0, 1, 11):
        for alpha_max in (1.0, 1.1, 2.0):
            ours = appendix_e.search_velocities(float(beta), alpha_max)
            np.testing.assert_allclose(ours[1:4], appendix_e.closed_form(float(beta), alpha_max), atol=1e-14)


def test_search_told_too_high_an_energy_leaves_too_fast() -> None:
    assert appendix_e.search_velocities(0.5, 1.1, 1.2)[3] == pytest.approx(1.155, abs=1e-12)


@pytest.mark.parametrize("particle", [avf_1d.QUARTIC, avf_1d.SPRING], ids=["quartic", "spring"])
def test_avf_keeps_quartic_energies_to_roundoff(particle: avf_1d.Particle) -> None:
    assert np.abs(particle.drift("avf")).max() < 1e-12


def test_avf_step_has_one_root_at_small_steps_and_three_at_large_ones() -> None:
    assert [len(avf_1d.SPRING.roots(h)) for h in (0.02, 0.04, 0.06, 0.08, 0.1)] == [1, 1, 1, 3, 3]
    assert avf_1d.SPRING.roots(0.04)[0] == pytest.approx(1.101847, abs=1e-6)

"""The studies with contact, small and short: what they claim holds, and what they read is right."""

import numpy as np
import pytest

from jounce.study import bouncing_ball

NODES = 147


@pytest.fixture(scope="module")
def bounced() -> dict[str, bouncing_ball.Bounce]:
    low = bouncing_ball.lying(NODES)
    ways, seconds = bouncing_ball.methods(low), {"plain": 1.9, "flight": 1.0, "decay": 1.9, "bdf2": 1.0}
    return {
        name: bouncing_ball.bounce(ways[name], 1e6, low, nodes=NODES, seconds=length)
        for name, length in seconds.items()
    }


def test_rebounds_under_the_searches_and_bdf2(bounced: dict[str, bouncing_ball.Bounce]) -> None:
    assert bounced["plain"].rebound(0) == pytest.approx(1.0 - bouncing_ball.H * np.sqrt(9.8 / 2.0), abs=0.02)
    assert bounced["flight"].rebound(0) > 0.98
    assert 0.3 < bounced["bdf2"].rebound(0) < 0.55
    assert np.isnan(bounced["bdf2"].rebound(2))


def test_energy_in_flight_stays_in_its_band_and_decay_takes_no_more_than_asked(
    bounced: dict[str, bouncing_ball.Bounce],
) -> None:
    low, high = bounced["plain"].band
    assert low > -0.03
    assert high < 0.005
    assert bounced["decay"].band[0] > -0.005
    assert bounced["decay"].energy[-1] < 0.6


def test_peaks_between_frames_are_those_of_the_parabola(bounced: dict[str, bouncing_ball.Bounce]) -> None:
    b = bounced["plain"]
    t, y = b.rebounds[0]
    speed = -np.interp(t, b.t, b.run.ledger.momentum[:, 1]) / b.masses.sum()
    assert abs(speed) < 0.5 * 9.8 * bouncing_ball.H
    assert b.height[b.run.t > 0.6].max() <= y < b.height[b.run.t > 0.6].max() + 1e-4

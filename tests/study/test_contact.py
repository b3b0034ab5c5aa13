"""The studies with contact, small and short: what they claim holds, and what they read is right."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from jounce.scene.motion import rotation
from jounce.study import bouncing_ball, dice, splash, stairs, watched

from .test_three_dimensions import png

NODES = 147


@pytest.fixture(scope="module")
def bounced() -> dict[str, bouncing_ball.Bounce]:
    low = bouncing_ball.lying(NODES)
    ways = bouncing_ball.methods(low)
    shown = ("plain", "flight", "decay", "bdf2")
    return {name: bouncing_ball.bounce(ways[name], 1e6, low, nodes=NODES, seconds=1.0) for name in shown}


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
    assert bounced["decay"].left(0) > 0.0
    assert bounced["decay"].energy[-1] < 0.8


def test_peaks_between_frames_are_those_of_the_parabola(bounced: dict[str, bouncing_ball.Bounce]) -> None:
    b = bounced["plain"]
    t, y = b.rebounds[0]
    speed = -np.interp(t, b.t, b.run.ledger.momentum[:, 1]) / b.masses.sum()
    assert abs(speed) < 0.5 * 9.8 * bouncing_ball.H
    assert b.height[b.run.t > 0.6].max() <= y < b.height[b.run.t > 0.6].max() + 1e-4


def test_flight_leaves_out_contact_and_two_steps_after_it() -> None:
    book = SimpleNamespace(contact=np.array([0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0]))
    seen = watched.Watched(SimpleNamespace(ledger=book), 0.0)  # type: ignore[arg-type]
    assert seen.flight.tolist() == [False, True, False, False, False, False, True, True]


def test_vibration_is_what_the_centre_does_not_carry(bounced: dict[str, bouncing_ball.Bounce]) -> None:
    b = bounced["plain"]
    falling = b.flight & (b.t < 0.4)
    assert b.vibration[falling].max() < 1e-9 * b.scale
    n, v = 100, b.run.v[100].reshape(-1, 3)
    own = v - b.masses @ v / b.masses.sum()
    kinetic = 0.5 * float(b.masses @ (own**2).sum(axis=1))
    assert b.vibration[n] == pytest.approx(kinetic + b.run.ledger.elastic[n], rel=1e-9, abs=1e-12)


def test_pictures_of_the_ball_are_drawn(bounced: dict[str, bouncing_ball.Bounce], tmp_path: Path) -> None:
    assert png(bouncing_ball.plot(tmp_path, {"medium": bounced}))
    assert len(bouncing_ball.row("a", bounced["bdf2"])) == 10


def rolling(angle: float, frames: int) -> dice.Roll:
    """Dice that turn forwards by an angle from frame to frame while they move on."""
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    places = np.arange(dice.DICE)[:, None] * np.array([4.0, 0.0, 0.0])
    x = np.array([corners @ rotation(np.array([1.0, 0.0, 0.0]), f * angle).T for f in range(frames)])
    positions = (x[:, None] + places[None, :, None] + np.arange(frames)[:, None, None, None]).reshape(frames, -1, 3)
    masses = np.ones(positions.shape[1])
    run = SimpleNamespace(t=np.arange(frames), positions=positions, system=SimpleNamespace(masses=masses))
    return dice.Roll(run, 0.0)  # type: ignore[arg-type]


def test_turns_of_dice_are_counted_past_a_whole_one() -> None:
    r = rolling(0.3, 31)
    assert r.rolled == pytest.approx(np.full(dice.DICE, 9.0 / (2 * np.pi)), rel=1e-9)
    assert r.turned == pytest.approx(r.rolled, rel=1e-9)
    assert r.way == pytest.approx(np.full((dice.DICE, 3), 30.0), rel=1e-12)


def test_dice_without_friction_keep_their_way_and_searches_roll_more() -> None:
    rolls = {name: dice.roll(name, seconds=0.75, cells=1) for name in ("a-search", "bdf2")}
    for r in rolls.values():
        assert r.way[0, 2] == pytest.approx(dice.SPEED * 0.75, rel=1e-3)
    checks = dice.checks_of(rolls)
    assert [c.name for c in checks if not c.passed] == []
    assert dice.ways(rolls["a-search"]) > dice.ways(rolls["bdf2"])


def test_hare_on_stairs_keeps_the_energy_it_is_asked_to_keep(tmp_path: Path) -> None:
    ways = stairs.methods()
    falls = {name: stairs.fall(ways[name], nodes=150, seconds=0.5) for name in ("conserve", "fast", "implicit-euler")}
    ends = {name: f.energy[-1] for name, f in falls.items()}
    assert abs(ends["fast"] - ends["implicit-euler"]) < 0.5 * (ends["conserve"] - ends["implicit-euler"])
    assert ends["conserve"] == pytest.approx(1.0, abs=0.05)
    assert falls["conserve"].above < 0.005
    assert [c.name for c in watched.sound(falls) if not c.passed] == []
    assert png(stairs.plot(tmp_path, falls))


def test_columns_hold_until_the_hare_comes() -> None:
    s = splash.splash("bdf2", 0.225, columns=1, layers=3, cells=1, nodes=150)
    assert s.run.t[s.impact] == pytest.approx(np.sqrt(2 * 0.2 / 9.8), abs=1.5 * splash.H)
    assert s.slip < 1e-3 * s.run.t[s.impact]
    assert s.cubes.shape[1:] == (1, 3, 3)

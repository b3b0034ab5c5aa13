"""The loop: failed steps are taken in halves, runs stop with all good frames, and every frame is finite."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import jounce as jn
from jounce.core.outcome import Outcome, SolveReport
from jounce.integrators.base import Method, Step

from .systems import bar, chain


@dataclass(frozen=True, kw_only=True)
class Brittle(Method):
    """Free flight whose solve fails where a step is longer than `longest` (s) or ends later than `until` (s)."""

    name: ClassVar[str] = "brittle"
    longest: float = np.inf
    until: float = np.inf
    result: float = 0.0

    @property
    def order(self) -> int:
        return 1

    def step(self, mech, state, h, memory, solver):
        failed = h > self.longest * (1 + 1e-9) or state.t + h > self.until + 1e-9
        report = SolveReport(
            Outcome("stalled", "it is brittle. Be gentle.") if failed and not self.result else Outcome()
        )
        q = state.q + h * state.v
        return Step(state.moved(h, q + (self.result if failed else 0.0), state.v), (memory or 0) + 1, (report,))


def test_a_step_that_fails_is_taken_in_halves():
    run = jn.simulate(chain(), integrator=Brittle(longest=0.1 / 4), step=0.1, steps=3)
    assert run.outcome.ok
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(run.ledger.t, np.arange(13) * 0.025)
    np.testing.assert_allclose(run.q[-1], run.q[0] + 0.3 * run.v[0])
    assert run.memory == 12
    assert run.ledger.residual().max() < 1e-12


def test_halving_has_an_end_and_the_error_holds_all_good_frames():
    with pytest.raises(
        jn.SimulationError, match=r"stopped at t = 0\.2 s after 2 steps: stalled: it is brittle"
    ) as caught:
        jn.simulate(chain(), integrator=Brittle(until=0.2), step=0.1, steps=5)
    run = caught.value.run
    np.testing.assert_allclose(run.t, [0.0, 0.1, 0.2])
    assert np.all(np.isfinite(run.q))
    assert not run.outcome.ok
    assert len(run.ledger) == 3


def test_a_run_that_fails_within_a_step_keeps_the_halves_that_went_well():
    run = jn.simulate(chain(), integrator=Brittle(until=0.275), step=0.1, steps=5, on_failure="stop")
    assert run.outcome.kind == "stalled"
    np.testing.assert_allclose(run.end.t, 0.275)
    np.testing.assert_allclose(run.end.q, run.q[0] + run.end.t * run.v[0])


def test_no_halving_where_none_is_allowed():
    with pytest.raises(jn.SimulationError, match="after 0 steps"):
        jn.simulate(chain(), integrator=Brittle(longest=0.05), step=0.1, steps=1, halvings=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_never_enters_the_frames(bad):
    run = jn.simulate(chain(), integrator=Brittle(until=0.2, result=bad), step=0.1, steps=5, on_failure="stop")
    assert run.outcome.kind == "not finite"
    assert "smaller step" in run.outcome.message
    assert np.all(np.isfinite(run.q))
    assert np.all(np.isfinite(run.ledger.total))
    assert run.end.t == pytest.approx(0.2)


@pytest.mark.parametrize("name", ["explicit-euler", "symplectic-euler"])
def test_an_explicit_method_that_explodes_ends_with_finite_frames(name):
    with np.errstate(all="ignore"):
        run = jn.simulate(bar(spin=6.0), integrator=name, step=0.5, steps=300, halvings=2, on_failure="stop")
    assert not run.outcome.ok
    assert np.all(np.isfinite(run.q))
    assert np.all(np.isfinite(run.v))
    assert np.all(np.isfinite(run.ledger.total))


@pytest.mark.parametrize("broken", ["force", "path"])
def test_loads_and_paths_that_break_down_end_the_run_with_a_sentence(broken):
    def after(t, good):
        return good if t < 0.045 else good * np.nan

    parts = {
        "force": {"forces": (jn.Force(total=lambda t: after(t, np.array([1.0, 0.0, 0.0]))),)},
        "path": {"clamps": (jn.Clamp(nodes=[0, 1, 2, 3], path=lambda t, x: after(t, x)),)},
    }[broken]
    scene = bar(clamped=False)
    body = scene.bodies[0]
    scene = jn.Scene((jn.Solid(body.mesh, body.material, **parts),), gravity=(0.0, 0.0, 0.0))
    with np.errstate(all="ignore"):
        run = jn.simulate(scene, integrator="implicit-euler", step=0.01, steps=10, halvings=1, on_failure="stop")
    assert not run.outcome.ok
    assert 0.03 < run.end.t < 0.05
    assert np.all(np.isfinite(run.q))
    assert np.all(np.isfinite(run.ledger.total))


def test_on_step_sees_every_step_and_stops_the_run():
    seen = []

    def watch(state, ledger):
        seen.append((state.t, len(ledger)))
        return len(seen) < 3

    run = jn.simulate(chain(), integrator="bdf2", step=0.1, steps=10, on_step=watch, record_every=2)
    assert [n for _, n in seen] == [2, 3, 4]
    np.testing.assert_allclose(run.t, [0.0, 0.2, 0.3])
    assert run.outcome.ok


def test_a_run_of_no_steps_is_its_start():
    run = jn.simulate(bar(), integrator="bdf2", step=0.1, steps=0)
    assert run.t.tolist() == [0.0]
    assert run.outcome.ok


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": -0.1}, "time step must be a positive number of seconds; it is -0.1"),
        ({"step": float("nan")}, "time step must be a positive"),
        ({"steps": -1}, "steps must be a whole number of at least 0; it is -1"),
        ({"steps": 2.5}, "steps must be a whole number"),
        ({"record_every": 0}, "record_every must be a whole number of at least 1"),
        ({"halvings": -1}, "halvings must be a whole number of at least 0"),
        ({"on_failure": "stp"}, "on_failure is 'stp'; did you mean 'stop'"),
        ({"integrator": "bdf3"}, "no integrator named 'bdf3'; did you mean 'bdf2'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        jn.simulate(chain(), **{"integrator": "bdf2", "step": 0.1, "steps": 1, **options})


def test_what_is_neither_scene_nor_system_is_refused():
    with pytest.raises(TypeError, match="takes a Scene or a system; this is a Solid"):
        jn.simulate(bar().bodies[0], step=0.1, steps=1)

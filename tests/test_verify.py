"""A verified run: every committed step is looked at anew, and one that breaks a promise ends the run and is not kept."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import jounce as jn
from jounce import integrators, meshes
from jounce.integrators.base import Method, Step

from .systems import bar, chain

BLOCK = meshes.box(size=(0.1, 0.1, 0.1), cells=(1, 1, 1))
NEO = jn.NeoHookean(youngs=1e5, poisson=0.3)


def block(name, height, speed=0.0, across=0.0):
    return jn.Solid(BLOCK, NEO, position=(across, height, across), velocity=(0.0, speed, 0.0), name=name)


def two_blocks(speed=-1.0, gravity=(0.0, -9.8, 0.0)):
    bodies = (block("low", 0.0505), block("high", 0.16, speed, across=0.013))
    return jn.Scene(bodies, gravity=gravity, grounds=(jn.Ground(name="floor"),), contact=jn.Barrier(distance=1e-3))


@dataclass(frozen=True, kw_only=True)
class Blind(Method):
    """Free flight that claims to have resolved contact."""

    name: ClassVar[str] = "blind"

    @property
    def order(self) -> int:
        return 1

    def step(self, mech, state, h, memory, solver):
        return Step(state.moved(h, state.q + h * state.v, state.v))


def test_a_step_that_intersects_ends_the_run_with_the_bodies_the_place_and_the_time():
    scene = two_blocks(speed=-1.2, gravity=(0.0, 0.0, 0.0))
    run = jn.simulate(scene, integrator=Blind(), step=0.01, steps=10, verify=True, on_failure="stop")
    assert run.outcome.kind == "violation"
    assert "the step to t = 0.01 s" in run.outcome.message
    assert "edges pass through triangles between 'low' and 'high', the first near (" in run.outcome.message
    assert run.end.t == 0.0
    assert len(run.ledger) == 1
    with pytest.raises(jn.SimulationError, match=r"stopped at t = 0 s after 0 steps: violation: .*'low' and 'high'"):
        jn.simulate(scene, integrator=Blind(), step=0.01, steps=10, verify=True)


def test_the_last_good_state_stays():
    scene = two_blocks(speed=-1.2, gravity=(0.0, 0.0, 0.0))
    run = jn.simulate(scene, integrator=Blind(), step=0.002, steps=10, verify=True, on_failure="stop")
    assert run.outcome.kind == "violation"
    assert run.end.t == pytest.approx(0.006)
    assert len(run.ledger) == len(run.t) == 4
    assert jn.build(scene).violations(run.end) == ()


def test_without_verification_such_a_step_is_not_seen():
    scene = two_blocks(speed=-1.2, gravity=(0.0, 0.0, 0.0))
    assert jn.simulate(scene, integrator=Blind(), step=0.01, steps=2).outcome.ok


@pytest.mark.parametrize("name", ["implicit-euler", "a-search"])
def test_a_verified_collision_goes_well_with_the_same_bits(name):
    plain, verified = (
        jn.simulate(two_blocks(), integrator=name, step=1 / 60, steps=12, verify=v) for v in (False, True)
    )
    assert verified.outcome.ok
    assert np.array_equal(plain.q, verified.q)
    assert plain.ledger.contact.max() > 0


def broken(move):
    """The violations of two blocks after a move of their nodes (n, 3)."""
    system = jn.build(two_blocks())
    state = system.initial_state()
    return system.violations(jn.State(0.0, move(system.positions(state).copy()).ravel(), state.v))


def test_inverted_elements_are_named_where_the_material_guards_against_them():
    def mirrored(x):
        x[8:] = x[8:] * [1.0, -1.0, 1.0] + [0.0, 1.0, 0.0]
        return x

    (said,) = broken(mirrored)
    assert "5 elements of 'high' are inverted, the first is element 0 near (" in said
    bears = jn.build(jn.Scene((jn.Solid(BLOCK, jn.StableNeoHookean(youngs=1e5, poisson=0.3)),)))
    state = bears.initial_state()
    assert bears.violations(jn.State(0.0, -state.q, state.v)) == ()


def test_points_below_a_ground_are_named():
    (said,) = broken(lambda x: np.vstack([x[:8] - [0.0, 0.01, 0.0], x[8:]]))
    assert "4 points of 'low' lie on or below ground 'floor', the lowest by 0.0095 m" in said


def test_positions_that_are_not_finite_are_named():
    (said,) = broken(lambda x: np.where(np.arange(16)[:, None] == 3, np.nan, x))
    assert "position of node 3 is not finite" in said
    assert "entry 2 of q is not finite" in chain().violations(jn.State(0.0, np.array([0, 0, np.inf]), np.zeros(3)))[0]


def test_a_ledger_that_does_not_close_is_a_violation():
    step, bad = 0.01, 0.045

    def push(t):
        return (np.nan if abs(t - bad) < 1e-9 else 1.0, 0.0, 0.0)  # felt by the books alone, in the middle of a step

    body = bar(clamped=False).bodies[0]
    scene = jn.Scene((jn.Solid(body.mesh, body.material, forces=(jn.Force(total=push),)),), gravity=(0.0, 0.0, 0.0))
    run = jn.simulate(scene, integrator="implicit-euler", step=step, steps=8, verify=True, on_failure="stop")
    assert run.outcome.kind == "violation"
    assert "the ledger's columns do not close" in run.outcome.message
    assert run.end.t == pytest.approx(0.04)
    assert np.all(np.isfinite(run.ledger.residual()))
    assert len(run.ledger) == len(run.t)


def test_a_system_of_functions_is_verified_too():
    assert jn.simulate(chain(wall=0.32), integrator="a-search", step=0.02, steps=20, verify=True).outcome.ok


@pytest.mark.parametrize("name", integrators.names())
def test_every_method_keeps_its_promise_or_says_that_it_resolves_no_contact(name):
    """Whatever a method does at a large step, no state that breaks a promise is kept."""
    method = integrators.create(name)
    run = jn.simulate(two_blocks(speed=-3.0), integrator=method, step=1 / 60, steps=8, verify=True, on_failure="stop")
    system = jn.build(two_blocks(speed=-3.0))
    assert all(system.violations(state) == () for state in run.states)
    assert run.outcome.kind != "violation"
    if method.feasible:
        assert run.outcome.kind != "infeasible"
        assert run.ledger.contact.max() > 0
    elif name != "blending":  # which filters its own mix, and may well pass
        assert run.outcome.kind == "infeasible"
        assert f"{name} does not resolve contact within its step" in run.outcome.message


def test_the_residual_of_the_last_steps_is_the_end_of_the_whole():
    ledger = jn.simulate(bar(), integrator="a-search", step=1 / 60, steps=6).ledger
    assert np.array_equal(ledger.residual(last=2), ledger.residual()[-2:])

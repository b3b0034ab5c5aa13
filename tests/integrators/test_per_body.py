"""Each body has its own target, and contact between bodies keeps momentum and the energy of the whole."""

import numpy as np
import pytest

import jounce as jn
from jounce import meshes

from .pairs import TwoChains

TIGHT = jn.NewtonSolver(tolerance=1e-10, linear_tolerance=1e-13)


def search(target, **options):
    return jn.integrators.create("a-search", target=target, **options)


def body_energies(system, run):
    """Kinetic plus elastic of each body at each frame."""
    mech, _ = system.prepare(run.states[0], 1.0)
    return {
        p.name: np.array(
            [
                p.elastic.value(s.q) + 0.5 * np.sum((mech.mass @ s.v)[p.coordinates] * s.v[p.coordinates])
                for s in run.states
            ]
        )
        for p in mech.parts
    }


def test_bodies_in_free_flight_keep_their_own_energies():
    """In the plain measure up to dips that shrink with the step; in the shadow measure on average."""
    system = TwoChains(gap=50.0)

    def ratios(measure, step):
        target = jn.PerBody(default=jn.Conserve(measure=measure))
        run = jn.simulate(system, integrator=search(target), step=step, steps=300, solver=TIGHT)
        return {name: energy / energy[0] for name, energy in body_energies(system, run).items()}

    coarse, fine = ratios("plain", 0.002), ratios("plain", 0.001)
    for name in coarse:
        assert coarse[name].max() < 1.0001
        assert (1 - fine[name]).mean() < 0.6 * (1 - coarse[name]).mean() < 0.03
    for ratio in ratios("shadow", 0.002).values():
        assert ratio.mean() == pytest.approx(1.0, abs=0.005)


def test_each_body_follows_its_own_target():
    system = TwoChains(gap=50.0)
    target = jn.PerBody(bodies={"right": jn.Decay(tau=0.3, measure="plain")})
    run = jn.simulate(system, integrator=search(target), step=0.002, steps=300, solver=TIGHT)
    energy = body_energies(system, run)
    assert energy["left"][-1] == pytest.approx(energy["left"][0], rel=0.01)
    assert energy["right"][-1] == pytest.approx(energy["right"][0] * np.exp(-0.6 / 0.3), rel=0.05)


@pytest.mark.parametrize("measure", ["plain", "flight", "shadow"])
@pytest.mark.parametrize("pull", [0.0, 0.4])
def test_a_collision_keeps_momentum_and_gives_the_energy_back(measure, pull):
    system = TwoChains(pull=pull)
    run = jn.simulate(
        system, integrator=search(jn.PerBody(default=jn.Conserve(measure=measure))), step=0.002, steps=400, solver=TIGHT
    )
    ledger = run.ledger
    assert ledger.contact.max() > 0.01 * ledger.total[0]
    assert ledger.contact[-1] == 0.0
    pushed = pull * 10 * ledger.t
    np.testing.assert_allclose(ledger.momentum[:, 0] - pushed, ledger.momentum[0, 0], rtol=1e-8)
    np.testing.assert_allclose(ledger.target[1:], ledger.target[1], rtol=1e-9)
    excess = (ledger.measured[1:] - ledger.target[1:]) / ledger.kinetic[0]
    after = np.flatnonzero(ledger.contact > 0)[-1] + 50
    assert excess.max() < 0.005
    assert np.abs(excess[after:]).mean() < 0.01
    first = np.flatnonzero(ledger.contact > 0)[0]
    energy = body_energies(system, run)["right"]
    assert energy[-1] > 1.5 * energy[first - 1]  # it was struck


def test_halved_steps_keep_each_bodys_target():
    system = TwoChains(gap=50.0, pull=0.4)
    method = search(jn.PerBody())
    run = jn.simulate(system, integrator=method, step=0.01, steps=40, solver=TIGHT)
    rest = jn.simulate(system, integrator=method, step=0.005, steps=80, solver=TIGHT, resume=run)
    assert rest.ledger.measured[20:] == pytest.approx(rest.ledger.target[20:], rel=0.005)
    moved = 0.4 * rest.q.sum(axis=1)
    total = rest.ledger.kinetic + rest.ledger.elastic - moved
    assert rest.ledger.target[-1] == pytest.approx(total[-1] + 0.5 * 0.005 * 0.4 * rest.v[-1].sum(), rel=0.01)


def test_a_dragged_body_is_given_the_work_of_its_clamp():
    box = meshes.box(size=(0.3, 0.1, 0.1), cells=(3, 1, 1))
    rubber = jn.StableNeoHookean(youngs=1e5, poisson=0.3)
    clamp = jn.Clamp(nodes=lambda x: x[:, 0] < -0.15 + 1e-9, path=jn.Translate(velocity=(0.0, 0.3, 0.0), duration=0.1))
    dragged = jn.Solid(box, rubber, clamps=(clamp,), name="dragged")
    idle = jn.Solid(box, rubber, position=(0, 5, 0), name="idle")
    scene = jn.Scene((dragged, idle), gravity=(0, 0, 0))
    ledger = jn.simulate(
        scene, integrator=search(jn.PerBody()), step=0.005, steps=40, solver=jn.NewtonSolver(tolerance=1e-7)
    ).ledger
    alone = jn.simulate(
        scene, integrator=search(jn.Conserve()), step=0.005, steps=40, solver=jn.NewtonSolver(tolerance=1e-7)
    ).ledger
    assert ledger.work[1:].sum() > 0
    assert ledger.target[-1] == pytest.approx(ledger.work[1:].sum(), rel=1e-9)
    assert ledger.measured[-1] == pytest.approx(alone.measured[-1], rel=0.05)


def test_wrong_uses_are_answered_with_a_sentence():
    system = TwoChains()
    with pytest.raises(ValueError, match="bodies that the scene has not: middle; it has left, right"):
        jn.simulate(system, integrator=search(jn.PerBody(bodies={"middle": jn.Conserve()})), step=0.01, steps=1)
    plain = jn.AnalyticSystem(1.0, lambda q: 0.0, lambda q: 0 * q, lambda q: np.zeros((1, 1)), q=0.0, v=1.0)
    with pytest.raises(ValueError, match="needs a scene with bodies; this system has none"):
        jn.simulate(plain, integrator=search(jn.PerBody()), step=0.01, steps=1)
    with pytest.raises(ValueError, match="sparse search takes one target for all bodies"):
        search(jn.PerBody(), sparse=True)

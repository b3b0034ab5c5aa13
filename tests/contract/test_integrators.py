"""What every registered integrator promises; a new one is tested by being registered."""

import numpy as np
import pytest

import jounce as jn
from jounce import integrators

from ..systems import bar, chain, exact, free_part

NAMES = integrators.names()
IMPLICIT = [n for n in NAMES if integrators.create(n).feasible]
TIGHT = jn.NewtonSolver(tolerance=1e-10, linear_tolerance=1e-12)


def errors(system, method, seconds, counts):
    reference = exact(system, seconds)
    scale = np.linalg.norm(reference)
    out = []
    for n in counts:
        run = jn.simulate(system, integrator=method, step=seconds / n, steps=n, solver=TIGHT, record_every=n)
        out.append(np.linalg.norm(free_part(system, run.end) - reference) / scale)
    return out


def assert_order(method, found):
    rate = np.log2(found[-2] / found[-1])
    # Blending's weight tends to 1 as the step shrinks, so it may do better than it promises; none may do worse.
    slack = 1.2 if method.name == "blending" else 0.2
    assert method.order - 0.2 < rate < method.order + slack, (rate, found)


@pytest.mark.parametrize("damping", [None, 0.3], ids=["undamped", "damped"])
@pytest.mark.parametrize("name", NAMES)
def test_order_on_a_chain(name, damping):
    method = integrators.create(name)
    assert_order(method, errors(chain(damping=damping), method, 0.5, (60, 120, 240)))


@pytest.mark.parametrize("damping", [None, 2.0], ids=["undamped", "damped"])
@pytest.mark.parametrize("name", NAMES)
def test_order_on_a_bar_of_tets(name, damping):
    method = integrators.create(name)
    system = jn.build(bar(damping=None if damping is None else jn.Rayleigh(mass=damping)))
    assert_order(method, errors(system, method, 0.01, (32, 64, 128)))


@pytest.mark.parametrize("name", NAMES)
def test_linear_momentum_is_kept_by_a_free_body(name):
    method = integrators.create(name)
    step = 1e-4 if not method.feasible else 1 / 60
    run = jn.simulate(
        bar(clamped=False),
        integrator=method,
        step=step,
        steps=10,
        solver=jn.NewtonSolver(tolerance=1e-7),
        on_failure="stop",
    )
    p = run.ledger.momentum
    assert len(p) > 5
    np.testing.assert_allclose(p, p[:1].repeat(len(p), 0), atol=1e-9 * np.abs(p).max())


@pytest.mark.parametrize("name", NAMES)
def test_rest_stays_at_rest(name):
    step = 1 / 60 if integrators.create(name).feasible else 1e-4
    run = jn.simulate(bar(spin=0.0), integrator=name, step=step, steps=5)
    assert np.abs(run.positions - run.positions[0]).max() < 1e-13
    assert np.abs(run.v).max() < 1e-9


@pytest.mark.parametrize("name", IMPLICIT)
def test_a_barrier_is_never_passed(name):
    run = jn.simulate(chain(wall=0.32), integrator=name, step=0.02, steps=200)
    assert run.q[:, -1].max() < 0.32
    assert run.ledger.contact.max() > 0


@pytest.mark.parametrize("name", IMPLICIT)
def test_no_element_inverts(name):
    scene = bar(material=jn.NeoHookean(youngs=1e4, poisson=0.4), spin=40.0)
    system = jn.build(scene)
    run = jn.simulate(system, integrator=name, step=1 / 60, steps=20, on_failure="stop")
    tets = scene.bodies[0].mesh.tets
    for x in run.positions:
        corners = x[tets]
        assert np.linalg.det(corners[:, 1:] - corners[:, :1]).min() > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_same_run_gives_the_same_bits(name):
    step = 1 / 120 if integrators.create(name).feasible else 1e-4
    first, second = (jn.simulate(bar(), integrator=name, step=step, steps=6) for _ in range(2))
    assert np.array_equal(first.q, second.q)
    assert np.array_equal(first.v, second.v)


@pytest.mark.parametrize("name", NAMES)
def test_a_resumed_run_gives_the_bits_of_an_unbroken_one(name):
    step = 1 / 120 if integrators.create(name).feasible else 1e-4
    system = jn.build(bar())
    whole = jn.simulate(system, integrator=name, step=step, steps=8)
    half = jn.simulate(system, integrator=name, step=step, steps=3)
    rest = jn.simulate(jn.build(bar()), integrator=name, step=step, steps=5, resume=half)
    assert np.array_equal(whole.end.q, rest.end.q)
    assert np.array_equal(whole.end.v, rest.end.v)
    assert whole.end.t == rest.end.t


@pytest.mark.parametrize("name", NAMES)
def test_the_ledger_closes(name):
    method = integrators.create(name)
    scene = bar(
        damping=jn.Rayleigh(mass=0.5, stiffness=1e-3),
        gravity=(0.0, -9.8, 0.0),
        forces=(jn.Force(total=(0.0, 0.0, 2.0), begin=0.0, until=0.05),),
    )
    step = 1 / 60 if method.feasible else 1e-4
    run = jn.simulate(scene, integrator=method, step=step, steps=12, on_failure="stop")
    assert run.ledger.residual().max() < 1e-12


def test_unknown_names_and_options_are_answered_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'a-search'"):
        integrators.create("a-serch")
    with pytest.raises(TypeError, match="did you mean 'alpha'"):
        integrators.create("a-search", alfa=(0, 1))

"""A stage's value, gradient and Hessian belong together, whatever is felt where."""

import numpy as np
import pytest

from jounce.core.mass import DenseMass, DiagonalMass
from jounce.core.mechanics import Mechanics
from jounce.core.potential import Linear, Quadratic
from jounce.core.stage import Sample, Stage, StageObjective
from jounce.systems.analytic import FunctionPotential

from ..systems import Wall

N = 4


def quartic(k, a):
    D = np.eye(N) - np.eye(N, k=-1)
    return FunctionPotential(
        lambda q: float((0.5 * k * (D @ q) ** 2 + 0.25 * a * (D @ q) ** 4).sum()),
        lambda q: D.T @ (k * (D @ q) + a * (D @ q) ** 3),
        lambda q: D.T @ np.diag(k + 3 * a * (D @ q) ** 2) @ D,
    )


Q = np.array([0.1, -0.2, 0.3, 0.25])
MASSES = {"lumped": DiagonalMass(np.arange(1.0, N + 1)), "dense": DenseMass(np.diag(np.arange(1.0, N + 1)) + 0.2)}
FULL = {
    "gravity": Linear(lambda c: np.full(N, -1.0)),
    "loads": Linear(lambda c: np.arange(N) * (1.0 + c)),
    "contact": Wall(0.3, N),
    "damping": Quadratic(np.diag([0.3, 0.0, 1.0, 2.0])),
    "friction": quartic(2.0, 5.0),
    "wind": Quadratic(np.eye(N), np.ones(N)),
}
SAMPLES = {
    "one": (Sample(),),
    "simpson": (Sample(0.4 * Q, 0.5, 4 / 6, fraction=0.5), Sample(weight=1 / 6)),
    "shifted": (Sample(np.ones(N), 0.3, 0.7, fraction=0.25), Sample(-Q, 1.2, 0.1), Sample(0.1, 0.9, 0.2)),
}


def differences(f, q, d=1e-6):
    return np.array([(f(q + d * e) - f(q - d * e)) / (2 * d) for e in np.eye(q.size)])


@pytest.mark.parametrize("mass", MASSES)
@pytest.mark.parametrize("samples", SAMPLES)
@pytest.mark.parametrize("left_out", ["nothing", "contact", "dissipation", "contact sample"])
def test_derivatives_match_central_differences(mass, samples, left_out):
    parts = dict(FULL)
    if left_out == "contact":
        del parts["contact"]
    if left_out == "dissipation":
        parts = {k: p for k, p in parts.items() if k not in ("damping", "friction", "wind")}
    contact = Sample(0.02, 0.9, 0.8, fraction=0.5) if left_out == "contact sample" else Sample()
    stage = Stage(
        0.9 * Q,
        0.3,
        rate=2.5,
        drift=-2 * Q,
        samples=SAMPLES[samples],
        load=np.linspace(-1, 1, N),
        contact_sample=contact,
    )
    objective = StageObjective(Mechanics(MASSES[mass], quartic(40.0, 60.0), **parts), stage)
    gradient, hessian = objective.linearise(Q, psd=False)
    np.testing.assert_allclose(gradient, objective.gradient(Q), rtol=1e-13)
    np.testing.assert_allclose(gradient, differences(objective.value, Q), rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(hessian, differences(objective.gradient, Q), rtol=1e-6, atol=1e-6)


def test_a_projected_hessian_is_positive_definite_where_the_exact_one_is_not():
    buckling = quartic(-40.0, 1.0)
    objective = StageObjective(Mechanics(MASSES["lumped"], buckling), Stage(Q, 1.0, 1.0, -Q))
    assert np.linalg.eigvalsh(objective.linearise(Q, psd=False)[1])[0] < 0
    assert np.linalg.eigvalsh(objective.linearise(Q, psd=True)[1])[0] > 0


def test_loads_are_felt_at_the_fraction_of_their_sample():
    mech = Mechanics(DiagonalMass(np.ones(N)), Quadratic(np.zeros((N, N))), loads=FULL["loads"])
    stage = Stage(Q, 1.0, 1.0, -Q, samples=(Sample(fraction=0.25, weight=0.5), Sample(fraction=1.0, weight=0.5)))
    np.testing.assert_allclose(StageObjective(mech, stage).gradient(Q), -np.arange(N) * (0.5 * 1.25 + 0.5 * 2.0))


def test_the_stationary_point_obeys_the_law_of_motion():
    """M a = -grad P(q) - grad D(v) - load, with a and v as the stage reads them off q."""
    stage = Stage(0.9 * Q, 0.01, rate=10.0, drift=-10 * Q, load=np.linspace(-1, 1, N))
    mech = Mechanics(MASSES["dense"], quartic(40.0, 60.0), damping=FULL["damping"], gravity=FULL["gravity"])
    q = Q.copy()
    for _ in range(30):
        g, h = StageObjective(mech, stage).linearise(q, psd=False)
        q -= np.linalg.solve(h, g)
    force = -mech.elastic.gradient(q) - 1.0 - FULL["damping"].matrix @ stage.velocity(q) - stage.load
    np.testing.assert_allclose(mech.mass @ stage.acceleration(q), force, rtol=1e-9)

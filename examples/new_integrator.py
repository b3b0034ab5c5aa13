"""A new integrator in one short file: the theta method, registered under its own name."""

from dataclasses import dataclass

import jounce as jn
from jounce.integrators.base import Method, Step, registry, solve_stage


@registry.register("theta")
@dataclass(frozen=True, kw_only=True)
class Theta(Method):
    """x1 = x0 + h ((1 - theta) v0 + theta v1),  M (v1 - v0) = h ((1 - theta) f0 + theta f1)."""

    theta: float = 0.6

    @property
    def order(self) -> int:
        return 2 if self.theta == 0.5 else 1

    def step(self, mech, state, h, memory, solver):
        g, rest = h * self.theta, h * (1 - self.theta)
        known = state.v + rest * mech.acceleration(state)
        q0 = state.q + rest * state.v
        stage = jn.Stage(anchor=q0 + g * known, scale=g**2, rate=1 / g, drift=-q0 / g)
        q, reports = solve_stage(mech, stage, state, h, solver)
        return Step(state.moved(h, q, stage.velocity(q)), reports=reports)


bar = jn.Solid(
    jn.meshes.box(size=(0.3, 0.1, 0.1), cells=(6, 2, 2)),
    jn.StableNeoHookean(youngs=1e5, poisson=0.3),
    clamps=(jn.Clamp(nodes=lambda x: x[:, 0] < -0.15 + 1e-9),),
    name="bar",
)
lost = {}
for theta in (1.0, 0.6, 0.5):
    run = jn.simulate(jn.Scene((bar,)), integrator=jn.integrators.create("theta", theta=theta), step=1 / 120, steps=120)
    lost[theta] = run.ledger.integrator_loss.sum()
    print(f"theta = {theta}: the integrator took {lost[theta]:.3f} J in one second")

assert lost[1.0] > lost[0.6] > lost[0.5]

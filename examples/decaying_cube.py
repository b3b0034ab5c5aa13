"""A cube that hangs by its top, spun up and let to rest: its energy follows the decay that is asked for."""

import numpy as np

import jounce as jn

cube = jn.Solid(
    jn.meshes.box(size=(0.1, 0.1, 0.1), cells=(5, 5, 5)),
    jn.NeoHookean(youngs=1e5, poisson=0.3),
    clamps=(jn.Clamp(nodes=lambda x: x[:, 1] > 0.05 - 1e-9),),
    velocity=jn.Spin(axis=(0, 1, 0), rate=12.0),
    name="cube",
)
scene = jn.Scene((cube,), gravity=(0.0, 0.0, 0.0))
run = jn.simulate(
    scene, integrator=jn.integrators.create("a-search", target=jn.Decay(tau=0.5)), step=1 / 120, steps=120
)

asked = run.ledger.total[0] * np.exp(-run.ledger.t / 0.5)
off = np.abs(run.ledger.total[20:] - asked[20:]) / run.ledger.total[0]
print(f"after 1 s {run.ledger.total[-1] / run.ledger.total[0]:.1%} of the energy is left; asked for: {np.exp(-2):.1%}")

assert np.median(off) < 0.05
assert run.ledger.residual().max() < 1e-12

"""A pendulum given as three functions: what five integrators make of its energy in 30 s at a large step."""

import numpy as np

import jounce as jn

pendulum = jn.AnalyticSystem(
    1.0,
    lambda q: float(9.8 * (1 - np.cos(q[0]))),
    lambda q: 9.8 * np.sin(q),
    lambda q: np.array([[9.8 * np.cos(q[0])]]),
    q=np.array([1.5]),
    v=np.array([0.0]),
)

kept = {}
for name in ("implicit-euler", "bdf2", "a-1", "a-search", "avf"):
    run = jn.simulate(pendulum, integrator=name, step=0.1, steps=300)
    kept[name] = run.ledger.total[-1] / run.ledger.total[0]
    print(f"{name:15s} keeps {kept[name]:7.2%} of its energy")

assert kept["implicit-euler"] < 0.01
assert abs(kept["a-search"] - 1) < 0.05
assert kept["bdf2"] < kept["a-search"]

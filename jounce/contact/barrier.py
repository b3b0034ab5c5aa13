"""Incremental potential contact: a barrier between all surfaces that come close, and collision detection on every move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ..core.arrays import Array, Indices
from ..core.finding import Finding
from ..core.remembered import Remembered
from ..kernels import barrier as kernels
from .crossings import below, intersecting
from .friction import FrictionTerm, Slip
from .gaps import Gap, gaps
from .ground import Plane, longest_step
from .hierarchy import Feel
from .neighbours import Neighbourhood
from .pairs import Pairs
from .registry import Group, Things, registry
from .rules import Pair, check_friction, check_lags, check_stick_speed
from .surface import Surface


@registry.register("barrier")
@dataclass(frozen=True, kw_only=True)
class Barrier:
    """Nothing touches: an energy that grows without bound as two surfaces meet, felt below `distance`.

    A body with features thinner than twice that at rest feels itself only below half of its thinnest one, or the barrier would
    tear it apart.

    distance        dhat, where the barrier begins (m); with relative=True a share of the size of all that moves
    stiffness       kappa. With weights="vertex", N/m of every pair: the energy is -kappa (d - dhat)^2 ln(d/dhat) (You et al. 2026).
                    With weights="area", a pressure (Pa): the energy is kappa dhat times the pair's area times the same function of
                    d/dhat, so that it does not depend on the mesh. None takes the typical stiffness of the bodies' own nodes
    friction        coefficient of Coulomb friction, smoothed, with the normal forces of the step's start
    form            "metric": -(r - 1)^2 ln r of r = d/dhat; "squared": -(r^2 - 1)^2 ln r^2, the toolkit's, whose own stiffness
                    is this one divided by dhat^2, with weights="area" by dhat^3 (Li et al. 2020)
    stick_speed     slip speed below which friction is static (m/s): what should stick creeps at most so fast
    lag_iterations  how often a step is taken again with the normal forces of its own end
    pairs           rules for pairs of bodies, obstacles and grounds: who passes through whom, and their own friction
    """

    distance: float = 1e-3
    relative: bool = False
    stiffness: float | None = None
    friction: float = 0.0
    form: Literal["metric", "squared"] = "metric"
    weights: Literal["vertex", "area"] = "vertex"
    stick_speed: float = 1e-3
    lag_iterations: int = 0
    pairs: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        for what, value, unit in (
            ("distance", self.distance, "m"),
            ("stiffness", 1.0 if self.stiffness is None else self.stiffness, "N/m or Pa"),
        ):
            if not (np.ndim(value) == 0 and np.isfinite(value) and value > 0):
                raise ValueError(f"The barrier's {what} must be positive and finite ({unit}); it is {value}.")
        for what, value, choices in (
            ("form", self.form, ("metric", "squared")),
            ("weights", self.weights, ("vertex", "area")),
        ):
            if value not in choices:
                raise ValueError(f"The barrier's {what} is '{value}'; valid: {', '.join(choices)}.")
        check_friction(self.friction, "of the barrier")
        check_stick_speed(self.stick_speed, "of the barrier")
        check_lags(self.lag_iterations)

    def bind(self, things: Things) -> BarrierTerm:
        dhat = self.distance * (things.surface.size if self.relative else 1.0)
        by_area = self.weights == "area"
        kappa = self._stiffness(things, dhat)
        return BarrierTerm(things, dhat, kappa, self.form == "squared", by_area, self.stick_speed)

    def _stiffness(self, things: Things, dhat: float) -> float:
        """kappa; where none is given, such that a pair half closed is about as stiff as a node of the bodies is."""
        if self.stiffness is not None:
            return self.stiffness
        if self.weights == "vertex":
            return things.node_stiffness()
        return things.node_stiffness() * dhat / float(np.median(things.surface.areas[things.surface.moving]))


class Thin(NamedTuple):
    """The thinnest feature of a body's rest shape: parts that do not touch, `gap` (m) apart, between `nodes`."""

    skin: int
    gap: float
    nodes: Indices


def thin_features(feel: Feel) -> list[Thin]:
    """Of each body the thinnest feature of its rest shape, where that is thinner than it feels itself."""
    surface = feel.surface
    rest = np.zeros((int(surface.nodes.max()) + 1, 3))
    rest[surface.nodes] = surface.rest
    found: dict[int, Thin] = {}
    for p in Neighbourhood(feel).pairs(rest):
        d = p.distances(rest)
        for i in np.flatnonzero(p.owners[:, 0] == p.owners[:, 1]):
            skin = int(p.owners[i, 0])
            if skin not in found or d[i] < found[skin].gap:
                found[skin] = Thin(skin, float(d[i]), p.nodes[i])
    return list(found.values())


class BarrierTerm:
    """The barrier of one system; `own` (m) is where it begins between the parts of each body itself."""

    guards = True

    def __init__(
        self, things: Things, dhat: float, kappa: float, squared: bool, by_area: bool, stick_speed: float
    ) -> None:
        self.surface: Surface = things.surface
        self.planes, self.rules = things.planes, things.rules
        self.dhat, self.kappa, self.squared, self.by_area, self.stick_speed = dhat, kappa, squared, by_area, stick_speed
        self.own = np.full(len(self.surface.skins), dhat)
        self.thin = thin_features(Feel(self.surface, dhat, self.own, by_area))
        for thin in self.thin:
            self.own[thin.skin] = 0.5 * thin.gap
        self._near = Neighbourhood(Feel(self.surface, dhat, self.own, by_area))
        self._pairs = Remembered(self._near.pairs)

    def begun(self, x: Array, v: Array) -> BarrierTerm:
        return self

    def value(self, x: Array) -> float:
        energy = float(sum(np.sum(g.energies) for g in self.groups(x, kernels.VALUE)))
        return energy if energy == energy else np.inf

    def groups(self, x: Array, level: int) -> tuple[Group, ...]:
        if not np.isfinite(x).all():
            return (_nowhere(),)
        pairs = (Group(p.nodes, *p.evaluate(x, *self._strength(p), self.squared, level)) for p in self.pairs(x))
        planes = (self._on_plane(p, x, level) for p in self.planes)
        return tuple(g for g in (*pairs, *planes) if len(g.nodes))

    def pairs(self, x: Array) -> tuple[Pairs, ...]:
        """All pairs of surfaces nearer than dhat."""
        return self._pairs(x)

    def smallest_gap(self, x: Array) -> float:
        """A distance (m) that no two surfaces are nearer than: the smallest there is, or that from which on they feel each other."""
        felt = min(self.dhat, float(self.own.min()))
        return min([felt, *(float(p.distances(x).min()) for p in self.pairs(x))])

    def _strength(self, p: Pairs) -> tuple[Array, Array]:
        """The energy scale (J) of pairs, and where their barriers begin (m)."""
        same = p.owners[:, 0] == p.owners[:, 1]
        dhats = np.where(same, self.own[p.owners[:, 0]], self.dhat)
        return self.kappa * p.weights * (dhats if self.by_area else dhats**2), dhats

    def longest_step(self, x0: Array, x1: Array) -> float:
        if not (np.isfinite(x0).all() and np.isfinite(x1).all()):
            return 1.0  # the energy tells of those
        free = self._near.longest_step(x0, x1, self.smallest_gap(x0))
        for p in self.planes:
            free = min(free, longest_step(p.ground.distances(x0[p.nodes]), p.ground.distances(x1[p.nodes])))
        return free

    def friction(self, x: Array) -> FrictionTerm | None:
        slips = [*(self._slip(p, x) for p in self.pairs(x)), *(self._plane_slip(p, x) for p in self.planes)]
        slips = [s for s in slips if len(s.nodes)]
        return FrictionTerm(tuple(slips), self.stick_speed) if slips else None

    def broken(self, x: Array) -> list[Finding]:
        return [*intersecting(self.surface, x), *below(self.surface, self.planes, x)]

    def gaps(self, x: Array, height: float) -> list[Gap]:
        """The gaps of all that feels each other, and of bodies to grounds below `height` (m), the smallest first."""
        own = {skin.name: reach for skin, reach in zip(self.surface.skins, self.own, strict=True)}
        found = gaps(self.surface, self.planes, self.pairs(x), x, height)
        return [g for g in found if g.one != g.other or g.distance < own[g.one]]

    def tightest(self, x: Array) -> str:
        """Names of the closest two, and where."""
        return "".join(str(gap) for gap in self.gaps(x, self.dhat)[:1])

    def _on_plane(self, p: Plane, x: Array, level: int) -> Group:
        near = np.flatnonzero(p.ground.distances(x[p.nodes]) < self.dhat)
        nodes = p.nodes[near]
        weights = self.kappa * self.dhat * (p.areas[near] if self.by_area else np.full(near.size, self.dhat))
        energies = np.empty(near.size)
        gradients = np.empty((near.size if level > kernels.VALUE else 0, 1, 3))
        blocks = np.empty((near.size if level > kernels.GRADIENT else 0, 1, 3, 3))
        kernels.plane_loop(
            x, nodes, p.ground.up, p.ground.height, weights, self.dhat, self.squared, level, energies, gradients, blocks
        )
        return Group(nodes[:, None], energies, gradients, blocks)

    def _slip(self, p: Pairs, x: Array) -> Slip:
        mu = self.rules.friction[p.owners[:, 0], p.owners[:, 1]]
        c, n, force = p.normals(x, *self._strength(p), self.squared)
        return _sliding(p.nodes, c, n, mu * force)

    def _plane_slip(self, p: Plane, x: Array) -> Slip:
        g = self._on_plane(p, x, kernels.GRADIENT)
        n = np.tile(p.ground.up, (len(g.nodes), 1))
        mu = p.friction[np.searchsorted(p.nodes, g.nodes[:, 0])]
        return _sliding(g.nodes, np.ones((len(n), 1)), n, mu * -(g.gradients[:, 0] @ p.ground.up))


def _sliding(nodes: Indices, c: Array, n: Array, loads: Array) -> Slip:
    """Only those pairs that are pressed together."""
    own = loads > 0.0
    return Slip(nodes[own], c[own], n[own], loads[own])


def _nowhere() -> Group:
    return Group(
        np.zeros((1, 1), dtype=np.int64), np.array([np.nan]), np.full((1, 1, 3), np.nan), np.full((1, 1, 3, 3), np.nan)
    )

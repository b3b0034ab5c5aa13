"""Every scene of the gallery builds and runs with its own method; wrong names and options are answered."""

from inspect import signature

import numpy as np
import pytest

import jounce as jn
from jounce import gallery, meshes

SMALL = {
    "block-on-incline": {"cells": 1},
    "bouncing-ball": {"nodes": 150},
    "box-stack": {"rows": 2, "cells": 1},
    "dice-roll": {"dice": 3, "cells": 1},
    "hard-shelled-ball": {"resolution": 2},
    "hare-splash": {"nodes": 150, "columns": 2, "layers": 2, "cells": 1},
    "hare-stairs": {"nodes": 150},
    "five-cube-stack": {"cubes": 2, "cells": 1},
    "hanging-cloth": {"cells": 4},
    "point-start": {"cells": 2},
    "pulled-hare": {"nodes": 150},
    "random-start": {"cells": 2},
    "rotating-cube": {"cells": 2},
    "sheet-wave": {"cells": 8},
    "spinning-dragon": {"nodes": 150},
    "stretched-cube": {"cells": 2},
    "suspended-creature": {"nodes": 150},
    "torus-drop": {"rings": 1},
    "twisted-bar": {"cells": (4, 2, 1)},
    "twisting-bar": {"cells": 1},
    "untwisting-cuboid": {"cells": 2},
}
MESHED = [n for n in gallery.names() if "mesh" in gallery.entry(n).parameters]


@pytest.mark.parametrize("name", gallery.names())
def test_every_scene_runs_with_its_own_method(name):
    entry = gallery.entry(name)
    scene = gallery.scene(name, **SMALL.get(name, {}))
    run = jn.simulate(scene, integrator=entry.method(), step=entry.step, steps=3)
    assert run.outcome.ok
    assert len(run.t) == 4
    assert np.all(np.isfinite(run.positions))
    assert np.abs(run.positions[-1] - run.positions[0]).max() > 1e-6
    assert run.ledger.residual().max() < 1e-12


@pytest.mark.parametrize("name", gallery.names())
def test_every_scene_says_what_it_shows_and_names_its_options(name):
    entry = gallery.entry(name)
    assert len(entry.summary) > 20
    assert entry.paper
    assert entry.seconds > entry.step > 0
    for parameter in signature(entry.make).parameters.values():
        assert parameter.kind is parameter.KEYWORD_ONLY
        assert parameter.default is not parameter.empty


@pytest.mark.parametrize("suffix", [".npz", ".vtk"])
@pytest.mark.parametrize("name", MESHED)
def test_a_mesh_file_takes_the_place_of_a_creature(name, suffix, tmp_path):
    shape = meshes.box(size=(0.4, 1.0, 0.4), cells=(2, 5, 2))
    meshes.write(tmp_path / f"own{suffix}", shape)
    size = "height" if "height" in gallery.entry(name).parameters else "diameter"
    scene = gallery.scene(name, mesh=str(tmp_path / f"own{suffix}"), **{size: 0.7})
    mesh = scene.bodies[0].mesh
    assert len(mesh.tets) == len(shape.tets)
    assert np.ptp(np.asarray(mesh.vertices)[:, 1]) == pytest.approx(0.7)
    run = jn.simulate(scene, integrator="implicit-euler", step=0.01, steps=1)
    assert run.outcome.ok


def test_a_mesh_too_coarse_to_have_a_back_is_answered():
    with pytest.raises(ValueError, match="Clamp 0 of body 'creature' selects no node"):
        jn.build(gallery.scene("suspended-creature", mesh=meshes.box(cells=(1, 1, 1))))


def test_a_mesh_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.npz:\n- there is no such file"):
        gallery.scene(MESHED[0], mesh=tmp_path / "none.npz")


def test_a_pulse_blows_the_halves_of_the_stretched_cube_against_each_other():
    calm, blown = (gallery.scene("stretched-cube", cells=2, pulse=p) for p in (0.0, 50.0))
    assert not calm.bodies[0].forces
    assert len(blown.bodies[0].forces) == 2
    assert jn.build(blown).forces[0].begin == 1.5


def slid(degrees: float, seconds: float, **options: float) -> float:
    """How far the block has gone down its slope (m), at half its own step: A-search stops it half a step early."""
    entry = gallery.entry("block-on-incline")
    scene = gallery.scene(entry.name, degrees=degrees, cells=1, **options)
    h = 0.5 * entry.step
    run = jn.simulate(scene, integrator=entry.method(), step=h, steps=round(seconds / h))
    a = np.radians(degrees)
    return float((run.positions[-1] - run.positions[0]).mean(axis=0) @ [np.cos(a), -np.sin(a), 0.0])


def test_the_block_slides_as_friction_says_and_stays_where_it_holds():
    a, mu, g = np.radians(20.0), 0.3, 9.8
    assert slid(20.0, 1.0, friction=mu) == pytest.approx(0.5 * g * (np.sin(a) - mu * np.cos(a)), rel=0.02)
    assert abs(slid(15.0, 0.5, friction=mu)) < 1e-3


def test_the_block_stops_where_friction_says():
    a, mu, g, speed = np.radians(10.0), 0.5, 9.8, 1.0
    stop = speed**2 / (2 * g * (mu * np.cos(a) - np.sin(a)))
    assert slid(10.0, 0.4, friction=mu, speed=speed) == pytest.approx(stop, rel=0.02)


def test_the_block_starts_where_its_weight_rests():
    scene = gallery.scene("block-on-incline", degrees=0.0, youngs=1e9, cells=1)
    run = jn.simulate(scene, integrator="a-search", step=0.01, steps=10)
    assert np.ptp(run.positions[:, :, 1].mean(axis=1)) < 1e-6


def test_friction_with_the_ground_rises_as_a_square_from_die_to_die():
    pairs = gallery.scene("dice-roll", cells=1).contact.pairs
    np.testing.assert_allclose([p.friction for p in pairs], (np.arange(8) / 7) ** 2)


def test_the_ball_has_the_shells_that_bring_it_nearest_to_the_nodes_asked_for():
    sizes = [len(gallery.scene("bouncing-ball", nodes=n).bodies[0].mesh.vertices) for n in (13, 30, 40, 1650, 1800)]
    assert sizes == [13, 13, 55, 1415, 2057]


def test_the_shell_of_the_ball_is_a_fifth_of_its_radius():
    body = gallery.scene("hard-shelled-ball").bodies[0]
    outer = np.linalg.norm(body.mesh.centroids, axis=1) > 0.08
    assert set(np.asarray(body.material.youngs)[outer]) == {1e8}
    assert set(np.asarray(body.material.youngs)[~outer]) == {1e6}


@pytest.mark.parametrize(
    ("name", "options", "kind", "message"),
    [
        ("twisted-bra", {}, ValueError, "no scene named 'twisted-bra' in the gallery; did you mean 'twisted-bar'"),
        (
            "twisted-bar",
            {"bad": 1},
            TypeError,
            "scene 'twisted-bar' has no option 'bad'; .*Valid: youngs, cells, twist",
        ),
        ("twisted-bar", {"yongs": 1}, TypeError, "did you mean 'youngs'"),
        ("twisted-bar", {"cells": 3}, ValueError, "'cells' of the scene 'twisted-bar' is 3 numbers, such as"),
        ("twisted-bar", {"cells": (3, 2, 0)}, ValueError, r"cells\[2\] is 0"),
        ("twisted-bar", {"youngs": "soft"}, ValueError, "'youngs' .* is a finite number, .*; it is 'soft'"),
        ("twisted-bar", {"youngs": -1.0}, ValueError, "youngs .* must be positive"),
        ("random-start", {"cells": 2.5}, ValueError, "'cells' .* is a whole number"),
    ],
)
def test_wrong_names_options_and_values_are_answered(name, options, kind, message):
    with pytest.raises(kind, match=message):
        gallery.scene(name, **options)

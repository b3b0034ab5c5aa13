"""Every scene of the gallery builds and runs with its own method; wrong names and options are answered."""

from inspect import signature

import numpy as np
import pytest

import jounce as jn
from jounce import gallery, meshes

SMALL = {
    "bouncing-ball": {"nodes": 150},
    "dice-roll": {"dice": 3, "cells": 1},
    "hare-splash": {"nodes": 150, "columns": 2, "layers": 2, "cells": 1},
    "hare-stairs": {"nodes": 150},
    "hanging-cloth": {"cells": 4},
    "point-start": {"cells": 2},
    "pulled-hare": {"nodes": 150},
    "random-start": {"cells": 2},
    "rotating-cube": {"cells": 2},
    "sheet-wave": {"cells": 8},
    "spinning-dragon": {"nodes": 150},
    "stretched-cube": {"cells": 2},
    "suspended-creature": {"nodes": 150},
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

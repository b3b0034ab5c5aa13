"""The commands `check` and `run --verify`, and what a run that cannot go on leaves on the disk."""

import numpy as np
import pytest

import jounce as jn
from jounce import integrators, meshes
from jounce.cli import listing
from jounce.gallery import registry

from .test_cli import jounce as jounce  # the fixture

BLOCK = meshes.box(size=(0.1, 0.1, 0.1), cells=(1, 1, 1))


def block(name, height):
    return jn.Solid(BLOCK, jn.NeoHookean(youngs=1e5, poisson=0.3), position=(0.0, height, 0.0), name=name)


def press(*, speed: float = 1.0, gap: float = 0.002) -> jn.Scene:
    """A plate goes down on a block and does not stop."""
    plate = jn.Obstacle(
        meshes.sheet(size=(0.3, 0.3), cells=(1, 1)),
        position=(0.0, 0.102 + gap, 0.0),
        path=jn.Translate(velocity=(0.0, -speed, 0.0)),
        name="plate",
    )
    floor, contact = jn.Ground(name="floor"), jn.Barrier(distance=1e-3)
    return jn.Scene((block("cube", 0.052),), obstacles=(plate,), grounds=(floor,), contact=contact)


@pytest.fixture
def gallery(monkeypatch):
    """A gallery with a press in it."""
    entry = registry.Entry("press", press, "A press.", "none", step=1 / 60, seconds=0.2, integrator="implicit-euler")
    monkeypatch.setitem(registry._ENTRIES, "press", entry)


def test_a_scene_without_fault_is_told_and_ends_with_0(jounce, gallery, tmp_path):
    code, said, err = jounce("check", "press")
    assert (code, err) == (0, "")
    assert "distance: 0.002 m between 'cube' and 'plate'" in said
    assert "press: no faults, no remarks." in said
    assert not list(tmp_path.iterdir())


def test_only_remarks_end_with_0_and_say_where_to_look(jounce, gallery, tmp_path):
    code, said, err = jounce("check", "press", "--set", "gap=0.0004", "--out", tmp_path / "look")
    assert (code, err) == (0, "")
    assert "remark: The smallest gap, 0.0004 m, is between 'cube' and 'plate'" in said
    assert str(tmp_path / "look/remark-1.obj") in said
    assert "press: no faults, 1 remark." in said
    assert len(meshes.read_surface(tmp_path / "look/remark-1.obj").triangles) > 2


def test_a_fault_ends_with_1_and_shows_the_offenders(jounce, gallery, tmp_path):
    code, said, err = jounce("check", "press", "--set", "gap=-0.01")
    assert (code, err) == (1, "")
    assert "fault: The start intersects: " in said
    assert "'cube' and 'plate'" in said
    assert "runs/check/press/fault-1.obj" in said
    assert "press: 1 fault, no remarks." in said
    shown = meshes.read_surface(tmp_path / "runs/check/press/fault-1.obj")
    assert np.abs(shown.vertices[:, 1]).max() < 0.11
    code, _, err = jounce("run", "press", "--set", "gap=-0.01", "--quiet")
    assert code == 1
    assert "The start intersects" in err


def test_a_mesh_file_is_checked(jounce, tmp_path):
    meshes.write(tmp_path / "good.vtk", BLOCK)
    code, said, err = jounce("check", tmp_path / "good.vtk")
    assert (code, err) == (0, "")
    assert "no faults, no remarks" in said
    np.savez(tmp_path / "bad.npz", V=np.array(BLOCK.vertices), T=BLOCK.tets[:, [1, 0, 2, 3]])
    code, said, err = jounce("check", tmp_path / "bad.npz")
    assert (code, err) == (1, "")
    assert "fault: 5 of 5 tets are inverted" in said


def test_an_open_surface_is_a_remark_and_a_branching_one_a_fault(jounce, tmp_path):
    corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 1.0, 0.5]]
    meshes.write(tmp_path / "open.obj", jn.SurfaceMesh(corners[:4], [[0, 1, 2], [0, 2, 3]]))
    meshes.write(tmp_path / "fin.obj", jn.SurfaceMesh(corners, [[0, 1, 2], [0, 2, 3], [0, 2, 4]]))
    code, said, _ = jounce("check", tmp_path / "open.obj", "--out", tmp_path / "look")
    assert code == 0
    assert "remark: 4 edges are in one triangle only" in said
    code, said, _ = jounce("check", tmp_path / "fin.obj", "--out", tmp_path / "look")
    assert code == 1
    assert "fault: 1 edges are in more than two triangles" in said
    assert "1 fault, 1 remark." in said
    assert len(meshes.read_surface(tmp_path / "look/fault-1.obj").triangles) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "twisted-bra"], "neither a scene of the gallery nor a mesh file; did you mean 'twisted-bar'"),
        (["check", "twisted-bar", "--set", "cels=3,2,1"], "has no option 'cels'; did you mean 'cells'"),
        (["check", "shape.obj", "--set", "cells=3"], "--set is for scenes; shape.obj is a mesh file"),
    ],
)
def test_what_cannot_be_checked_is_a_sentence(jounce, tmp_path, words, message):
    code, _, err = jounce(*words)
    assert code == 1
    assert message in err
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_not_there_is_a_fault(jounce):
    code, said, _ = jounce("check", "shape.obj")
    assert code == 1
    assert "fault: there is no such file" in said


def test_a_plate_that_crushes_a_body_is_told_and_the_last_good_state_is_on_the_disk(jounce, gallery, tmp_path):
    code, _, err = jounce("run", "press", "--verify", "--quiet", "--out", tmp_path / "out")
    assert code == 1
    assert "The run stopped at t = 0.1" in err
    assert "leaves no room for what is in between" in err
    assert "The smallest gap" in err
    assert "'cube'" in err
    assert f"Its good frames are in {tmp_path / 'out'}" in err
    with np.load(tmp_path / "out/frames.npz") as frames:
        last = frames["positions"][-1]
        assert 0.05 < frames["t"][-1] < 0.11
    system = jn.build(press())
    assert system.violations(jn.State(0.0, last.ravel(), np.zeros(last.size))) == ()
    assert (tmp_path / "out/ledger.csv").exists()


def test_a_run_tells_the_remarks_on_its_start(jounce, gallery, tmp_path):
    code, said, _ = jounce("run", "press", "--set", "gap=0.0004", "--seconds", "0.02", "--out", tmp_path / "out")
    assert code == 0
    assert "remark: The smallest gap, 0.0004 m, is between 'cube' and 'plate'" in said


def test_the_list_of_integrators_says_who_resolves_contact(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    table = listing._integrators()
    contact = dict(zip(table.columns[0].cells, table.columns[2].cells, strict=True))
    assert {n for n, c in contact.items() if c == "filtered"} == {"blending", "explicit-euler", "symplectic-euler"}
    assert list(contact) == integrators.names()

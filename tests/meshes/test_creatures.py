"""Hare, dragon, creature and blob: sound meshes at every size, standing on the ground, with the parts they promise."""

from typing import Any

import numpy as np
import pytest

from jounce.meshes import MeshError, blob, creature, dragon, hare, surface_report
from tests.meshes.test_boxes import euler


@pytest.mark.parametrize("shape", [hare, dragon, creature, blob])
@pytest.mark.parametrize("nodes", [300, 1000, 5000])
def test_a_creature_is_sound_at_every_size(shape: Any, nodes):
    mesh = shape(height=0.8, nodes=nodes)
    assert len(mesh.vertices) == pytest.approx(nodes, rel=0.15)
    smallest, largest = mesh.dihedral_angles()
    assert smallest > 10.7
    assert largest < 164.8
    report = surface_report(mesh.surface_mesh())
    assert report.closed
    assert report.manifold
    assert report.oriented
    assert mesh.vertices[:, 1].min() == pytest.approx(0.0, abs=1e-12)
    assert mesh.vertices[:, 1].max() == pytest.approx(0.8)


@pytest.mark.parametrize("shape", [hare, dragon, creature, blob])
def test_a_creature_is_one_piece_without_holes(shape: Any):
    assert euler(shape(nodes=3000).surface) == 2


def test_the_ears_of_the_hare_stand_apart():
    mesh = hare(nodes=2000, height=1.0)
    tips = mesh.vertices[mesh.vertices[:, 1] > 0.85]
    assert tips[:, 0].min() < -0.05
    assert tips[:, 0].max() > 0.05
    assert np.abs(tips[:, 0]).min() > 0.02


def test_the_dragon_has_wings_a_neck_ahead_and_a_tail_behind():
    x = dragon(nodes=3000, height=1.0).vertices
    assert np.ptp(x[:, 0]) > 1.2
    assert x[:, 2].max() > 0.5
    assert x[x[:, 1] < 0.15][:, 2].min() < -0.9


def test_the_creature_has_a_tail_behind_and_raised_hands():
    x = creature(nodes=2000, height=1.0).vertices
    assert x[:, 2].min() < -0.5
    hands = x[np.abs(x[:, 0]) > 0.3]
    assert hands[:, 1].max() > 0.6
    assert {-1.0, 1.0} == set(np.sign(hands[:, 0]))


def test_the_same_creature_has_the_same_bits():
    assert hare(nodes=500).vertices.tobytes() == hare(nodes=500).vertices.tobytes()


def test_impossible_creatures_are_refused():
    with pytest.raises(MeshError, match="nodes is 10; give a whole number of at least 50"):
        hare(nodes=10)
    with pytest.raises(MeshError, match="height is 0"):
        dragon(height=0)

"""Files of a run read back exactly, and are written whole or not at all."""

import csv
import errno

import numpy as np
import pytest

import jounce as jn
from jounce.record.files import write_run

from ..systems import bar


@pytest.fixture(scope="module")
def run():
    return jn.simulate(bar(), integrator="a-search", step=1 / 60, steps=4)


@pytest.fixture(autouse=True)
def _without_figures(monkeypatch):
    monkeypatch.setattr("jounce.record.files.figures_of", lambda out, run: [], raising=False)


def test_frames_and_ledger_read_back_to_the_bit(run, tmp_path):
    written = write_run(tmp_path / "deep" / "out", run)
    assert [p.name for p in written] == ["frames.npz", "ledger.csv"]
    with np.load(written[0]) as frames:
        assert np.array_equal(frames["t"], run.t)
        assert np.array_equal(frames["positions"], run.positions)
        assert np.array_equal(frames["velocities"], run.v.reshape(run.positions.shape))
    with written[1].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5
    for column in ("t", "total", "work", "alpha"):
        assert np.array_equal([float(r[column]) for r in rows], run.ledger[column], equal_nan=True)
    assert [float(r["momentum_1"]) for r in rows] == run.ledger.momentum[:, 1].tolist()
    assert {p.name for p in written[0].parent.iterdir()} == {"frames.npz", "ledger.csv"}


def test_a_run_of_no_steps_can_be_written(tmp_path):
    nothing = jn.simulate(bar(), integrator="bdf2", step=0.1, steps=0)
    written = write_run(tmp_path, nothing)
    assert "integrator_loss" in written[1].read_text()


def test_a_full_disk_is_a_sentence_and_leaves_no_half_file(run, tmp_path, monkeypatch):
    def full(path, **arrays):
        path.write_bytes(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(jn.SimulationError, match=r"could not be written to .*No space left.*writable and not full"):
        write_run(tmp_path, run)
    assert not list(tmp_path.iterdir())

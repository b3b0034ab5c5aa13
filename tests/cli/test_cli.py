"""The command line: lists, runs, faults as one sentence, interruption, and a quick start."""

import csv
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from jounce.cli import main as cli

ROOT = Path(__file__).parents[2]
SMALL = ["run", "twisted-bar", "--set", "cells=3,2,1", "--step", "0.05", "--seconds", "0.2", "--quiet"]
UNDRAWN = "from jounce.record import files; files.figures_of = lambda *a: []; from jounce.cli.main import main; main()"


@pytest.fixture
def jounce(monkeypatch, capfd, tmp_path):
    """Run a command in this process, without figures: (exit code, standard output, standard error)."""
    monkeypatch.setattr("jounce.record.files.figures_of", lambda out, run: [], raising=False)
    monkeypatch.setattr("warnings.formatwarning", warnings.formatwarning)  # which `main` replaces
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)

    def command(*words):
        monkeypatch.setattr(sys, "argv", ["jounce", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capfd.readouterr()
        return end.value.code or 0, out, err

    return command


def started(*words, **options):
    code = [sys.executable, *words]
    return subprocess.Popen(code, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("scenes", ["twisted-bar", "hanging-cloth", "1/30 s", "a-search"]),
        ("integrators", ["a-search", "bdf2", "alpha, target", "order"]),
        ("materials", ["neo-hookean", "stvk-spring", "fibre"]),
    ],
)
def test_lists_name_what_there_is(jounce, what, expected):
    code, out, err = jounce("list", what)
    assert (code, err) == (0, "")
    assert all(word in out for word in expected), out


def test_the_list_of_scenes_is_the_default(jounce):
    assert jounce("list")[1] == jounce("list", "scenes")[1]


def test_a_run_writes_its_frames_and_its_ledger(jounce, tmp_path):
    out = tmp_path / "my [run]"
    code, said, err = jounce(*SMALL, "--out", out)
    assert (code, said, err) == (0, "", "")
    with np.load(out / "frames.npz") as frames:
        np.testing.assert_allclose(frames["t"], [0.0, 0.05, 0.1, 0.15, 0.2])
        assert frames["positions"].shape == (5, 4 * 3 * 2, 3)
    with (out / "ledger.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 5


def test_a_run_tells_of_its_energies_and_files(jounce, tmp_path):
    words = [w for w in SMALL if w != "--quiet"]
    code, said, err = jounce(*words, "--integrator", "bdf2", "--out", tmp_path / "my [run]")
    assert (code, err) == (0, "")
    assert "4 steps to t = 0.200 s" in said
    assert "4/4" in said
    assert str(tmp_path / "my [run]" / "frames.npz") in said


def test_options_reach_the_scene_and_the_method(jounce, tmp_path):
    words = [
        *SMALL,
        "--set",
        "youngs=2e5",
        "--integrator",
        "avf",
        "--method",
        "rule=gauss-2",
        "--out",
        tmp_path / "out",
    ]
    assert jounce(*words)[0] == 0
    default = [*SMALL, "--integrator", "avf", "--out", tmp_path / "default"]
    assert jounce(*default)[0] == 0
    with np.load(tmp_path / "out/frames.npz") as a, np.load(tmp_path / "default/frames.npz") as b:
        assert np.array_equal(a["positions"][0], b["positions"][0])
        assert not np.allclose(a["positions"][-1], b["positions"][-1])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "twisted-bra"], "no scene named 'twisted-bra' in the gallery; did you mean 'twisted-bar'"),
        (["run", "twisted-bar", "--set", "cels=3,2,1"], "has no option 'cels'; did you mean 'cells'"),
        (["run", "twisted-bar", "--set", "cells"], "'cells' is not of the form name=value"),
        (["run", "twisted-bar", "--set", "cells=3"], "'cells' of the scene 'twisted-bar' is 3 numbers"),
        (["run", "twisted-bar", "--set", "youngs=soft"], "'youngs' of the scene 'twisted-bar' is a finite number"),
        (["run", "twisted-bar", "--set", "cells=3,2,1", "--set", "youngs=-5"], "youngs .* must be positive"),
        (["run", "twisted-bar", "--step", "-0.1"], "step must be a positive number of seconds; it is -0.1"),
        (["run", "twisted-bar", "--step", "nan"], "step must be a positive number of seconds; it is nan"),
        (["run", "twisted-bar", "--seconds", "0"], "length must be a positive number of seconds; it is 0.0"),
        (["run", "twisted-bar", "--integrator", "bdf3"], "no integrator named 'bdf3'; did you mean 'bdf2'"),
        (["run", "twisted-bar", "--method", "alfa=1"], "has no option 'alfa'; did you mean 'alpha'"),
        (["run", "pulled-hare", "--set", "mesh=none.npz"], "(?s)none.npz:.*no such file"),
        (["run", "twisted-bar", "--method", "alpha=1"], "'alpha' of the integrator 'a-search' is 2 numbers"),
        (["run", "twisted-bar", "--method", "sparse=maybe"], "'sparse' .* is true or false; it is 'maybe'"),
        (
            ["run", "twisted-bar", "--method", "target=decay"],
            r"must be Conserve, .*such as Conserve\(\); it is 'decay'",
        ),
        (["run", "twisted-bar", "--integrator", "decoupled", "--method", "alpha=x"], "'alpha' .* is a finite number"),
        (["run", "twisted-bar", "--solver", "pgc"], "no linear solver named 'pgc'; did you mean 'pcg'"),
        (["run", "stretched-cube", "--set", "speed=0"], "speed at which the cube is pulled must be positive"),
        (["run", "stretched-cube", "--set", "poisson=0.5"], "poisson .* between -1 and 0.5"),
        (["run", "random-start", "--set", "seed=-1"], "seed must not be negative"),
        (["run", "hanging-cloth", "--set", "damping=-1"], "Rayleigh coefficients must be finite and not negative"),
        (["run", "pulled-hare", "--set", "mass=-1", "--set", "nodes=200"], "density of body 'hare' must be positive"),
        (["run", "pulled-hare", "--set", "mesh=."], "(?s)extension '' is not known here"),
        (["run", "rotating-cube", "--set", "cells=1000000000"], r"cells are \(1000000000, .* give fewer"),
        (["reproduce", "table-3"], "no reproduction named 'table-3'; did you mean 'table-2'"),
        (["list", "sceens"], "no list of 'sceens'; did you mean 'scenes'"),
    ],
)
def test_a_fault_is_one_sentence_and_leaves_nothing_behind(jounce, tmp_path, words, message):
    import re

    code, said, err = jounce(*words)
    assert code == 1
    assert re.search(message, err), err
    assert err.startswith("jounce: ")
    assert "Traceback" not in err + said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words", [["run", "twisted-bar", "--step", "soon"], ["run"], ["walk"], ["run", "x", "--stp", "1"]]
)
def test_a_command_that_cannot_be_read_is_exit_code_2(jounce, tmp_path, words):
    code, _, err = jounce(*words)
    assert code == 2
    assert "Usage" in err
    assert not list(tmp_path.iterdir())


def test_a_scene_that_does_not_fit_into_memory_is_a_sentence(jounce, tmp_path, monkeypatch):
    def enormous(scene):
        raise MemoryError("Unable to allocate 909. TiB")

    monkeypatch.setattr("jounce.cli.running.build", enormous)
    code, _, err = jounce(*SMALL)
    assert code == 1
    assert "not enough memory for this; take fewer cells or nodes. Unable to allocate 909. TiB" in err
    assert not list(tmp_path.iterdir())


def test_a_warning_is_a_sentence_too(tmp_path):
    command = started("-c", UNDRAWN, *SMALL, "--method", "sparse=true", "--out", str(tmp_path / "out"))
    _, err = command.communicate(timeout=60)
    assert command.returncode == 0
    assert err.startswith("jounce: The sparse search is linearly unstable")
    assert "UserWarning" not in err


def test_reproductions_say_what_they_compute(jounce):
    _, out, _ = jounce("list", "reproductions")
    assert "Table 2 of You et al. 2026" in out


def test_a_reproduction_leaves_its_report_whole(jounce, tmp_path):
    code, out, _ = jounce("reproduce", "appendix-c", "--out", tmp_path / "r")
    assert code == 0
    text = (tmp_path / "r/appendix-c/report.txt").read_text()
    assert "SDIRK2-based: hbar of the lowest trace (paper about 44)" in text
    assert "…" not in text.replace("1e-3 … 1e4", "")
    assert "report.txt" in out


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_computed(jounce, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("jounce.cli.running.build", lambda scene: pytest.fail("it was computed"))
    code, _, err = jounce(*SMALL, "--out", tmp_path / "file" / "out")
    assert code == 1
    assert "cannot be the run's folder" in err
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    code, _, err = jounce(*SMALL, "--out", tmp_path / "out")
    assert code == 1
    assert "no permission to write" in err
    assert not (tmp_path / "out").exists()


def test_a_disk_that_fills_up_is_a_sentence(jounce, tmp_path, monkeypatch):
    def full(*args, **arrays):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    code, _, err = jounce(*SMALL, "--out", tmp_path / "out")
    assert code == 1
    assert "could not be written" in err
    assert "No space left" in err


def test_a_run_that_fails_is_told_and_its_good_frames_are_kept(jounce, tmp_path):
    words = [*SMALL, "--integrator", "explicit-euler", "--seconds", "40", "--out", tmp_path / "out"]
    with np.errstate(all="ignore"):
        code, _, err = jounce(*words)
    assert code == 1
    assert "The run stopped at t = " in err
    with np.load(tmp_path / "out/frames.npz") as frames:
        assert len(frames["t"]) > 1
        assert np.all(np.isfinite(frames["positions"]))


def test_an_interruption_ends_after_the_step_with_files_and_a_message(tmp_path):
    words = ["run", "twisted-bar", "--set", "cells=3,2,1", "--seconds", "10000", "--out", str(tmp_path / "out")]
    command = started("-u", "-c", UNDRAWN, *words, env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "120"})
    assert command.stdout is not None
    seen = ""
    while "Newton" not in seen:
        piece = command.stdout.read(64)
        assert piece, command.communicate()
        seen += piece
    command.send_signal(signal.SIGINT)
    said, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert "this step is finished first" in seen + said
    assert "interrupted at t = " in err
    assert "Traceback" not in err
    with np.load(tmp_path / "out/frames.npz") as frames:
        assert len(frames["t"]) > 1
        assert frames["t"][-1] < 9999
    assert (tmp_path / "out/ledger.csv").exists()


def test_a_run_gets_figures(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["jounce", *SMALL, "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert not end.value.code
    assert len(list((tmp_path / "out").glob("*.png"))) > 2


def fastest(*words):
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        command = started(*words)
        assert command.wait() == 0
        command.communicate()
        times.append(time.perf_counter() - begun)
    return min(times)


def test_help_and_import_are_quick():
    # 0.6 s and 0.4 s are meant; three times that is for noisy machines.
    assert fastest("-m", "jounce.cli.main", "--help") < 1.8
    assert fastest("-c", "import jounce") < 1.2


def test_help_loads_nothing_heavy():
    code = (
        "import sys; sys.argv = ['jounce', '--help']\n"
        "import jounce.cli.main as m\n"
        "try: m.main()\n"
        "except SystemExit as end: print('code', end.code)\n"
        "print(sorted({'numba', 'numpy', 'scipy', 'matplotlib', 'ipctk', 'h5py'} & set(sys.modules)))"
    )
    said, err = started("-c", code).communicate(timeout=60)
    assert "Usage: jounce" in said
    assert said.splitlines()[-2:] == ["code 0", "[]"], said + err

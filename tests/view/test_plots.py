import sys
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

from jounce.view import plots
from jounce.view.axes import spread
from jounce.view.palette import PALETTE

from .synthetic import ledger


@pytest.fixture
def figures(monkeypatch):
    """The figures that were written."""
    seen = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **k: (seen.append(self), save(self, *a, **k))[1])
    return seen


def words(figure):
    return [t.get_text() for panel in figure.axes for t in panel.texts]


def test_energies_are_drawn_as_they_are_with_names_units_and_one_shared_target(tmp_path, figures):
    runs = {
        "calm": ledger(decay=1),
        "kept": ledger(target=10.0),
        "also kept": SimpleNamespace(ledger=ledger(target=10.0)),
    }
    path = plots.plot_energies(tmp_path / "e.png", runs)
    assert path.stat().st_size > 5000
    (panel,) = figures[0].axes
    np.testing.assert_allclose(panel.lines[0].get_ydata(), runs["calm"].total)
    assert [line.get_linestyle() for line in panel.lines].count("--") == 1
    assert set(words(figures[0])) == {"calm", "kept", "also kept", "target"}
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("time (s)", "total energy (J)")


def test_targets_that_differ_are_drawn_each_in_its_runs_colour(tmp_path, figures):
    plots.plot_energies(tmp_path / "e.png", {"a": ledger(target=10.0), "b": ledger(target=5.0)})
    dashed = [line for line in figures[0].axes[0].lines if line.get_linestyle() == "--"]
    solid = [line for line in figures[0].axes[0].lines if line.get_linestyle() == "-"]
    assert [line.get_color() for line in dashed] == [line.get_color() for line in solid]


def test_a_run_that_blows_up_leaves_the_others_readable(tmp_path, figures):
    plots.plot_energies(tmp_path / "e.png", {"calm": ledger(decay=1), "wild": ledger(growth=6)})
    low, high = figures[0].axes[0].get_ylim()
    assert low < 2
    assert 10 < high < 60
    assert "wild ↑" in words(figures[0])


def test_a_label_has_one_colour_in_all_plots(tmp_path, figures):
    runs = {"a": ledger(alpha=True), "b": ledger(decay=1), "c": ledger(alpha=True)}
    plots.plot_energies(tmp_path / "e.svg", runs)
    plots.plot_momenta(tmp_path / "m.pdf", runs)
    plots.plot_spectra(tmp_path / "s.png", {k: ([1, 2, 3], [1.0, 0.0, 0.1]) for k in runs})
    for figure in figures:
        colours = [line.get_color() for line in figure.axes[0].lines]
        expected = [tuple(int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)) for c in list(PALETTE.values())[:3]]
        np.testing.assert_allclose(colours, expected, atol=1e-6)


def test_colours_can_be_given(tmp_path, figures):
    plots.plot_momenta(tmp_path / "m.png", {"a": ledger()}, colours={"a": "#ff0000"})
    assert figures[0].axes[0].lines[0].get_color() == (1.0, 0.0, 0.0)


def test_parts_stack_to_the_total_above_the_least_gravity(tmp_path, figures):
    book = ledger(decay=1)
    plots.plot_parts(tmp_path / "p.png", book, stacked=True)
    np.testing.assert_allclose(figures[0].axes[0].lines[0].get_ydata(), book.total + 1.0)
    plots.plot_parts(tmp_path / "p.png", book)
    assert set(words(figures[1])) == {"kinetic", "elastic", "gravity", "total"}


def test_changes_add_up_from_the_start(tmp_path, figures):
    book = ledger(decay=1)
    plots.plot_changes(tmp_path / "c.png", book)
    (line,) = figures[0].axes[0].lines
    np.testing.assert_allclose(line.get_ydata(), book.total[0] - book.total, atol=1e-12)


def test_momenta_by_size_or_component(tmp_path, figures):
    book = ledger()
    plots.plot_momenta(tmp_path / "m.png", {"a": book})
    np.testing.assert_allclose(figures[0].axes[0].lines[0].get_ydata(), np.hypot(0.1 * book.t, 2 - 0.1 * book.t))
    plots.plot_momenta(tmp_path / "m.png", {"a": book}, components=True)
    assert len(figures[1].axes) == 3
    np.testing.assert_allclose(figures[1].axes[2].lines[0].get_ydata(), 2 - 0.1 * book.t)


def test_alpha_is_of_the_runs_that_have_one(tmp_path, figures):
    plots.plot_alpha(tmp_path / "a.png", {"a": ledger(), "b": ledger(alpha=True)})
    assert words(figures[0]) == ["b"]
    with pytest.raises(ValueError, match="No run has an alpha: the methods of a"):
        plots.plot_alpha(tmp_path / "a.png", {"a": ledger()})


def test_spectra_are_logarithmic(tmp_path, figures):
    plots.plot_spectra(tmp_path / "s.png", {"a": (np.arange(1, 9), 10.0 ** -np.arange(8))})
    assert figures[0].axes[0].get_yscale() == "log"
    with pytest.raises(ValueError, match="give as many of both"):
        plots.plot_spectra(tmp_path / "s.png", {"a": ([1, 2], [1.0])})


def test_names_at_line_ends_do_not_overlap_and_move_little():
    places = np.array([0.1, 0.11, 0.12, 0.5, 0.9])
    out = spread(places, 0.05)
    assert np.all(np.diff(out) > 0.05 - 1e-12)
    np.testing.assert_allclose(out, [0.06, 0.11, 0.16, 0.5, 0.9])


def test_plots_leave_no_state_behind(tmp_path):
    plots.plot_momenta(tmp_path / "m.png", {"a": ledger()})
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [({}, "no runs"), ({"a": 3}, "'a' has no ledger"), ({"a": SimpleNamespace()}, "'a' has no ledger")],
)
def test_what_is_no_run_is_refused(tmp_path, runs, sentence):
    with pytest.raises(ValueError, match=sentence):
        plots.plot_energies(tmp_path / "e.png", runs)


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        plots.plot_energies(tmp_path / "none" / "e.png", {"a": ledger()})

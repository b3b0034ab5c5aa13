"""Checks, reports and the door to them."""

from pathlib import Path

import pytest
from rich.console import Console

from jounce import study
from jounce.study import Check, Report, Table


def test_checks_pass_within_at_most_and_at_least() -> None:
    assert Check("a", 1.0, 1.1, 0.2).passed
    assert not Check("a", 1.0, 1.3, 0.2).passed
    assert Check("a", 1.0, 1.0, kind="at most").passed
    assert not Check("a", 1.1, 1.0, kind="at most").passed
    assert Check("a", 1.0, 1.0, kind="at least").passed
    assert not Check("a", 0.9, 1.0, kind="at least").passed


def test_a_number_that_is_not_finite_never_passes() -> None:
    for kind in ("within", "at most", "at least"):
        assert not Check("a", float("-inf") if kind == "at most" else float("nan"), 0.0, 1e9, kind).passed  # type: ignore[arg-type]


def test_a_report_shows_every_number_and_fails_with_one_check() -> None:
    checks = (Check("good", 1.0, 1.0), Check("bad [x]", 2.0, 1.0, 0.5))
    report = Report(
        "r", "A title", checks, (Table("T [y]", ("a", "b"), (("row", "3.25"),)),), (Path("f.png"),), ("a note",)
    )
    assert not report.passed
    console = Console(record=True, width=100, file=open("/dev/null", "w"))  # noqa: SIM115
    report.show(console)
    text = console.export_text()
    for piece in ("A title", "good", "bad [x]", "NO", "3.25", "T [y]", "a note", "f.png"):
        assert piece in text


def test_an_unknown_reproduction_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="did you mean 'table-2'"):
        study.reproduce("table-3", tmp_path)


@pytest.mark.parametrize("name", study.names())
def test_every_reproduction_says_in_a_sentence_what_it_computes(name: str) -> None:
    assert len(study.about(name)) > 40
    assert study.about(name).endswith(".")


def test_a_report_is_written_without_cutting_its_columns(tmp_path: Path) -> None:
    wide = Table("T", tuple(f"column {i}" for i in range(11)), (tuple(f"cell {i} of a row" for i in range(11)),))
    text = Report("r", "A title", tables=(wide,)).write(tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "…" not in text
    assert all(word in text for word in ("column", "cell", "row"))

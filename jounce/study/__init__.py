"""Reproductions of published results: each computes, compares with the paper, and draws."""

from importlib import import_module
from pathlib import Path

from ..core.registry import nearest
from .report import Check, Report, Table

__all__ = ["Check", "Report", "Table", "about", "names", "reproduce"]

_STUDIES = {
    "appendix-c": "appendix_c",
    "appendix-e": "appendix_e",
    "avf-1d": "avf_1d",
    "bouncing-ball": "bouncing_ball",
    "dice": "dice",
    "free-fall": "free_fall",
    "pulled-hare": "pulled_hare",
    "recovery": "recovery",
    "rotating-cube": "rotating_cube",
    "spectra": "spectra",
    "spinning-dragon": "spinning_dragon",
    "splash": "splash",
    "stairs": "stairs",
    "table-2": "table_2",
}
"""Names and modules, each with `run(out, full=False) -> Report`; imported when asked for, since they draw."""


def names() -> list[str]:
    """The reproductions that `reproduce` knows."""
    return sorted(_STUDIES)


def about(name: str) -> str:
    """What a reproduction computes, in a sentence."""
    doc = import_module(f".{_STUDIES[name]}", __name__).__doc__ or ""
    return " ".join(doc.split("\n\n")[0].split())


def reproduce(name: str, out: Path, full: bool = False) -> Report:
    """Run a reproduction, write its figures under `out`, and return the report; `full` runs the long parts too."""
    if name not in _STUDIES:
        raise ValueError(f"There is no reproduction named '{name}'; {nearest(name, names())}")
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return import_module(f".{_STUDIES[name]}", __name__).run(out, full=full)

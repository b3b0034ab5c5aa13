"""What `jounce reproduce` does."""

from pathlib import Path

from rich.console import Console

from .. import study


def reproduce_all(names: list[str], out: Path, full: bool) -> bool:
    """Reproduce each result; true if every check passed."""
    unknown = [n for n in names if n not in study.names()]
    if unknown:
        from ..core.registry import nearest

        raise ValueError(f"There is no reproduction named '{unknown[0]}'; {nearest(unknown[0], study.names())}")
    console = Console()
    passed = True
    for name in names:
        report = study.reproduce(name, out / name, full=full)
        report.show(console)
        passed &= report.passed
    return passed

"""What `jounce reproduce` does."""

from pathlib import Path

from rich.console import Console

from .. import study
from .running import check_folder


def reproduce_all(names: list[str], out: Path, full: bool) -> bool:
    """Reproduce each result; true if every check passed."""
    unknown = [n for n in names if n not in study.names()]
    if unknown:
        from ..core.registry import nearest

        raise ValueError(f"There is no reproduction named '{unknown[0]}'; {nearest(unknown[0], study.names())}")
    check_folder(out)
    console = Console(highlight=False, soft_wrap=True)
    passed = True
    for name in names:
        report = study.reproduce(name, out / name, full=full)
        report.show()
        console.print(f"wrote {report.write(out / name / 'report.txt')}", markup=False)
        passed &= report.passed
    return passed

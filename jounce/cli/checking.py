"""What `jounce check` does."""

from pathlib import Path
from typing import Any

from .. import gallery
from ..core.registry import nearest
from ..scene.check import Findings, check
from .running import check_folder, plain_console

SHOWN = 10
"""How many distances are told, the smallest first."""


def check_named(name: str, out: Path, options: dict[str, Any]) -> bool:
    """Say all about a scene of the gallery or a mesh file, and write what to look at; true if there is no fault."""
    check_folder(out)
    found = check(_thing(name, options))
    files = found.write(out)
    console = plain_console(quiet=False)
    for i, finding in enumerate(found):
        console.print(f"{'fault' if finding.fault else 'remark'}: {finding.message}", markup=False)
        if i in files:
            console.print(f"  its {len(finding.triangles)} triangles: {files[i]}", markup=False)
    for gap in found.distances[:SHOWN]:
        console.print(f"distance: {gap.distance:.4g} m between '{gap.one}' and '{gap.other}'", markup=False)
    if len(found.distances) > SHOWN:
        console.print(f"and {len(found.distances) - SHOWN} larger distances")
    console.print(_summary(name, found), markup=False)
    return found.ok


def _thing(name: str, options: dict[str, Any]) -> Any:
    """The scene of that name, or the path of a mesh file."""
    if name in gallery.names():
        return gallery.scene(name, **options)
    path = Path(name)
    if not path.suffix and not path.exists():
        raise ValueError(
            f"'{name}' is neither a scene of the gallery nor a mesh file; {nearest(name, gallery.names())}"
        )
    if options:
        raise ValueError(f"--set is for scenes; {name} is a mesh file.")
    return path


def _summary(name: str, found: Findings) -> str:
    faults = sum(f.fault for f in found)
    return f"{name}: {_counted(faults, 'fault')}, {_counted(len(found) - faults, 'remark')}."


def _counted(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"

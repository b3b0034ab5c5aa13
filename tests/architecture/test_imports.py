"""Imports point one way, and heavy packages are imported where they are used."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "jounce"
MODULES = sorted(ROOT.rglob("*.py"))

MAY_IMPORT = {
    "kernels": set(),
    "core": {"kernels"},
    "materials": {"kernels", "core"},
    "meshes": {"kernels", "core"},
    "elements": {"kernels", "core", "materials"},
    "contact": {"kernels", "core"},
    "solvers": {"kernels", "core"},
    "energy": {"core", "solvers"},
    "integrators": {"core", "solvers", "energy"},
    "systems": {"kernels", "core", "elements", "contact", "energy"},
    "scene": {"core", "energy", "materials", "meshes", "elements", "contact", "systems"},
    "view": {"core", "energy"},
    "simulation": {"core", "energy", "solvers", "integrators", "systems", "scene"},
}
HEAVY = {
    "embreex",
    "imageio",
    "imageio_ffmpeg",
    "pyamg",
    "cvxopt",
    "pymetis",
    "pydiso",
    "matplotlib",
    "ipctk",
    "viser",
    "pxr",
    "h5py",
    "PIL",
}


def imported_rooms(path: Path) -> set[str]:
    """The rooms of jounce that a module imports, wherever in it the import stands."""
    rooms = set()
    package = ["jounce", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            full = [*base, *(node.module.split(".") if node.module else [])]
            targets = [full] if len(full) > 1 else [[*full, a.name] for a in node.names]
        elif isinstance(node, ast.Import):
            targets = [a.name.split(".") for a in node.names]
        else:
            continue
        rooms |= {t[1] for t in targets if t[0] == "jounce" and len(t) > 1}
    return rooms


def room(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else path.stem


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rooms_import_only_what_lies_below_them(path):
    here = room(path)
    if here not in MAY_IMPORT:
        return
    assert imported_rooms(path) <= MAY_IMPORT[here] | {here}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_heavy_packages_are_imported_where_they_are_used(path):
    top = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            top |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            top.add(node.module.split(".")[0])
    allowed = {"matplotlib"} if room(path) == "study" else set()  # studies draw, and are imported when one is asked for
    assert not top & HEAVY - allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_in_its_first_line_what_it_does(path):
    doc = ast.get_docstring(ast.parse(path.read_text()))
    assert doc
    assert len(doc.splitlines()[0]) > 10


def test_integrators_know_no_bodies():
    """No element, mesh or contact word stands in an integrator's code."""
    words = ("tets", "triangles", "mesh", "barrier", "ground", "ipctk", "Solid", "AffineBody")
    for path in (ROOT / "integrators").glob("*.py"):
        names = {n.id for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Name)}
        attributes = {n.attr for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Attribute)}
        assert not (names | attributes) & set(words), path


def test_compiled_code_stands_where_the_cache_folder_watches_for_edits():
    from jounce.kernels.compile import ROOMS

    compilers = {"njit", "element_function", "kernel", "specialise"}
    for path in MODULES:
        names = {n.id for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Name)}
        assert not names & compilers or room(path) in ROOMS, path

"""Meshes from and to files: NumPy archives, and the formats of meshio."""

import contextlib
import difflib
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jounce.meshes.errors import MeshError
from jounce.meshes.geometry import without_unused_nodes
from jounce.meshes.obj import read_obj, write_obj
from jounce.meshes.surfacemesh import SurfaceMesh
from jounce.meshes.tetmesh import TetMesh

VOLUMES = (".npz", ".msh", ".vtk", ".vtu", ".mesh", ".inp")
SURFACES = (".npz", ".obj", ".ply", ".stl", ".off", ".vtk", ".vtu", ".msh", ".mesh")
FORMATS = {".msh": "gmsh", ".mesh": "medit", ".inp": "abaqus"}


def read_tets(path: str | Path, *, drop_unused: bool = False) -> TetMesh:
    """The tets of a file (.npz with V and T, .msh, .vtk, .vtu, .mesh, .inp) in the units of the file, taken as metres.

    Other cells, such as boundary triangles, are ignored; nodes that only they use are an error unless `drop_unused`.
    """
    points, tets = read(Path(path), VOLUMES, "T", "tetra")
    return TetMesh(*(without_unused_nodes(points, tets) if drop_unused else (points, tets)))


def read_surface(path: str | Path, *, drop_unused: bool = False) -> SurfaceMesh:
    """The triangles of a file (.npz with V and F, .obj, .ply, .stl, .off and others), its units taken as metres.

    Polygons of an .obj file are cut into fans; elsewhere they are an error.
    Nodes that no triangle uses are an error unless `drop_unused`.
    """
    points, triangles = read(Path(path), SURFACES, "F", "triangle")
    return SurfaceMesh(*(without_unused_nodes(points, triangles) if drop_unused else (points, triangles)))


def read_mesh(path: str | Path) -> TetMesh | SurfaceMesh:
    """The tets of a file, or its triangles where it has no tets."""
    path = Path(path)
    check_suffix(path, tuple(dict.fromkeys(VOLUMES + SURFACES)))
    return read_tets(path) if holds_tets(path) else read_surface(path)


def write(path: str | Path, mesh: TetMesh | SurfaceMesh) -> None:
    """Write a mesh in the format that the extension names."""
    import meshio

    path = Path(path)
    known, name, cells = (
        (VOLUMES, "tetra", mesh.tets) if isinstance(mesh, TetMesh) else (SURFACES, "triangle", mesh.triangles)
    )
    if isinstance(mesh, TetMesh) and path.suffix.lower() not in VOLUMES and path.suffix.lower() in SURFACES:
        raise failure(
            path,
            f"{path.suffix} files hold surfaces, and this is a tet mesh. "
            "Remedy: write `mesh.surface_mesh()`, or choose one of " + ", ".join(VOLUMES) + ".",
        )
    check_suffix(path, known)
    if not path.parent.is_dir():
        raise failure(path, f"the folder {path.parent} does not exist. Remedy: create it first.")
    if path.suffix.lower() == ".npz":
        if isinstance(mesh, TetMesh):
            np.savez(path, V=mesh.vertices, T=cells)
        else:
            np.savez(path, V=mesh.vertices, F=cells)
        return
    if isinstance(mesh, SurfaceMesh) and path.suffix.lower() == ".obj":
        write_obj(path, mesh.vertices, mesh.triangles)
        return
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        meshio.write(
            path,
            meshio.Mesh(np.array(mesh.vertices), [(name, np.array(cells))]),
            file_format=FORMATS.get(path.suffix.lower()),
        )


def failure(path: Path, sentence: str) -> MeshError:
    """The error about one file."""
    return MeshError(f"{path}:", [sentence])


def check_suffix(path: Path, known: tuple[str, ...]) -> None:
    suffix = path.suffix.lower()
    if suffix not in known:
        nearest = difflib.get_close_matches(suffix, known, 1, 0.4)
        hint = f" Did you mean {nearest[0]}?" if nearest else ""
        raise failure(path, f"the extension '{path.suffix}' is not known here.{hint} Known: {', '.join(known)}.")


def read(path: Path, known: tuple[str, ...], key: str, kind: str) -> tuple[NDArray, NDArray]:
    """Points and the cells of one kind, unchecked."""
    check_suffix(path, known)
    if path.is_dir():
        raise failure(path, "this is a folder. Remedy: name the file in it.")
    if not path.is_file():
        names = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        nearest = difflib.get_close_matches(path.name, names, 1)
        raise failure(path, "there is no such file." + (f" Did you mean {nearest[0]}?" if nearest else ""))
    if path.suffix.lower() == ".npz":
        return read_archive(path, key)
    if path.suffix.lower() == ".obj":
        points, triangles = read_obj(path)
        if not len(triangles):
            raise failure(path, f"the file has {len(points)} vertices and no faces. Remedy: export the faces as well.")
        return points, triangles
    return read_blocks(path, kind)


def holds_tets(path: Path) -> bool:
    """Whether a file has tets; one that cannot hold triangles counts as if it had."""
    suffix = path.suffix.lower()
    if suffix not in VOLUMES or suffix not in SURFACES or not path.is_file():
        return suffix in VOLUMES
    if suffix == ".npz":
        return "T" in archive_of(path)
    return any(block.type == "tetra" for block in read_meshio(path).cells)


def read_blocks(path: Path, kind: str) -> tuple[NDArray, NDArray]:
    """Points and the cells of one kind of a file that meshio knows."""
    mesh = read_meshio(path)
    found = {block.type: 0 for block in mesh.cells}
    for block in mesh.cells:
        found[block.type] += len(block.data)
    cells = [block.data for block in mesh.cells if block.type == kind]
    name = "tets" if kind == "tetra" else "triangles"
    contents = ", ".join(f"{count} of type {cell}" for cell, count in found.items()) or "no cells at all"
    if not sum(len(c) for c in cells):
        advice = (
            "read a surface with `read_surface`; fill it with tets in a mesher such as Gmsh, TetGen or fTetWild"
            if kind == "tetra"
            else "triangulate its faces, or read tets with `read_tets`"
        )
        raise failure(path, f"the file has no {name}, only {contents}. Remedy: {advice}.")
    others = {"triangle": ("quad", "polygon"), "tetra": ("hexahedron", "wedge", "pyramid", "tetra10")}[kind]
    mixed = [cell for cell in found if cell.startswith(others)]
    if mixed:
        raise failure(
            path,
            f"besides {name} the file has cells that would be lost: {contents}. "
            f"Remedy: export with {name} only (triangulate faces, first-order elements).",
        )
    points = np.asarray(mesh.points)
    if points.ndim == 2 and points.shape[1] == 2:
        raise failure(path, "its points have two coordinates. Remedy: write x, y and z for every node.")
    return points, np.concatenate(cells).astype(np.int64)


def read_archive(path: Path, key: str) -> tuple[NDArray, NDArray]:
    """Arrays V and T (or F) of a NumPy archive."""
    arrays = archive_of(path)
    missing = [name for name in ("V", key) if name not in arrays]
    if missing:
        raise failure(
            path,
            f"the archive has arrays {list(arrays)} but no {' and no '.join(missing)}. "
            "Remedy: V (n, 3) for nodes, T (m, 4) for tets, F (m, 3) for triangles.",
        )
    return arrays["V"], arrays[key]


def archive_of(path: Path) -> dict[str, NDArray]:
    """The arrays of a NumPy archive; no pickles."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:
        raise failure(
            path,
            f"NumPy cannot read it: {error} Likely cause: a damaged or pickled archive. "
            "Remedy: write it again with `numpy.savez`.",
        ) from error


def read_meshio(path: Path) -> Any:
    """The file through meshio, whose complaints become a `MeshError`."""
    import meshio

    said = io.StringIO()
    try:
        # Its guess whether an .stl file is binary may overflow, to no harm.
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), np.errstate(over="ignore"):
            return meshio.read(path, file_format=FORMATS.get(path.suffix.lower()))
    # meshio leaves the interpreter when a file is faulty.
    except (Exception, SystemExit) as error:
        words = " ".join(f"{said.getvalue()} {error if not isinstance(error, SystemExit) else ''}".split())
        raise failure(
            path,
            f"meshio cannot read it: {words or type(error).__name__}. Likely cause: a damaged file, or "
            "an extension that does not fit. Remedy: export it again.",
        ) from error

"""A look at a scene or a mesh before anything is computed: all that is wrong with it, and the triangles to look at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..contact.check import distances
from ..contact.gaps import Gap
from ..core.arrays import Array
from ..core.finding import NOWHERE, Finding
from ..meshes import MeshError, SurfaceMesh, TetMesh, read_mesh, surface_report, without_unused_nodes
from ..meshes.obj import write_obj
from . import start
from .build import assembled
from .scene import Scene


@dataclass(frozen=True, eq=False)
class Findings:
    """Faults first, then remarks; `positions` (n, 3) of the nodes that they name (m), and how far things are apart.

    What has a fault is refused when it is built or read; remarks are for information.
    """

    found: tuple[Finding, ...]
    positions: Array
    distances: tuple[Gap, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no fault."""
        return not any(f.fault for f in self.found)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def write(self, folder: str | Path) -> dict[int, Path]:
        """Write the offending triangles of each finding that has some to an .obj file; the files by the finding's number."""
        folder, files = Path(folder), {}
        for i, f in enumerate(self.found):
            if len(f.triangles):
                folder.mkdir(parents=True, exist_ok=True)
                files[i] = folder / f"{'fault' if f.fault else 'remark'}-{i + 1}.obj"
                write_obj(files[i], *without_unused_nodes(self.positions, f.triangles))
        return files


def check(thing: Scene | TetMesh | SurfaceMesh | str | Path) -> Findings:
    """All that is to be said about the start of a scene, about a mesh, or about the mesh in a file; nothing is raised."""
    if isinstance(thing, Scene):
        return _scene(thing)
    if isinstance(thing, TetMesh | SurfaceMesh):
        return _mesh(thing)
    if isinstance(thing, str | Path):
        try:
            return _mesh(read_mesh(thing))
        except MeshError as error:
            return _refused(*error.findings)
    raise TypeError(f"check takes a Scene, a mesh or the path of a mesh file; this is a {type(thing).__name__}.")


def _scene(scene: Scene) -> Findings:
    try:
        system, things = assembled(scene)
    except (ValueError, TypeError) as error:
        return _refused(str(error))
    found = start.findings(scene, system, things)
    crossed = any(f.fault for f in found)
    near = (
        [] if things is None or system.contact is None or crossed else distances(things, system.contact, system.start)
    )
    return Findings(tuple(found), system.start, tuple(near))


def _mesh(mesh: TetMesh | SurfaceMesh) -> Findings:
    if isinstance(mesh, SurfaceMesh):
        return Findings(surface_report(mesh).findings, mesh.vertices)
    # A solid's surface may touch itself: nothing is refused for that.
    skin = mesh.surface_mesh()
    found = tuple(replace(f, fault=False) for f in surface_report(skin).findings)
    return Findings(found, skin.vertices)


def _refused(*messages: str) -> Findings:
    return Findings(tuple(Finding(True, m, NOWHERE) for m in messages), np.zeros((0, 3)))

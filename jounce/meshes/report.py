"""What a surface is: closed, manifold, wound one way, free of duplicates; with sentences about what it is not."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from jounce.core.finding import NOWHERE, Finding
from jounce.meshes.checks import listing, point
from jounce.meshes.geometry import Indices
from jounce.meshes.manifold import TRIANGLE_EDGES, crowded_edges, pinched_nodes, surface_edges
from jounce.meshes.surfacemesh import SurfaceMesh

SAME = 1e-9  # nodes closer than this fraction of the bounding box are one place


@dataclass(frozen=True, eq=False)
class SurfaceReport:
    """Faults of a surface by number; empty arrays where there are none, and `findings` in words, the worst first.

    open_edges (k, 2): in one triangle only. crowded_edges (k, 2): in more than two. misdirected_edges (k, 2): two
    triangles run through them the same way. pinched_nodes (k,): their triangles form several fans. doubled_triangles (k,):
    an earlier one has the same nodes. duplicate_nodes (k, 2): pairs in one place. volume: enclosed, cubic metres; means
    something only for closed surfaces.
    """

    open_edges: Indices
    crowded_edges: Indices
    misdirected_edges: Indices
    pinched_nodes: Indices
    doubled_triangles: Indices
    duplicate_nodes: Indices
    volume: float
    findings: tuple[Finding, ...]

    @property
    def closed(self) -> bool:
        """Every edge has two triangles."""
        return not len(self.open_edges) and not len(self.crowded_edges)

    @property
    def manifold(self) -> bool:
        """The surface nowhere branches, touches itself at a node, or lies on itself."""
        return not len(self.crowded_edges) and not len(self.pinched_nodes) and not len(self.doubled_triangles)

    @property
    def oriented(self) -> bool:
        """All triangles are wound one way, and outward if the surface is closed."""
        return not len(self.misdirected_edges) and not (self.closed and self.volume < 0.0)


def surface_report(mesh: SurfaceMesh) -> SurfaceReport:
    """Look at the topology and the winding of a surface; nothing is raised."""
    x, triangles = mesh.vertices, mesh.triangles
    directed = triangles[:, TRIANGLE_EDGES].reshape(-1, 2)
    edges, counts = np.unique(np.sort(directed, axis=1), axis=0, return_counts=True)
    open_edges = edges[counts == 1]
    crowded, how_many = crowded_edges(triangles)
    ways, repeats = np.unique(directed, axis=0, return_counts=True)
    misdirected = np.sort(ways[repeats > 1], axis=1)
    # A crowded edge has no side to agree on.
    beside = {tuple(edge) for edge in crowded.tolist()}
    misdirected = np.array([e for e in misdirected.tolist() if tuple(e) not in beside], dtype=np.int64).reshape(-1, 2)
    pinched = np.setdiff1d(pinched_nodes(triangles), crowded)
    first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)[1]
    doubled = np.setdiff1d(np.arange(len(triangles)), first)
    size = float(np.linalg.norm(x.max(axis=0) - x.min(axis=0)))
    duplicates = np.unique(KDTree(x).query_pairs(SAME * size, output_type="ndarray").astype(np.int64), axis=0)
    duplicates = duplicates.reshape(-1, 2)
    inward = mesh.enclosed_volume if not len(open_edges) and not len(crowded) and not len(misdirected) else 0.0
    findings = (
        *doubled_faces(mesh, doubled),
        *branches(mesh, crowded, how_many),
        *touching_fans(mesh, pinched),
        *one_place(mesh, duplicates),
        *opposite_windings(mesh, misdirected),
        *inside_out(mesh, inward),
        *rims(mesh, open_edges),
    )
    return SurfaceReport(
        open_edges, crowded, misdirected, pinched, doubled, duplicates, mesh.enclosed_volume, tuple(findings)
    )


def doubled_faces(mesh: SurfaceMesh, doubled: Indices) -> list[Finding]:
    if not len(doubled):
        return []
    x, triangles = mesh.vertices, mesh.triangles
    where = listing(doubled, lambda i: f"triangle {i} at {point(x[triangles[i]].mean(axis=0))}")
    message = (
        f"{len(doubled)} triangles have the same nodes as an earlier one: {where}. "
        "Likely cause: parts of the file were written twice. Remedy: delete the repeated triangles."
    )
    return [Finding(True, message, triangles[doubled])]


def branches(mesh: SurfaceMesh, crowded: Indices, how_many: Indices) -> list[Finding]:
    if not len(crowded):
        return []
    worst = np.argsort(-how_many, kind="stable")
    where = listing(worst, lambda i: f"{edge(mesh, crowded[i])} in {how_many[i]} triangles")
    message = (
        f"{len(crowded)} edges are in more than two triangles: {where}. "
        "Likely cause: inner walls or doubled triangles. Remedy: delete the triangles inside."
    )
    return [Finding(True, message, along(mesh, crowded))]


def touching_fans(mesh: SurfaceMesh, pinched: Indices) -> list[Finding]:
    if not len(pinched):
        return []
    where = listing(pinched, lambda i: f"node {i} at {point(mesh.vertices[i])}")
    message = (
        f"the surface touches itself at {len(pinched)} nodes: {where}. "
        "Likely cause: parts that share a single node. Remedy: split the node, one for each part."
    )
    return [Finding(True, message, around(mesh, pinched))]


def one_place(mesh: SurfaceMesh, duplicates: Indices) -> list[Finding]:
    if not len(duplicates):
        return []
    x = mesh.vertices
    where = listing(
        np.arange(len(duplicates)), lambda i: f"nodes {duplicates[i].tolist()} at {point(x[duplicates[i, 0]])}"
    )
    message = (
        f"{len(duplicates)} pairs of nodes are in one place: {where}. "
        "Likely cause: the file stores corners per triangle, or seams of a texture. "
        "Remedy: merge the nodes by distance where the mesh was made."
    )
    return [Finding(False, message, around(mesh, duplicates))]


def opposite_windings(mesh: SurfaceMesh, misdirected: Indices) -> list[Finding]:
    if not len(misdirected):
        return []
    where = listing(np.arange(len(misdirected)), lambda i: edge(mesh, misdirected[i]))
    message = (
        f"{len(misdirected)} edges join triangles of opposite winding: {where}. "
        "Likely cause: some triangles were flipped. Remedy: recalculate the normals outward."
    )
    return [Finding(False, message, along(mesh, misdirected))]


def inside_out(mesh: SurfaceMesh, volume: float) -> list[Finding]:
    if volume >= 0.0:
        return []
    message = (
        f"all triangles are wound inward (enclosed volume {volume:.3g} cubic metres). "
        "Remedy: swap two columns, `triangles[:, [0, 2, 1]]`."
    )
    return [Finding(False, message, NOWHERE)]


def rims(mesh: SurfaceMesh, open_edges: Indices) -> list[Finding]:
    if not len(open_edges):
        return []
    where = listing(np.arange(len(open_edges)), lambda i: edge(mesh, open_edges[i]))
    message = (
        f"{len(open_edges)} edges are in one triangle only, so the surface is open: {where}. "
        "Likely cause: holes, or a sheet that is meant to be open. "
        "Remedy: fill the holes if it must be closed."
    )
    return [Finding(False, message, along(mesh, open_edges))]


def edge(mesh: SurfaceMesh, nodes: Indices) -> str:
    """An edge in words."""
    return f"edge {nodes.tolist()} at {point(mesh.vertices[nodes].mean(axis=0))}"


def along(mesh: SurfaceMesh, edges: Indices) -> Indices:
    """The triangles at these edges (k, 2), smaller node first."""
    n = len(mesh.vertices)
    own = surface_edges(mesh.triangles)
    at = np.isin(n * own[:, 0] + own[:, 1], n * edges[:, 0] + edges[:, 1])
    return mesh.triangles[at.reshape(-1, 3).any(axis=1)]


def around(mesh: SurfaceMesh, nodes: Indices) -> Indices:
    """The triangles at these nodes."""
    return mesh.triangles[np.isin(mesh.triangles, nodes).any(axis=1)]

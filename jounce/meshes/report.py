"""What a surface is: closed, manifold, wound one way, free of duplicate nodes; with sentences about what it is not."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from jounce.meshes.checks import listing, point
from jounce.meshes.geometry import Indices, Points
from jounce.meshes.manifold import TRIANGLE_EDGES, crowded_edges, pinched_nodes
from jounce.meshes.surfacemesh import SurfaceMesh

SAME = 1e-9  # nodes closer than this fraction of the bounding box are one place


@dataclass(frozen=True, eq=False)
class SurfaceReport:
    """Faults of a surface by node number; empty arrays where there are none, and `findings` in words.

    open_edges (k, 2): in one triangle only. crowded_edges (k, 2): in more than two. misdirected_edges (k, 2): two
    triangles run through them the same way. pinched_nodes (k,): their triangles form several fans. duplicate_nodes
    (k, 2): pairs in one place. volume: enclosed, cubic metres; means something only for closed surfaces.
    """

    open_edges: Indices
    crowded_edges: Indices
    misdirected_edges: Indices
    pinched_nodes: Indices
    duplicate_nodes: Indices
    volume: float
    findings: tuple[str, ...]

    @property
    def closed(self) -> bool:
        """Every edge has two triangles."""
        return not len(self.open_edges) and not len(self.crowded_edges)

    @property
    def manifold(self) -> bool:
        """The surface nowhere branches or touches itself at a node."""
        return not len(self.crowded_edges) and not len(self.pinched_nodes)

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
    size = float(np.linalg.norm(x.max(axis=0) - x.min(axis=0)))
    duplicates = np.unique(KDTree(x).query_pairs(SAME * size, output_type="ndarray").astype(np.int64), axis=0)
    findings = sentences(x, open_edges, crowded, how_many, misdirected, pinched, duplicates.reshape(-1, 2))
    volume = mesh.enclosed_volume
    if not len(open_edges) and not len(crowded) and not len(misdirected) and volume < 0.0:
        findings.append(
            f"all triangles are wound inward (enclosed volume {volume:.3g} cubic metres). "
            "Remedy: swap two columns, `triangles[:, [0, 2, 1]]`."
        )
    return SurfaceReport(open_edges, crowded, misdirected, pinched, duplicates.reshape(-1, 2), volume, tuple(findings))


def sentences(
    x: Points,
    open_edges: Indices,
    crowded: Indices,
    how_many: Indices,
    misdirected: Indices,
    pinched: Indices,
    duplicates: Indices,
) -> list[str]:
    """The faults in words, with places, cause and remedy."""

    def edge(table: Indices, i: int) -> str:
        return f"edge {table[i].tolist()} at {point(x[table[i]].mean(axis=0))}"

    def ends(i: int) -> str:
        return f"nodes {duplicates[i].tolist()} at {point(x[duplicates[i, 0]])}"

    findings = []
    if len(duplicates):
        where = listing(np.arange(len(duplicates)), ends)
        findings.append(
            f"{len(duplicates)} pairs of nodes are in one place: {where}. "
            "Likely cause: the file stores corners per triangle, or seams of a texture. "
            "Remedy: merge the nodes by distance where the mesh was made."
        )
    if len(crowded):
        worst = np.argsort(-how_many, kind="stable")
        where = listing(worst, lambda i: f"{edge(crowded, i)} in {how_many[i]} triangles")
        findings.append(
            f"{len(crowded)} edges are in more than two triangles: {where}. "
            "Likely cause: inner walls or doubled triangles. Remedy: delete the triangles inside."
        )
    if len(pinched):
        where = listing(pinched, lambda i: f"node {i} at {point(x[i])}")
        findings.append(
            f"the surface touches itself at {len(pinched)} nodes: {where}. "
            "Likely cause: parts that share a single node. Remedy: split the node, one for each part."
        )
    if len(misdirected):
        where = listing(np.arange(len(misdirected)), lambda i: edge(misdirected, i))
        findings.append(
            f"{len(misdirected)} edges join triangles of opposite winding: {where}. "
            "Likely cause: some triangles were flipped. Remedy: recalculate the normals outward."
        )
    if len(open_edges):
        where = listing(np.arange(len(open_edges)), lambda i: edge(open_edges, i))
        findings.append(
            f"{len(open_edges)} edges are in one triangle only, so the surface is open: {where}. "
            "Likely cause: holes, or a sheet that is meant to be open. "
            "Remedy: fill the holes if it must be closed."
        )
    return findings

"""Files: what is written is read back, and what cannot be read is explained."""

from pathlib import Path

import numpy as np
import pytest

from jounce.meshes import MeshError, ball, box, read_surface, read_tets, write


@pytest.mark.parametrize("suffix", [".npz", ".msh", ".vtk", ".vtu", ".mesh", ".inp"])
def test_tets_survive_the_round_trip(tmp_path: Path, suffix):
    mesh = ball(resolution=2).moved((1 / 3, 0, 0))
    write(tmp_path / f"ball{suffix}", mesh)
    back = read_tets(tmp_path / f"ball{suffix}")
    np.testing.assert_array_equal(back.tets, mesh.tets)
    np.testing.assert_allclose(back.vertices, mesh.vertices, rtol=1e-14, atol=1e-16)


@pytest.mark.parametrize("suffix", [".npz", ".obj", ".ply", ".off", ".vtk", ".vtu"])
def test_surfaces_survive_the_round_trip(tmp_path: Path, suffix):
    mesh = ball(resolution=2).surface_mesh()
    write(tmp_path / f"ball{suffix}", mesh)
    back = read_surface(tmp_path / f"ball{suffix}")
    np.testing.assert_array_equal(back.triangles, mesh.triangles)
    np.testing.assert_allclose(back.vertices, mesh.vertices, rtol=1e-14, atol=1e-16)


def test_an_stl_keeps_the_shape(tmp_path: Path):
    mesh = ball(resolution=2).surface_mesh()
    write(tmp_path / "ball.stl", mesh)
    back = read_surface(tmp_path / "ball.stl")
    assert len(back.vertices) == len(mesh.vertices)
    assert back.enclosed_volume == pytest.approx(mesh.enclosed_volume, rel=1e-5)


def test_obj_faces_may_be_polygons_with_textures_and_negative_numbers(tmp_path: Path):
    path = tmp_path / "square.obj"
    path.write_text("# a square\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nvt 0 0\nf 1/1/1 2/1/1 -2//1 4\n")
    mesh = read_surface(path)
    np.testing.assert_array_equal(mesh.triangles, [[0, 1, 2], [0, 2, 3]])
    assert mesh.area == pytest.approx(1.0)


def test_a_faulty_obj_line_is_named(tmp_path: Path):
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\nv 1 x 0\nv 1 1 0\nf 1 2\n")
    with pytest.raises(MeshError, match=r"line 2 \('v 1 x 0'\) cannot be read(.|\n)*line 4 \('f 1 2'\)"):
        read_surface(path)


def test_unused_nodes_are_refused_or_dropped(tmp_path: Path):
    mesh = box()
    np.savez(tmp_path / "extra.npz", V=np.vstack([mesh.vertices, [[9, 9, 9]]]), T=mesh.tets)
    with pytest.raises(MeshError, match=r"node 8 at \(9, 9, 9\).*drop_unused=True"):
        read_tets(tmp_path / "extra.npz")
    np.testing.assert_array_equal(read_tets(tmp_path / "extra.npz", drop_unused=True).tets, mesh.tets)


def test_inverted_tets_in_a_file_are_an_error(tmp_path: Path):
    mesh = box()
    tets = mesh.tets.copy()
    tets[2] = mesh.tets[2][[1, 0, 2, 3]]
    np.savez(tmp_path / "bad.npz", V=mesh.vertices, T=tets)
    with pytest.raises(MeshError, match=r"1 of 5 tets are inverted.*tet 2 "):
        read_tets(tmp_path / "bad.npz")


def test_files_that_do_not_fit_are_explained(tmp_path: Path):
    surface = ball(resolution=1).surface_mesh()
    write(tmp_path / "ball.vtk", surface)
    with pytest.raises(MeshError, match=r"no tets, only 20 of type triangle. Remedy: read a surface with"):
        read_tets(tmp_path / "ball.vtk")
    write(tmp_path / "solid.vtk", box())
    with pytest.raises(MeshError, match=r"no triangles, only 5 of type tetra"):
        read_surface(tmp_path / "solid.vtk")
    with pytest.raises(MeshError, match=r"no such file. Did you mean ball.vtk\?"):
        read_tets(tmp_path / "bal.vtk")
    with pytest.raises(MeshError, match=r"extension '.mhs' is not known here. Did you mean .m\w+\? Known: .npz, .msh"):
        read_tets(tmp_path / "ball.mhs")
    with pytest.raises(MeshError, match=r"\.obj files hold surfaces.*surface_mesh\(\)"):
        write(tmp_path / "ball.obj", box())
    with pytest.raises(MeshError, match=r"folder .*nowhere does not exist"):
        write(tmp_path / "nowhere" / "ball.vtk", box())


def test_damaged_files_are_an_error_and_leave_the_interpreter_running(tmp_path: Path):
    (tmp_path / "text.msh").write_text("not a mesh at all\n")
    with pytest.raises(MeshError, match="meshio cannot read it"):
        read_tets(tmp_path / "text.msh")
    (tmp_path / "text.npz").write_text("not an archive\n")
    with pytest.raises(MeshError, match="NumPy cannot read it"):
        read_tets(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", V=np.zeros((3, 3)), X=np.zeros(3))
    with pytest.raises(MeshError, match=r"arrays \['V', 'X'\] but no T"):
        read_tets(tmp_path / "other.npz")
    (tmp_path / "points.obj").write_text("v 0 0 0\n")
    with pytest.raises(MeshError, match="1 vertices and no faces"):
        read_surface(tmp_path / "points.obj")


def test_cells_that_would_be_lost_are_an_error(tmp_path: Path):
    import meshio

    cube = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
    points = np.vstack([cube, [[0.5, 0.5, 2.0]]])
    mixed = meshio.Mesh(points, [("hexahedron", [[0, 1, 2, 3, 4, 5, 6, 7]]), ("tetra", [[4, 5, 6, 8]])])
    meshio.write(tmp_path / "mixed.vtu", mixed)
    with pytest.raises(MeshError, match="cells that would be lost: 1 of type hexahedron, 1 of type tetra"):
        read_tets(tmp_path / "mixed.vtu")

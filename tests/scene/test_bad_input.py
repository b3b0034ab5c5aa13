"""Faulty input is answered by a sentence that says what, where and what to do."""

import numpy as np
import pytest

import jounce as jn
from jounce import materials, meshes

MESH = meshes.box(size=(0.3, 0.1, 0.1), cells=(3, 1, 1))
NEO = jn.NeoHookean(youngs=1e5, poisson=0.3)
STVK = jn.StVenantKirchhoff(youngs=1e5, poisson=0.3)
SHEET = meshes.sheet(cells=(2, 2))
HOOKE = jn.HookeanSpring(stiffness=10.0)
NAN = float("nan")


def solid(**options):
    return jn.Solid(**{"mesh": MESH, "material": STVK, "name": "ball", **options})


def build(body):
    return jn.build(jn.Scene((body,)))


def moved(node, by):
    x = np.array(MESH.vertices)
    x[node] += by
    return x


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"position": (0.0, 1.0)}, r"position of body 'ball' \(m\) must be three finite numbers; it is \(0.0, 1.0\)"),
        ({"position": (0.0, NAN, 0.0)}, "position of body 'ball'"),
        ({"velocity": (1.0, 2.0)}, r"velocity of body 'ball' has shape \(2,\); give three numbers"),
        ({"velocity": (1.0, NAN, 0.0)}, "velocity of body 'ball' is not finite at node 0 and 16 in all"),
        ({"velocity": lambda x: x[:, 0]}, r"velocity of body 'ball' has shape \(16,\)"),
        (
            {"velocity": lambda x: np.where(x > 0.1, NAN, x)},
            "velocity of body 'ball' is not finite at node 12 and 4 in all",
        ),
        ({"velocity": jn.Spin(axis=(0.0, 0.0, 0.0), rate=1.0)}, "axis of a spin must have a direction"),
        ({"velocity": jn.Spin(axis=(0.0, 1.0, 0.0), rate=NAN)}, "velocity of body 'ball' is not finite"),
        ({"velocity": jn.Ramp(velocity=(1.0, 0.0, 0.0), along=(0.0, 0.0, 0.0))}, "ramp grows must have a direction"),
        ({"start": np.zeros((3, 3))}, r"start of body 'ball' has shape \(3, 3\); its mesh needs \(16, 3\)"),
        ({"start": moved(5, NAN)}, "start of body 'ball' is not finite at node 5 and 1 in all"),
        (
            {"density": -1.0},
            r"density of body 'ball' must be positive \(kg/m\^3\); it is -1.0 at element 0 and 15 in all",
        ),
        ({"density": np.ones(4)}, r"density of body 'ball' has shape \(4,\), but the mesh has 15 elements"),
        ({"density": lambda c: np.where(c[:, 0] > 0, NAN, 1.0)}, "density of body 'ball' must be positive"),
        ({"material": jn.NeoHookean(youngs=np.ones(4), poisson=0.3)}, "youngs has shape"),
        (
            {"material": NEO, "start": moved(0, (0.35, 0.0, 0.0))},
            r"body 'ball' have no finite energy at the start.*inverted",
        ),
        (
            {"material": NEO, "start": np.array(MESH.vertices) * [1, 0, 1]},
            "15 elements of body 'ball'.*stable-neo-hookean",
        ),
        (
            {"clamps": (jn.Clamp(nodes=lambda x: x[:, 0] > 9),)},
            r"Clamp 0 of body 'ball' selects no node.*spans .* m.*units",
        ),
        ({"clamps": (jn.Clamp(nodes=[3, 99]),)}, "selects node 99, but the body has nodes 0 to 15"),
        ({"clamps": (jn.Clamp(nodes=[0.5]),)}, "values of type float64; give whole node numbers"),
        ({"clamps": (jn.Clamp(nodes=[True, False]),)}, r"mask of shape \(2,\); the body has 16 nodes"),
        ({"clamps": (jn.Clamp(nodes="al"),)}, "selects nodes by 'al'; give node numbers"),
        (
            {"clamps": (jn.Clamp(nodes=[0], begin=2.0, until=1.0),)},
            "begins at 2.0 s and ends at 1.0 s; it must end later",
        ),
        ({"clamps": (jn.Clamp(nodes=[0], begin=NAN),)}, "must end later than it begins"),
        (
            {"clamps": (jn.Clamp(nodes=[0, 1], path=lambda t, x: x[0]),)},
            r"path of clamp 0 of body 'ball' must give .*\(2, 3\)",
        ),
        ({"clamps": (jn.Clamp(nodes=[0], path=lambda t, x: x * NAN),)}, "must give finite positions"),
        ({"forces": (jn.Force(total=(1.0, 0.0)),)}, r"Force 0 of body 'ball' \(N\) must be three finite numbers"),
        ({"forces": (jn.Force(total=lambda t: (NAN, 0.0, 0.0)),)}, "Force 0 of body 'ball'"),
        ({"forces": (jn.Force(total=(1.0, 0.0, 0.0), nodes=[]),)}, "Force 0 of body 'ball' selects no node"),
        ({"forces": (jn.Force(total=(1.0, 0.0, 0.0), begin=1.0, until=1.0),)}, "must end later than it begins"),
        ({"wind": jn.Wind(velocity=(1.0, NAN, 0.0))}, "wind on body 'ball'"),
    ],
)
def test_a_body_that_cannot_be_built_is_named_with_its_fault(options, message):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        build(solid(**options))


def sway(t, x):
    return x + np.sin(t)


UP = jn.Translate(velocity=(0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"path": UP}),
        ({"path": UP}, {"path": sway}),
        ({"path": UP}, {"path": UP, "begin": 0.5}),
        ({"path": UP, "until": 1.1}, {"path": sway, "begin": 1.0}),
    ],
)
def test_two_paths_for_one_node_are_refused(first, second):
    clamps = (jn.Clamp(nodes=[0, 2, 3], **first), jn.Clamp(nodes=[2, 3, 4], **second))
    with pytest.raises(
        ValueError, match=r"Clamps 0 and 1 of body 'ball' hold 2 nodes at the same time .* node 2 at \(-0.15"
    ):
        build(solid(clamps=clamps))


@pytest.mark.parametrize(
    ("first", "second"),
    [({}, {}), ({"path": UP}, {"path": UP}), ({"path": UP, "until": 1.0}, {"path": sway, "begin": 1.0})],
)
def test_clamps_that_agree_or_follow_each_other_may_share_nodes(first, second):
    build(solid(clamps=(jn.Clamp(nodes=[0, 2, 3], **first), jn.Clamp(nodes=[2, 3, 4], **second))))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: jn.NeoHookean(youngs=1e5, poisson=0.5),
            "poisson .* must be between -1 and 0.5, both excluded, but is 0.5",
        ),
        (lambda: jn.NeoHookean(youngs=-1.0, poisson=0.3), "youngs .* must be positive and finite, but is -1"),
        (lambda: materials.create("neo-hokean"), "did you mean 'neo-hookean'"),
        (lambda: materials.create("neo-hookean", young=1.0), "has no option 'young'; did you mean 'youngs'"),
        (lambda: materials.create("neo-hookean", youngs=1e5), "also needs poisson"),
        (lambda: jn.Wind(velocity=(0.0, 0.0, 0.0), drag=-1.0), "drag must be finite and not negative"),
        (lambda: jn.Translate(velocity=(1.0, 0.0)), "velocity of a translation .* must be three finite numbers"),
        (lambda: jn.Rotate(axis=(0.0, 0.0, 0.0), rate=1.0), "axis of a rotation must have a direction"),
        (lambda: jn.Scene(()), "needs at least one body"),
        (lambda: jn.Scene((solid(), solid())), "different names; these occur twice: ball"),
        (lambda: jn.Scene((solid(),), gravity=(0.0, NAN, 0.0)), r"Gravity \(m/s\^2\) must be three finite numbers"),
        (lambda: jn.Scene((solid(),), gravity=-9.8), r"Gravity .* it is -9.8"),
        (lambda: build(jn.SpringNet(SHEET, HOOKE, density=0.0)), "density of body 'net' must be one positive number"),
        (lambda: build(jn.SpringNet(SHEET, HOOKE, density=np.ones(3))), "must be one positive number"),
        (lambda: build(jn.SpringNet(SHEET, HOOKE, edges=[[0, 99]])), "name nodes that do not exist"),
        (lambda: build(jn.SpringNet(MESH, HOOKE, bending=HOOKE)), "no bending edges; give bending_edges"),
        (lambda: jn.build(jn.Scene((solid(clamps=(jn.Clamp(nodes=np.zeros(16, bool)),)),))), "selects no node"),
    ],
)
def test_parts_of_a_scene_are_checked(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: jn.Scene(solid()), r"a tuple of Solid and SpringNet, as in Scene\(\(body,\)\); this is a Solid"),
        (lambda: jn.Scene((MESH,)), "this is a TetMesh"),
        (lambda: solid(mesh=SHEET), "Body 'ball' needs a TetMesh, not a SurfaceMesh"),
        (
            lambda: solid(material=HOOKE),
            "material of body 'ball' must be one of .*neo-hookean.*; it is a HookeanSpring",
        ),
        (lambda: solid(fibres=(STVK,)), "fibre 0 of body 'ball' must be one of anisotropic-fung"),
        (lambda: jn.SpringNet(SHEET, STVK), "spring of body 'net' must be one of hookean-spring, stvk-spring"),
        (lambda: solid(clamps=jn.Clamp(nodes=[0])), "clamps of body 'ball' must be a tuple of Clamp; it is a Clamp"),
        (lambda: solid(forces=(UP,)), "forces of body 'ball' must be a tuple of Force"),
    ],
)
def test_things_of_the_wrong_kind_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_a_mesh_with_faults_does_not_reach_a_scene():
    x, tets = np.array(MESH.vertices), np.array(MESH.tets)
    with pytest.raises(meshes.MeshError, match=r"(?s)would have no mass.*without_unused_nodes"):
        jn.TetMesh(np.vstack([x, [[9.0, 9.0, 9.0]]]), tets)
    with pytest.raises(meshes.MeshError, match="inverted"):
        jn.TetMesh(x, tets[:, [1, 0, 2, 3]])
    with pytest.raises(meshes.MeshError, match="flat"):
        jn.TetMesh(x * [1.0, 1.0, 0.0], tets)
    with pytest.raises(meshes.MeshError, match="not finite: node 5"):
        jn.TetMesh(moved(5, NAN), tets)
    with pytest.raises(meshes.MeshError, match=r"vertices have shape \(16, 2\)"):
        jn.TetMesh(x[:, :2], tets)


def run(body=None, **options):
    scene = jn.Scene((solid() if body is None else body,))
    return jn.simulate(scene, **{"integrator": "implicit-euler", "step": 0.01, "steps": 3, **options})


def particle(**options):
    given = {"value": lambda q: q @ q / 2, "gradient": lambda q: q, "hessian": lambda q: np.eye(1), **options}
    return jn.AnalyticSystem(1.0, **{"q": 1.0, "v": 0.0, **given})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: jn.NeoHookean(youngs="soft", poisson=0.3), "youngs .* must be numbers; it is 'soft'"),
        (lambda: build(solid(density="heavy")), "density of body 'ball' must be numbers; it is 'heavy'"),
        (lambda: build(solid(velocity="fast")), "velocity of body 'ball' .* must be numbers"),
        (lambda: build(solid(velocity=jn.Spin(axis=(0, 0, 1), rate="a"))), "rate of a spin .* one number; it is 'a'"),
        (lambda: build(solid(start="here")), "start of body 'ball' .* must be numbers"),
        (lambda: build(solid(clamps=(jn.Clamp(nodes=[0], begin="now"),))), "beginning of .* one number; it is 'now'"),
        (lambda: build(solid(clamps=(jn.Clamp(nodes=[0], path=3),))), r"function of \(seconds, positions\); it is 3"),
        (lambda: build(solid(forces=(jn.Force(total="up"),))), "Force 0 of body 'ball' must be numbers"),
        (lambda: solid(name=3), "name of a body must be text; it is 3"),
        (lambda: solid(damping=0.1), "damping of body 'ball' must be Rayleigh or None; it is a float"),
        (lambda: solid(wind=(1, 0, 0)), "wind of body 'ball' must be Wind or None"),
        (lambda: solid(fibres=STVK), "fibres of body 'ball' must be a tuple"),
        (lambda: jn.Rayleigh(mass="much"), r"Rayleigh's mass \(1/s\) must be one number"),
        (lambda: jn.Decay(tau="long"), r"tau \(s\) must be one number; it is 'long'"),
        (lambda: jn.Schedule(taus=(1, 2)), r"pairs \(time, tau\); it is \(1, 2\)"),
        (lambda: jn.Curve(energy=3), r"pairs \(time, energy\); it is 3"),
        (lambda: jn.PerBody(bodies={"ball": 3}), "target of 'ball' must be Conserve, .*; it is 3"),
        (lambda: jn.NewtonSolver(tolerance="tight"), "Newton's tolerance must be one number"),
        (lambda: jn.NewtonSolver(linear=3), "linear must be a linear solver or the name of one; it is 3"),
        (lambda: run(step="a"), r"time step \(s\) must be one number"),
        (lambda: run(integrator=None), "integrator must be a name, or what .*create returns; it is None"),
        (lambda: run(integrator=jn.integrators.a_1.A1), "integrator must be a name"),
        (lambda: run(solver="pcg"), "solver must be a NewtonSolver or None; it is 'pcg'"),
        (lambda: run(resume=3), "resume must be a Run or None"),
    ],
)
def test_things_of_the_wrong_type_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: build(solid(velocity=jn.Spin(axis=(0, 0, 1), rate=1.0, centre=(0, 1)))), "centre of a spin"),
        (lambda: build(solid(velocity=jn.Ramp(velocity=(1, 0), along=(0, 1, 0)))), "velocity of a ramp"),
        (lambda: jn.Translate(velocity=(1, 0, 0), duration=-1), "duration of a translation must not be negative"),
        (lambda: jn.Rotate(axis=(0, 0, 1), rate=NAN), "rate of a rotation must be finite"),
        (lambda: jn.Wind(velocity=(1, 0, 0), begin=2.0, until=1.0), "wind begins at 2.0 s and ends at 1.0 s"),
        (lambda: jn.Conserve(ground=NAN), "ground of a target must be finite"),
        (lambda: jn.Curve(energy=((1.0, 0.0), (0.0, 1.0))), "rising times"),
        (lambda: jn.NewtonSolver(linear_tolerance=-1.0), "Newton's linear_tolerance must be positive"),
        (
            lambda: build(jn.SpringNet(SHEET, HOOKE, edges=[[0, 1], [3, 3]])),
            "Edge 1 of body 'net' joins node 3 to itself",
        ),
        (
            lambda: run(resume=jn.simulate(particle(), step=0.1, steps=1)),
            "another system: it has 1 coordinates, this one 48",
        ),
        (lambda: particle(v=np.zeros(3)), r"v is one number or as many as q has, 1; it has shape \(3,\)"),
        (
            lambda: jn.simulate(particle(gradient=lambda q: np.zeros(5)), step=0.1, steps=1),
            r"gradient has shape \(5,\); with 1 coordinates it must be \(1,\)",
        ),
        (
            lambda: jn.simulate(particle(hessian=lambda q: np.eye(2)), step=0.1, steps=1),
            r"Hessian has shape \(2, 2\); with 1 coordinates it must be \(1, 1\)",
        ),
        (
            lambda: run(solid(clamps=(jn.Clamp(nodes=[0], path=lambda t, x: x if t < 0.015 else x[:, 0]),))),
            r"At t = .* the path of a clamp gives positions of shape \(1,\); .* must give \(1, 3\)",
        ),
    ],
)
def test_values_that_make_no_sense_are_answered(make, message):
    with pytest.raises(ValueError, match=message):
        make()

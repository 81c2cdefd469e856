"""The parts of a result in three dimensions, what a frame of it shows, and its nodes on a viser scene."""

import h5py
import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.model.pose import rotation_matrix
from vitruvian.scenario import Scenario
from vitruvian.sim.result import Result
from vitruvian.view.colour import FORCE, SCALE
from vitruvian.view.live import Live, rgb
from vitruvian.view.scene import ARROW, Scene

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def struck() -> Result:
    return Scenario.load("struck-by-front").run()


@pytest.fixture(scope="module")
def scene(struck):
    return Scene(struck)


class Node:
    def __init__(self, name, **options):
        self.name, self.removed = name, False
        self.__dict__ |= options

    def remove(self):
        self.removed = True


class Viewer:
    """The part of a viser scene that is used; keeps its nodes."""

    def __init__(self):
        self.nodes = {}

    def _add(self, name, *parts, **options):
        self.nodes[name] = Node(name, parts=parts, **options)
        return self.nodes[name]

    add_frame = add_mesh_simple = add_icosphere = add_arrows = add_label = _add


def test_every_part_is_a_closed_mesh_with_outward_normals_where_it_is_a_segment(scene):
    segments = [part for part in scene.parts if part.kind == "segment"]
    assert len(segments) == 22  # 17 segments; the thorax has three regions, head and feet have two
    assert len({part.body for part in segments}) == 17
    for part in segments:
        a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        face = np.cross(b - a, c - a)
        assert np.abs(face.sum(axis=0)).max() < 1e-12  # closed: the area vectors cancel
        assert (np.einsum("ij,ij->i", face, part.normals[part.triangles[:, 0]]) > 0.0).all()
        volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
        assert volume > 0.0


def test_the_volume_of_a_segment_is_that_of_its_ellipsoids(scene, struck):
    geometry = struck.geometry
    segments = [part for part in scene.parts if part.kind == "segment"]
    rows = np.flatnonzero(np.isin(geometry.shape_body, scene.segments))  # a part for each shape, in their order
    for row, part in zip(rows, segments, strict=True):
        assert part.body == geometry.shape_body[row]
        ellipsoid = 4.0 / 3.0 * np.pi * geometry.shape_semi_axes[row].prod()
        a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
        assert 0.96 * ellipsoid < volume < ellipsoid  # flat triangles stay inside


def test_parts_of_the_vehicle_move_with_it(scene, struck):
    front = next(part for part in scene.parts if part.name == "front.windscreen")
    assert scene.bodies[front.body] == "vehicle"
    first, last = scene.place(0)[0][front.body], scene.place(scene.frames - 1)[0][front.body]
    assert last[0] - first[0] == pytest.approx(11.11 * struck.recording.end_time, rel=1e-3)


def test_the_head_strikes_the_windscreen_where_it_is_drawn(scene):
    impact = scene.impacts[0]
    assert (impact.head, impact.other) == ("head", "front.windscreen")
    front = next(part for part in scene.parts if part.name == "front.windscreen")
    # on one of its triangles, up to the depth of contact
    a, b, c = (front.vertices[front.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    assert np.abs(np.einsum("ij,ij->i", impact.point - a, normal)).min() < 0.03


def test_arrows_are_the_contact_forces(scene):
    frame = int(np.argmax(np.linalg.norm(scene.recording.contact_force, axis=2).max(axis=1)))
    lines, sizes = scene.arrows(frame)
    assert sizes.max() == pytest.approx(scene.largest)
    lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    assert lengths == pytest.approx(ARROW * np.sqrt(sizes / scene.largest))
    standing, _ = scene.arrows(25)  # on his feet, before the vehicle is there
    assert len(standing) == 4  # heel and forefoot
    assert (standing[:, 1, 2] > standing[:, 0, 2] + 0.05).all()


def test_glow_is_one_where_the_force_is_largest(scene):
    frame, body = np.unravel_index(np.argmax(scene.pressed), scene.pressed.shape)
    assert scene.glow(int(frame))[body] == pytest.approx(1.0)
    assert all(scene.glow(frame).min() >= 0.0 and scene.glow(frame).max() <= 1.0 for frame in range(scene.frames))


def test_strained_joints_are_those_past_a_limit_and_survive_the_file(struck, scene, tmp_path):
    struck.save(tmp_path / "result.nc")
    again = Scene(Result.load(tmp_path / "result.nc"))
    found = [scene.strained(frame).tolist() for frame in range(scene.frames)]
    assert any(found)
    assert found == [again.strained(frame).tolist() for frame in range(again.frames)]
    frame = next(frame for frame, joints in enumerate(found) if joints)
    assert struck.joint_excess[frame, found[frame][0]] > 0.0


def test_parts_have_names_also_in_a_file_and_a_file_without_them_is_refused(struck, scene, tmp_path):
    def surfaces(one):
        return {part.name: len(part.triangles) for part in one.parts if part.kind == "surface"}

    path = struck.save(tmp_path / "result.nc")
    assert surfaces(Scene(Result.load(path))) == surfaces(scene)
    assert set(surfaces(scene)) == {other for _, other in struck.recording.pairs if other.startswith("front.")}
    with h5py.File(path, "a") as file:
        del file["triangle_part"], file["part"]
    with pytest.raises(InputError, match="triangle_part is missing"):
        Result.load(path)
    assert scene.impacts != []


def test_joints_are_where_parent_and_child_agree(scene):
    geometry = scene.geometry
    points = scene.joints(120)
    position, orientation = scene.place(120)
    for child, parent in enumerate(geometry.joint_parent):
        if parent >= 0 and scene.recording.joint_types[child] != "translational":  # these slide in all directions
            w, x, y, z = orientation[parent]
            arm, axis = geometry.joint_point_parent[child], np.array([x, y, z])
            turned = arm + 2.0 * np.cross(axis, np.cross(axis, arm) + w * arm)
            apart = points[child] - position[parent] - turned
            if scene.recording.joint_types[child] == "prismatic":  # they agree but for the way along its axis
                along = rotation_matrix(orientation[parent])[:, 2]
                apart -= (apart @ along) * along
            assert apart == pytest.approx(np.zeros(3), abs=1e-9)


def test_frame_at_is_the_nearest(scene):
    assert scene.frame_at(-1.0) == 0
    assert scene.frame_at(99.0) == scene.frames - 1
    assert scene.frame_at(0.1004) == 100 and scene.frame_at(0.1006) == 101


def test_a_mechanism_without_people_has_balls_and_rods():
    scene = Scene(Scenario.load("double-pendulum").run())
    kinds = [part.kind for part in scene.parts]
    assert kinds.count("body") == 2 and kinds.count("rod") >= 2
    assert scene.impacts == [] and scene.largest == 0.0
    assert not scene.glow(0).any() and not len(scene.arrows(0)[0])


def test_without_geometry_there_is_nothing_to_draw(struck):
    with pytest.raises(InputError, match="no geometry"):
        Scene(Result(struck.recording))


def test_live_shows_frames(scene):
    viewer = Viewer()
    live = Live(viewer, scene)
    frame = int(np.argmax(scene.pressed.max(axis=1)))
    live.show(frame)
    head = viewer.nodes["/result/head"]
    assert np.array_equal(head.position, scene.place(frame)[0][scene.bodies.index("head")])
    body = int(np.argmax(scene.pressed[frame]))
    part = next(part for part in scene.parts if part.body == body)
    assert viewer.nodes[f"/result/{part.name}/segment.{part.name}"].color == rgb(SCALE[-1])
    assert viewer.nodes["/result/forces"].parts[1] == rgb(FORCE)
    assert any(name.startswith("/result/vehicle/impact") for name in viewer.nodes)
    live.show(10**6)
    assert live.frame == scene.frames - 1
    live.remove()
    assert viewer.nodes["/result"].removed


def test_a_ghost_has_neither_surfaces_nor_forces(scene):
    viewer = Viewer()
    Live(viewer, scene, root="/before", opacity=0.3, tint=(0.2, 0.2, 0.9)).show(140)
    meshes = [node for node in viewer.nodes.values() if hasattr(node, "opacity")]
    assert {node.opacity for node in meshes} == {0.3} and {node.color for node in meshes} == {(51, 51, 230)}
    hidden = ("ground", "surface", "forces", "impact")
    assert not any(word in name for name in viewer.nodes for word in hidden)

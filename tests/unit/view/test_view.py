"""Pictures: outlines of the right size, what is nearer hides what is behind, and a file that is a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import human, place
from vitruvian.model import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Facet,
    Joint,
    Plane,
    Sphere,
    Superellipsoid,
    System,
)
from vitruvian.model.pose import segment_poses, vector_of_quaternion
from vitruvian.model.shape import Shape
from vitruvian.model.shape_mesh import mesh
from vitruvian.sim.channel import WORK_CLASSES
from vitruvian.sim.geometry import SHAPE_KINDS
from vitruvian.sim.recording import Event, Recording
from vitruvian.sim.result import Result, load
from vitruvian.view import raster, renderer
from vitruvian.view.canvas import Canvas, Chart, Frame, ticks
from vitruvian.view.frames import chosen, motion
from vitruvian.view.part import parts
from vitruvian.view.scene import Scene
from vitruvian.view.viewpoint import windows

RED, BLUE = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def ellipsoid(semi_axes: tuple[float, ...], centre: tuple[float, ...], colour: np.ndarray) -> renderer.Ellipsoids:
    return renderer.Ellipsoids(np.array([centre]), np.diag(np.square(semi_axes))[None], colour[None])


@pytest.mark.parametrize(("azimuth", "elevation"), [(0.0, 0.0), (0.7, 0.3), (-2.0, 1.2)])
def test_the_outline_has_the_right_area(azimuth: float, elevation: float) -> None:
    """Seen along n, an ellipsoid covers pi a b c |S^-1 n|, S = diag(a, b, c)."""
    semi_axes = (0.5, 0.3, 0.8)
    camera = renderer.Camera.at(azimuth, elevation)
    picture = renderer.render(ellipsoid(semi_axes, (0, 0, 0), RED), None, camera, (-1, 1, -1, 1), (400, 400))
    covered = (picture[..., 1] < 0.5).sum() * (2.0 / 400) ** 2
    expected = np.pi * np.prod(semi_axes) * np.linalg.norm(camera.towards / semi_axes)
    assert covered == pytest.approx(expected, rel=0.01)


def test_the_nearer_one_is_seen() -> None:
    """From x, the ball at larger x hides the other, whichever is drawn first."""
    camera = renderer.Camera.at(0.0, 0.0)
    near, far = ellipsoid((0.5,) * 3, (1, 0, 0), RED), ellipsoid((0.5,) * 3, (-1, 0, 0), BLUE)
    for first, second in ((near, far), (far, near)):
        both = renderer.Ellipsoids(
            *(np.concatenate([getattr(first, k), getattr(second, k)]) for k in ("centre", "spread", "colour"))
        )
        middle = renderer.render(both, None, camera, (-1, 1, -1, 1), (41, 41))[20, 20]
        assert middle[0] > 0.5 > middle[2]


def test_the_ground_hides_what_is_below_it() -> None:
    camera = renderer.Camera.at(0.3, 0.5)
    ground = renderer.Plane(np.zeros(3), np.array([0.0, 0.0, 1.0]), np.zeros(3), radius=5.0)
    below = renderer.render(ellipsoid((0.2,) * 3, (0, 0, -0.5), RED), ground, camera, (-1, 1, -1, 1), (60, 60))
    assert (below[..., 0] - below[..., 1] < 0.1).all()


# triangles

NOTHING = renderer.Ellipsoids(np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3)))
VIEWS = [(0.0, 0.0), (0.7, 0.3), (-2.0, 1.2)]


def test_two_triangles_share_the_rays_of_a_rectangle() -> None:
    corners = np.array([[-0.5, -0.25], [0.5, -0.25], [0.5, 0.25], [-0.5, 0.25]])
    x, y = np.linspace(-0.995, 0.995, 200), np.linspace(0.995, -0.995, 200)
    _, row, column = raster.covered(corners[[[0, 1, 2], [0, 2, 3]]], x, y)
    assert len(set(zip(row.tolist(), column.tolist(), strict=True))) == len(row) == 100 * 50
    assert (abs(x[column]) < 0.5).all() and (abs(y[row]) < 0.25).all()
    _, row, _ = raster.covered(100.0 * corners[[[0, 1, 2], [0, 2, 3]]], x, y)  # wider than the picture on all sides
    assert len(row) == 200 * 200


def test_weights_bring_back_the_point() -> None:
    random = np.random.default_rng(0)
    corners, point = random.normal(size=(50, 3, 2)), random.normal(size=(50, 2))
    share = raster.weights(corners, point[:, 0], point[:, 1])
    assert np.einsum("ni,nij->nj", share, corners) == pytest.approx(point)
    assert share.sum(axis=1) == pytest.approx(1.0)


def test_normals_are_round_on_the_barrel_of_a_cylinder_and_break_at_its_rim() -> None:
    vertices, triangles = mesh(Cylinder(0.2, 1.0), 40)
    normals = raster.corner_normals(vertices, triangles, np.radians(30.0))
    flat = np.array([0.0, 0.0, 1.0]) * np.sign(normals[..., 2:])
    radial = vertices[triangles] * (1.0, 1.0, 0.0) / 0.2
    lid = abs(normals[..., 2:]) > 0.5
    assert normals == pytest.approx(np.where(lid, flat, radial), abs=1e-6)
    assert 0.2 < lid.mean() < 0.8


@pytest.mark.parametrize(("azimuth", "elevation"), VIEWS)
def test_a_box_covers_the_pixels_it_must(azimuth: float, elevation: float) -> None:
    """Seen along n, a box covers bc |n_x| + ca |n_y| + ab |n_z|."""
    a, b, c = 1.0, 0.6, 1.4
    camera = renderer.Camera.at(azimuth, elevation)
    box = renderer.Triangles.of(*mesh(Box((a, b, c))), (1.0, 0.0, 0.0))
    picture = renderer.render(NOTHING, None, camera, (-1, 1, -1, 1), (400, 400), triangles=box)
    assert (picture[..., 1] < 0.5).mean() * 4.0 == pytest.approx(abs(camera.towards) @ (b * c, c * a, a * b), rel=0.01)


SHAPES: list[Shape] = [
    Ellipsoid((0.2, 0.15, 0.3)),
    Sphere(0.2),
    Capsule(0.1, 0.4),
    Cylinder(0.15, 0.5),
    Box((0.3, 0.2, 0.5)),
    Superellipsoid((0.2, 0.15, 0.3), (6.0, 4.0)),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_every_shape_reaches_as_far_in_the_picture_as_in_the_model(shape: Shape) -> None:
    assert {item.kind for item in SHAPES} == set(SHAPE_KINDS)
    shape = replace(shape, offset=(0.1, -0.2, 0.3), rotation=(0.8, 0.36, 0.0, 0.48))
    system = System((Body("thing", 1.0, np.ones(3), (shape,)),), (Joint("free", "free", None, "thing"),))
    moment = Scene(made_up(system, [segment_poses(system)])).snapshot(0)
    camera = renderer.Camera.at(0.7, 0.3)
    picture = renderer.render(moment.ellipsoids, None, camera, (-1, 1, -1, 1), (400, 400), triangles=moment.solids)
    rows, columns = np.nonzero(picture.min(axis=2) < 0.8)
    seen = [columns.min() / 200 - 1, (columns.max() + 1) / 200 - 1, 1 - (rows.max() + 1) / 200, 1 - rows.min() / 200]
    wanted = [
        camera_axis @ np.array(shape.offset) + side * shape.reach(shape.turn.T @ camera_axis)
        for camera_axis in (camera.right, camera.up)
        for side in (-1.0, 1.0)
    ]
    assert seen == pytest.approx(wanted, abs=2.5 / 200)  # two pixels and a half
    low, high = moment.extent(camera)
    assert [low[0], high[0], low[1], high[1]] == pytest.approx(wanted, abs=0.005)


def facing(x: float, colour: np.ndarray, *, away: bool = False) -> renderer.Triangles:
    """A triangle across the axis of x that looks along it, or away."""
    vertices = np.array([[x, -2.0, -1.0], [x, 2.0, -1.0], [x, 0.0, 3.0]])
    return renderer.Triangles.of(vertices, np.array([[0, 2, 1] if away else [0, 1, 2]]), tuple(colour))


def test_a_triangle_in_front_hides_the_body_and_one_behind_does_not() -> None:
    camera, ball = renderer.Camera.at(0.0, 0.0), ellipsoid((0.5,) * 3, (0, 0, 0), RED)

    def middle(*triangles: renderer.Triangles) -> np.ndarray:
        joined = renderer.Triangles.joined(list(triangles))
        return renderer.render(ball, None, camera, (-1, 1, -1, 1), (41, 41), triangles=joined)[20, 20]

    near, far = facing(1.0, BLUE), facing(-1.0, BLUE)
    assert middle(near)[2] > 0.5 > middle(near)[0]
    assert middle(far) == pytest.approx(middle())
    green = facing(2.0, np.array([0.0, 1.0, 0.0]))
    for order in ((near, green), (green, near)):
        assert middle(*order)[1] > 0.5 > middle(*order)[2]


def test_a_wall_seen_from_inside_is_like_glass() -> None:
    camera, ball = renderer.Camera.at(0.0, 0.0), ellipsoid((0.5,) * 3, (0, 0, 0), RED)
    plain, through = (
        renderer.render(ball, None, camera, (-1, 1, -1, 1), (41, 41), triangles=triangles)[20, 20]
        for triangles in (renderer.NO_TRIANGLES, facing(1.0, BLUE, away=True))
    )
    assert plain[0] > through[0] > 0.5 * plain[0]
    assert through[2] > plain[2] + 0.05


def test_a_plate_throws_its_shadow() -> None:
    """Straight down: a shadow of the plate's own size, foreshortened by the view."""
    camera = renderer.Camera.at(0.0, 0.5)
    ground = renderer.Plane(np.zeros(3), np.array([0.0, 0.0, 1.0]), np.zeros(3), radius=50.0)
    plate = np.array([[-0.2, -0.3, 1.0], [0.2, -0.3, 1.0], [0.2, 0.3, 1.0], [-0.2, 0.3, 1.0]])
    triangles = renderer.Triangles.of(plate, np.array([[0, 1, 2], [0, 2, 3]]), (1.0, 0.0, 0.0))
    without, picture = (
        renderer.render(NOTHING, ground, camera, (-1, 1, -1, 1), (400, 400), triangles=some)
        for some in (renderer.NO_TRIANGLES, triangles)
    )
    darker = (without - picture > 0.1).all(axis=2) & (picture[..., 0] - picture[..., 1] < 0.1)
    assert darker.mean() * 4.0 == pytest.approx(0.4 * 0.6 * np.sin(0.5), rel=0.03)
    rows, _ = np.nonzero(darker)
    assert rows.mean() == pytest.approx(199.5, abs=1.0)  # below the plate, not behind it


def still_and_fallen(samples: int = 40) -> Result:
    """A person who stands, and from the middle on lies on the face: made up, to be drawn."""
    person = human(1.8, 80)
    system = person.system.replace(surfaces=(Plane("ground"),))
    return made_up(system, [segment_poses(system, place(person, "standing", clearance=2.0))] * (samples // 2)
                   + [segment_poses(system, place(person, "prone"))] * (samples // 2))  # fmt: skip


def made_up(system: System, poses: list[dict[str, tuple[np.ndarray, np.ndarray]]]) -> Result:
    bodies = tuple(body.name for body in system.bodies)
    joints = [system.joint_of(name) for name in bodies]
    p, n, f = len(poses), len(bodies), 200
    zero = np.zeros((p, n, 3))
    turned = np.array([[quaternion(pose[name][1]) for name in bodies] for pose in poses])
    sensed = np.zeros((f, len(system.sensors), 3))
    if system.sensors:
        sensed[:, 0, 0] = 500.0 * np.exp(-(((np.arange(f) / f - 0.6) / 0.02) ** 2))
    return Result(
        Recording(
            channels={
                "position": np.array([[pose[name][0] for name in bodies] for pose in poses]),
                "orientation": turned,
                "velocity": zero,
                "angular_velocity": zero,
                "acceleration": zero,
                "angular_acceleration": zero,
                "joint_rotation": zero,
                "joint_torque": zero,
                "joint_force": zero,
                "joint_moment": zero,
                "joint_energy": zero[..., 0],
                "joint_loss": zero[..., 0],
                "contact_force": np.zeros((p, 0, 3)),
                "contact_point": np.zeros((p, 0, 3)),
                "contact_depth": np.zeros((p, 0)),
                "work": np.zeros((p, len(WORK_CLASSES))),
                "kinetic": np.zeros(p),
                "potential": np.ones(p),
                "balance": np.zeros(p),
                "sensor_acceleration": sensed,
                "sensor_acceleration_local": sensed,
                "sensor_angular_velocity_local": sensed,
                "sensor_angular_acceleration_local": sensed,
            },
            bodies=bodies,
            joints=tuple(joint.name for joint in joints),
            joint_types=tuple(joint.type for joint in joints),
            pairs=(),
            sensors=tuple(sensor.name for sensor in system.sensors),
            pose_time=np.linspace(0.0, 1.0, p),
            time=np.arange(f) / f,
            events=[Event(0.5, "touch", bodies[0], "ground", 1.0)],
            status="finished",
            message="",
            end_time=1.0,
            balance_error=0.0,
            steps=1,
            rejected=0,
            evaluations=1,
            wall_time=1.0,
            method="implicit",
            tolerance=1e-3,
        ),
        system=system,
        title="Made up [not run]",
    )


def quaternion(matrix: np.ndarray) -> np.ndarray:
    """By the eigenvector of the rotation: good for drawing tests."""
    k = np.array(
        [
            [matrix[0, 0] - matrix[1, 1] - matrix[2, 2], 0, 0, 0],
            [matrix[1, 0] + matrix[0, 1], matrix[1, 1] - matrix[0, 0] - matrix[2, 2], 0, 0],
            [matrix[2, 0] + matrix[0, 2], matrix[2, 1] + matrix[1, 2], matrix[2, 2] - matrix[0, 0] - matrix[1, 1], 0],
            [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1], np.trace(matrix)],
        ]
    )
    x, y, z, w = np.linalg.eigh(k)[1][:, -1]
    return np.array([w, x, y, z])


def test_the_moments_are_the_first_the_last_and_what_lies_between() -> None:
    result = still_and_fallen()
    picked = chosen(result, 6)
    assert picked[0] == 0 and picked[-1] == 39
    assert 20 in picked  # the first touch
    assert picked == sorted(set(picked))


def test_the_picture_is_written(tmp_path: Path) -> None:
    path = motion(still_and_fallen(), tmp_path / "motion.png", dots=40)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_mechanism_without_shapes_sensors_and_ground_is_drawn_too(tmp_path: Path) -> None:
    system = System(
        (Body("bob", 1.0, np.ones(3)),), (Joint("hinge", "revolute", None, "bob", point_child=(0.0, 0.0, 1.0)),)
    )
    still = made_up(system, [segment_poses(system)] * 4)
    assert motion(still, tmp_path / "motion.png", dots=40).is_file()


def test_a_failed_run_is_drawn_up_to_where_it_failed(tmp_path: Path) -> None:
    result = still_and_fallen()
    position = result.recording.position.copy()
    position[30:] = np.nan
    failed = result.recording.replace(
        position=position, status="diverged", message="A state is no longer a finite number."
    )
    assert motion(Result(failed, geometry=result.geometry), tmp_path / "motion.png", dots=40).is_file()


# surfaces that are carried


def pushed(*places: float, shapes: tuple[Shape, ...] = ()) -> Result:
    """A person, and a board, a moving plane and a kerb: the cart that carries the first two is at x = places [m]."""
    person = human(1.8, 80)
    board = ((0.0, -0.5, 0.0), (0.0, 0.5, 0.0), (0.0, 0.5, 1.0), (0.0, -0.5, 1.0))
    kerb = ((1.0, -1.0, 0.1), (2.0, -1.0, 0.1), (2.0, 1.0, 0.1), (1.0, 1.0, 0.1))
    system = person.system.replace(
        bodies=(*person.system.bodies, Body("cart", 100.0, np.ones(3), shapes)),
        joints=(*person.system.joints, Joint("rail", "prismatic", None, "cart", point_child=(0.0, 0.0, 5.0))),
        surfaces=(
            Plane("ground"),
            Plane("bumper", (0.5, 0.0, 0.4), (1.0, 0.0, 0.0), carrier="cart"),
            Facet("board", board, carrier="cart"),
            Facet("kerb", kerb),
        ),
    )
    person_pose = segment_poses(system, place(person, "standing"))
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # the cart turns as it goes
    turns = [np.linalg.matrix_power(quarter, k) for k in range(len(places))]
    cart = [{"cart": (np.array([x, 0.0, 0.0]), turn)} for x, turn in zip(places, turns, strict=True)]
    return made_up(system, [person_pose | pose for pose in cart])


def test_a_carried_surface_moves_between_frames_and_a_fixed_one_stays() -> None:
    scene = Scene(pushed(-3.0, -2.0))
    first, second = (scene.snapshot(sample).surfaces for sample in (0, 1))
    kerb, board, bumper = (slice(0, 2), slice(2, 4), slice(4, 6))
    assert second.corner[kerb] == pytest.approx(first.corner[kerb])
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for part in (board, bumper):
        before = first.corner[part] - (-3.0, 0.0, 0.0)
        assert second.corner[part] - (-2.0, 0.0, 0.0) == pytest.approx(before @ turn.T)
        assert second.normal[part] == pytest.approx(first.normal[part] @ turn.T)
        assert first.normal[part] == pytest.approx(np.broadcast_to([1.0, 0.0, 0.0], (2, 3, 3)))
    camera = renderer.Camera.at(0.0, 0.0)
    seen = [
        renderer.render(NOTHING, None, camera, (-1, 1, 0.2, 1.2), (100, 50), triangles=part.only(np.arange(2, 4)))
        for part in (first, second)
    ]
    assert [(picture < 0.99).any(axis=2).mean() for picture in seen] == pytest.approx([0.4, 0.0], abs=0.01)


def test_a_moving_plane_is_drawn_round_its_contact() -> None:
    """One square metre about its own point if nothing touches it; else half a metre beyond the points of contact."""
    result = pushed(-3.0, -2.0)
    empty = Scene(result).snapshot(1).surfaces.corner[4:]
    assert empty.min(axis=(0, 1)) == pytest.approx([-2.5, 0.5, -0.1])
    assert empty.max(axis=(0, 1)) == pytest.approx([-1.5, 0.5, 0.9])
    point = np.full((2, 2, 3), np.nan)
    point[1] = [[-2.2, 0.5, 1.0], [-1.8, 0.5, 1.4]]
    touching = result.recording.replace(
        pairs=(("head", "bumper"), ("thorax", "bumper")),
        contact_point=point,
        contact_force=np.nan_to_num(point),
    )
    moments = [Scene(Result(touching, geometry=result.geometry)).snapshot(sample) for sample in (0, 1)]
    there = moments[1].surfaces.corner[4:]
    assert there.min(axis=(0, 1)) == pytest.approx([-2.7, 0.5, 0.5])
    assert there.max(axis=(0, 1)) == pytest.approx([-1.3, 0.5, 1.9])
    assert np.ptp(moments[0].surfaces.corner[4:], axis=(0, 1)) == pytest.approx([0.0, 1.4, 1.4])


def test_the_camera_stays_with_the_person_and_takes_in_what_is_near() -> None:
    camera = renderer.Camera.at(-np.pi / 2.0, 0.0)  # x to the right

    far, near = (Scene(pushed(x)).snapshot(0) for x in (-30.0, -1.0))
    low, high = far.extent(camera)
    assert [*low, *high] == pytest.approx([*near.extent(camera)[0], *near.extent(camera)[1]])
    assert windows([far], camera) == windows([replace(far, surfaces=renderer.NO_TRIANGLES)], camera)
    left, right, _, _ = windows([near], camera)[0]
    assert left < -0.5 and right > high[0]  # the bumper of the near cart is at x = -0.5
    vast = renderer.Triangles.of(100.0 * np.eye(3) - 50.0, np.array([[0, 1, 2]]), (1.0, 0.0, 0.0))
    left, right, _, _ = windows([replace(far, surfaces=vast)], camera)[0]
    assert right - left == pytest.approx(1.1 * (high[0] - low[0] + 0.7 * (high[1] - low[1])))
    assert "cart" in pushed(0.0).recording.bodies and len(far.ellipsoids.centre) == 22 and not len(far.solids.corner)


def test_a_floor_is_drawn_below_feet_that_never_touch_it() -> None:
    """The floor of a sled is a plane; its picture reaches 0.5 m beyond the feet, which hang over it."""
    scene = Scene(Scenario.load("sled-frontal-50kmh", {"solver.duration": "1 ms"}).run())
    floor = next(part for part in parts(scene) if part.name == "seat_floor")
    feet = [scene.recording.bodies.index(f"{side}_foot") for side in ("left", "right")]
    ahead = scene.recording.position[0, feet, 0].max() - scene.recording.position[0, floor.body, 0]
    assert floor.solid[0][:, 0].max() == pytest.approx(ahead + 0.5, abs=0.01)


def test_the_picture_with_surfaces_is_written(tmp_path: Path) -> None:
    assert motion(pushed(-3.0, -2.0, -1.0), tmp_path / "motion.png", dots=40).is_file()
    cart = System(
        (Body("cart", 1.0, np.ones(3)),),
        (Joint("free", "free", None, "cart"),),
        surfaces=(Plane("ground"), Plane("top", carrier="cart")),
    )
    assert motion(made_up(cart, [segment_poses(cart)] * 3), tmp_path / "cart.png", dots=40).is_file()


def test_shapes_and_surfaces_come_back_from_the_file(tmp_path: Path) -> None:
    turned = replace(SHAPES[-1], offset=(0.1, -0.2, 0.3), rotation=(0.8, 0.36, 0.0, 0.48))
    shapes = (*SHAPES, turned)
    written = pushed(-3.0, -2.0, shapes=shapes)
    read = load(written.save(tmp_path / "result.nc"))
    assert written.geometry is not None and read.geometry is not None
    for item in written.geometry.arrays():
        assert np.array_equal(getattr(written.geometry, item.name), getattr(read.geometry, item.name)), item.name
    last = len(read.geometry.shape_body) - len(shapes)  # those of the person are before them
    for row, shape in enumerate(shapes, last):
        back = read.geometry.shape(row)
        assert back.kind == shape.kind
        for one, other in zip(mesh(back), mesh(shape), strict=True):
            assert one == pytest.approx(other)


@pytest.mark.parametrize("name", ["shape_kind", "shape_exponents", "surface_body"])
def test_a_file_without_an_array_of_its_geometry_is_refused(tmp_path: Path, name: str) -> None:
    path = still_and_fallen().save(tmp_path / "result.nc")
    with h5py.File(path, "a") as file:
        del file[name]
    with pytest.raises(InputError, match=f"{name} is missing"):
        load(path)


def test_no_geometry_no_picture(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no geometry"):
        motion(Result(still_and_fallen().recording), tmp_path / "motion.png")
    with pytest.raises(InputError, match="cannot be written"):
        motion(still_and_fallen(), tmp_path / "none" / "motion.png", dots=20)


def test_the_helper_above_is_right() -> None:
    turn = segment_poses(human(1.8, 80).system, place(human(1.8, 80), "prone"))["pelvis"][1]
    assert np.linalg.norm(vector_of_quaternion(tuple(quaternion(turn)))) == pytest.approx(np.pi / 2)


# --- text and charts


@pytest.mark.parametrize("most", [2, 4, 7])
@pytest.mark.parametrize("span", [(0.0, 0.3), (0.094, 0.124), (-3.2, 17.0), (0.0, 1e-6), (5.0, 900.0)])
def test_ticks_are_round_and_inside(span, most):
    low, high = span
    found = ticks(low, high, most)
    assert 1 <= len(found) <= most + 1
    assert all(low - 1e-9 * high <= value <= high * (1.0 + 1e-9) for value in found)
    assert len({f"{value:.12g}" for value in np.diff(found)}) <= 1


def test_a_curve_is_drawn_where_its_numbers_are():
    """A straight line from corner to corner passes through the middle, and nothing is drawn beside it."""
    canvas = Canvas(4.0, 3.0, 50)
    chart = Chart(canvas, Frame(1.0, 0.5, 2.0, 2.0), (0.0, 1.0), (0.0, 10.0))
    chart.curve(np.linspace(0.0, 1.0, 11), np.linspace(0.0, 10.0, 11), "#000000")
    chart.finish("label")
    assert chart.place(0.5, 5.0) == (2.0, 1.5)
    seen = np.asarray(canvas.image.convert("L"))
    assert seen[75, 98:103].min() < 130  # the middle
    assert (seen[40:70, 120] > 250).sum() > 20 and (seen[85:115, 80] > 250).sum() > 20


def test_long_titles_shrink_to_their_width():
    canvas = Canvas(4.0, 1.0, 50)
    canvas.text((0.1, 0.8), "a title that is far too long for the paper that it is written on", 20, width=3.8)
    columns = np.flatnonzero((np.asarray(canvas.image.convert("L")) < 128).any(axis=0))
    assert 150 < columns.max() < 200

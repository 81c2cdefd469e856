"""Postures, their files, and how a person is put into the scene."""

from __future__ import annotations

from math import atan2, hypot, pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitruvian.errors import InputError
from vitruvian.human import Posture, human, load_posture, place, posture, postures, save_posture
from vitruvian.human.mirror import mirrored_rotation
from vitruvian.human.posture import clinical_angles
from vitruvian.model import Body, Configuration, Joint, System, Table, frame_with_z
from vitruvian.model.pose import (
    centre_of_mass,
    lowest_distance,
    quaternion_of_vector,
    quaternion_product,
    rotation_matrix,
    segment_poses,
    vector_of_quaternion,
)

PERSON = human(1.80, 80)
HINGED = human(1.80, 80, hinges="revolute")
GROUND = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
DEGREE = pi / 180.0

angles = st.tuples(*[st.floats(-1.5, 1.5)] * 3)


def poses_of(stance: object, person: object = PERSON, **options: object) -> dict:
    return segment_poses(person.system, place(person, stance, **options))  # type: ignore[attr-defined,arg-type]


def swing_twist(vector: tuple[float, float, float]) -> tuple[float, float, float]:
    """Swing about x and y, after a twist about z [rad]."""
    w, x, y, z = quaternion_of_vector(vector)
    twist = 2.0 * atan2(z, w)
    dx, dy, dz = rotation_matrix((w, x, y, z))[:, 2]
    sine = hypot(dx, dy)
    ratio = atan2(sine, dz) / sine if sine > 1e-9 else 1.0
    return -ratio * dy, ratio * dx, twist


# ready postures


@pytest.mark.parametrize("name", postures())
def test_ready_postures_respect_the_limits_of_the_joints(name: str) -> None:
    for joint, vector in posture(name).rotations.items():
        resistance = PERSON.system.joint(joint).resistance
        assert resistance is not None
        measured = swing_twist(vector) if resistance.law == "swing_twist" else vector
        for value, low, high in zip(measured, resistance.limit_minus, resistance.limit_plus, strict=True):
            assert low - 1e-12 <= value <= high + 1e-12, (joint, np.degrees(measured))


@pytest.mark.parametrize("name", postures())
@pytest.mark.parametrize("person", [PERSON, HINGED, human(1.6, 95, name="anna")])
def test_clearance_is_exact(name: str, person: object) -> None:
    for clearance in (0.0, 4.0, -0.01):
        poses = poses_of(name, person, clearance=clearance, heading=0.7, position=(1.0, -2.0))
        assert lowest_distance(person.system, poses, *GROUND) == pytest.approx(clearance, abs=1e-14)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", postures())
def test_hinges_change_no_ready_posture(name: str) -> None:
    for segment, (position, turn) in poses_of(name).items():
        other = poses_of(name, HINGED)[segment]
        assert np.allclose(position, other[0], atol=1e-12) and np.allclose(turn, other[1], atol=1e-12)


@pytest.mark.parametrize("name", sorted({*postures()} - {"walking", "walking-left", "climbing", "cycling"}))
def test_symmetric_postures_are_their_own_mirror_image(name: str) -> None:
    assert posture(name).mirrored() == posture(name)


def test_walking_left_is_the_mirror_image_of_walking() -> None:
    right, left = poses_of("walking"), poses_of("walking-left")
    assert left["left_foot"][0] == pytest.approx(right["right_foot"][0] * [1, -1, 1])
    assert right["right_foot"][0][0] > right["left_foot"][0][0] + 0.3
    assert right["left_hand"][0][0] > right["right_hand"][0][0]


def test_standing_is_the_zero_posture() -> None:
    assert posture("standing").rotations == {} and posture("standing").orientation == (0.0, 0.0, 0.0)
    assert all((turn == np.eye(3)).all() for _, turn in poses_of("standing").values())


def test_arms_are_spread_sideways() -> None:
    poses = poses_of("standing-arms-spread")
    assert poses["left_hand"][0][1] == pytest.approx(0.104 * 1.8 + (0.165 + 0.154 + 0.045) * 1.8)
    assert poses["left_hand"][0][2] == pytest.approx(0.80 * 1.8)
    assert poses["right_hand"][0][1] == -poses["left_hand"][0][1]


def test_what_lies_and_sits_and_kneels() -> None:
    for name, sign in (("supine", 1.0), ("prone", -1.0)):
        poses = poses_of(name)
        assert poses["pelvis"][1][2, 0] == pytest.approx(sign)  # where the belly points
        assert max(position[2] for position, _ in poses.values()) < 0.3
    seated = poses_of("seated")
    assert seated["left_foot"][0][0] > 0.3 and seated["head"][0][2] > seated["thorax"][0][2]
    assert abs(seated["left_thigh"][0][2] - seated["pelvis"][0][2]) < 0.1
    kneeling = poses_of("kneeling")
    assert kneeling["left_foot"][0][0] < -0.3 and kneeling["left_thigh"][0][2] < 0.35


@pytest.mark.parametrize("name", ["walking", "kneeling"])
def test_what_should_touch_the_ground_does(name: str) -> None:
    poses = poses_of(name)
    touching = {"walking": ("left_foot", "right_foot"), "kneeling": ("left_shank", "right_shank", "left_foot")}[name]
    for segment in touching:
        body = PERSON.system.body(segment)
        position, turn = poses[segment]
        reach = (np.linalg.norm(np.array(s.semi_axes) * turn[2]) - turn[2] @ np.array(s.offset) for s in body.shapes)
        assert position[2] - max(reach) < 0.005


# tables and files


def test_clinical_words_and_rotation_vectors_mean_the_same() -> None:
    words = posture({"joints": {"knee": {"flexion": "90 deg"}, "right_shoulder": {"abduction": "30 deg"}}})
    vectors = posture({"joints": {"knee": [0, "90 deg", 0], "right_shoulder": ["-30 deg", 0, 0]}})
    assert words.rotations == vectors.rotations
    assert words.rotation("left_knee") == words.rotation("right_knee") == (0.0, pytest.approx(pi / 2), 0.0)
    assert words.rotation("left_shoulder") == (0.0, 0.0, 0.0)


def test_words_of_the_left_side_are_mirrored() -> None:
    left = posture({"joints": {"left_hip": {"abduction": "20 deg", "internal_rotation": "10 deg"}}})
    right = posture({"joints": {"right_hip": {"abduction": "20 deg", "internal_rotation": "10 deg"}}})
    assert left.rotation("left_hip") == mirrored_rotation(right.rotation("right_hip"))
    assert poses_of(left)["left_foot"][0][1] > 0.2


def test_words_at_the_shoulder_are_swing_and_twist() -> None:
    given_words = {"flexion": "100 deg", "abduction": "40 deg", "internal_rotation": "30 deg"}
    vector = posture({"joints": {"right_shoulder": given_words}}).rotation("right_shoulder")
    assert np.degrees(swing_twist(vector)) == pytest.approx((-40.0, -100.0, 30.0))


def test_words_at_the_elbow_and_the_wrist_are_cardan_angles() -> None:
    """Item 9: the angles that results report, and the measure on which the limits act."""
    words = {"flexion": "100 deg", "pronation": "60 deg", "varus": "3 deg"}
    vector = posture({"joints": {"right_elbow": words}}).rotation("right_elbow")
    bent = quaternion_product(
        quaternion_of_vector((0.0, -100 * DEGREE, 0.0)), quaternion_of_vector((3 * DEGREE, 0.0, 0.0))
    )
    expected = quaternion_product(bent, quaternion_of_vector((0.0, 0.0, 60 * DEGREE)))
    assert quaternion_of_vector(vector) == pytest.approx(expected)
    for joint, given_words in (
        ("left_elbow", words),
        ("right_wrist", {"flexion": "40 deg", "ulnar_deviation": "20 deg"}),
    ):
        vector = posture({"joints": {joint: given_words}}).rotation(joint)
        found = clinical_angles(joint, vector)
        for word, value in given_words.items():
            if word in found:
                assert np.degrees(found[word]) == pytest.approx(float(value.split()[0]))


def test_one_side_goes_before_both() -> None:
    held = posture({"joints": {"left_elbow": {"flexion": "10 deg"}, "elbow": {"flexion": "50 deg"}}})
    assert np.degrees(held.rotation("left_elbow")[1]) == pytest.approx(-10)
    assert np.degrees(held.rotation("right_elbow")[1]) == pytest.approx(-50)


def test_a_base_is_changed_joint_by_joint() -> None:
    held = posture(
        {"base": "seated", "joints": {"lower_neck": {"flexion": "20 deg"}}, "orientation": {"pitch": "5 deg"}}
    )
    assert held.rotation("left_knee") == posture("seated").rotation("left_knee")
    assert held.orientation == (0.0, pytest.approx(5 * DEGREE), 0.0)


def test_roll_pitch_yaw_turn_in_that_order() -> None:
    held = posture({"orientation": {"roll": "10 deg", "pitch": "20 deg", "yaw": "30 deg"}})
    expected = (
        rotation_matrix(quaternion_of_vector((0, 0, 30 * DEGREE)))
        @ rotation_matrix(quaternion_of_vector((0, 20 * DEGREE, 0)))
        @ rotation_matrix(quaternion_of_vector((10 * DEGREE, 0, 0)))
    )
    assert np.allclose(rotation_matrix(quaternion_of_vector(held.orientation)), expected, atol=1e-15)


@pytest.mark.parametrize("name", postures())
def test_files_read_back_to_the_same_numbers(name: str, tmp_path: Path) -> None:
    save_posture(posture(name), tmp_path / "held.toml")
    assert load_posture(tmp_path / "held.toml") == posture(name)


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "bow.toml"
    file.write_text('base = "standing"\n[joints]\nlumbar = { flexion = "30 deg" }\n', encoding="utf-8")
    held = load_posture(file)
    assert held.name == "bow" and held.rotation("lumbar")[1] == pytest.approx(30 * DEGREE)


@pytest.mark.parametrize(
    ("given_table", "message"),
    [
        ("standin", 'Did you mean "standing"?'),
        (7, "expected the name of a posture or a table"),
        ({"joint": {}}, "posture.joint is not known"),
        ({"joints": {"kne": {"flexion": 1}}}, 'Did you mean "knee"?'),
        (
            {"joints": {"left_lumbar": {"flexion": 1}}},
            "posture.joints.left_lumbar is not known: there is no such joint",
        ),
        ({"joints": {"knee": {"flexoin": 1}}}, 'Did you mean "flexion"?'),
        ({"joints": {"knee": {"flexion": "90 kg"}}}, "joints.knee.flexion"),
        ({"joints": {"knee": [0, 1]}}, "posture.joints.knee has 2 values"),
        ({"joints": [1]}, "expected a table of joints"),
        ({"orientation": {"pich": 1}}, 'Did you mean "pitch"?'),
        ({"orientation": [0, float("nan"), 0]}, "finite"),
        ({"base": "sitting"}, "posture.base"),
    ],
)
def test_bad_postures_say_what_is_accepted(given_table: object, message: str) -> None:
    with pytest.raises(InputError) as error:
        posture(given_table)  # type: ignore[arg-type]
    assert message in str(error.value)


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        load_posture(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("joints = [", encoding="utf-8")
    with pytest.raises(InputError, match="not a TOML file"):
        load_posture(tmp_path / "bad.toml")
    (tmp_path / "new.toml").write_text("schema = 99", encoding="utf-8")
    with pytest.raises(InputError, match="schema"):
        load_posture(tmp_path / "new.toml")
    with pytest.raises(InputError, match="cannot be written"):
        save_posture(posture("standing"), tmp_path / "no" / "folder.toml")
    with pytest.raises(InputError, match="no joint 'tail'"):
        Posture("x", rotations={"tail": (0.0, 0.0, 0.0)})


# placing


@settings(max_examples=40, deadline=None)
@given(angles, st.dictionaries(st.sampled_from(["left_knee", "right_hip", "lumbar", "left_shoulder"]), angles))
def test_any_posture_stands_on_the_ground(orientation: tuple, rotations: dict) -> None:
    held = Posture("any", orientation, rotations)
    assert lowest_distance(PERSON.system, poses_of(held), *GROUND) == pytest.approx(0.0, abs=1e-14)


def test_clearance_over_a_slope() -> None:
    normal = np.array([-0.3, 0.1, 1.0])
    point = (2.0, 1.0, 0.5)
    poses = poses_of("walking", clearance=0.25, position=(1.0, 2.0), plane=(point, tuple(normal)))
    unit = tuple(normal / np.linalg.norm(normal))
    assert lowest_distance(PERSON.system, poses, point, unit) == pytest.approx(0.25, abs=1e-14)
    assert tuple(poses["pelvis"][0][:2]) == (1.0, 2.0)
    with pytest.raises(InputError, match="points upwards"):
        place(PERSON, plane=((0, 0, 0), (1, 0, 0)))


def test_heading_turns_to_the_left() -> None:
    poses = poses_of("walking", heading="90 deg")
    forward = poses["right_foot"][0] - poses["left_foot"][0]
    assert forward[1] > 0.3 and forward[0] > 0.0  # forward is +y; right is +x


def test_all_segments_move_as_one_piece() -> None:
    """Velocities from finite differences of the poses: v + w x (r - c) at every segment."""
    velocity, spin = np.array([3.0, -1.0, 0.5]), np.array([0.4, -0.7, 1.1])
    start = place(PERSON, "walking", clearance=1.0, velocity=velocity, angular_velocity=spin)
    assert set(start.rates) == {"root"}
    poses = segment_poses(PERSON.system, start)
    centre = centre_of_mass(PERSON.system, poses)
    step = 1e-6
    moved = []
    for dt in (-step, step):
        x, v = np.array(start.coordinates["root"]), np.array(start.rates["root"])
        turned = quaternion_product(quaternion_of_vector(tuple(v[3:] * dt)), x[3:])
        later = start.replace(coordinates={"root": (*(x[:3] + v[:3] * dt), *turned)})
        moved.append(segment_poses(PERSON.system, later))
    for name, (position, _) in poses.items():
        measured = (moved[1][name][0] - moved[0][name][0]) / (2 * step)
        assert measured == pytest.approx(velocity + np.cross(spin, position - centre), abs=1e-8)


def test_bad_starts() -> None:
    for options in ({"clearance": "4 kg"}, {"position": (1, 2, 3)}, {"velocity": (0, 0)}, {"heading": float("inf")}):
        with pytest.raises(InputError):
            place(PERSON, **options)  # type: ignore[arg-type]


# poses of any joint


def one_body(kind: str, **options: object) -> System:
    joint = Joint("joint", kind, None, "body", **options)  # type: ignore[arg-type]
    return System((Body("body", 1.0, np.ones(3)),), (joint,))


@pytest.mark.parametrize(
    ("kind", "coordinates", "shift", "turn"),
    [
        ("revolute", (0.3,), (0, 0, 0), [(0, 0, 0.3)]),
        ("universal", (0.3, 0.5), (0, 0, 0), [(0.3, 0, 0), (0, 0.5, 0)]),
        ("cylindrical", (0.3, 2.0), (0, 0, 2.0), [(0, 0, 0.3)]),
        ("prismatic", (2.0,), (0, 0, 2.0), []),
        ("planar", (1.0, 2.0, 0.3), (1.0, 2.0, 0), [(0, 0, 0.3)]),
        ("rigid", None, (0, 0, 0), []),
        ("spherical", quaternion_of_vector((0.1, 0.2, 0.3)), (0, 0, 0), [(0.1, 0.2, 0.3)]),
    ],
)
def test_pose_of_every_joint_type(kind: str, coordinates: tuple | None, shift: tuple, turn: list) -> None:
    frame = frame_with_z((1.0, 2.0, -0.5))
    parent, child = (0.5, 0.1, 0.2), (0.0, 0.3, -0.4)
    system = one_body(kind, frame_parent=frame, frame_child=frame, point_parent=parent, point_child=child)
    start = Configuration({"joint": coordinates} if coordinates is not None else {})
    position, matrix = segment_poses(system, start)["body"]
    local = np.eye(3)
    for vector in turn:
        local = local @ rotation_matrix(quaternion_of_vector(vector))
    axes = rotation_matrix(frame)
    assert np.allclose(matrix, axes @ local @ axes.T, atol=1e-14)
    assert np.allclose(position, np.array(parent) + axes @ shift - matrix @ child, atol=1e-14)


def test_pose_of_a_prescribed_joint_is_where_its_motion_starts() -> None:
    table = Table((-1.0, 1.0), (0.0, 4.0), "linear")
    position, _ = segment_poses(one_body("prismatic", motion=(table,)))["body"]
    assert position == pytest.approx((0.0, 0.0, 2.0))


@given(angles)
def test_rotation_vector_and_quaternion_are_inverse(vector: tuple) -> None:
    assert vector_of_quaternion(quaternion_of_vector(vector)) == pytest.approx(vector, abs=1e-14)


@pytest.mark.parametrize("angle", ["400 deg", "-181 deg"])
def test_joint_angles_of_more_than_half_a_turn_are_refused(angle: str) -> None:
    with pytest.raises(InputError, match=r"posture\.joints\.knee\.flexion is -?\d+ degrees; accepted -180 to 180"):
        posture({"joints": {"knee": {"flexion": angle}}})
    posture({"joints": {"shoulder": {"flexion": "180 deg"}}})

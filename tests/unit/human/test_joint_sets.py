"""Joint sets: what the tables say is in the model, left mirrors right but where the thesis prints otherwise."""

import numpy as np
import pytest

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.human import human
from vitruvian.human.measured import measured
from vitruvian.human.mirror import mirrored_resistance
from vitruvian.human.resistance import JOINT_SETS, joint_resistance
from vitruvian.lab.validate import joint_tests
from vitruvian.model import Configuration, held_at

PAIRS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")


@pytest.mark.parametrize("joints", [name for name in JOINT_SETS if name != "thesis"])
@pytest.mark.parametrize("joint", PAIRS)
def test_left_is_the_mirror_image_of_right(joints, joint):
    system = human(1.75, 70.0, joints=joints).system
    left, right = (system.joint(f"{side}_{joint}").resistance for side in ("left", "right"))
    assert left == mirrored_resistance(right)


def test_thesis_is_the_table_as_printed_and_its_left_elbow_bends_backwards():
    system = human(1.8, 80.0, joints="thesis").system
    for joint, row in data.values("joint_range_thesis").items():
        resistance = system.joint(joint).resistance
        assert resistance.law == "rotation_vector"
        assert resistance.limit_plus == tuple(row[f"limit_plus_{axis}"] for axis in "xyz")
        assert resistance.limit_minus == tuple(row[f"limit_minus_{axis}"] for axis in "xyz")
        assert not any(resistance.damping)
    assert np.degrees(system.joint("left_elbow").resistance.limit_plus[1]) == pytest.approx(142.0)
    # hinges too
    hinged = human(1.8, 80.0, joints="thesis", hinges="revolute").system
    assert np.degrees(hinged.joint("left_elbow").resistance.limit_plus[0]) == pytest.approx(142.0)
    assert np.degrees(hinged.joint("right_elbow").resistance.limit_plus[0]) == pytest.approx(5.0)


def test_corrected_knee_bends_backwards_and_ankle_turns_in():
    system = human(1.8, 80.0, joints="thesis-corrected").system
    knee, ankle = (system.joint(name).resistance for name in ("left_knee", "right_ankle"))
    assert np.degrees((knee.limit_minus[1], knee.limit_plus[1])) == pytest.approx((-5.0, 125.0))
    assert np.degrees((ankle.limit_plus[0], ankle.limit_plus[2])) == pytest.approx((23.0, 5.0))
    recommended = human(1.8, 80.0, joints="recommended-1").system.joint("lower_neck").resistance
    assert system.joint("lower_neck").resistance == recommended


def test_silva_has_cones_from_the_seated_posture_and_muscles_that_let_go():
    system = human(1.8, 80.0, joints="silva").system
    hip = system.joint("right_hip").resistance
    assert hip.law == "cone"
    assert np.degrees(hip.cone.limits) == pytest.approx((120.0, 50.0, 45.0, 10.0))
    assert hip.cone.frame == pytest.approx((np.cos(np.pi / 4), 0.0, -np.sin(np.pi / 4), 0.0))
    elbow = system.joint("right_elbow").resistance
    assert np.degrees(elbow.curve[1].range) == pytest.approx((-135.0, 0.0))
    assert elbow.friction_fade > 0.0
    dummy = human(1.8, 80.0, joints="silva-dummy").system.joint("right_elbow").resistance
    assert dummy.friction == elbow.friction > 0.0
    assert dummy.friction_fade == 0.0


def test_dry_torque_is_that_of_the_weight_beyond_the_joint():
    person = human(1.8, 80.0, joints="silva-dummy").system
    arm = [person.body(f"right_{name}") for name in ("forearm", "hand")]
    forearm, wrist = person.joint("right_elbow"), person.joint("right_wrist")
    # joint to the centres, hanging
    first = -forearm.point_child[2]
    second = first + wrist.point_parent[2] - wrist.point_child[2]
    expected = 9.80665 * abs(arm[0].mass * first + arm[1].mass * second)
    assert forearm.resistance.friction == pytest.approx(expected, rel=1e-9)


def test_fading_torques_start_where_the_joints_start():
    person = human(1.8, 80.0, joints="silva", hinges="revolute")
    turned = (np.cos(0.1), np.sin(0.1), 0.0, 0.0)
    start = Configuration({"left_hip": turned, "left_knee": (0.7,)})
    held = held_at(person.system, start)
    assert held.joint("left_hip").resistance.held == pytest.approx(turned)
    assert held.joint("left_knee").resistance.held == (0.7, 0.0, 0.0)
    assert held.joint("right_hip").resistance.held is None
    assert held_at(held, Configuration()).joint("left_knee").resistance.held == (0.7, 0.0, 0.0)


def test_unknown_sets_are_refused():
    with pytest.raises(InputError, match=r"human.joints is \"sliva\".*Did you mean \"silva\""):
        human(1.8, 80.0, joints="sliva")
    with pytest.raises(InputError, match="accepted: recommended, recommended-2, recommended-1, thesis"):
        joint_resistance("knee", 1.8, 80.0, "rotation_vector", "best")


@pytest.mark.parametrize(
    ("joint", "movement", "moment", "slope"),
    [
        ("lumbar", "flexion", 95.0, 583.0),
        ("lumbar", "extension", 95.0, 583.0),
        ("thoracolumbar", "right_bend", 95.0, 583.0),
        ("lower_neck", "flexion", 60.0, 500.0),
    ],
)
def test_a_joint_stiffens_beyond_the_largest_measured_moment(joint, movement, moment, slope):
    """Against the law written out: k a inside, the end stiffness beyond the limit, the hard one beyond its moment."""
    resistance = human(1.8, 80.0, joints="recommended-2").system.joint(joint).resistance
    axis, sign = data.movements()[joint][movement]
    limit = abs((resistance.limit_plus if sign > 0 else resistance.limit_minus)[axis])
    inner = resistance.stiffness[axis]
    end = (resistance.stiffness_plus if sign > 0 else resistance.stiffness_minus)[axis]
    hard = limit + (moment - inner * limit) / end
    for angle in (0.5 * limit, limit, 0.5 * (limit + hard), hard, hard + 0.05, hard + 0.1):
        expected = inner * min(angle, limit) + end * max(0.0, min(angle, hard) - limit) + slope * max(0.0, angle - hard)
        found = -joint_tests.static_moment(
            joint, movement, {f"{joint}_{movement}": angle}, joints="recommended-2", muscles=False
        )
        assert found == pytest.approx(expected, rel=1e-9)


def test_the_stiffening_follows_measured_limits_and_the_mass():
    wide = human(1.8, 80.0, joints="recommended-2", measured=measured({"range": {"lumbar": {"flexion": 1.0}}}))
    at = wide.system.joint("lumbar").resistance.curve[1].angles[2]
    assert at == pytest.approx(1.0 + (95.0 - 40.0) / 162.0)
    light = human(1.8, 60.0, joints="recommended-2").system.joint("lumbar").resistance
    assert light.curve[1].torques[3] == pytest.approx(0.75 * (583.0 - 162.0))
    assert human(1.8, 80.0, joints="recommended-1").system.joint("lumbar").resistance.curve == (None, None, None)

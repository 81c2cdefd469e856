"""Clinical angles: signs as in the joint table, the order of the recommendation, both sides alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitruvian import data
from vitruvian.human import posture
from vitruvian.human.posture import joint_names
from vitruvian.sim import angle

PLUS = {
    "flexion": ("flexion", "dorsiflexion"),
    "abduction": ("abduction", "right_bend", "varus", "ulnar_deviation", "inversion"),
    "rotation": ("internal_rotation", "left_turn", "pronation", "toe_in"),
}


def angles(joint, vector):
    return angle.clinical(np.array([[vector]]), (joint,), ("spherical",))[0, 0]


@pytest.mark.parametrize("joint", joint_names())
@pytest.mark.parametrize("place", range(3))
def test_signs_are_those_of_the_joint_table(joint, place):
    # a positive angle is the motion that the table of movements names, on both sides
    plain = joint.removeprefix("left_").removeprefix("right_")
    words = [word for word in data.movements()[plain] if word in PLUS[angle.ANGLES[place]]]
    assert len(words) == 1
    vector = posture({"joints": {joint: {words[0]: 0.3}}}).rotation(joint)
    expected = np.zeros(3)
    expected[place] = 0.3
    assert angles(joint, vector) == pytest.approx(expected, abs=1e-12)


def turn(axis, a):
    vector = np.zeros((1, 3))
    vector[0, "xyz".index(axis)] = a
    return angle.rotation_matrices(vector)[0]


one = st.floats(-1.4, 1.4)


@given(one, one, one)
def test_the_three_turns_follow_one_another(a, b, c):
    assert angle.cardan_yxz(turn("y", a) @ turn("x", b) @ turn("z", c)) == pytest.approx((a, b, c), abs=1e-12)
    assert angle.cardan_xyz(turn("x", a) @ turn("y", b) @ turn("z", c)) == pytest.approx((a, b, c), abs=1e-12)


@given(st.tuples(one, one, one), st.sampled_from(["shoulder", "hip", "wrist", "ankle"]))
def test_left_and_right_have_the_same_angles(vector, joint):
    x, y, z = vector
    assert angles(f"left_{joint}", (-x, y, -z)) == pytest.approx(angles(f"right_{joint}", vector), abs=1e-12)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_raised_arm(side):
    def raised(words):
        vector = posture({"joints": {f"{side}_shoulder": words}}).rotation(f"{side}_shoulder")
        return angle.elevation(np.array([[vector]]), (f"{side}_shoulder",), ("spherical",))[0, 0]

    assert raised({"abduction": 0.7})[:2] == pytest.approx((0.0, 0.7))
    assert raised({"flexion": 1.2})[:2] == pytest.approx((np.pi / 2, 1.2))
    assert raised({"extension": 0.4})[:2] == pytest.approx((-np.pi / 2, 0.4))
    assert raised({"abduction": np.pi / 2, "internal_rotation": 0.3}) == pytest.approx((0.0, np.pi / 2, 0.3))


def test_hinges_and_other_joints():
    found = angle.clinical(np.full((1, 3, 3), 0.2), ("right_knee", "root", "rail"), ("revolute", "free", "prismatic"))
    assert found[0, 0] == pytest.approx((0.2, 0.0, 0.0))
    assert np.isnan(found[0, 1:]).all()
    assert np.isnan(angle.elevation(np.zeros((1, 1, 3)), ("right_knee",), ("spherical",))).all()

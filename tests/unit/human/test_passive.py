"""Passive moments of the literature: the formulas come back in our signs, and joints are pushed back into range."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human.passive import passive_curve
from vitruvian.kernels import joint_torque


def torque(curve, a):
    return joint_torque.curve_law(curve.rows(), 0, a)[1]


def test_knee_of_anderson_in_our_signs():
    # flexion is positive here, negative there: q = -a, and dV/da is the moment itself
    curve = passive_curve("knee", "y")
    for flexion in (0.0, 0.4, 1.5, 2.4):
        moment = -6.09 * np.exp(33.94 * (-flexion - 0.13)) + 11.03 * np.exp(-11.33 * (-flexion + 2.4))
        assert torque(curve, flexion) == pytest.approx(moment, rel=1e-12)
    assert torque(curve, -0.2) < -10.0  # hyperextension is pushed back
    assert torque(curve, 2.6) > 10.0


def test_hip_of_riener_with_the_knee_held():
    # 60 degrees of flexion is -y here; dV/da of a = -hip is +M
    for knee in (0.0, 40.0):
        hip = 60.0
        moment = np.exp(1.4655 - 0.0034 * knee - 0.0750 * hip) - np.exp(1.3403 - 0.0226 * knee + 0.0305 * hip) + 8.072
        curve = passive_curve("hip", "y", "riener1999", knee=np.radians(knee))
        assert torque(curve, -np.radians(hip)) == pytest.approx(moment, rel=1e-12)


@pytest.mark.parametrize(
    "joint, axis, source",
    [("hip", "x", "anderson1999"), ("ankle", "y", "anderson1999"), ("ankle", "x", "anderson1999")]
    + [("trunk", axis, "anderson1999") for axis in "xyz"]
    + [(joint, "y", "riener1999") for joint in ("hip", "knee", "ankle")],
)
def test_curves_push_back_at_both_ends_and_rise(joint, axis, source):
    curve = passive_curve(joint, axis, source)
    low, high = curve.angles
    assert torque(curve, low) < -50.0
    assert torque(curve, high) > 50.0
    found = [torque(curve, a) for a in np.linspace(low - 0.3, high + 0.3, 200)]
    assert (np.diff(found) > 0.0).all()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("hip", "y", "anderson"), 'Did you mean "anderson1999"'),
        (("hipp", "y"), 'Did you mean "hip"'),
        (("knee", "x"), "no axis 'x' of the knee; accepted: y"),
        (("hip", "x", "riener1999"), "no axis 'x' of the hip"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        passive_curve(*arguments)

"""Laws of joint resistance: the torque is the slope of the energy, and limits act where they should."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vitruvian.kernels import joint_torque, layout, quaternion
from vitruvian.model import Body, Joint, Resistance, System
from vitruvian.model.compile import compile_system
from vitruvian.model.joint import RESISTANCE_LAWS

LIMITS = {
    "limit_minus": (-0.3, -0.8, -0.4),
    "limit_plus": (1.1, 0.5, 0.6),
    "stiffness": (3.0, 8.0, 5.0),
    "stiffness_minus": (60.0, 40.0, 90.0),
    "stiffness_plus": (50.0, 70.0, 30.0),
}


def model(law, **changes):
    """The kernels' model of two bodies with a resistance between them."""
    resistance = Resistance(law, **{**LIMITS, **changes})
    bodies = (Body("a", 1.0, np.ones(3)), Body("b", 1.0, np.ones(3)))
    ball = Joint("ball", "spherical", "a", "b", resistance=resistance)
    return compile_system(System(bodies, (Joint("root", "free", None, "a"), ball))).model


SOUND = np.ones((1, 6))
NO_CURVE = np.zeros((0, layout.curve.COUNT))
NAMES = ("rotation_vector", "swing_twist", "cardan_yxz", "cardan_xyz")
MODELS = {name: model(name) for name in NAMES}
LAWS = {
    name: lambda value, r, q, name=name: joint_torque.ball_law(
        value, MODELS[name].curve, SOUND, r, RESISTANCE_LAWS[name], q
    )[:3]
    for name in NAMES
}
TABLES = {name: MODELS[name].resistance for name in NAMES}
component = st.floats(-1.4, 1.4)


@pytest.mark.parametrize("law", LAWS)
@given(theta=st.tuples(component, component, component), direction=st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_torque_is_the_slope_of_the_energy(law, theta, direction):
    assume(np.linalg.norm(direction) > 0.1)
    h, q = 1e-5, quaternion.exponential(theta)

    def energy(t):
        turn = quaternion.exponential(tuple(t * x for x in direction))  # in the parent's frame
        return LAWS[law](TABLES[law], 0, quaternion.product(turn, q))[0]

    _, torque, _ = LAWS[law](TABLES[law], 0, q)
    # corners of the slope at the limits cost h times a stiffness
    assert -np.dot(torque, direction) == pytest.approx((energy(h) - energy(-h)) / (2.0 * h), abs=5e-3)


@pytest.mark.parametrize("law", LAWS)
@given(theta=st.tuples(component, component, component))
def test_energy_is_never_negative_and_zero_at_rest(law, theta):
    assert LAWS[law](TABLES[law], 0, quaternion.exponential(theta))[0] >= 0.0
    energy, torque, _ = LAWS[law](TABLES[law], 0, (1.0, 0.0, 0.0, 0.0))
    assert energy == 0.0
    assert np.allclose(torque, 0.0)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_limits_about_one_axis(law, axis, side):
    # 0.2 rad beyond the limit: k a + (k_beyond - k) 0.2
    limit = LIMITS["limit_plus" if side > 0 else "limit_minus"][axis]
    beyond = LIMITS["stiffness_plus" if side > 0 else "stiffness_minus"][axis]
    inner = LIMITS["stiffness"][axis]
    angle = limit + 0.2 * side
    theta = tuple(angle if k == axis else 0.0 for k in range(3))
    energy, torque, stiffness = LAWS[law](TABLES[law], 0, quaternion.exponential(theta))
    if law != "swing_twist" or axis == 2:
        assert torque[axis] == pytest.approx(-(inner * angle + (beyond - inner) * 0.2 * side), rel=1e-9)
        assert energy == pytest.approx(0.5 * inner * angle**2 + 0.5 * (beyond - inner) * 0.04, rel=1e-9)
    else:  # the inner spring of the swing is a sine
        free = model(law, limit_minus=(-np.inf,) * 3, limit_plus=(np.inf,) * 3).resistance
        inside = LAWS[law](free, 0, quaternion.exponential(theta))
        assert torque[axis] == pytest.approx(inside[1][axis] - (beyond - inner) * 0.2 * side, rel=0.15)
    assert inner < stiffness[axis] <= beyond * (1.0 + 1e-12)


def test_axis_law_is_continuous_in_energy_and_slope():
    table = TABLES["rotation_vector"]
    for k in range(3):
        for limit in (LIMITS["limit_minus"][k], LIMITS["limit_plus"][k]):
            low, high = (joint_torque.axis_law(table, NO_CURVE, SOUND, 0, k, limit + d) for d in (-1e-9, 1e-9))
            assert low[0] == pytest.approx(high[0], abs=1e-7)
            assert low[1] == pytest.approx(high[1], abs=1e-6)


def test_swing_twist_goes_on_beyond_half_a_turn():
    # a rotation vector flips at half a turn; the twist-free swing of a limb does not
    free = model("swing_twist", limit_minus=(-np.inf,) * 3, limit_plus=(np.inf,) * 3).resistance
    near = [LAWS["swing_twist"](free, 0, quaternion.exponential((0.0, angle, 0.0))) for angle in (3.1, 3.1415, 3.1417)]
    assert np.ptp([energy for energy, *_ in near]) < 0.02


@pytest.mark.parametrize("law", [name for name in NAMES if name != "rotation_vector"])
@given(q=st.tuples(*[st.floats(-1.0, 1.0)] * 4), direction=st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_torque_is_the_slope_of_the_energy_at_any_rotation(law, q, direction):
    """Item 9: also far beyond the limits, across the seam of an angle and beside the singular point of the measure."""
    assume(np.linalg.norm(q) > 0.1 and np.linalg.norm(direction) > 0.1)
    q = tuple((np.array(q) / np.linalg.norm(q)).tolist())
    h = 1e-6

    def energy(t):
        turn = quaternion.exponential(tuple(t * x for x in direction))
        return LAWS[law](TABLES[law], 0, quaternion.product(turn, q))[0]

    _, torque, _ = LAWS[law](TABLES[law], 0, q)
    slope = (energy(h) - energy(-h)) / (2.0 * h)
    assert -np.dot(torque, direction) == pytest.approx(slope, rel=1e-3, abs=0.02)


@pytest.mark.parametrize("law", [name for name in NAMES if name != "rotation_vector"])
def test_energy_is_one_value_at_a_singular_point(law):
    """Item 9: round the direction at which the measure is singular the energy goes to one value with zero slope."""
    pole = {"cardan_yxz": (0.5 * np.pi, 0.0, 0.0), "cardan_xyz": (0.0, 0.5 * np.pi, 0.0)}.get(law)
    if pole is None:
        w, x, y, z = TABLES[law][0, layout.resistance.CENTRE : layout.resistance.CENTRE + 4].tolist()
        at = quaternion.product((w, x, y, z), (0.0, 1.0, 0.0, 0.0))
    else:
        at = quaternion.exponential(pole)
    found = []
    for angle in np.linspace(0.0, 2.0 * np.pi, 13):
        step = tuple((1e-7 * np.array([np.cos(angle), np.sin(angle), 0.3])).tolist())
        found.append(LAWS[law](TABLES[law], 0, quaternion.product(at, quaternion.exponential(step))))
    energies, torques = np.array([f[0] for f in found]), np.array([f[1] for f in found])
    assert np.ptp(energies) < 1e-6 * energies.mean()
    assert np.ptp(torques, axis=0).max() < 0.05

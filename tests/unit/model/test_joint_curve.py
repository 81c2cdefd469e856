"""Torque curves and the cone: tables return the table, energy is their integral, bad input is refused."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.interpolate import CubicSpline, PchipInterpolator

from vitruvian.errors import InputError
from vitruvian.kernels import joint_torque, layout, quaternion
from vitruvian.model import Body, Cone, Curve, Joint, Resistance, System, limit_curve
from vitruvian.model.compile import compile_system

ANGLES = (-1.0, -0.3, 0.1, 0.4, 1.2)
RISING = (-50.0, -2.0, 0.0, 3.0, 90.0)
WAVY = (-5.0, 4.0, -3.0, 6.0, 1.0)
# hip flexion of anderson1999: flexion positive
TERMS = ((2.44, 5.05, 1.81), (-1.51, -21.88, -0.6981))
CURVES = {
    "linear": Curve(ANGLES, RISING),
    "linear wavy": Curve(ANGLES, WAVY),
    "cubic": Curve(ANGLES, RISING, "cubic"),
    "cubic wavy": Curve(ANGLES, WAVY, "cubic"),
    "exponential": Curve((-0.9, 2.2), kind="exponential", terms=TERMS),
    "limit": limit_curve(-0.4, 0.9, 0.2, 226.0),
}


SOUND = np.ones((1, 6))


def evaluated(curve, a):
    return joint_torque.axis_law(*_row(curve), SOUND, 0, 0, a)


def _row(curve):
    value = np.zeros((1, layout.resistance.COUNT))
    value[0, layout.resistance.LIMIT_MINUS], value[0, layout.resistance.LIMIT_PLUS] = -np.inf, np.inf
    value[0, layout.resistance.CURVE : layout.resistance.CURVE + 3] = 0.0, -1.0, -1.0
    return value, curve.rows()


@pytest.mark.parametrize("name", ["linear", "linear wavy", "cubic", "cubic wavy"])
def test_a_table_returns_the_table(name):
    curve = CURVES[name]
    for a, g in zip(curve.angles, curve.torques, strict=True):
        assert evaluated(curve, a)[1] == pytest.approx(g, abs=1e-12)


def test_linear_and_cubic_tables_between_the_knots():
    for a in np.linspace(-1.0, 1.2, 101):
        assert evaluated(CURVES["linear wavy"], a)[1] == pytest.approx(np.interp(a, ANGLES, WAVY), abs=1e-12)
        for name, torques in (("cubic", RISING), ("cubic wavy", WAVY)):
            assert evaluated(CURVES[name], a)[1] == pytest.approx(
                float(PchipInterpolator(ANGLES, torques)(a)), abs=1e-10
            )


def test_a_rising_table_stays_rising_when_smoothed():
    torque = [evaluated(CURVES["cubic"], a)[1] for a in np.linspace(-1.5, 1.6, 700)]
    assert (np.diff(torque) >= 0.0).all()


def test_exponentials_are_those_of_the_source():
    for a in (-0.8, 0.0, 0.7, 2.0):
        expected = 2.44 * np.exp(5.05 * (a - 1.81)) - 1.51 * np.exp(-21.88 * (a + 0.6981))
        assert evaluated(CURVES["exponential"], a)[1] == pytest.approx(expected, rel=1e-12)


def test_limit_curve_is_of_third_order_and_stays_at_its_top():
    for x in (0.0, 0.25, 0.5, 1.0, 1.5, 4.0):
        top = min(x, 1.0)
        expected = 226.0 * (3.0 * top**2 - 2.0 * top**3)
        assert evaluated(CURVES["limit"], 0.9 + 0.2 * x)[1] == pytest.approx(expected, abs=1e-9)
        assert evaluated(CURVES["limit"], -0.4 - 0.2 * x)[1] == pytest.approx(-expected, abs=1e-9)
    assert evaluated(CURVES["limit"], 0.3)[:3] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("name", CURVES)
@given(a=st.floats(-3.0, 3.0))
def test_energy_is_the_integral_of_the_torque_from_zero(name, a):
    curve = CURVES[name]
    knots = [*curve.angles, 0.0]
    places = sorted({0.0, a, *(k for k in knots if min(a, 0.0) < k < max(a, 0.0))})
    parts = [quad(lambda x: evaluated(curve, x)[1], low, high)[0] for low, high in pairwise(places)]
    expected = np.sign(a) * sum(parts)
    assert evaluated(curve, a)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("name", CURVES)
def test_beyond_the_last_knots_a_curve_goes_on_straight(name):
    rows = CURVES[name].rows()
    for end, side in ((CURVES[name].angles[0], -1.0), (CURVES[name].angles[-1], 1.0)):
        _, torque, slope = joint_torque.curve_law(rows, 0, end + side * 1e-12)
        _, far, slope_far = joint_torque.curve_law(rows, 0, end + side)
        assert slope_far == pytest.approx(slope, rel=1e-9, abs=1e-9)
        assert far == pytest.approx(torque + side * slope, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", CURVES)
@given(a=st.floats(-2.0, 2.0))
def test_mirrored_curve_has_the_same_energy_and_the_opposite_torque(name, a):
    here, there = evaluated(CURVES[name], a), evaluated(CURVES[name].mirrored(), -a)
    assert there[0] == pytest.approx(here[0], rel=1e-12, abs=1e-9)
    assert there[1] == pytest.approx(-here[1], rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("name", CURVES)
def test_steepest_slope(name):
    curve = CURVES[name]
    a = np.linspace(curve.angles[0], curve.angles[-1], 4001)
    torque = np.array([evaluated(curve, x)[1] for x in a])
    assert curve.steepest() == pytest.approx(np.diff(torque).max() / (a[1] - a[0]), rel=0.02)


# the cone

SHOULDER = Cone(tuple(np.radians([30.0, 90.0, 140.0, 90.0])), np.radians(11.5), 226.0)
HIP = Cone(
    tuple(np.radians([120.0, 50.0, 45.0, 10.0])),
    np.radians(11.5),
    452.0,
    quaternion.exponential((0.0, -np.pi / 2, 0.0)),
)


def test_the_rim_is_the_closed_cubic_spline_through_four_limits():
    quarter = np.linspace(0.0, 2.0 * np.pi, 5)
    for cone in (SHOULDER, HIP):
        spline = CubicSpline(quarter, [*cone.limits, cone.limits[0]], bc_type="periodic")
        rim = cone.rim().rows()
        for longitude in np.linspace(-np.pi, np.pi, 181):
            _, limit, slope = joint_torque.curve_law(rim, 0, longitude)
            assert limit == pytest.approx(float(spline(longitude % (2.0 * np.pi))), abs=1e-12)
            assert slope == pytest.approx(float(spline(longitude % (2.0 * np.pi), 1)), abs=1e-11)
            assert float(cone.limit(longitude)) == pytest.approx(limit, abs=1e-12)
        fine = spline(np.linspace(0.0, 2.0 * np.pi, 20001))
        assert cone.extremes() == pytest.approx((fine.min(), fine.max()), abs=1e-7)


def row(cone, **more):
    resistance = Resistance("cone", cone=cone, **more)
    bodies = (Body("a", 1.0, np.ones(3)), Body("b", 1.0, np.ones(3)))
    ball = Joint("ball", "spherical", "a", "b", resistance=resistance)
    return compile_system(System(bodies, (Joint("root", "free", None, "a"), ball))).model


def cone_law(model, q):
    return joint_torque.ball_law(model.resistance, model.curve, SOUND, 0, layout.resistance_law.CONE, q)


@pytest.mark.parametrize("axis, limit", [((0, 1), 30.0), ((-1, 0), 90.0), ((0, -1), 140.0), ((1, 0), 90.0)])
def test_torque_of_the_cone_at_the_four_quadrants(axis, limit):
    # tilted about an axis that takes z towards x, y, -x, -y: restoring, of third order, kept at its top
    towards = np.array([*axis, 0.0])
    for x in (-0.5, 0.3, 1.0, 2.0):
        turn = quaternion.exponential(tuple((np.radians(limit + 11.5 * x) * towards).tolist()))
        energy, torque, _, _ = cone_law(row(SHOULDER), turn)
        top = min(max(x, 0.0), 1.0)
        if limit + 11.5 * x <= 140.0 + 11.5:  # before the fence
            assert np.dot(torque, towards) == pytest.approx(-226.0 * (3.0 * top**2 - 2.0 * top**3), abs=1e-9)
        assert (energy > 0.0) == (x > 0.0)


@pytest.mark.parametrize("cone", [SHOULDER, HIP], ids=["shoulder", "hip"])
@given(theta=st.tuples(*[st.floats(-1.8, 1.8)] * 3), direction=st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_torque_of_the_cone_is_the_slope_of_its_energy(cone, theta, direction):
    value = row(cone, limit_minus=(-np.inf, -np.inf, -0.5), limit_plus=(np.inf, np.inf, 0.8), stiffness=(2.0, 4.0, 3.0),
                stiffness_minus=(0.0, 0.0, 90.0), stiffness_plus=(0.0, 0.0, 50.0))  # fmt: skip
    h, q = 1e-6, quaternion.exponential(theta)

    def energy(t):
        turn = quaternion.exponential(tuple(t * x for x in direction))
        return cone_law(value, quaternion.product(turn, q))[0]

    torque = cone_law(value, q)[1]
    assert -np.dot(torque, direction) == pytest.approx((energy(h) - energy(-h)) / (2.0 * h), rel=1e-4, abs=0.02)


def test_the_cone_has_one_energy_opposite_to_its_axis():
    value = row(SHOULDER)
    near = [
        cone_law(value, quaternion.exponential(tuple(float(x) for x in (np.pi - 1e-7) * axis)))[0]
        for axis in (np.array([np.cos(t), np.sin(t), 0.0]) for t in np.linspace(0.0, 2.0 * np.pi, 24))
    ]
    assert np.ptp(near) < 1e-3 < np.mean(near)


@given(theta=st.tuples(*[st.floats(-1.8, 1.8)] * 3))
def test_mirrored_cone(theta):
    x, y, z = theta
    here = cone_law(row(HIP), quaternion.exponential(theta))
    there = cone_law(row(HIP.mirrored()), quaternion.exponential((-x, y, -z)))
    assert there[0] == pytest.approx(here[0], rel=1e-9, abs=1e-9)
    assert there[1] == pytest.approx((-here[1][0], here[1][1], -here[1][2]), rel=1e-9, abs=1e-9)


# bad input


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Curve((0.0, 0.5, 0.4), (0.0, 1.0, 2.0)), "each greater than the one before"),
        (lambda: Curve((0.0,), (0.0,)), "two or more"),
        (lambda: Curve((0.0, 0.5), (0.0, 1.0, 2.0)), "curve torques has 3 numbers; expected 2"),
        (lambda: Curve((0.0, 0.5), (0.0, np.nan)), "finite"),
        (lambda: Curve((0.0, 0.5), (0.0, 1.0), "quintic"), "unknown; accepted: linear, cubic, exponential"),
        (lambda: Curve((0.0, 0.5), (0.0, 1.0), "linear", (0.0, 0.0)), "slopes belong to the kind 'cubic'"),
        (lambda: Curve((0.0, 0.5), kind="exponential"), "needs terms"),
        (lambda: Curve((0.0, 5.0), kind="exponential", terms=((1.0, 40.0, 0.0),)), "overflows"),
        (lambda: limit_curve(0.5, -0.5, 0.2, 226.0), "limits are crossed"),
        (lambda: limit_curve(-0.5, 0.5, 0.0, 226.0), "greater than zero"),
        (lambda: Cone((0.5, 0.5, 0.5), 0.2, 226.0), "cone limits has 3 numbers"),
        (lambda: Cone((0.5, 0.5, -0.1, 0.5), 0.2, 226.0), "must stay above 0"),
        (lambda: Cone((0.5, 0.5, 3.0, 0.5), 0.2, 226.0), "below 180 deg"),
        (lambda: Cone((0.5,) * 4, 0.2, -1.0), "must not be negative"),
        (lambda: Resistance("cone"), "needs one"),
        (lambda: Resistance(cone=SHOULDER), "no other law takes one"),
        (lambda: Resistance("cone", cone=SHOULDER, limit_plus=(1.0, 1.0, 1.0)), "limits of z"),
        (lambda: Resistance("swing_twist", curve=(CURVES["cubic"], None, None)), "takes none"),
        (lambda: Resistance(curve=(1.0, None, None)), "each a Curve or None"),
        (lambda: Resistance(limit_damping=(-1.0, 0.0, 0.0)), "limit_damping is -1.0"),
        (lambda: Resistance(stiffness=(-1.0, 0.0, 0.0)), "stiffness is -1.0"),
        (lambda: Resistance(friction=-1.0), "friction is -1.0"),
        (lambda: Resistance(friction_speed=0.0), "friction_speed is 0.0"),
        (lambda: Resistance(limit_minus=(0.5, -1.0, -1.0)), "none above zero"),
        (lambda: Resistance(held=(1.0, 1.0, 0.0, 0.0)), "unit quaternion"),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()

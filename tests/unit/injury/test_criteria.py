"""Every criterion against a case that can be worked out by hand, or against pyisomme where that is right."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from vitruvian import injury
from vitruvian.errors import InputError
from vitruvian.injury import limits
from vitruvian.units import STANDARD_GRAVITY

TIME = np.arange(2001) * 1e-4
PULSE = np.sin(np.pi * np.clip((TIME - 0.05) / 0.02, 0.0, 1.0))  # half sine of 20 ms from 50 ms on
ZERO = np.zeros_like(TIME)


def along(axis: int, samples: np.ndarray) -> np.ndarray:
    vectors = np.zeros((len(samples), 3))
    vectors[:, axis] = samples
    return vectors


# head rotation


def test_bric_at_the_critical_values() -> None:
    """One axis at its critical value gives 1; all three, at different times, give the root of 3."""
    for axis, critical in enumerate((66.25, 56.45, 42.87)):
        found = injury.bric(TIME, along(axis, -critical * PULSE))
        assert found.value == pytest.approx(1.0)
        assert found.axis == "xyz"[axis]
        assert found.times[axis] == pytest.approx(0.06)
    spread = np.column_stack([np.roll(c * PULSE, 200 * i) for i, c in enumerate((66.25, 56.45, 42.87))])
    found = injury.bric(TIME, spread)
    assert found.value == pytest.approx(np.sqrt(3.0))
    assert found.times == pytest.approx((0.06, 0.08, 0.10))


def test_bric_criticals_by_name_and_number() -> None:
    assert injury.bric(TIME, along(2, 44.25 * PULSE), "csdm").value == pytest.approx(1.0)
    assert injury.bric(TIME, along(0, 10.0 * PULSE), (5.0, 5.0, 5.0)).value == pytest.approx(2.0)
    with pytest.raises(InputError, match="accepted: csdm, mps, average, 3yo"):
        injury.bric(TIME, along(0, PULSE), "max")


def test_ubric_limits() -> None:
    """A long pulse (velocity far below acceleration x time scale) tends to w*, with a*/w* small it tends to a*: the
    formula at a* = w* is w* exactly."""
    w, a = 211.0, 20_000.0  # the critical values about x
    found = injury.ubric(TIME, along(0, 0.5 * w * PULSE), along(0, 0.5 * a * PULSE))
    assert found.value == pytest.approx(0.5)
    only = injury.ubric(TIME, along(0, 0.5 * w * PULSE), along(0, 0.1 * a * PULSE))
    assert only.value == pytest.approx(0.5 + (0.1 - 0.5) * np.exp(-0.2))
    assert injury.ubric(TIME, np.zeros((2001, 3)), np.zeros((2001, 3))).value == 0.0


def test_damage_against_integration() -> None:
    """The same equations by an adaptive integrator, with straight lines between samples."""
    random = np.random.default_rng(1)
    alpha = np.column_stack([3000.0 * np.roll(PULSE, int(random.integers(0, 300))) for _ in range(3)])
    k_xx, k_yy, k_zz, k_xz, a1, scale = 32142.0, 23493.0, 16935.0, 1636.3, 5.9148e-3, 2.9903
    stiffness = np.array([[k_xx + k_xz, 0.0, -k_xz], [0.0, k_yy, 0.0], [-k_xz, 0.0, k_zz + k_xz]])

    def rates(t: float, state: np.ndarray) -> np.ndarray:
        drive = [np.interp(t, TIME, alpha[:, i]) for i in range(3)]
        return np.concatenate([state[3:], drive - stiffness @ state[:3] - a1 * stiffness @ state[3:]])

    run = solve_ivp(rates, (0.0, TIME[-1]), np.zeros(6), t_eval=TIME, rtol=1e-8, atol=1e-12, max_step=1e-3)
    expected = scale * np.linalg.norm(run.y[:3], axis=0).max()
    assert injury.damage(TIME, alpha).value == pytest.approx(expected, rel=1e-5)


def test_damage_of_a_step_is_static_in_the_end() -> None:
    """A constant angular acceleration about y settles at alpha / k, after an overshoot of the damped oscillator."""
    found = injury.damage(TIME, along(1, np.full(2001, 1000.0)))
    static, zeta = 2.9903 * 1000.0 / 23493.0, 0.5 * 5.9148e-3 * np.sqrt(23493.0)
    assert found.value == pytest.approx(static * (1.0 + np.exp(-np.pi * zeta / np.sqrt(1.0 - zeta**2))), rel=1e-4)


def test_damage_depends_on_the_sign_of_the_axes() -> None:
    """x and z are joined by a spring, so turning one of them round changes the value; turning both does not."""
    both = np.column_stack([2000.0 * PULSE, ZERO, 2000.0 * PULSE])
    value = injury.damage(TIME, both).value
    assert injury.damage(TIME, -both).value == pytest.approx(value)
    assert injury.damage(TIME, both * [1.0, 1.0, -1.0]).value != pytest.approx(value, rel=1e-3)


def test_damage_against_pyisomme() -> None:
    """The same equations; its integrator works with a relative tolerance of 1e-3. It also chooses its steps freely, and
    so leaps over a pulse that follows upon rest: it then returns about zero, which is wrong and is shown here."""
    pytest.importorskip("pyisomme")
    pandas = pytest.importorskip("pandas")
    from pyisomme import Channel
    from pyisomme.calculate.damage import calculate_damage

    def theirs(alpha: np.ndarray) -> float:
        channels = [
            Channel(f"11HEAD0000H3AA{axis}A", data=pandas.DataFrame(alpha[:, i], index=TIME), unit="rad/s^2", info=[])
            for i, axis in enumerate("XYZ")
        ]
        return float(calculate_damage(*channels)[-1].get_data()[0])

    late = np.column_stack([3000.0 * np.roll(PULSE, 40 * i) for i in range(3)])
    early = np.roll(late, -499, axis=0)
    assert injury.damage(TIME, early).value == pytest.approx(theirs(early), rel=3e-3)
    assert injury.damage(TIME, late).value == pytest.approx(injury.damage(TIME, early).value, rel=1e-3)
    assert theirs(late) < 1e-3


# power


def test_hip_of_a_constant_acceleration() -> None:
    """m a (a t) + I alpha (alpha t), largest at the end."""
    a, alpha, end = 500.0, 2000.0, TIME[-1]
    found = injury.hip(TIME, along(0, np.full(2001, a)), along(1, np.full(2001, alpha)))
    assert found.value == pytest.approx(4.5 * a * a * end + 0.024 * alpha * alpha * end, rel=1e-9)
    assert found.time == pytest.approx(end)


def test_gambit() -> None:
    found = injury.gambit(TIME, 250.0 * PULSE, 25_000.0 * PULSE)
    assert found.value == pytest.approx(np.sqrt(2.0), rel=1e-9)
    assert injury.gambit(TIME, along(0, 250.0 * PULSE), along(1, ZERO)).value == pytest.approx(1.0, rel=1e-9)


def test_ric_and_prhic_have_the_form_of_hic() -> None:
    """A constant over the window: RIC = window alpha^2.5. PRHIC: the power grows linearly, and is a HIC of it."""
    alpha = np.full(2001, 3000.0)
    assert injury.ric(TIME, alpha).value == pytest.approx(0.036 * 3000.0**2.5, rel=1e-9)
    power = 0.022 * 3000.0**2 * TIME
    assert injury.prhic(TIME, along(2, alpha)).value == pytest.approx(
        injury.hic(TIME, power, 0.036, assume_units=True).value, rel=1e-9
    )


# neck


@pytest.mark.parametrize(
    ("force", "moment", "case"),
    [
        (6806.0, 0.0, "NTF"),
        (-6160.0, 0.0, "NCF"),
        (0.0, 310.0, "NTF"),
        (0.0, -135.0, "NTE"),
        (3403.0, 155.0, "NTF"),
        (3403.0, -67.5, "NTE"),
        (-3080.0, 155.0, "NCF"),
        (-3080.0, -67.5, "NCE"),
    ],
)
def test_nij_is_one_at_its_corners_and_on_the_edges_between(force: float, moment: float, case: str) -> None:
    found = injury.nij(TIME, force * PULSE, moment * PULSE)
    assert found.value == pytest.approx(1.0)
    assert found.case == case
    assert found.time == pytest.approx(0.06)


@pytest.mark.parametrize("size", ["5F wrong", "50F", "", "8YO"])
def test_an_unknown_size_is_refused(size: str) -> None:
    """Item 14: the family of a dummy is taken for known dummies only."""
    for function in (limits.intercepts, lambda name: limits.by_size("TI", name)):
        with pytest.raises(InputError, match=r"accepted: .*50M"):
            function(size)
    assert limits.by_size("TI", "5F out of position") == limits.by_size("TI", "5F")


def test_nij_by_size() -> None:
    for size in ("5F", "5F out of position", "THOR 50M", "95M", "6YO", "3YO", "12M"):
        most = limits.intercepts(size)
        assert injury.nij(TIME, most["tension"] * PULSE, -most["extension"] * PULSE, size).value == pytest.approx(2.0)
    with pytest.raises(InputError, match="accepted: 50M, 5F"):
        injury.nij(TIME, PULSE, PULSE, "50F")


def test_nij_does_not_add_what_is_not_there_at_once() -> None:
    """Tension and extension at different times: each alone."""
    found = injury.nij(TIME, 6806.0 * PULSE, -0.5 * 135.0 * np.roll(PULSE, 400))
    assert found.value == pytest.approx(1.0)
    assert found.cases["NTE"].value == pytest.approx(0.5)


def test_nij_against_pyisomme() -> None:
    pytest.importorskip("pyisomme")
    pandas = pytest.importorskip("pandas")
    from pyisomme import Channel
    from pyisomme.calculate.neck_nij import calculate_neck_nij

    random = np.random.default_rng(2)
    force, moment = np.cumsum(random.normal(size=(2, 2001)), axis=1) * [[100.0], [3.0]]
    channels = [
        Channel(code, data=pandas.DataFrame(samples, index=TIME), unit=unit, info=[])
        for code, samples, unit in (("11NECKUP00H3FOZB", force, "N"), ("11TMONUP00H3MOYB", moment, "Nm"))
    ]
    theirs = calculate_neck_nij(*channels, oop=False)
    assert injury.nij(TIME, force, moment).value == pytest.approx(float(np.max(theirs[0].get_data())), rel=1e-9)


def test_moment_at_the_condyles() -> None:
    assert injury.moment_occipital(np.array([30.0]), np.array([1000.0]), 0.01778) == pytest.approx([12.22])


def test_nic_of_a_constant_difference() -> None:
    """0.2 a + (a t)^2."""
    found = injury.nic(TIME, np.full(2001, 50.0), np.full(2001, 10.0))
    assert found.value == pytest.approx(0.2 * 40.0 + (40.0 * 0.2) ** 2, rel=1e-9)


# trunk


def test_viscous_criterion_of_a_parabola() -> None:
    """d = c t^2: factor (c t^2 / D) 2 c t; the rule of five samples is exact for it."""
    c = 2.0
    found = injury.viscous_criterion(TIME[:1000], c * TIME[:1000] ** 2)
    t = TIME[997]  # the last sample with two neighbours on both sides
    assert found.value == pytest.approx(1.3 * c * t**2 / 0.229 * 2.0 * c * t, rel=0.01)
    with pytest.raises(InputError, match=r"deeper than a chest\. Is it in mm"):
        injury.viscous_criterion(TIME, 40.0 * PULSE / 10.0)


def test_viscous_criterion_against_pyisomme() -> None:
    pytest.importorskip("pyisomme")
    pandas = pytest.importorskip("pandas")
    from pyisomme import Channel
    from pyisomme.calculate.vc import calculate_vc

    deflection = 0.04 * PULSE**2
    channel = Channel("11CHST0000H3DSXC", data=pandas.DataFrame(deflection.copy(), index=TIME), unit="m", info=[])
    theirs = calculate_vc(channel)
    value = max(float(np.max(np.abs(part.get_data()))) for part in theirs)
    assert injury.viscous_criterion(TIME, deflection).value == pytest.approx(value, rel=1e-6)


def test_tti() -> None:
    found = injury.tti(TIME, -80.0 * PULSE, 60.0 * np.roll(PULSE, 100))
    assert found.value == pytest.approx(70.0)
    assert found.times == pytest.approx((0.06, 0.07))
    person = injury.tti(TIME, -80.0 * PULSE, 60.0 * PULSE, age=50.0, mass=90.0)
    assert person.value == pytest.approx(1.4 * 50.0 + 70.0 * 90.0 / 75.0)
    with pytest.raises(InputError, match="both age and mass"):
        injury.tti(TIME, PULSE, PULSE, age=50.0)


def test_peaks() -> None:
    assert injury.pelvis_acceleration(TIME, along(1, -90.0 * PULSE)).value == pytest.approx(90.0)
    assert injury.pelvis_force(TIME, 4000.0 * PULSE).time == pytest.approx(0.06)
    assert injury.chest_deflection(TIME, -0.05 * PULSE).value == pytest.approx(0.05)


# lower limb


def test_tibia_index_at_its_critical_values() -> None:
    assert injury.tibia_index(TIME, 225.0 * PULSE, ZERO, ZERO).value == pytest.approx(1.0)
    assert injury.tibia_index(
        TIME, 0.6 * 225.0 * PULSE, -0.8 * 225.0 * PULSE, -35_900.0 * PULSE
    ).value == pytest.approx(2.0)
    assert injury.tibia_index(TIME, ZERO, 114.0 * PULSE, ZERO, "5F").value == pytest.approx(1.0)


def test_femur_force_is_the_compression() -> None:
    assert injury.femur_force(TIME, -7000.0 * PULSE).value == pytest.approx(7000.0)
    assert injury.femur_force(TIME, 7000.0 * PULSE).value == 0.0


# vehicle


def test_olc_of_a_constant_deceleration() -> None:
    """With A t1^2 / 2 = 65 mm and A t1 t2 / 2 = 300 mm the deceleration is A t2 / (t2 - t1)."""
    a = 20.0 * STANDARD_GRAVITY
    time = np.arange(20_001) * 1e-5
    found = injury.olc(time, 30.0 - np.minimum(a * time, 30.0))
    t1 = np.sqrt(2.0 * 0.065 / a)
    t2 = 2.0 * 0.3 / (a * t1)
    assert (bool(a * t2 < 30.0), found.t1, found.t2) == (True, pytest.approx(t1, abs=1e-6), pytest.approx(t2, abs=1e-5))
    assert found.value == pytest.approx(a * t2 / (t2 - t1) / STANDARD_GRAVITY, rel=1e-4)
    with pytest.raises(InputError, match=r"less than 0\.065 m"):
        injury.olc(time, np.full(20_001, 15.0))


def test_olc_against_pyisomme() -> None:
    """pyisomme takes whole samples and divides by 9.81: within a sample and 0.04 %."""
    pytest.importorskip("pyisomme")
    pandas = pytest.importorskip("pandas")
    from pyisomme import Channel
    from pyisomme.calculate.olc import calculate_olc

    velocity = 15.0 - np.cumsum(np.sin(np.pi * np.clip(TIME / 0.1, 0.0, 1.0))) * 1e-4 * 235.0
    channel = Channel(
        "10VEHC0000__VEXD".replace("_", "0"), data=pandas.DataFrame(velocity, index=TIME), unit="m/s", info=[]
    )
    theirs = float(calculate_olc(channel)[0].get_data()[0]) * 9.81 / STANDARD_GRAVITY
    assert injury.olc(TIME, velocity).value == pytest.approx(theirs, rel=3e-3)


def test_asi_of_a_long_constant() -> None:
    """12 g forward for longer than any average: 1; all three limits at once: the root of 3."""
    time = np.arange(20_001) * 1e-4
    steady = np.zeros((20_001, 3))
    steady[:, 0] = 12.0
    for edition in (1998, 2010):
        assert injury.asi(time, steady, edition).value == pytest.approx(1.0, rel=1e-6)
        assert injury.asi(time, np.tile([12.0, 9.0, 10.0], (20_001, 1)), edition).value == pytest.approx(np.sqrt(3.0))
    with pytest.raises(InputError, match="accepted: 1998, 2010"):
        injury.asi(time, steady, 2000)


def test_asi_averages_over_fifty_milliseconds() -> None:
    """A block of 25 ms at 12 g is half of the window of 1998."""
    time = np.arange(5001) * 1e-4
    block = np.zeros((5001, 3))
    block[2000:2250, 0] = 12.0
    assert injury.asi(time, block, 1998).value == pytest.approx(0.5, rel=2e-3)


def test_thiv_of_a_constant_deceleration() -> None:
    """The head meets the front 0.6 m ahead with sqrt(2 a 0.6 m), the side with sqrt(2 a 0.3 m)."""
    a = 100.0
    found = injury.thiv(TIME, np.full(2001, -a), ZERO, ZERO)
    assert found.value == pytest.approx(np.sqrt(2.0 * a * 0.6), rel=1e-4)
    assert (found.side, found.time) == ("front", pytest.approx(np.sqrt(1.2 / a), rel=1e-3))
    assert found.phd.value == pytest.approx(a / STANDARD_GRAVITY, rel=1e-6)
    side = injury.thiv(TIME, ZERO, np.full(2001, a), ZERO)
    assert (side.side, side.value) == ("left or right", pytest.approx(np.sqrt(2.0 * a * 0.3), rel=1e-4))
    with pytest.raises(InputError, match="the head meets nothing"):
        injury.thiv(TIME, ZERO, ZERO, ZERO)


def test_thiv_of_a_spin_alone() -> None:
    """A vehicle that begins to spin about its centre of mass leaves a head at offset d behind on a straight line: the
    head at rest in the ground has the speed w d in the vehicle."""
    turn = np.full(2001, 8.0)
    turn[0] = 0.0  # the head has no share in the spin
    found = injury.thiv(TIME, ZERO, ZERO, turn, distance_x=5.0, distance_y=0.3, offset_x=0.5)
    assert found.value == pytest.approx(8.0 * 0.5, rel=1e-3)
    assert found.time == pytest.approx(np.arcsin(0.3 / 0.5) / 8.0, abs=2e-4)


# pedestrians and falls


def test_head_impact() -> None:
    found = injury.head_impact(0.010, 0.130, (3.0, 0.0, -8.0), (-8.0, 0.0, 0.0))
    assert found.value == pytest.approx(np.hypot(11.0, 8.0))
    assert (found.time, found.angle) == (pytest.approx(0.120), pytest.approx(np.arctan2(8.0, 11.0)))
    with pytest.raises(InputError, match="before the first contact"):
        injury.head_impact(0.2, 0.1, (0.0, 0.0, 0.0))


def test_wrap_around_distance() -> None:
    """Up a vertical front of 0.7 m and along a flat bonnet; a dent in the bonnet does not count, the tape is tight."""
    front = np.array([[0.0, 0.3], [0.0, 0.7], [1.0, 0.7], [1.5, 1.4]])
    assert injury.wrap_around_distance(front, (0.8, 0.7)) == pytest.approx(1.5)
    dented = np.array([[0.0, 0.3], [0.0, 0.7], [0.4, 0.5], [1.0, 0.7]])
    assert injury.wrap_around_distance(dented, (0.8, 0.7)) == pytest.approx(1.5)
    bus = np.array([[0.0, 0.28], [0.0, 0.65], [0.03, 1.05], [0.2, 2.75], [0.45, 3.0]])
    # item 19a: a head that has pressed 15 mm into a steep front; the corner above it is not on the way
    assert injury.wrap_around_distance(bus, (0.04, 0.98)) == pytest.approx(0.65 + np.hypot(0.04, 0.33))
    overhang = np.array([[0.0, 0.3], [0.2, 0.8], [0.1, 1.5]])  # the tape does not enter the recess
    assert injury.wrap_around_distance(overhang, (0.15, 1.15)) == pytest.approx(0.3 + np.hypot(0.15, 0.85))
    slanted = np.array([[0.0, 0.5], [0.3, 0.9]])
    assert injury.wrap_around_distance(slanted, (1.0, 0.9)) == pytest.approx(0.5 + 0.5 + 0.7)


def test_throw_distance() -> None:
    found = injury.throw_distance((0.0, 0.0, 1.0), (12.0, 5.0, 0.2))
    assert (found.value, found.along, found.across) == pytest.approx((13.0, 12.0, 5.0))
    turned = injury.throw_distance((0.0, 0.0, 1.0), (12.0, 5.0, 0.2), (0.0, 2.0))
    assert (turned.along, turned.across) == pytest.approx((5.0, -12.0))


def test_first_contacts_are_in_order() -> None:
    from vitruvian.sim.recording import Event

    events = [
        Event(0.5, "touch", "head", "ground", 6.0),
        Event(0.2, "touch", "pelvis", "ground", 4.0),
        Event(0.3, "separation", "pelvis", "ground", 1.0),
        Event(0.6, "touch", "pelvis", "ground", 2.0),
    ]
    found = injury.first_contacts(events)
    assert [(row.order, row.body, row.value) for row in found] == [(1, "pelvis", 4.0), (2, "head", 6.0)]


# bad input


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda bad: injury.bric(TIME, bad), "bric: angular_velocity: sample 7 .*not a finite"),
        (lambda bad: injury.damage(TIME, bad), "damage: angular_acceleration: sample 7"),
        (lambda bad: injury.hip(TIME, bad, bad), "hip: acceleration: sample 7"),
        (lambda bad: injury.nij(TIME, bad[:, 0], ZERO), "nij: fz: sample 7"),
        (lambda bad: injury.nij(TIME, ZERO, bad[:, 0]), "nij: moment_y: sample 7"),
        (lambda bad: injury.tibia_index(TIME, bad[:, 0], ZERO, ZERO), "tibia_index: mx: sample 7"),
    ],
)
def test_bad_samples_are_named(call, words: str) -> None:
    bad = np.zeros((2001, 3))
    bad[7] = np.nan
    with pytest.raises(InputError, match=words):
        call(bad)


def test_likely_units_are_named() -> None:
    with pytest.raises(InputError, match=r"10000 rad/s.*Is it in deg/s"):
        injury.bric(TIME, along(0, 1e4 * PULSE))
    with pytest.raises(InputError, match="Is it in N mm"):
        injury.nij(TIME, ZERO, 2e5 * PULSE)
    assert injury.bric(TIME, along(0, 1e4 * PULSE), assume_units=True).value > 100.0

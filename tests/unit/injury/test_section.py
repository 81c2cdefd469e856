"""Section loads in the signs of SAE J1733, shown on statics: what hangs is in tension, what is pressed is not."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.injury.channels import from_result
from vitruvian.injury.section import to_j211
from vitruvian.model import Body, Joint, Load, System
from vitruvian.sim.result import Result
from vitruvian.sim.simulate import simulate

G = 9.80665
MASS = 4.0


def chain(names: tuple[str, ...], joints: tuple[str, ...], centre: tuple[float, float, float], **more) -> System:
    """Bodies clamped together at one point; the last has its mass at `centre`, off the joint."""
    bodies = tuple(
        Body(name, 1e-6 if name != names[-1] else MASS, np.full(3, 1e-6 if name != names[-1] else 0.02))
        for name in names
    )
    made = [Joint("root", "rigid", None, names[0])]
    for parent, child, name in zip(names[:-1], names[1:], joints, strict=True):
        offset = tuple(-c for c in centre) if child == names[-1] else (0.0, 0.0, 0.0)
        made.append(Joint(name, "rigid", parent, child, (0.0, 0.0, 0.0), offset))
    return System(bodies, tuple(made), **more)


def loads(system: System, place: str) -> tuple[np.ndarray, np.ndarray]:
    """Force [N] and moment [N m] of a section at rest."""
    result = Result(simulate(system, duration=2e-3), system=system)
    records = from_result(result).records
    at = "occipital_condyles" if place == "upper_neck" else place  # where the upper neck joint is
    return records[f"{place}.force"].samples[-1], records[f"{at}.moment"].samples[-1]


def neck(**more) -> System:
    centre = more.pop("centre", (0.0, 0.0, 0.05))
    return chain(("thorax", "neck", "head"), ("lower_neck", "upper_neck"), centre, **more)


def leg(**more) -> System:
    names = ("pelvis", "left_thigh", "left_shank", "left_foot")
    return chain(names, ("left_hip", "left_knee", "left_ankle"), more.pop("centre", (0.0, 0.0, -0.1)), **more)


@pytest.mark.parametrize(
    ("system", "joint", "quantity", "wanted"),
    [
        (neck(gravity=(0.0, 0.0, G)), "upper_neck", "force", (0.0, 0.0, MASS * G)),
        (neck(centre=(0.03, 0.0, 0.05)), "upper_neck", "moment", (0.0, MASS * G * 0.03, 0.0)),
        (neck(centre=(0.0, 0.03, 0.05)), "lower_neck", "moment", (MASS * G * 0.03, 0.0, 0.0)),
        (leg(), "left_hip", "force", (0.0, 0.0, MASS * G)),
        (leg(), "left_knee", "force", (0.0, 0.0, MASS * G)),
        (leg(), "left_ankle", "force", (0.0, 0.0, MASS * G)),
    ],
)
def test_joint_loads_in_local_axes_have_the_signs_of_j1733_at_the_full_rate(system, joint, quantity, wanted) -> None:
    """Item 18: a hanging head and a hanging leg are in tension, chin to chest is flexion."""
    result = Result(simulate(system, duration=2e-3), system=system)
    channel = result[f"{joint}.joint_{quantity}_local"]
    assert len(channel["time"]) == 21  # 10 kHz
    assert channel.values[-1] == pytest.approx(wanted, abs=1e-3)


def test_axes() -> None:
    """x forward stays, y goes to the right, z down."""
    assert to_j211([1.0, 2.0, 3.0]).tolist() == [1.0, -2.0, -3.0]
    assert to_j211(to_j211([1.0, 2.0, 3.0])).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("place", ["upper_neck", "lower_neck"])
def test_a_head_on_its_neck_is_compression_and_a_hanging_one_tension(place: str) -> None:
    force, _ = loads(neck(), place)
    assert force == pytest.approx([0.0, 0.0, -MASS * G], abs=1e-3)
    force, _ = loads(neck(gravity=(0.0, 0.0, G)), place)
    assert force == pytest.approx([0.0, 0.0, MASS * G], abs=1e-3)


def test_a_head_whose_mass_lies_forward_is_in_flexion() -> None:
    """Chin towards the sternum: My positive, weight times arm."""
    _, moment = loads(neck(centre=(0.03, 0.0, 0.05)), "upper_neck")
    assert moment == pytest.approx([0.0, MASS * G * 0.03, 0.0], abs=1e-3)
    _, moment = loads(neck(centre=(-0.03, 0.0, 0.05)), "upper_neck")
    assert moment[1] == pytest.approx(-MASS * G * 0.03, abs=1e-3)


def test_a_head_whose_mass_lies_to_the_left_bends_to_the_left_shoulder() -> None:
    """Left ear towards the left shoulder: Mx positive (left is +y in our axes)."""
    _, moment = loads(neck(centre=(0.0, 0.03, 0.05)), "upper_neck")
    assert moment == pytest.approx([MASS * G * 0.03, 0.0, 0.0], abs=1e-3)


@pytest.mark.parametrize(
    ("push", "expected"),
    [
        ((-100.0, 0.0, 0.0), (100.0, 0.0)),  # head rearward, chest forward: Fx positive
        ((0.0, 100.0, 0.0), (0.0, 100.0)),  # head leftward, chest rightward: Fy positive
    ],
)
def test_a_pushed_head_shears_the_neck(push: tuple[float, float, float], expected: tuple[float, float]) -> None:
    load = Load("push", "head", push, point=(0.0, 0.0, -0.05))  # at the joint, so without moment
    force, moment = loads(neck(gravity=(0.0, 0.0, 0.0), loads=(load,)), "upper_neck")
    assert force[:2] == pytest.approx(expected, abs=1e-6)
    assert moment == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_twisted_head_is_positive_towards_the_left_shoulder() -> None:
    """Chin towards the left shoulder: turning to the left is +z in our axes."""
    load = Load("twist", "head", (0.0, 0.0, 5.0), kind="moment")
    _, moment = loads(neck(gravity=(0.0, 0.0, 0.0), loads=(load,)), "upper_neck")
    assert moment == pytest.approx([0.0, 0.0, 5.0], abs=1e-6)


@pytest.mark.parametrize("place", ["left_femur_upper", "left_femur_lower", "left_tibia_upper", "left_tibia_lower"])
def test_a_hanging_leg_is_in_tension_and_a_pressed_one_in_compression(place: str) -> None:
    force, _ = loads(leg(), place)
    assert force == pytest.approx([0.0, 0.0, MASS * G], abs=1e-3)
    load = Load("ground", "left_foot", (0.0, 0.0, 500.0))
    force, _ = loads(leg(gravity=(0.0, 0.0, 0.0), loads=(load,)), place)
    assert force == pytest.approx([0.0, 0.0, -500.0], abs=1e-6)


@pytest.mark.parametrize("place", ["left_femur_upper", "left_tibia_upper", "left_tibia_lower"])
def test_a_foot_pushed_forward_and_to_the_right_is_positive(place: str) -> None:
    """Ankle forward, knee held: Fx and My positive. Ankle to the right: Fy positive, Mx negative."""
    load = Load("push", "left_foot", (100.0, 0.0, 0.0))
    force, moment = loads(leg(gravity=(0.0, 0.0, 0.0), loads=(load,)), place)
    assert force == pytest.approx([100.0, 0.0, 0.0], abs=1e-6)
    assert moment == pytest.approx([0.0, 100.0 * 0.1, 0.0], abs=1e-6)
    load = Load("push", "left_foot", (0.0, -100.0, 0.0))
    force, moment = loads(leg(gravity=(0.0, 0.0, 0.0), loads=(load,)), place)
    assert force == pytest.approx([0.0, 100.0, 0.0], abs=1e-6)
    assert moment == pytest.approx([-100.0 * 0.1, 0.0, 0.0], abs=1e-6)


def test_a_standing_lumbar_spine_is_in_compression() -> None:
    system = chain(("pelvis", "abdomen", "thorax"), ("lumbar", "thoracolumbar"), (0.02, 0.0, 0.2))
    for place in ("lumbar", "thoracolumbar"):
        force, moment = loads(system, place)
        assert force == pytest.approx([0.0, 0.0, -MASS * G], abs=1e-3)
        assert moment[1] == pytest.approx(MASS * G * 0.02, abs=1e-3)  # the trunk bends forward


def test_axes_turn_with_the_segment() -> None:
    """Lying on the back (x up) a head pulls on its neck with shear, not with compression: rearward is down."""
    turned = neck()
    half = np.sqrt(0.5)
    root = Joint("root", "rigid", None, "thorax", frame_parent=(half, 0.0, -half, 0.0))  # z forward to -x: face up
    system = turned.replace(joints=(root, *turned.joints[1:]))
    force, _ = loads(system, "upper_neck")
    assert force == pytest.approx([MASS * G, 0.0, 0.0], abs=1e-3)

"""What went beyond what the model means: compression of tissue, angles past limits, and the sentences about both."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.export.tidy import Choice
from vitruvian.model import Cone, Resistance
from vitruvian.sim import plausibility

pytestmark = pytest.mark.needs_jit


def standing_ball(ground: float, turned: str = "0 deg") -> Scenario:
    """A flat body of 10 kg with 1 kN/m of tissue, at rest on the ground."""
    depth = 98.0665 * (1e-3 + 1.0 / ground)
    half_width = 0.5 if turned == "90 deg" else 0.2
    return Scenario(
        {
            "schema": 1,
            "body": {
                "name": "ball",
                "mass": 10,
                "inertia": [1e3, 1e3, 1e3],
                "shapes": {"semi_axes": [0.5, 0.4, 0.2], "rotation": [0, turned, 0], "stiffness": 1e3},
                "start": {"position": [0, 0, half_width - depth]},
            },
            "surface": {"name": "floor", "contact": {"stiffness": ground, "restitution": 0.05, "friction": 0}},
            "solver": {"duration": 0.1},
        }
    )


@pytest.mark.parametrize("ground", [float("inf"), 1e3, 500.0])
def test_compression_is_that_of_the_tissue(ground: float) -> None:
    """At rest the tissue carries the weight, m g / k = 98.07 mm, however much the ground gives way."""
    scenario = standing_ball(ground)
    system, _ = scenario.build()
    recording = scenario.run().recording
    assert plausibility.compression(recording, system)["ball"] == pytest.approx(0.0980665 / 0.2, rel=1e-6)


def test_the_half_width_is_the_one_towards_the_surface() -> None:
    scenario = standing_ball(float("inf"), "90 deg")
    system, _ = scenario.build()
    recording = scenario.run().recording
    assert plausibility.compression(recording, system)["ball"] == pytest.approx(0.0980665 / 0.5, rel=1e-6)


@pytest.mark.parametrize("law", ["rotation_vector", "swing_twist", "cardan_yxz", "cardan_xyz"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_angles_past_a_limit_about_one_axis(law: str, axis: int) -> None:
    lower, upper = np.radians([-20.0, -60.0, -35.0]), np.radians([50.0, 30.0, 45.0])
    resistance = Resistance(law=law, limit_minus=tuple(lower), limit_plus=tuple(upper))
    for past in np.radians([5.0, 30.0]):
        for end, sign in ((lower, -1.0), (upper, 1.0)):
            vector = np.zeros((1, 3))
            vector[0, axis] = end[axis] + sign * past
            beyond = plausibility.past_each(vector, resistance).max()
            # exact for angles; from the middle of a wide swing range the scale is bent a little
            assert beyond == pytest.approx(past, rel=1e-9 if law != "swing_twist" or axis == 2 else 0.2)
            at_the_limit = plausibility.past_each(vector / abs(vector).max() * abs(end[axis]), resistance)
            assert at_the_limit.max() == pytest.approx(0.0, abs=1e-9 if law != "swing_twist" or axis == 2 else 2e-4)


@pytest.mark.parametrize(("degrees", "limit"), [(0.0, 40.0), (90.0, 60.0), (180.0, 30.0), (270.0, 80.0)])
def test_angles_past_a_cone(degrees: float, limit: float) -> None:
    """A limb axis that leans towards a longitude by its limit and 12 degrees more."""
    cone = Cone(tuple(np.radians([40.0, 60.0, 30.0, 80.0])), 0.3, 100.0)
    about = np.radians(degrees) + np.pi / 2  # the axis of rotation stands across the direction of leaning
    lean = np.radians(limit + 12.0) * np.array([[np.cos(about), np.sin(about), 0.0]])
    assert np.degrees(plausibility.past_each(lean, Resistance("cone", cone=cone))[0, 0]) == pytest.approx(12.0)


def test_a_person_within_all_limits_is_silent() -> None:
    scenario = Scenario(
        {
            "schema": 1,
            "human": {"height": 1.8, "mass": 80, "start": {"clearance": "1 cm"}},
            "surface": {"name": "ground", "contact": "concrete"},
            "solver": {"duration": 0.05},
        }
    )
    assert scenario.run().notes == ()


@pytest.mark.parametrize(("tissue", "most"), [("linear-1", 0.5), ("layered", 0.45)])
def test_a_fall_from_14_m_is_called_what_it_is(tissue: str, most: float) -> None:
    scenario = Scenario.load("fall-14m-rearward", {"human.tissue": tissue})
    result = scenario.run()
    squeezed = next(note for note in result.notes if note.startswith("Compressed"))
    base = "depth of skin, flesh and core" if tissue == "layered" else "half-width"
    assert f"more than {100 * most:.0f} % of the {base}: " in squeezed and "thorax" in squeezed
    system, _ = scenario.build()
    shares = plausibility.compression(result.recording, system)
    assert tissue != "layered" or max(shares.values()) < 1.0
    assert {name for name, share in shares.items() if share > most} == {
        word.strip().split()[0] for word in squeezed.split(": ")[1].split(".")[0].split(",")
    }


@pytest.mark.parametrize("kind", ["revolute", "spherical"])
def test_an_angle_past_the_limit_is_called_what_it_is(kind: str) -> None:
    """A flywheel of 1 kg m2 at 2 rad/s against a stop of 4 N m/rad: half a radian per rad/s, so 1 rad past it."""
    ends = {"limit_minus": "-10 deg", "limit_plus": "10 deg", "stiffness_minus": 4, "stiffness_plus": 4}
    three = {key: [value] * 3 for key, value in ends.items()}
    start = {"rates": [2]} if kind == "revolute" else {"angular_velocity": [0, 0, 2]}
    joint = {"name": "axle", "type": kind, "child": "wheel", "resistance": ends if kind == "revolute" else three}
    wheel = {"name": "wheel", "mass": 1, "inertia": [1, 1, 1]}
    scenario = Scenario(
        {"schema": 1, "gravity": 0, "body": wheel, "joint": joint | {"start": start}, "solver": {"duration": 2.0}}
    )
    system, _ = scenario.build()
    result = scenario.run()
    assert plausibility.beyond_limits(result.recording, system)["axle"] == pytest.approx(1.0, rel=1e-3)
    assert "Bent more than 25 degrees past the limit: axle 57 degrees." in result.notes[0]


def test_without_resistance_there_are_no_limits() -> None:
    limp = {"height": 1.8, "mass": 80, "joints": "none"}
    scenario = Scenario({"schema": 1, "human": limp, "solver": {"duration": 0.01}})
    system, _ = scenario.build()
    assert plausibility.beyond_limits(scenario.run().recording, system) == {}


def test_an_unknown_channel_or_item_is_answered_with_what_is_accepted() -> None:
    ball = {"name": "ball", "mass": 1, "inertia": [1, 1, 1]}
    joint = {"name": "root", "type": "free", "child": "ball"}
    result = Scenario({"schema": 1, "body": ball, "joint": joint, "solver": {"duration": 0.01}}).run()
    with pytest.raises(InputError, match=r'accepted: position, .*Did you mean "acceleration"'):
        result["ball.accelration"]
    with pytest.raises(InputError, match="no item 'bal' in the result; accepted: ball, "):
        Choice(only=("bal",)).checked(result.recording)

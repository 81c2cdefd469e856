"""People on seats: where they sit, that the seat carries them, that they move with the sled, and what is refused."""

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.model.pose import rotation_matrix, segment_poses
from vitruvian.scenario.occupant import occupant_outcome

SCENE = """
schema = 1
[human]
preset = "50M"
start = { settle = true }
[sled]
orientation = [0, "30 deg", 0]
axes = "world"
position = [1, 2, 3]
velocity = [0, 0, "-5 m/s"]
z = { shape = "triangle", peak = "4 g", duration = "60 ms" }
[[seat]]
pan_angle = "8 deg"
back_angle = "20 deg"
cushion = "cushion"
[solver]
duration = "0.06 s"
"""


@pytest.fixture(scope="module")
def built():
    return Scenario.from_toml(SCENE)._built()


def test_seat_carries_the_settled_person(built):
    (seated,) = built.people
    # only the free joints move: far less than the fall of an unsupported person
    assert np.linalg.norm(seated.balance.acceleration) < 2.0
    assert "Settled on seat" in seated.balance.note


def test_person_touches_pan_and_back(built):
    system, start = built.people[0].person.system, built.people[0].balance.start
    poses = segment_poses(system, start)
    lowest = {}
    for name in ("left_thigh", "right_thigh", "pelvis", "thorax"):
        place, turn = poses[name]
        (shape,) = system.body(name).shapes
        for part, angle in (("pan", np.radians([90.0 + 8.0])), ("back", np.radians([20.0]))):
            normal = np.array([np.cos(angle[0]), 0.0, np.sin(angle[0])])
            gap = float(normal @ (place - (0.0, 0.0, 0.4)) - shape.reach((turn @ shape.turn).T @ normal))
            lowest[part] = min(lowest.get(part, 1.0), gap)
    assert -0.12 < lowest["pan"] < -0.005  # sunk into the cushion
    assert -0.03 < lowest["back"] < 0.005


def test_person_moves_and_is_turned_with_the_sled(built):
    (seated,) = built.people
    local, world = (start.coordinates["root"] for start in (seated.balance.start, seated.start))
    turn = rotation_matrix((np.cos(np.radians(15.0)), 0.0, np.sin(np.radians(15.0)), 0.0))
    assert world[:3] == pytest.approx(turn @ np.array(local[:3]) + (1.0, 2.0, 3.0), abs=1e-12)
    assert seated.start.rates["root"] == pytest.approx((0.0, 0.0, -5.0, 0.0, 0.0, 0.0), abs=1e-12)


def test_outcome_of_a_run():
    result = Scenario.from_toml(SCENE.replace("axes", "# axes").replace("velocity", "# velocity")).run()
    outcome = occupant_outcome(result)
    assert outcome.peak == pytest.approx(4.0, rel=0.06)
    assert outcome.criteria["chest 3ms"][1] == "g"
    assert "head" in outcome.line and outcome.to_dict()["excursion"]["head"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[[seat]]", '[[seat]]\noccupant = "nobody"', "nobody"),
        ("settle = true", "settle = true, clearance = 1", "start.clearance"),
        ('preset = "50M"', 'preset = "50M"\nmodel = "pedestrian11"', "planar person"),
        ("[[seat]]", "[[seat]]\nplace = [0, 0, -0.1]", "above the floor"),
        ('"8 deg"', '"80 deg"', "pan_angle"),
        ("[[seat]]", "[[seat]]\nback = false\nrecliner = {}", "belong to a back"),
        ('peak = "4 g"', 'peak = "4 kg"', "sled.z.peak"),
        ('shape = "triangle", peak = "4 g", duration = "60 ms"', "times = [0, 2, 1], values = [0, 1, 0]", "decreases"),
        (
            "z = {",
            'roll = { quantity = "displacement", times = [0, 1], values = [1, 2] }\nz = {',
            "must be zero at 0 s",
        ),
    ],
)
def test_bad_seats_and_sleds_are_refused(old, new, words):
    with pytest.raises(InputError, match=words):
        Scenario.from_toml(SCENE.replace(old, new, 1)).build()

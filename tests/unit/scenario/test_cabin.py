"""People on seats: where they sit, that the seat carries them, that they move with the sled, and what is refused."""

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.kernels import integrate, layout
from vitruvian.model.compile import compile_system, initial_state, make_work
from vitruvian.model.pose import rotation_matrix, segment_poses
from vitruvian.scenario.build import build
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
        for shape in system.body(name).shapes:
            centre = place + turn @ np.array(shape.offset) - (0.0, 0.0, 0.4)
            for part, angle in (("pan", np.radians(90.0 + 8.0)), ("back", np.radians(20.0))):
                normal = np.array([np.cos(angle), 0.0, np.sin(angle)])
                gap = float(normal @ centre - shape.reach((turn @ shape.turn).T @ normal))
                lowest[part] = min(lowest.get(part, 1.0), gap)
    assert -0.12 < lowest["pan"] < -0.005  # sunk into the cushion
    assert -0.03 < lowest["back"] < 0.005


SEATS = ("sled-frontal-50kmh", "sled-lateral", "aircraft-16g", "child-seat", "sled-15kmh")


@pytest.mark.parametrize("name", SEATS)
@pytest.mark.parametrize("person", [{}, {"human.preset": "5F"}])
def test_ready_seats_start_with_nothing_inside_a_surface_but_the_seat(name, person):
    ready = Scenario.load(name)
    made = build(ready.replace({} if name == "child-seat" else person).table)
    compiled = compile_system(made.system)
    state, work = initial_state(compiled, made.start), make_work(compiled)
    integrate.begin(compiled.model, work, state.now.q, state.now.v, 0.0)
    inside = {
        pair: depth
        for pair, depth in zip(compiled.pairs, work.pair[:, layout.pair.DEPTH], strict=True)
        if depth > 1e-6 and pair[1] not in ("seat", "seat_back")
    }
    assert not inside


@pytest.mark.parametrize("name", SEATS)
def test_settled_person_keeps_the_angle_of_the_back(name):
    made = build(Scenario.load(name).table)
    (one,) = made.people
    _, turn = segment_poses(one.person.system, one.balance.start)["thorax"]
    lean = np.degrees(np.arctan2(-turn[0, 2], turn[2, 2]))
    assert lean == pytest.approx(np.degrees(Scenario.load(name).table.seat[0].back_angle), abs=5.0)


def test_nobody_is_pressed_through_a_cushion():
    changes = {"human.body": "measured", "solver.duration": 0.14}
    run = Scenario.load("aircraft-14g").replace(changes).run().recording
    pelvis, sled = (run.bodies.index(name) for name in ("pelvis", "sled"))
    up = rotation_matrix(run.orientation[0, sled])[:, 2]
    height = (run.position[:, pelvis] - run.position[:, sled]) @ up
    assert height.min() > 0.25  # the pan is at 0.35 m


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


def test_people_who_overlap_are_refused_with_segments_and_depth():
    two = """
    schema = 1
    [[human]]
    name = "one"
    preset = "50M"
    [[human]]
    name = "other"
    preset = "5F"
    start = { position = ["0.1 m", 0] }
    [[contact]]
    name = "touch"
    between = ["one", "other"]
    contact = { restitution = 0.1 }
    [solver]
    duration = "0.1 s"
    """
    with pytest.raises(InputError, match=r"one and other overlap at the start: one\.\w+ is \d+ mm inside other"):
        Scenario.from_toml(two).check()
    Scenario.from_toml(two.replace("0.1 m", "0.6 m")).check()


@pytest.mark.needs_jit
@pytest.mark.parametrize("name", ["aircraft-14g", "aircraft-16g"])
def test_a_lap_belt_alone_holds_the_pelvis_while_the_trunk_folds(name: str) -> None:
    """The trunk comes down on the thighs, further than 80 degrees, and the belt stays on the pelvis."""
    run = Scenario.load(name).run().recording
    assert not [event for event in run.events if event.kind in ("submarining", "lift")]
    pelvis, thorax = (run.orientation[:, run.bodies.index(part)] for part in ("pelvis", "thorax"))
    pitch = [np.degrees(2.0 * np.arctan2(turn[:, 2], turn[:, 0])) for turn in (pelvis, thorax)]
    assert pitch[1].max() - pitch[1][0] > 80.0
    assert pitch[0].max() - pitch[0][0] < 75.0
    place, sled = (run.position[:, run.bodies.index(part)] for part in ("pelvis", "sled"))
    moved = (place - sled) - (place - sled)[0]
    assert np.linalg.norm(moved, axis=1).max() < 0.2


@pytest.mark.needs_jit
def test_the_hands_of_the_driver_hold_the_wheel_and_let_go() -> None:
    run = Scenario.load("sled-frontal-driver").run().recording
    found = {event.surface: event.time for event in run.events if event.kind == "release"}
    assert set(found) == {"left_grip", "right_grip"}
    assert all(0.02 < time < 0.15 for time in found.values()), found


@pytest.mark.needs_jit
def test_the_player_who_grips_starts_outside_the_athlete() -> None:
    run = Scenario.load("tackle-grip").replace({"solver.duration": 0.05}).run().recording
    between = [k for k, (who, what) in enumerate(run.pairs) if who.startswith("player") and what.startswith("athlete")]
    assert np.abs(run.contact_force[0, between]).max() < 1.0
    assert not [event for event in run.events if event.kind == "release"]


def test_knees_of_seated_people_reach_beyond_the_joint():
    """A bolster meets the knee cap, not the shank below it: the front of the thigh is in front of the knee joint."""
    system, start = Scenario.load("sled-frontal-50kmh").build()
    poses = segment_poses(system, start)
    for side in ("left", "right"):
        place, turn = poses[f"{side}_thigh"]
        joint = (place + turn @ np.array(system.joint(f"{side}_knee").point_parent))[0]
        shapes = system.body(f"{side}_thigh").shapes
        fronts = [(place + turn @ np.array(s.offset))[0] + np.linalg.norm(turn.T[:, 0] * s.half_size) for s in shapes]
        assert 0.04 < max(fronts) - joint < 0.07 and max(fronts[:-1]) < joint

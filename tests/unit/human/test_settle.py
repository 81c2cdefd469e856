"""A settled person is carried by the ground and in balance at the first instant."""

from __future__ import annotations

import re

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import human, place, settled
from vitruvian.model import Contact, Shape, System
from vitruvian.model.pose import centre_of_mass, segment_poses
from vitruvian.sim.simulate import simulate
from vitruvian.world import contact, plane

STANDING = {
    "schema": 1,
    "human": {"height": 1.8, "mass": 80, "start": {"settle": True}},
    "surface": [{"name": "ground", "contact": "asphalt"}],
    "solver": {"duration": "0.1 s"},
}


def pressed(shape: Shape, law: Contact, depth: float) -> float:
    """Force [N] of tissue and a linear ground in series at a depth [m]; layers of tissue by bisection."""
    if isinstance(shape.soft, float):
        return depth / (1.0 / shape.soft + 1.0 / law.stiffness)
    low, high = 0.0, law.stiffness * depth
    for _ in range(60):
        force = 0.5 * (low + high)
        deeper = sum(float(layer.depth(force)) for layer in shape.soft) + force / law.stiffness > depth
        low, high = (low, force) if deeper else (force, high)
    return low


def support(system: System, start, law: Contact, height: float = 0.0):
    """Forces of the ground on both feet [N] and their lowest points [m], from the closed form of an ellipsoid."""
    found: dict[str, list[tuple[float, np.ndarray]]] = {}
    for name, (position, turn) in segment_poses(system, start).items():
        for shape in system.body(name).shapes:
            centre, axes = position + turn @ np.array(shape.offset), np.array(shape.semi_axes)
            scaled = axes * turn[2]
            reach = np.linalg.norm(scaled)
            depth = reach - centre[2] + height
            if depth > 0.0:
                point = centre - turn @ (axes * scaled) / reach
                found.setdefault(name, []).append((pressed(shape, law, depth), point))
    return found


@pytest.mark.parametrize(
    ("made", "close"),
    [({"body": "previous"}, 1e-7), ({"tissue": "linear-1"}, 1e-7), ({}, 5e-6)],  # layers in series are tabulated
    ids=["previous", "linear", "measured"],
)
@pytest.mark.parametrize("heading", [0.0, 2.0])
@pytest.mark.parametrize("stance", ["standing", "walking", "walking-left", "standing-arms-spread"])
@pytest.mark.parametrize(
    "who", [{"height": 1.80, "mass": 80.0}, {"height": 1.55, "mass": 50.0}, {"preset": "95M"}, {"preset": "6YO"}]
)
def test_ground_carries_the_weight_without_a_moment(who, stance, heading, made, close):
    person, law = human(**who, **made), contact("asphalt")
    start, balance = settled(person.system, place(person, stance, heading=heading), law)
    feet = support(person.system, start, law)
    weight = person.mass * 9.80665
    assert set(feet) == set(balance.forces) == {"left_foot", "right_foot"}
    assert sum(force for points in feet.values() for force, _ in points) == pytest.approx(weight, rel=close)
    centre = centre_of_mass(person.system, segment_poses(person.system, start))
    loads = [load for points in feet.values() for load in points]
    moment = sum(np.cross(point - centre, [0.0, 0.0, force]) for force, point in loads)
    assert abs(moment[:2]).max() < 1e-6 * weight  # [N m]: the weight line is off by less than 1 um
    assert np.hypot(*balance.lean) < np.radians(5.0)
    assert balance.excess == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert abs(balance.acceleration) < 1e-7  # [m/s2]


def test_feet_keep_their_angle_to_the_ground():
    person = human(1.8, 80.0)
    before = place(person, "standing")
    after, balance = settled(person.system, before, contact("concrete"))
    assert np.hypot(*balance.lean) > np.radians(1.0)
    one, other = (segment_poses(person.system, start) for start in (before, after))
    for side in ("left", "right"):
        assert other[f"{side}_foot"][1] == pytest.approx(one[f"{side}_foot"][1], abs=1e-9)
    assert abs(other["thorax"][1] - one["thorax"][1]).max() > 0.01


@pytest.mark.needs_jit
@pytest.mark.parametrize(("body", "most"), [("previous", 0.006), ("measured", 0.0075)])
def test_a_settled_person_hardly_moves_where_another_drops(body, most):
    """In 0.1 s the centre of mass of a standing man sinks a few millimetres, as the joints give way."""
    result = Scenario(STANDING).replace({"human.body": body}).run()
    mass = result.geometry.body_mass[:, None]
    centre = (mass * result.recording.position).sum(axis=1) / mass.sum()
    assert abs(centre[-1] - centre[0]).max() < most
    assert any(note.startswith("Settled on the ground: left_foot 392 N, right_foot 392 N") for note in result.notes)
    depth = {pair: result.recording.contact_depth[0, k] for k, pair in enumerate(result.recording.pairs)}
    touching = {body for (body, _), value in depth.items() if value > 0.0}
    assert touching == {"left_foot", "right_foot"}


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    ("body", "stance", "printed"),
    [
        ("previous", "standing", 8.3),
        ("previous", "walking", 8.6),
        ("measured", "standing", 0.21),
        ("measured", "walking", 8.2),
    ],
)
def test_the_note_says_how_fast_the_person_sinks_in_the_first_milliseconds(body, stance, printed):
    """Item 20: mean acceleration of the centre of mass over 10 ms, from positions; the note said 4e-13 m/s2."""
    result = Scenario(STANDING).replace({"human.posture": stance, "human.body": body}).run()
    mass = result.geometry.body_mass
    height = result.recording.position[:, :, 2] @ mass / mass.sum()
    speed = (height[9] - height[11]) / 0.002
    said = re.search(
        r"In the first 10 ms, .* the centre of mass accelerates downwards with (\S+) m/s2", result.notes[0]
    )
    assert said is not None
    assert float(said[1]) == pytest.approx(speed / 0.01, rel=0.03)
    assert float(said[1]) == printed
    assert "e-1" not in result.notes[0]


@pytest.mark.needs_jit
def test_the_note_of_a_struck_person_is_that_of_one_who_is_not():
    """Item 20: the front of a car touches in the first millisecond and would hide that the person sinks."""
    result = Scenario.load("pedestrian-side-left", {"solver.duration": "0.02 s", "human.tone": "limp"}).run()
    assert min(event.time for event in result.recording.events if event.surface != "ground") < 1e-3
    said = re.search(r"accelerates downwards with (\S+) m/s2", result.notes[0])
    assert said is not None and 6.0 < float(said[1]) < 9.81


@pytest.mark.needs_jit
def test_the_ground_carries_the_weight_from_the_first_sample_on():
    """The engine's own forces with free joints: means over the first step, in which the feet begin to move."""
    person = human(1.8, 80.0, joints=None)
    start, _ = settled(person.system, place(person, "walking"), contact("asphalt"))
    system = person.system.replace(surfaces=(plane("ground", "asphalt"),))
    run = simulate(system, start, duration=1e-7, pose_rate=1e7, rate=1e7, step=1e-7)
    assert run.contact_force[0, :, 2].sum() == pytest.approx(80.0 * 9.80665, rel=1e-2)


def test_gravity_and_height_of_the_ground_count():
    moon = Scenario(STANDING).replace({"gravity": 1.62, "surface.ground.point": [0, 0, 2.0]})
    system, start = moon.build()
    feet = support(system, start, contact("asphalt"), height=2.0)
    assert set(feet) == {"left_foot", "right_foot"}
    assert sum(force for points in feet.values() for force, _ in points) == pytest.approx(80.0 * 1.62, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"human.posture": "seated"}, "human.start.settle: this posture cannot stand"),
        ({"human.start.clearance": 0.1}, "leave start.clearance out"),
        ({"surface": []}, "no level ground"),
        ({"surface.ground.incline": "10 deg"}, "no level ground"),
        ({"gravity": 0}, "gravity downwards"),
        ({"human.start.settle": "yes"}, "expected true or false"),
    ],
)
def test_refused(changes, words):
    with pytest.raises(InputError, match=words):
        Scenario(STANDING).replace(changes).build()


@pytest.mark.parametrize(
    ("sex", "height", "mass"),
    [("female", 1.767, 92.9), ("female", 1.771, 108.8), ("male", 1.665, 106.6), ("female", 1.739, 109.7)],
)
def test_heavy_people_who_walk_find_their_balance(sex: str, height: float, mass: float) -> None:
    """Newton's method ran away from it: the heel of the right foot lifts and lands on the way."""
    changes = {"human.sex": sex, "human.height": height, "human.mass": mass}
    scenario = Scenario.load("pedestrian-side-left", changes)
    run = scenario.replace({"solver.duration": "1 ms", "vehicle.speed": 0.0}).run(check=False)
    assert run.status == "finished"

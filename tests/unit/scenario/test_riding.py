"""Bicycles fit their riders: whoever rides starts outside the bicycle and touches saddle, pedals and bar."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.model.pose import segment_poses
from vitruvian.scenario.build import build
from vitruvian.sim.audit import faults

PEOPLE = {
    "5F": {"preset": "5F"},
    "50M": {"preset": "50M"},
    "95M": {"preset": "95M"},
    "girl of 10": {"age": 10, "sex": "female"},
    "old woman": {"age": 80, "sex": "female"},
    "heavy man": {"height": "170 cm", "mass": 120},
    "6YO": {"preset": "6YO"},
}


def ridden(person=None, **changes):
    given = Scenario.load("pedestrian-cyclist")
    if person is not None:
        kept = {name: given.data["human"][name] for name in ("posture", "start")}
        given = given.replace({"human": kept | person})
    return given.replace(changes) if changes else given


@pytest.mark.needs_jit
@pytest.mark.parametrize("person", PEOPLE.values(), ids=PEOPLE)
def test_a_rider_of_any_size_starts_outside_the_bicycle_and_has_no_finding(person):
    """With the bicycle of a man of 1.80 m, a small woman began 101 mm inside it."""
    recording = ridden(person, **{"solver.duration": 0.05}).run().recording
    assert recording.status == "finished"
    assert recording.contact_depth[0].max() < 1e-3
    assert not faults(recording)


@pytest.mark.parametrize("person", PEOPLE.values(), ids=PEOPLE)
def test_saddle_pedals_and_bar_touch_the_rider_and_wheels_the_ground(person):
    """The gaps are found from support functions along the line of contact, not from the fit."""
    built = build(ridden(person).table)
    system, poses = built.system, segment_poses(built.system, built.start)

    def centre(body, shape):
        place, turn = poses[body]
        return place + turn @ np.array(system.body(body).shapes[shape].offset)

    def gap(segment, body, shape, way):
        """Return the distance between a segment and a part of the bicycle along a direction from the part."""
        reach = 0.0
        for name, row, sign in ((segment, -1, -1.0), (body, shape, 1.0)):
            solid = system.body(name).shapes[row]
            reach += float(solid.reach((poses[name][1] @ solid.turn).T @ (sign * way)))
        return float(way @ (centre(segment, -1) - centre(body, shape))) - reach

    assert gap("pelvis", "bicycle_saddle", 0, np.array([0.0, 0.0, 1.0])) == pytest.approx(0.0, abs=1e-9)
    for shape, segment in ((2, "right_foot"), (3, "left_foot")):
        way = centre(segment, -1) - centre("bicycle", shape)
        assert gap(segment, "bicycle", shape, way / np.linalg.norm(way)) == pytest.approx(0.0, abs=1e-9)
    for segment in ("left_hand", "right_hand"):
        way = centre(segment, 0) - centre("bicycle", 0)
        way[0] = 0.0  # the rider looks along y, and the bar is along x
        assert gap(segment, "bicycle", 0, way / np.linalg.norm(way)) == pytest.approx(0.0, abs=1e-9)
        assert abs(centre(segment, 0)[0]) < 0.5 * system.body("bicycle").shapes[0].length
    for wheel in ("bicycle_front_wheel", "bicycle_rear_wheel"):
        radius = system.body(wheel).shapes[0].radius
        assert poses[wheel][0][2] == pytest.approx(radius, abs=1e-9)
        assert built.start.rates[f"{wheel}_axle"][0] * radius == pytest.approx(15 / 3.6)


def test_a_bicycle_has_the_size_and_mass_of_the_ready_one_and_a_child_has_smaller_wheels():
    system = build(ridden().table).system
    assert sum(body.mass for body in system.bodies if body.name.startswith("bicycle")) == pytest.approx(14.0)
    assert system.body("bicycle_front_wheel").shapes[0].radius == 0.34
    child = build(ridden({"preset": "6YO"}).table).system
    assert 0.2 < child.body("bicycle_front_wheel").shapes[0].radius < 0.3
    given = build(ridden(**{"bicycle.wheel_radius": "30 cm", "bicycle.mass": 28}).table).system
    assert given.body("bicycle_front_wheel").shapes[0].radius == 0.3
    assert given.body("bicycle").mass == pytest.approx(21.4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bicycle.rider": "humen"}, "there is no person 'humen' without a seat or another bicycle. Did you mean"),
        ({"human.posture": "standing"}, "the posture of the rider fits no bicycle"),
        ({"human.start.clearance": 0.0}, r"40 mm below the ground; raise human.start.clearance"),
        ({"human.start.settle": True, "human.start.clearance": 0.0}, "without start.settle"),
        ({"human.model": "occupant12"}, 'must be of model = "human17"'),
        ({"surface[0].incline": "5 deg"}, "ground is not level"),
        ({"bicycle": [{}, {"name": "second"}]}, "bicycle.second.rider: .* without a seat or another bicycle"),
        ({"bicycle.friction": -1.0}, "bicycle: .*friction"),
        ({"bicycle.wheel_radius": "1 m"}, "behind the crank; use a smaller wheel_radius"),
    ],
)
def test_a_rider_under_whom_no_bicycle_fits_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        ridden(**changes).run()

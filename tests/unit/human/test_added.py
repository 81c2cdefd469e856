"""What a person carries: parallel axes in closed form, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import Added, human, place
from vitruvian.model.pose import centre_of_mass, lowest_distance, segment_poses

HELMET = Added("head", 1.4, (0.01, 0.0, 0.05), semi_axes=(0.14, 0.12, 0.11), name="helmet")

offsets = st.tuples(*(st.floats(-0.4, 0.4) for _ in range(3)))


def test_a_helmet_by_hand() -> None:
    """Two bodies on one line: reduced mass times the square of the distance, and both own moments."""
    plain, loaded = human(1.8, 80).system.body("head"), human(1.8, 80, added=[HELMET]).system.body("head")
    m, h = plain.mass, HELMET.mass
    assert loaded.mass == m + h
    reduced = m * h / (m + h)
    d = np.array(HELMET.offset)
    own = h / 5 * np.array([0.12**2 + 0.11**2, 0.14**2 + 0.11**2, 0.14**2 + 0.12**2])
    by_hand = plain.inertia + np.diag(own) + reduced * (d @ d * np.eye(3) - np.outer(d, d))
    assert loaded.inertia == pytest.approx(by_hand, rel=1e-12)
    for one, other in zip(plain.shapes, loaded.shapes, strict=True):
        assert np.subtract(other.offset, one.offset) == pytest.approx(-h / (m + h) * d)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(["abdomen", "thorax", "head", "left_foot", "right_hand"]), st.floats(0.1, 20.0), offsets)
def test_whole_body_has_the_moments_of_its_parts(segment, mass, offset) -> None:
    """Centre of mass and inertia of the standing body are those with the added mass as a point of its own."""
    plain = human(1.75, 70)
    loaded = human(1.75, 70, added=[Added(segment, mass, offset)])
    stance = segment_poses(plain.system, place(plain, "standing"))
    poses = segment_poses(loaded.system, place(loaded, "standing"))
    shift = poses[segment][0] - stance[segment][0]
    assert shift == pytest.approx(mass / loaded.system.body(segment).mass * np.array(offset), abs=1e-12)
    for name, (position, _) in stance.items():
        if name != segment:
            assert poses[name][0] == pytest.approx(position, abs=1e-12)

    def second(system, where, extra=()):
        points = [(body.mass, where[body.name][0], body.inertia) for body in system.bodies] + list(extra)
        return sum(i + m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p, i in points)

    point = stance[segment][0] + offset
    whole = (70 * centre_of_mass(plain.system, stance) + mass * point) / (70 + mass)
    assert centre_of_mass(loaded.system, poses) == pytest.approx(whole, abs=1e-12)
    apart = second(plain.system, stance, [(mass, point, np.zeros((3, 3)))])
    assert second(loaded.system, poses) == pytest.approx(apart, rel=1e-10, abs=1e-10)


def test_surface_joints_and_sensors_stay_where_they_are() -> None:
    plain, loaded = human(1.8, 80), human(1.8, 80, added=[HELMET, Added("pelvis", 3.0, (0.0, 0.1, 0.0))])
    stance = segment_poses(plain.system, place(plain, "standing", clearance=1.0))
    poses = segment_poses(loaded.system, place(loaded, "standing", clearance=1.0))
    for name in ("head", "pelvis"):
        before, after = (who.system.body(name).shapes[0].offset for who in (plain, loaded))
        ours = poses[name][0] + np.subtract(after, before) - poses["thorax"][0]
        assert ours == pytest.approx(stance[name][0] - stance["thorax"][0], abs=1e-12)
    sensor = next(sensor for sensor in loaded.system.sensors if sensor.name == "head")
    assert poses["head"][0] + np.array(sensor.point) - poses["thorax"][0] == pytest.approx(
        stance["head"][0] - stance["thorax"][0], abs=1e-12
    )
    assert lowest_distance(loaded.system, poses, (0, 0, 0), (0, 0, 1.0)) == pytest.approx(1.0, abs=1e-12)


def test_both_feet_are_mirror_images() -> None:
    system = human(1.8, 80, added=[Added("foot", 0.5, (0.02, -0.01, -0.02))]).system
    left, right = system.body("left_foot"), system.body("right_foot")
    assert left.mass == right.mass and system.mass == pytest.approx(81.0)
    assert left.shapes[0].offset == pytest.approx(np.array(right.shapes[0].offset) * [1, -1, 1])
    assert left.inertia == pytest.approx(right.inertia * np.outer([1, -1, 1], [1, -1, 1]))


def test_nothing_carried_changes_nothing() -> None:
    assert human(1.8, 80, added=[]).system.joints == human(1.8, 80).system.joints


def test_in_a_scenario() -> None:
    changes = {"human.added": [{"name": "helmet", "segment": "head", "mass": "1400 g", "offset": [0, 0, "5 cm"]}]}
    scenario = Scenario.load("fall-4m", changes)
    assert scenario.build()[0].mass == pytest.approx(81.4)
    assert Scenario.from_toml(scenario.to_toml()) == scenario


@pytest.mark.needs_jit
def test_momentum_is_that_of_the_loaded_body() -> None:
    """In free fall the centre of mass of person and load follows the parabola, and the person turns with it."""
    changes = {
        "human.added": [{"segment": "thorax", "mass": 10, "offset": [-0.2, 0, 0.1]}],
        "human.start.clearance": 10.0,
        "human.start.angular_velocity": [0, 2.0, 0],
        "solver.duration": 0.5,
        "solver.tolerance": 1e-6,
    }
    scenario = Scenario.load("fall-4m", changes)
    system, start = scenario.build()
    before = centre_of_mass(system, segment_poses(system, start))
    result = scenario.run()
    masses = {body.name: body.mass for body in system.bodies}
    after = sum(masses[name] * result[f"{name}.position"].values[-1] for name in masses) / system.mass
    time = float(result["head.position"].pose_time[-1])
    assert after - before == pytest.approx([0, 0, -0.5 * 9.80665 * time**2], abs=2e-6)


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (Added("haed", 1.0), "human.added[0].segment is 'haed'; accepted: "),
        (Added("head", 0.0), "human.added[0].mass is 0 kg; it must be greater than zero"),
        (Added("head", 1.0, inertia=(1.0, 0.1, 0.1)), "triangle inequality"),
    ],
)
def test_bad_loads_are_refused(added, message) -> None:
    with pytest.raises(InputError) as error:
        human(1.8, 80, added=[added])
    assert message in str(error.value)

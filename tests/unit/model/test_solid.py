"""Fronts as closed solids: what their convex regions and parts cover, and what a shape below and behind finds."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.lab.verify.seams import elastic, thrown
from vitruvian.model import Configuration, Extrusion
from vitruvian.model.pieces import Faces
from vitruvian.sim import simulate
from vitruvian.sim.audit import faults
from vitruvian.world.front import LENGTH, front, fronts

BALL = (0.06, 0.06, 0.06)


def outline(faces: Faces) -> np.ndarray:
    """Return the corners (x, z) of a prism."""
    return faces.vertices[: len(faces.vertices) // 2, ::2]


def inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Return whether points are in a polygon, by counting crossings."""
    found = np.zeros(len(points), dtype=bool)
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        crosses = (a[1] > points[:, 1]) != (b[1] > points[:, 1])
        with np.errstate(divide="ignore", invalid="ignore"):
            found ^= crosses & (points[:, 0] < a[0] + (points[:, 1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
    return found


@pytest.mark.parametrize("name", fronts())
def test_regions_cover_the_solid_and_parts_cover_their_regions(name):
    """Item 4: no place inside a vehicle is without contact, and no place outside has one."""
    surface = front(name).surface()
    core = surface.core[0].vertices[: len(surface.profile), ::2]
    rear = core[:, 0].max() - LENGTH
    closed = np.array([*core, (rear, core[-1, 1]), (rear, core[0, 1])])
    rng = np.random.default_rng(0)
    points = rng.uniform(closed.min(axis=0) - 0.2, closed.max(axis=0) + 0.2, (20_000, 2))
    regions = [(inside(points, outline(solid.whole)), solid) for solid in surface.solids]
    assert (np.any([found for found, _ in regions], axis=0) == inside(points, closed)).all()
    for found, solid in regions:
        parts = [inside(points, outline(sides)) for _, sides in solid.parts]
        assert (np.any(parts, axis=0) == found).all()
    covered = {surface.parts[k] for _, solid in regions for k, _ in solid.parts}
    assert covered == set(surface.parts)


def test_a_ball_below_the_front_is_pushed_down_by_its_depth():
    """The underside is level, below the first corner of the core by the edge radius; so is the force, at any place."""
    sedan = front("sedan")
    surface = sedan.replace(contacts={part: elastic(1e5) for part in sedan.parts}).surface()
    level = surface.core[0].vertices[0, 2] - sedan.edge_radius
    assert level == pytest.approx(0.234, abs=1e-3)  # of the profile: 0.2 m, at the front of the round end
    for x in (-0.3, -1.0, -1.5, -3.0):
        start = Configuration({"root": (x, 0.1, level - 0.05, 1.0, 0.0, 0.0, 0.0)})
        run = simulate(thrown(surface, BALL), start, duration=1e-3)
        assert run.contact_depth[0].max() == pytest.approx(0.01, abs=1e-9)
        assert run.contact_force[0].sum(axis=0) == pytest.approx([0.0, 0.0, -1000.0], abs=0.1)  # mean of its first step


def test_a_solid_needs_a_profile_that_it_can_close():
    """With a plan, or with a first corner that is not the lowest, a front stays open."""
    profile = ((0.0, 0.2), (0.0, 0.6), (-0.3, 0.8))
    assert len(Extrusion("wall", profile, 1.0, solid=2.0).solids) == 1
    assert not Extrusion("wall", profile, 1.0).solids
    assert not Extrusion("wall", profile, 1.0, solid=0.2).solids
    assert not Extrusion("wall", ((0.0, 0.3), (0.1, 0.2), (0.0, 0.6)), 1.0, solid=2.0).solids
    assert not Extrusion("wall", profile, 1.0, plan=((-0.5, 0.0), (0.5, 0.0)), solid=2.0).solids


def test_feet_that_swing_up_under_a_car_meet_its_underside():
    """Items 1 and 4: this woman's feet went through the underside of an SUV and began deep in its windscreen, 28 kN."""
    changes = {
        "human": {"sex": "female", "age": 60.9, "percentile": 18.4, "posture": "walking"},
        "human.start": {"heading": -1.1512368238063508, "settle": True},
        "vehicle.front": "suv",
        "vehicle.speed": 41.96791394682215,
    }
    result = Scenario.load("pedestrian-side-left", changes).run(check=False)
    assert result.status in ("finished", "passed_through")
    assert not faults(result.recording)


def test_a_ready_cyclist_starts_outside_the_bicycle_and_has_no_finding():
    """Item 6: his thighs started 40 and 79 mm inside the saddle, stuck to it, pulled by 284 N and rubbed above mu N."""
    recording = Scenario.load("pedestrian-cyclist").run().recording
    assert recording.contact_depth[0].max() < 0.02
    assert not faults(recording)


def test_the_part_of_an_undercut_segment_stays_below_those_above_it():
    """The wall across a spoiler that rises forwards led up through the bonnet, so a pelvis there met the spoiler."""
    profile = ((-0.1, 0.25), (0.0, 0.35), (0.0, 0.55), (-0.1, 0.72), (-1.0, 0.95))
    parts = ("spoiler", "bumper", "leading_edge", "bonnet")
    surface = Extrusion("front", profile, 1.7, parts, contact=elastic(1e5), solid=LENGTH)
    (solid,) = surface.solids
    spoiler = next(sides for k, sides in solid.parts if surface.parts[k] == "spoiler")
    assert outline(spoiler)[:, 1].max() == pytest.approx(0.35)
    rng = np.random.default_rng(1)
    points = rng.uniform((-LENGTH, 0.2), (0.1, 1.0), (20_000, 2))
    every = [inside(points, outline(sides)) for _, sides in solid.parts]
    assert (np.any(every, axis=0) == inside(points, outline(solid.whole))).all()

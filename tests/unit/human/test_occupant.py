"""The 12-body occupant: tables, individuals, scaling, postures, joints, scenarios."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitruvian import data
from vitruvian.errors import InputError
from vitruvian.human import Individual, individual, occupant12, place, sheet
from vitruvian.human.individual import SEGMENTS
from vitruvian.lab import verify
from vitruvian.lab.formulations import Mechanism
from vitruvian.lab.formulations.catalogue import make
from vitruvian.model import Cylinder, Ellipsoid
from vitruvian.model.pose import segment_poses
from vitruvian.scenario import Scenario


@pytest.mark.parametrize("claim", ["occupant-tables", "occupant-layout"])
def test_claims(claim: str) -> None:
    for row in verify.check(claim):
        assert row.passed, row


def test_inertia_is_that_of_the_errata() -> None:
    """E074 and E075: 386.09 times the printed numbers, in standing axes."""
    own = individual("human50")
    assert own.inertia["pelvis"] == pytest.approx((0.262151, 0.134437, 0.262151), abs=1e-6)
    # the thigh points forward when seated: xi becomes the vertical axis
    assert own.inertia["thigh"] == pytest.approx((0.132538, 0.159301, 0.048268), abs=1e-6)
    assert own.inertia["forearm"] == pytest.approx((0.024910, 0.028698, 0.003817), abs=1e-6)
    assert individual("dummy50").inertia["shank"] == pytest.approx((0.104825, 0.112352, 0.057075), abs=1e-6)


@pytest.mark.parametrize("name", ["human50", "dummy50"])
def test_moments_are_those_of_bodies(name: str) -> None:
    for moments in individual(name).inertia.values():
        low, middle, high = sorted(moments)
        assert low + middle >= high


def test_links_and_joints() -> None:
    person = occupant12()
    poses = segment_poses(person.system, place(person, "standing"))
    # e: the shoulders are 51 mm below C7/T1, which is at 1.474 m
    shoulder = person.dimensions.place["shoulder"]
    assert shoulder == pytest.approx((0.0, -0.161, 1.474 - 0.051))
    assert poses["left_thigh"][0] == pytest.approx([0.0, 0.094, 0.901 - 0.215])
    kinds = [type(body.shapes[0]) for body in person.system.bodies]
    assert (kinds.count(Ellipsoid), kinds.count(Cylinder)) == (3, 9)
    assert len(person.segments) == 12


def test_both_readings_of_the_head() -> None:
    heights = {
        reading: occupant12(individual={"head_centre": reading}).dimensions.centre["head"][2] - (1.820 - 0.216)
        for reading in ("condyles", "crown")
    }
    assert heights == pytest.approx({"condyles": 0.141, "crown": 0.075})
    dummy = occupant12(joints="silva-dummy")
    assert dummy.dimensions.centre["head"][2] - dummy.dimensions.place["upper_neck"][2] == pytest.approx(0.051)


def test_left_and_right_resist_alike() -> None:
    """A hinge has no axes, so its limits stay as they are on the other side."""
    person = occupant12()
    for name in ("elbow", "knee"):
        left, right = (person.system.joint(f"{side}_{name}").resistance for side in ("left", "right"))
        assert left == right
    knee = person.system.joint("left_knee").resistance
    assert knee is not None and knee.curve[0] is not None
    assert float(knee.curve[0].at(np.radians(60.0))) == 0.0  # within 0 to 135 degrees of flexion
    assert float(knee.curve[0].at(np.radians(135.0 + 11.5))) == pytest.approx(226.0)


def test_damping_of_the_head_and_holding_torques() -> None:
    printed, likely, limp = (
        occupant12(individual=table).system.joint("upper_neck").resistance
        for table in ({}, {"upper_neck_damping": 3.39}, {"holding": 0.0})
    )
    assert printed is not None and likely is not None and limp is not None
    assert (printed.damping[0], likely.damping[0]) == pytest.approx((16.95, 3.39))
    # 2 x m g l: the head alone lies beyond the condyles
    assert printed.friction == pytest.approx(2.0 * 4.241 * 9.80665 * 0.075)
    assert limp.friction == 0.0


def test_limits_of_the_joints_are_scaled() -> None:
    printed, near = (occupant12(individual=table).system for table in ({}, {"limits": 0.9}))
    for joint in printed.joints:
        one, other = joint.resistance, near.joint(joint.name).resistance
        if one is not None and other is not None and one.cone is not None and other.cone is not None:
            assert other.cone.limits == pytest.approx([0.9 * angle for angle in one.cone.limits])
    knee = near.joint("right_knee").resistance
    assert knee is not None and knee.curve[0] is not None
    row = data.values("joint_cone_silva")["knee"]
    end = np.radians(135.0) - 0.1 * row["hinge_plus"]  # angles of Table VI are from the seated posture
    assert float(knee.curve[0].at(end)) == pytest.approx(0.0, abs=1e-9)
    assert float(knee.curve[0].at(end + row["width"])) == pytest.approx(226.0)
    assert individual(individual({"limits": 0.9}).to_table()).limits == 0.9


def test_fade_of_the_muscles() -> None:
    human, dummy = (
        occupant12(joints=joints).system.joint("left_hip").resistance for joints in ("silva", "silva-dummy")
    )
    assert human is not None and dummy is not None
    assert human.friction_fade > 0.0
    assert dummy.friction_fade == 0.0


def test_own_size_changes_nothing() -> None:
    """A person of the size of the individual has its tables to the last bit."""
    own = individual("human50")
    person = occupant12(own.height, own.whole_mass)
    assert person.individual == own


def test_scaling_keeps_the_density() -> None:
    base, big = individual("human50"), occupant12(preset="95M").individual
    assert big is not None
    for name in SEGMENTS:
        thick = [one.mass[name] / (one.length[name] * one.radius[name] ** 2) for one in (base, big)]
        assert thick[0] == pytest.approx(thick[1])


def test_individual_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pilot.toml"
    path.write_text('schema = 1\nname = "pilot"\nbase = "dummy50"\n[length]\nthigh = "43 cm"\n[mass]\nhead = 5\n')
    own = individual(path)
    base = individual("dummy50")
    assert (own.name, own.length["thigh"], own.mass["head"]) == ("pilot", 0.43, 5.0)
    assert own.height == pytest.approx(base.height + 0.43 - base.length["thigh"])
    assert individual(own.to_table()) == own
    scenario = tmp_path / "s.toml"
    scenario.write_text(
        'schema = 1\n[human]\nmodel = "occupant12"\nindividual = "pilot.toml"\n[solver]\nduration = "1 ms"\n'
    )
    system, _ = Scenario.load(str(scenario)).build()
    assert system.mass == pytest.approx(own.whole_mass)
    assert system.body("head").mass == 5.0


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"lenght": {}}, "lenght is not known"),
        ({"length": {"foot": 0.3}}, "foot is not known"),
        ({"mass": {"head": -1.0}}, "greater than zero"),
        ({"mass": 3.0}, "expected a table of segments"),
        ({"centre": {"thigh": 0.5}}, "beyond the end"),
        ({"inertia": {"thigh": [0.1, 0.1, 0.3]}}, "exceeds the sum"),
        ({"shoulder_drop": -0.1}, "accepted 0 to"),
        ({"shoulder_half_width": 0.0}, "greater than zero"),
        ({"holding": -1.0}, "must not be negative"),
        ({"limits": 0.0}, "accepted: 0.5 to 1.5"),
        ({"head_centre": "nose"}, "crown"),
        ({"base": "human60"}, "human50"),
        ({"name": 3}, "expected text"),
        ({"schema": 2}, "schema"),
    ],
)
def test_wrong_individuals_are_refused(table: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        individual(table)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"joints": "thesis"}, "silva"),
        ({"hinges": "revolute"}, "hinges does not fit"),
        ({"inertia": "deleva"}, "inertia does not fit"),
        ({"sex": "female"}, "height is missing"),
        ({"individual": "human60"}, "human50"),
        ({"name": "a.b"}, "without a dot"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        occupant12(**options)


def test_postures_of_the_full_model_fit() -> None:
    """Ankles and wrists are dropped; the back takes the rotation of the lumbar joint."""
    person = occupant12(name="anna")
    start = place(person, "cycling")
    back = start.coordinates["anna.thoracolumbar"]
    assert 2.0 * np.degrees(np.arctan2(back[2], back[0])) == pytest.approx(16.0)
    assert not any("ankle" in joint for joint in start.coordinates)


def test_sheet_has_every_segment() -> None:
    entries = sheet(occupant12(preset="5F"))
    assert {entry.item for entry in entries} >= set(SEGMENTS)
    assert all(entry.source.startswith("silva1997") for entry in entries if entry.item in SEGMENTS)


def test_scenarios_take_the_model() -> None:
    scenario = Scenario({"schema": 1, "human": {"model": "occupant12"}, "solver": {"duration": 0.001}}, name="x")
    assert scenario.table.human[0].joints == "silva"
    assert scenario.build()[0].mass == pytest.approx(81.416)
    dummy = scenario.replace({"human.joints": "silva-dummy"})
    assert dummy.build()[0].mass == pytest.approx(74.600)
    with pytest.raises(InputError, match="individual does not fit"):
        scenario.replace({"human.model": "human17", "human.individual": "human50", "human.preset": "50M"})


def test_forward_fall_stays_within_the_limits() -> None:
    from vitruvian.lab.reproduce.silva import fall

    found = fall("seat-forward-fall")
    assert found.result.fine
    assert found.lean > np.radians(60.0)
    assert len(found.reached) > 3
    assert found.largest < 1.0


def test_layout_of_a_whole_person_and_of_other_joints() -> None:
    """The layout fits any free tree of ball joints and hinges; others are refused."""
    from vitruvian.human import human

    mechanism = Mechanism(human(1.8, 80.0, hinges="revolute", axial="rigid").system)
    natural = make(mechanism, "natural-points")
    counts = natural.counts(0.0, *natural.coordinates(mechanism.at()))
    assert counts["coordinates"] - counts["constraints"] == counts["degrees_of_freedom"] == 42
    system, _ = Scenario.load("double-pendulum").build()
    with pytest.raises(InputError, match="natural-points describes"):
        make(Mechanism(system), "natural-points")


def test_individuals_can_be_changed_in_python() -> None:
    own = replace(individual("human50"), shoulder_drop=0.0)
    assert isinstance(own, Individual)
    assert occupant12(individual=own).dimensions.place["shoulder"][2] == pytest.approx(1.474)

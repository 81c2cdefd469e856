"""Scenarios: what can be written, what it becomes, and the sentence for everything that is wrong."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w

from vitruvian import world
from vitruvian.errors import InputError, shown
from vitruvian.human import posture, save_posture
from vitruvian.scenario import Scenario, library, read_changes
from vitruvian.scenario import schema as tables
from vitruvian.scenario.definition import Table

MECHANISM: dict[str, Any] = {
    "schema": 1,
    "gravity": "9.81 m/s2",
    "body": [
        {"name": "cart", "mass": 3, "inertia": [1, 1, 1]},
        {"name": "bob", "mass": "500 g", "shapes": {"semi_axes": ["5 cm", "5 cm", "5 cm"]}},
        {"name": "stone", "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "start": {"position": [0, 0, 3]}},
    ],
    "joint": [
        {
            "name": "rail",
            "type": "prismatic",
            "axis": [1, 0, 0],
            "child": "cart",
            "motion": {"times": [0, "50 ms", "100 ms"], "values": [0, 20, 0], "unit": "g", "kind": "acceleration"},
        },
        {
            "name": "hinge",
            "type": "revolute",
            "parent": "cart",
            "child": "bob",
            "axis": [0, 1, 0],
            "point_child": [0, 0, 1],
            "resistance": {"limit_plus": "30 deg", "stiffness": 2, "stiffness_plus": "5 N m/deg", "damping": 0.1},
            "start": {"coordinates": ["10 deg"], "rates": ["90 deg/s"]},
        },
    ],
    "spring": {"name": "rope", "body_a": "cart", "body_b": "bob", "stiffness": "2 kN/m", "tension_only": True},
    "torsion_spring": {"name": "clock", "joint": "hinge", "resistance": {"stiffness": 3}},
    "load": {"name": "push", "body": "bob", "components": [0, {"times": [0, 1], "values": [0, "2 kN"]}, 0]},
    "sensor": {"name": "tip", "body": "bob", "point": [0, 0, "-5 cm"], "rotation": [0, 0, "90 deg"]},
    "surface": [
        {"name": "floor", "contact": {"base": "concrete", "friction": 0.3}},
        {"name": "ramp", "incline": "10 deg"},
    ],
    "solver": {"duration": "500 ms"},
}


def mechanism(**changes: Any) -> Scenario:
    return Scenario(MECHANISM, name="mechanism").replace(
        {path.replace("__", "."): value for path, value in changes.items()}
    )


def message(make: Any) -> str:
    with pytest.raises(InputError) as caught:
        make()
    return str(caught.value)


# what it becomes


@pytest.mark.parametrize("name", library())
def test_ready_scenarios_build_and_round_trip(name: str) -> None:
    scenario = Scenario.load(name)
    scenario.build()
    assert scenario.title and len(scenario.description) > 80
    assert Scenario.from_toml(scenario.to_toml()) == scenario
    assert Scenario.from_toml(scenario.to_toml()).to_toml() == scenario.to_toml()


def test_the_fall_is_the_person_above_the_ground() -> None:
    system, start = Scenario.load("fall-4m").build()
    assert system.mass == pytest.approx(80.0, abs=1e-9)
    assert len(system.bodies) == 17 + 3  # segments, and links of the springs along the body
    assert [surface.name for surface in system.surfaces] == ["ground"]
    assert {"head", "thorax"} <= {sensor.name for sensor in system.sensors}
    assert start.coordinates["root"][2] > 4.8


def test_every_feature_of_the_model_can_be_written() -> None:
    system, start = mechanism().build()
    rail, hinge, flight = (system.joint(name) for name in ("rail", "hinge", "stone_root"))
    assert system.gravity == (0.0, 0.0, -9.81)
    assert rail.motion is not None and rail.motion[0].kind == "acceleration"
    assert rail.motion[0].times == (0.0, 0.05, 0.1)
    assert rail.motion[0].values == pytest.approx((0.0, 20 * 9.80665, 0.0))
    assert hinge.resistance is not None and hinge.resistance.law == "coordinate"
    assert hinge.resistance.limit_plus == pytest.approx((math.radians(30), math.inf, math.inf))
    assert hinge.resistance.stiffness_plus == pytest.approx((math.degrees(5), 0.0, 0.0))
    assert start.coordinates["hinge"] == pytest.approx((math.radians(10),))
    assert start.rates["hinge"] == pytest.approx((math.pi / 2,))
    assert flight.type == "free" and start.coordinates["stone_root"][:3] == (0.0, 0.0, 3.0)
    assert system.body("bob").mass == 0.5
    assert np.diag(system.body("bob").inertia) == pytest.approx(0.4 * 0.5 * 0.05**2)
    assert system.springs[0].stiffness == 2000.0 and system.springs[0].tension_only
    assert system.torsion_springs[0].resistance.law == "coordinate"
    assert system.loads[0].components[1].values == (0.0, 2000.0)
    assert system.sensors[0].rotation == pytest.approx((math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))
    assert system.surfaces[0].contact.friction == 0.3
    assert system.surfaces[0].contact.stiffness == world.contact("concrete").stiffness
    assert system.surfaces[1].normal == pytest.approx((math.sin(math.radians(10)), 0.0, math.cos(math.radians(10))))


def test_a_mechanism_round_trips() -> None:
    scenario = mechanism()
    again = Scenario.from_toml(scenario.to_toml())
    assert again == scenario
    assert again.build()[1] == scenario.build()[1]


def test_two_people_need_two_names() -> None:
    one = {"height": 1.7, "mass": 70, "start": {"clearance": 1}}
    both = {"schema": 1, "human": [{"name": "anna", **one}, {"name": "ben", **one}], "solver": {"duration": 1}}
    system, _ = Scenario(both).build()
    assert {"anna.head", "ben.head"} <= {body.name for body in system.bodies}
    taller = Scenario(both).replace({"human.ben.height": "190 cm"})
    assert [person.height for person in taller.table.human] == pytest.approx([1.7, 1.9])
    assert "used twice" in message(lambda: Scenario({**both, "human": [one, one]}))
    assert "anna, ben" in message(lambda: Scenario(both).replace({"human.height": 1.9}))


def test_a_posture_can_be_a_table_or_a_file(tmp_path: Path) -> None:
    bent = Scenario.load("fall-4m").replace({"human.posture.joints.knee.flexion": "20 deg"})
    held = posture("standing-arms-spread")
    assert posture(bent.table.human[0].posture).rotation("left_knee")[1] == pytest.approx(math.radians(20))
    assert posture(bent.table.human[0].posture).rotation("left_shoulder") == held.rotation("left_shoulder")
    save_posture(held, tmp_path / "mine.toml")
    text = Scenario.load("fall-4m").to_toml().replace('"standing-arms-spread"', '"mine.toml"')
    (tmp_path / "fall.toml").write_text(text)
    from_file = Scenario.load(tmp_path / "fall.toml")
    assert from_file.build()[1] == Scenario.load("fall-4m").build()[1]
    # what is written out does not need the file any more
    assert Scenario.from_toml(from_file.to_toml()).build()[1] == from_file.build()[1]


def test_stop_alone_is_an_end() -> None:
    assert Scenario.load("fall-4m").replace({"solver": {"stop": "at rest"}}).table.solver.duration == tables.LONGEST


# changes


def test_changes_are_read_as_toml_and_else_as_text() -> None:
    assert read_changes(['a.b="165 cm"', "c=1e-3", "d=[1, 2]", "e=165 cm", "f=true", "g=implicit", "h = 3"]) == {
        "a.b": "165 cm",
        "c": 1e-3,
        "d": [1, 2],
        "e": "165 cm",
        "f": True,
        "g": "implicit",
        "h": 3,
    }
    assert "expected path=value" in message(lambda: read_changes(["human.height"]))


def test_a_change_reaches_its_place_and_leaves_the_original() -> None:
    original = Scenario.load("fall-4m")
    changed = original.replace(
        {"human.height": "165 cm", "human.start.velocity": [1, 0, 0], "surface.ground.contact": "asphalt"}
    )
    assert changed.table.human[0].height == pytest.approx(1.65)
    assert changed.table.human[0].start.velocity == (1.0, 0.0, 0.0)
    assert changed.table.surface[0].contact == "asphalt"
    assert original.table.human[0].height == 1.8
    assert changed != original


def test_paths_into_lists() -> None:
    assert mechanism(joint__hinge__axis=[1, 0, 0]).table.joint[1].axis == (1.0, 0.0, 0.0)
    assert Scenario(MECHANISM).replace({"joint[1].axis": [1, 0, 0]}).table.joint[1].axis == (1.0, 0.0, 0.0)
    assert Scenario(MECHANISM).replace({"spring.stiffness": 5}).table.spring[0].stiffness == 5.0
    assert (
        Scenario.load("fall-4m").replace({"surface.contact.friction": 0.2}).build()[0].surfaces[0].contact.friction
        == 0.2
    )


@pytest.mark.parametrize(
    "path", ["", ".", "a..b", "human.", ".human", "joint[x].axis", "joint[9].axis", "joint.elbow.axis"]
)
def test_what_is_no_path_is_refused(path: str) -> None:
    message(lambda: Scenario(MECHANISM).replace({path: 1}))


# errors


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"human.hieght": 1.8}, 'fall-4m: human.hieght is not known. Did you mean "height"?'),
        (
            {"human.height": 180},
            'fall-4m: human.height is 180 m; accepted 1.45 m to 2.10 m for adults. Did you mean "180 cm"?',
        ),
        ({"human.height": "180 kg"}, 'fall-4m: human.height is "180 kg"; expected a length'),
        ({"human.mass": -80}, "fall-4m: human.mass is -80 kg; accepted 40 kg to 160 kg"),
        (
            {"human.start.velocity": [0, math.nan, 0]},
            "fall-4m: human.start.velocity[1] is nan; expected a finite number",
        ),
        ({"human.start.velocity": [0, 0]}, "human.start.velocity has 2 values; expected 3"),
        ({"human.posture": "standin"}, 'Did you mean "standing"?'),
        ({"human.posture": "none.toml"}, "human.posture: there is no file"),
        (
            {"human.model": "human71"},
            'is "human71"; accepted: human17, pedestrian11, occupant12. Did you mean "human17"?',
        ),
        ({"human.mass_law": "zatsiorski"}, 'Did you mean "zatsiorsky"?'),
        (
            {"human.preset": "5F", "human.height": 1.6, "human.mass": 60},
            "fall-4m: human.preset is 5F, but height and mass are both given",
        ),
        ({"human": 3}, "human is 3; expected a table"),
        ({"human.start": 4.0}, "human.start is 4.0; expected a table with the keys clearance"),
        ({"surface.ground.contact": "concret"}, 'surface.ground.contact is "concret"; accepted: concrete'),
        ({"surface.ground.contact.friction": -1}, "surface.ground: contact friction is -1.0; it must"),
        (
            {"surface.ground.contact.frction": 1},
            'surface.ground.contact.frction is not known. Did you mean "friction"?',
        ),
        ({"surface.ground.normal": [0, 0, 0]}, "normal is the zero vector"),
        ({"surface.ground": 3}, "surface[0] is 3; expected a table"),
        ({"solver": {}}, "solver.duration is missing"),
        ({"solver.duration": "1.5 m"}, 'solver.duration is "1.5 m"; expected a time'),
        ({"solver.duration": 0}, "solver.duration is 0; it must be greater than 0"),
        (
            {"surface.ground.stiffness": "100 kN/m"},
            "surface.ground.stiffness is not known. It is a key of contact: surface.ground.contact.stiffness.",
        ),
        ({"solver.method": "implcit"}, 'Did you mean "implicit"?'),
        ({"solver.stop": "hed contact"}, "there is no body 'hed'. Did you mean \"head\"?"),
        ({"solver.stop": "soon"}, 'solver.stop is "soon"; accepted: "at rest"'),
        (
            {"output.criteria": ["HIC51"]},
            'output.criteria[0] is "HIC51"; accepted: HIC15, HIC36, 3ms, SI, ',
        ),
        ({"output.criteria": ["HIC51"]}, 'Did you mean "HIC15"?'),
        ({"output.pose_rate": "20 MHz"}, 'output.pose_rate is "20 MHz"; it must be at most 1e+07.'),
        ({"schema": 2}, "schema is 2; this version of Vitruvian reads schema = 1"),
        ({"gravity": [0, 0, "9.81 m"]}, 'gravity[2] is "9.81 m"; expected an acceleration'),
        ({"humen.height": 3}, 'humen is not known. Did you mean "human"?'),
        ({"title": 3}, "title is 3; expected text in quotes"),
        ({"name": "a/b"}, 'name is "a/b"; expected a name without'),
    ],
)
def test_wrong_input_gets_a_sentence(change: dict[str, Any], says: str) -> None:
    assert says in message(lambda: Scenario.load("fall-4m", change).build())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"joint.hinge.child": "bbo"}, "its child 'bbo' is not a body of the system. Did you mean \"bob\"?"),
        ({"joint.hinge.parent": "crat"}, "Did you mean \"cart\"?"),
        ({"joint.hinge.type": "revolut"}, 'joint.hinge.type is "revolut"; accepted: free'),
        ({"joint.hinge.start.coordinates": [1, 2]}, "joint.hinge.start.coordinates has 2 values; expected 1"),
        ({"joint.hinge.start.coordinates": ["1 m"]}, 'joint.hinge.start.coordinates[0] is "1 m"; expected an angle'),
        ({"joint.hinge.start.velocity": [0, 0, 1]}, "joint.hinge.start.velocity does not fit a revolute joint"),
        ({"joint.rail.motion": [0, 1]}, "joint.rail.motion has 2 functions; a prismatic joint takes 1"),
        ({"joint.rail.motion": {"times": [0], "values": ["1 rad"]}}, "joint.rail.motion[0].values[0] is"),
        ({"joint.rail.motion": {"times": [0, 1], "values": [1]}}, "2 times and 1 values"),
        ({"joint.rail.motion.times": [0, 2, 1]}, "joint.rail.motion: table times must increase"),
        ({"joint.rail.motion.unit": "kg"}, 'joint.rail.motion[0]: the unit is "kg"; expected an acceleration'),
        ({"joint.hinge.axis": [0, 0, 0]}, "joint.hinge: axis is the zero vector"),
        ({"joint.hinge.frame_parent": [1, 1, 0, 0]}, "joint.hinge.frame_parent is a quaternion of length 1.41421"),
        ({"joint.hinge.resistance.law": "cordinate"}, 'Did you mean "coordinate"?'),
        ({"joint.hinge.resistance.stiffness": [1, 2]}, "joint.hinge.resistance.stiffness has 2 values"),
        ({"body.bob.mass": -1}, "body.bob.mass is -1; it must be greater than 0"),
        ({"body.cart.inertia": [1, 1, 9]}, "triangle inequality"),
        ({"body.cart.inertia": [1, 1]}, "body.cart.inertia is [1, 1]; expected three principal moments"),
        ({"body.bob.start": {"position": [0, 0, 1]}}, "body.bob.start: the body hangs on a joint"),
        ({"body.cart": {"name": "cart", "mass": 1}}, "body.cart.inertia is missing"),
        ({"spring.body_b": "nobody"}, "spring 'rope': there is no body 'nobody'"),
        ({"spring.tension_only": "yes"}, 'spring.tension_only is "yes"; expected true or false'),
        ({"load.push.components": [0, 0]}, "load.components has 2 values"),
        ({"load.push.kind": "torque"}, "load.kind is \"torque\"; accepted: force, moment"),
        ({"sensor.tip.point": [0, 0, math.inf]}, "sensor.point[2] is inf; expected a finite number"),
        ({"surface.ramp.normal": [0, 0, 1]}, "surface.ramp has both normal and incline"),
        ({"torsion_spring.clock.joint": "hing"}, 'Did you mean "hinge"?'),
    ],
)  # fmt: skip
def test_wrong_mechanisms_get_a_sentence(change: dict[str, Any], says: str) -> None:
    assert says in message(lambda: Scenario(MECHANISM, name="mechanism").replace(change).build())


def test_every_error_is_told_at_once() -> None:
    lines = message(lambda: Scenario.load("fall-4m", {"human.height": "x", "solver.tolerance": "y"})).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("fall-4m: ") for line in lines)


@pytest.mark.parametrize("table", tables.tables(), ids=lambda table: table.name)
def test_every_key_is_found_from_a_slip_of_the_pen(table: Table) -> None:
    """For every key of every table: a misspelt one is refused and the right one is named."""
    for key in table.keys:
        wrong = key[:-1] + "qq" if len(key) > 4 else key + "x"
        text = message(lambda wrong=wrong: table.read({wrong: 1}, "here"))
        assert text.startswith(f"here.{wrong} is not known.")
        assert "Did you mean" in text or "Accepted" in text


# files


def test_files_that_are_none(tmp_path: Path) -> None:
    broken, binary = tmp_path / "broken.toml", tmp_path / "binary.toml"
    broken.write_text("schema = 1\n[human\n")
    binary.write_bytes(b"\xff\xfe\x00")
    assert "broken.toml is not a TOML file" in message(lambda: Scenario.load(broken))
    assert "line 2" in message(lambda: Scenario.load(broken))
    assert "not text in UTF-8" in message(lambda: Scenario.load(binary))
    assert "there is no file" in message(lambda: Scenario.load(tmp_path / "none.toml"))
    assert "not a scenario file" in message(lambda: Scenario.load(tmp_path))
    assert 'there is no scenario "fall-5m". Did you mean "fall-4m"?' in message(lambda: Scenario.load("fall-5m"))


def test_a_file_is_named_after_itself(tmp_path: Path) -> None:
    file = tmp_path / "my fall.toml"
    file.write_text(
        "\ufeff" + "schema = 1\n[human]\nheight = 1.8\nmass = 80\n[solver]\nduration = 1\n", encoding="utf-8"
    )
    scenario = Scenario.load(file)
    assert (scenario.name, scenario.label) == ("my fall", "my fall.toml")
    assert message(lambda: scenario.replace({"human.mas": 80})).startswith("my fall.toml: human.mas is not known")


# the world


def test_surfaces_from_the_table_and_with_changes() -> None:
    assert world.contact("concrete").friction > 0.0
    assert world.contact("concrete", friction=0.1).friction == 0.1
    assert "Did you mean" in message(lambda: world.contact("concrete", fricton=0.1))
    assert world.plane("wall", normal=(-1, 0, 0), point=(2, 0, 0)).normal == (-1.0, 0.0, 0.0)


def ball_on(contact):
    body = {"name": "b", "mass": 1.0, "shapes": [{"semi_axes": [0.1, 0.1, 0.1]}], "start": {"position": [0, 0, 0.2]}}
    table = {"schema": 1, "body": [body], "surface": [{"name": "g", "contact": contact}], "solver": {"duration": 0.1}}
    return Scenario(table)


def test_contact_laws_in_a_scenario():
    def built(**contact):
        return ball_on(contact).build()[0].surfaces[0].contact

    hertz = built(law="hertz", young="5 MPa", poisson=0.45)
    assert (hertz.law, hertz.young, hertz.exponent) == ("hertz", 5e6, 1.5)
    assert built(law="hertz", stiffness="2 MN/m^1.5").stiffness == 2e6
    assert built(law="kelvin-voigt", stiffness="100 kN/m", damping="2 kN s/m").damping == 2000.0
    curve = built(law="curve", curve=[[0, 0], ["10 mm", "1.5 kN"]], unloading_stiffness="1 MN/m")
    assert curve.curve == ((0.0, 0.0), (0.01, 1500.0))
    # a row of the surface table keeps its exponent, which belongs to its stiffness
    assert built(base="gym-mat", law="flores").exponent == 1.0
    assert built(base="gym-mat").law == "hunt-crossley"


def test_contact_laws_stay_what_they_are_when_written_out():
    scenario = ball_on(
        {"law": "curve", "curve": [[0, 0], ["10 mm", "1.5 kN"]], "damping": "0.1 kN s/m", "ramp": "1 mm"}
    )
    again = Scenario(tomllib.loads(scenario.to_toml()))
    assert again.build()[0].surfaces[0].contact == scenario.build()[0].surfaces[0].contact


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        ({"law": "flors"}, 'surface.g.contact.law is "flors"; accepted: .*Did you mean "flores"'),
        ({"law": "curve", "curve": [1, 2]}, r"surface.g.contact.curve\[0\] is 1; expected rows of depth and force"),
        ({"law": "curve", "curve": [[0, 0], ["1 N", 2]]}, r"surface.g.contact.curve\[1\]\[0\]"),
        ({"law": "curve", "curve": [[0, 0], [0.01, 5], [0.01, 6]]}, "surface.g: contact curve: row 3"),
        ({"damping": 3}, "surface.g: contact law 'hunt-crossley' does not take damping"),
        ({"law": "kelvin-voigt", "stiffness": 1e5, "damping": "3 N"}, "surface.g.contact.damping"),
        ({"restitution": 1.2}, "surface.g: contact restitution is 1.2; accepted 0 to 1"),
    ],
)
def test_contact_laws_refused_in_a_scenario(contact, said):
    with pytest.raises(InputError, match=said):
        ball_on(contact).build()


def test_a_law_that_returns_another_rebound_says_so():
    from vitruvian.scenario.build import build
    from vitruvian.scenario.notes import notes

    table = ball_on({"law": "lankarani-nikravesh", "stiffness": 1e6}).table
    told = notes(table, build(table))
    assert told == ("surface g: lankarani-nikravesh returns 0.67 for the restitution 0.1 it was given",)
    table = ball_on({"stiffness": 1e6}).table
    assert notes(table, build(table)) == ()


@pytest.mark.parametrize(
    ("changes", "mass"),
    [
        ({"human.preset": "5F"}, 108.0 * 0.45359237),
        ({"human.mass": 60, "human.preset": "5F"}, 60.0),
        ({"human.age": 35, "human.sex": "female", "human.percentile": 50}, 74.3),
        ({"human.mass": 60}, 60.0),
        ({"human.age": 70, "human.mass": 60}, 60.0),
    ],
)
def test_a_preset_or_percentile_takes_the_place_of_height_and_mass_in_the_file(changes, mass) -> None:
    scenario = Scenario.load("fall-4m", changes)
    assert scenario.build()[0].mass == pytest.approx(mass)
    assert Scenario.from_toml(scenario.to_toml()) == scenario
    assert Scenario.load("fall-4m").data["human"]["mass"] == 80


def test_height_and_mass_take_the_place_of_a_percentile() -> None:
    scenario = Scenario.load("fall-bed-child", {"human.height": "1 m", "human.mass": 16})
    assert scenario.table.human[0].percentile is None and scenario.build()[0].mass == pytest.approx(16)
    scenario = Scenario.load("fall-bed-child", {"human.height": "1 m"})
    assert scenario.table.human[0].percentile == 50
    two = {
        "schema": 1,
        "human": [{"name": "anna", "height": 1.7, "mass": 60}, {"name": "ben", "height": 1.8, "mass": 80}],
    }
    both = Scenario({**two, "solver": {"duration": 1.0}}).replace({"human.ben.preset": "95M"})
    assert [row.preset for row in both.table.human] == [None, "95M"]
    assert [row.height for row in both.table.human] == [1.7, None]


# --- titles


def test_a_title_keeps_up_with_changes() -> None:
    """A change that matters replaces title and description, which may be wrong then; one of the solver does not."""
    ready = Scenario.load("pedestrian-side-left")
    words = "Walking man struck from his left by a sedan at 40 km/h"
    assert ready.title == words and ready.description
    assert ready.replace({"solver.duration": "0.1 s", "vehicle.front": "sedan"}).title == words
    small = ready.replace({"human.height": "165 cm"})
    assert small.title == "pedestrian-side-left with human.height = 165 cm" and not small.description
    assert small.replace({"human.height": "170 cm", "vehicle.front": "van"}).title == (
        "pedestrian-side-left with human.height = 170 cm; vehicle.front = van"
    )
    assert small.replace({"human.mass": 70, "title": "Mine"}).title == "Mine"
    vector = ready.replace({"human.start.velocity": [0, 1.5, 0]})
    assert vector.title == "pedestrian-side-left with human.start.velocity = (0, 1.5, 0)"
    again = Scenario.from_toml(vector.to_toml()).replace({"human.height": 1.7})
    assert again.title == f"{vector.title}; human.height = 1.7"


def test_a_title_tells_everything() -> None:
    """No change is cut, and a table is told key by key."""
    five = {f"human.start.{key}": value for key, value in (("clearance", 0.1), ("heading", 0.5), ("settle", False))}
    brake = {"vehicle.brake": {"deceleration": 7.0}}
    found = (
        Scenario.load("pedestrian-side-left").replace({**five, **brake, "human.mass": 70, "human.height": 1.7}).title
    )
    assert found.count("=") == 6 and "vehicle.brake.deceleration = 7" in found


# wrong types


PERSON = {"height": 1.8, "mass": 80}
STRUCK = {
    "schema": 1,
    "human": PERSON,
    "vehicle": {"front": "sedan", "speed": 10},
    "surface": [{"name": "ground", "contact": "asphalt"}],
    "solver": {"duration": 0.1},
}
HINGED = {
    "schema": 1,
    "body": [{"name": "rod", "mass": 1, "inertia": [1, 1, 1]}],
    "joint": [{"name": "hinge", "type": "revolute", "child": "rod"}],
    "solver": {"duration": 0.1},
}


def refused(data: dict[str, Any], changes: dict[str, Any]) -> str:
    """The error of `check` with some values changed, which are given as they are."""
    return message(lambda: Scenario({**data}, name="s").replace(changes).check())


@pytest.mark.parametrize(
    ("data", "path", "value", "says"),
    [
        (STRUCK, "vehicle.front.parts", 5, "vehicle.front.parts is 5; expected a list of parts: spoiler"),
        (STRUCK, "vehicle.front.parts", [5], "vehicle.front.parts[0]: the part 5 is not known"),
        (STRUCK, "vehicle.front.contacts", {"bonnet": 5}, "vehicle.front.contacts.bonnet: a contact is 5; expected"),
        (STRUCK, "vehicle.front.contacts", 5, "vehicle.front.contacts is 5; expected a table"),
        (STRUCK, "vehicle.front.contacts", {"door": "concrete"}, 'vehicle.front.contacts.door: the part "door" is not'),
        (STRUCK, "vehicle.front.grades", 5, "vehicle.front.grades is 5; expected a table"),
        (STRUCK, "vehicle.front.title", 5, "vehicle.front.title is 5; expected text"),
        (STRUCK, "vehicle.front.base", ["sedan"], 'vehicle.front.base is ["sedan"]; expected text'),
        (STRUCK, "vehicle.front.schema", 99, "vehicle.front.schema is not known"),
        (STRUCK, "vehicle.grades", {"bonnet": ["soft"]}, 'vehicle.grades.bonnet is ["soft"]; accepted: soft'),
        (STRUCK, "vehicle.heading", 1e300, "vehicle.heading is 1e+300; expected at most 1e+10 rad"),
        (STRUCK, "human.start.heading", 1e300, "human.start.heading is 1e+300; expected at most 1e+10 rad"),
        (STRUCK, "human.posture", {"base": "walking", "mirror": "no"}, 'human.posture.mirror is "no"; expected true'),
        (STRUCK, "human.posture", {"schema": 99}, "human.posture.schema is 99; this version"),
        (STRUCK, "human.posture", {"joints": {"upper_neck": [0, 0, 1e300]}}, "posture.joints.upper_neck[2] is 1e+300"),
        (STRUCK, "human.measured", {"schema": 99}, "human.measured.schema is 99; this version"),
        (STRUCK, "human.measured", {"sex": 5}, "human.measured.sex is 5; expected male or female"),
        (STRUCK, "human.height", 10**5_000, "human.height is a whole number of 5001 digits; expected a finite"),
        (STRUCK, "human.start.push", [{"segments": 5}], "human.start.push[0].segments is 5; expected a list"),
        (STRUCK, "human.self_contact", {"friction": []}, "human.self_contact.friction is []; expected a number"),
        (STRUCK, "output.criteria", 5, "output.criteria is 5; expected a list in square brackets"),
        (STRUCK, "solver.max_steps", 2**63, "solver.max_steps is 9223372036854775808; expected a whole number"),
        (STRUCK, "solver.method", ["rk4"], 'solver.method is ["rk4"]; accepted: implicit'),
        (STRUCK, "schema", 1.0, "schema is 1.0; this version"),
        (HINGED, "joint.hinge.motion", {"times": 5, "values": [1]}, "joint.hinge.motion.times is 5; expected a list"),
        (
            HINGED,
            "joint.hinge.resistance",
            {"curve": [{"angles": 5}]},
            "hinge.resistance.curve[0].angles is 5; expected",
        ),
        (HINGED, "contact", [{"name": "c", "between": 5}], "contact.c.between is 5; expected a list"),
        (HINGED, "contact", [{"name": "c", "between": ["rod"] * 3}], "contact.c.between has 3 values; expected 2"),
        (HINGED, "sensor", [{"name": "a\x00", "body": "rod"}], "holds the control character '\\x00'"),
        (HINGED, "sensor", [{"name": "acc[/x]", "body": "rod"}], "expected a name without slashes and brackets"),
        (HINGED, "title", "\x1b[31m", "title is \"\\x1b[31m\"; it holds the control character '\\x1b'"),
        (HINGED, "spring", [{"name": "s", "body_a": "", "body_b": "rod"}], "spring 's': there is no body ''"),
    ],
    ids=shown,
)
def test_a_wrong_type_anywhere_names_its_full_path(data: dict[str, Any], path: str, value: Any, says: str) -> None:
    """Item 7: every one of these crashed, leaked the words of a library, or was taken as something else."""
    text = refused(data, {path: value})
    assert text.startswith("s: ") and says in text
    assert "Input should" not in text and "\x00" not in text


@pytest.mark.parametrize(
    ("data", "changes", "says"),
    [
        (HINGED, {"joint.hinge.resistance": {"stiffness": [1, 2, 3]}}, "resistance.stiffness[1] is 2; the joint has 1"),
        (HINGED, {"joint.hinge.resistance": {}, "joint.hinge.type": "rigid"}, "does not fit a rigid joint"),
        (HINGED, {"joint.hinge.resistance": {}, "joint.hinge.type": "free"}, "does not fit a free joint"),
        (HINGED, {"joint.hinge.resistance": {"stiffness": 1}, "joint.hinge.motion": [0]}, "both motion and resistance"),
        (HINGED, {"joint.hinge.motion": {"times": [0], "values": [1], "start": 2}}, 'goes with kind = "acceleration"'),
        (
            HINGED,
            {
                "joint.hinge.motion": [0],
                "torsion_spring": [{"name": "t", "joint": "hinge", "resistance": {"stiffness": 1}}],
            },
            "torsion_spring.t.joint: 'hinge' has a prescribed motion",
        ),
        (
            STRUCK,
            {
                "surface": [
                    {
                        "name": "kerb",
                        "shape": "profile",
                        "profile": [[0, 0], [0, 1]],
                        "width": 1,
                        "segments": ["face"],
                        "contacts": {"face": "concrete", "top": "concrete"},
                    }
                ]
            },
            'surface.kerb.contacts: there is no part "top"; accepted: face',
        ),
        (STRUCK, {"surface.ground.contact": {"radius": 0.1}}, "radius has no effect without young"),
        (STRUCK, {"surface.ground.contact": {"tangent_stiffness": 1e5}}, "has no effect without another friction_law"),
        (STRUCK, {"human.model": "pedestrian11", "human.hinges": "revolute"}, "human.hinges does not fit the model"),
    ],
)
def test_nothing_written_is_ignored_silently(data: dict[str, Any], changes: dict[str, Any], says: str) -> None:
    """Item 7."""
    assert says in refused(data, changes)


def test_a_tolerance_that_a_method_does_not_use_is_noted() -> None:
    """Item 7: --set solver.method=rk4 is fine on a scenario with a tolerance, but not without a word."""
    from vitruvian.scenario.build import build
    from vitruvian.scenario.notes import notes

    with_tolerance = Scenario(HINGED).replace({"solver.tolerance": 1e-4})
    assert notes(with_tolerance.table, build(with_tolerance.table)) == ()
    fixed = with_tolerance.replace({"solver.method": "rk4"})
    assert notes(fixed.table, build(fixed.table)) == ("solver.tolerance is not used: rk4 has fixed steps here.",)


@pytest.mark.parametrize("depth", [31, 1_000, 100_000])
def test_deep_nesting_is_refused_by_its_path(depth: int) -> None:
    """Item 7: as data, and as text, where the reader of TOML itself gives up."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    text = message(lambda: Scenario({**HINGED, "joint": [{"name": "hinge", "axis": value}]}, name="s"))
    assert text.startswith("s: joint.hinge.axis[0]") and "nested more than 30 deep" in text
    assert "nested" in message(lambda: Scenario.from_toml("a = " + "[" * depth + "]" * depth))


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    """Item 7: Python refuses to convert it, with words of its own."""
    assert "several thousand digits" in message(lambda: Scenario.from_toml("schema = " + "1" * 5_000))


@pytest.mark.parametrize(
    ("data", "changes", "says"),
    [
        (HINGED, {"solver.method": "rk4", "solver.adaptive": True}, "s: solver.method 'rk4' has fixed steps"),
        (
            HINGED,
            {"solver.min_step": 1, "solver.max_step": 0.1},
            "s: solver.min_step is 1 s, more than solver.max_step",
        ),
        (
            {**HINGED, "surface": [{"name": "wall"}]},
            {"body.rod.shapes": [{"kind": "sphere", "radius": 0.1}]},
            "s: body 'rod' on 'wall': a rigid body meets a rigid surface",
        ),
        (HINGED, {"joint.hinge.resistance": {"limit_plus": [-1]}}, "s: joint.hinge.resistance: resistance limit_plus"),
    ],
)
def test_check_refuses_what_run_refuses_and_names_body_and_joint(
    data: dict[str, Any], changes: dict[str, Any], says: str
) -> None:
    """Item 7: check only built the system."""
    scenario = Scenario(data, name="s").replace(changes)
    assert message(scenario.check).startswith(says)
    assert message(lambda: scenario.run(check=False)).startswith(says)


BOX = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_mesh_files_resolve_against_the_folder_of_the_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Item 7: they were looked up in the working directory. The written scenario works from anywhere."""
    pytest.importorskip("trimesh")
    here = tmp_path / "here"
    here.mkdir()
    (here / "box.obj").write_text(BOX)
    mesh = {"name": "box", "shape": "mesh", "file": "box.obj", "contact": "concrete"}
    beside = STRUCK["human"] | {"start": {"position": [5, 0]}}  # the person, outside the box
    (here / "s.toml").write_text(tomli_w.dumps({**STRUCK, "human": beside, "vehicle": [], "surface": [mesh]}))
    monkeypatch.chdir(tmp_path)
    scenario = Scenario.load(here / "s.toml")
    assert [surface.name for surface in scenario.check().surfaces] == ["box"]
    assert Scenario.from_toml(scenario.to_toml()) == scenario.replace({"name": scenario.name})
    text = message(scenario.replace({"surface.box.file": "none.obj"}).check)
    assert text.startswith("s.toml: surface.box: mesh ") and "none.obj: there is no such file" in text
    (here / "box.obj").write_text(BOX.replace("f 1 4 3\n", ""))
    assert "mesh box.obj: surface 'box' has a hole" in message(scenario.check)


@pytest.mark.parametrize(
    ("name", "key", "content", "says"),
    [
        ("front.toml", "vehicle.front", 'base = "sedan"\nparts = 5\n', "front.parts is 5; expected a list"),
        ("front.toml", "vehicle.front", "base = 1" + "0" * 5_000, "several thousand digits"),
        ("posture.toml", "human.posture", 'mirror = "no"\n', 'posture.mirror is "no"; expected true or false'),
        ("posture.toml", "human.posture", f'base = "{"x" * 5_000}"', f'posture.base is "{"x" * 57}..."; accepted'),
        ("front.toml", "vehicle.front", f'base = "{"x" * 5_000}"', f'front.base is "{"x" * 57}..."; accepted'),
        ("person.toml", "human.measured", "length = 5\n", "measured.length is 5; expected a table"),
        ("person.csv", "human.measured", "item,quantity,value,unit\nfoot,length,1,m,x\n", "line 2 has 5 cells"),
        (
            "person.csv",
            "human.measured",
            "item,quantity,value,unit\nfoot,length,1,m\nfoot,length,2,m\n",
            'line 3: "foot" "length" is in line 2 already',
        ),
        ("person.csv", "human.measured", "item,quantity,value,unit\nperson,schema,1,-\n", "person.schema is not known"),
        ("person.csv", "human.measured", "item,quantity,value,unit\n" + '"' + "x" * 200_000, "a cell has over"),
    ],
    ids=shown,
)
def test_files_of_a_scenario_are_named_with_the_place(
    tmp_path: Path, name: str, key: str, content: str, says: str
) -> None:
    """Item 7: an error names the scenario, the key in it, the file, and the place in the file."""
    (tmp_path / name).write_text(content)
    scenario = Scenario(STRUCK, name="s", folder=tmp_path)
    text = message(lambda: scenario.replace({key: name}))
    assert text.startswith(f"s: {key}: {tmp_path / name}") and says in text


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device")
def test_a_device_is_no_file_of_a_person(tmp_path: Path) -> None:
    """Item 7: /dev/zero has no end; it would be read until the memory is full."""
    with pytest.raises(InputError, match=r"human\.measured: /dev/zero cannot be read: it is a device"):
        Scenario.load("fall-4m", {"human.measured": "/dev/zero"})


def test_a_velocity_at_which_bodies_jump_through_surfaces_is_refused() -> None:
    """Items 7 and 8: a car at 1e6 m/s passed the person between two steps, and the run reported no contact."""
    with pytest.raises(InputError, match=r"vehicle.speed is 1000000.*at most 10000 m/s either way"):
        Scenario.load("pedestrian-2d", {"vehicle.speed": 1e6})


def test_a_person_who_starts_deep_in_the_ground_is_refused() -> None:
    words = r"human: \w+ starts 1000 mm inside 'ground'; accepted up to 50 mm.*human\.start\.clearance"
    with pytest.raises(InputError, match=words):
        Scenario.load("fall-4m", {"human.start.clearance": -1}).run()
    with pytest.raises(InputError, match="inside 'ground'"):
        Scenario.load("fall-4m", {"human.start.clearance": -0.06}).check()
    Scenario.load("fall-4m", {"human.start.clearance": -0.02}).check()


MAN = {"schema": 1, "human": {"preset": "50M"}, "gravity": 0, "solver": {"duration": "10 ms"}}
GROUND = {"name": "ground", "contact": "concrete"}
STEP = {"shape": "profile", "profile": [[1.0, 0.0], [0.5, 0.6], [-0.5, 0.6], [-1.0, 0.0]], "width": 2.0}
THING = {"name": "thing", "mass": 10, "start": {"position": [0.1, 0, 1.0]}}
TOUCH = {"name": "touch", "between": ["human", "thing"], "contact": {"restitution": 0.1}}


def tetrahedron() -> str:
    """Return a solid about the legs of a person as STL."""
    points = np.array([[1.0, 0.0, 0.1], [-0.6, 0.9, 0.1], [-0.6, -0.9, 0.1], [0.0, 0.0, 2.5]])
    rows = ["solid block"]
    for face in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)):
        corners = "".join(f"vertex {x} {y} {z}\n" for x, y, z in points[list(face)])
        rows.append(f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet")
    return "\n".join([*rows, "endsolid block"])


@pytest.mark.parametrize(
    "what",
    [
        {"surface": [GROUND, {"name": "wall", "normal": [1, 0, 0], "point": [-0.05, 0, 0], "contact": "concrete"}]},
        {"surface": [GROUND, {"name": "step", "contact": "concrete"} | STEP]},
        {"surface": [GROUND, {"name": "block", "shape": "mesh", "file": "block.stl", "contact": "concrete"}]},
        {"body": [THING | {"shapes": {"semi_axes": [0.3, 0.3, 0.3], "stiffness": 1e5}}], "contact": [TOUCH]},
        {"body": [THING | {"shapes": {"kind": "box", "size": [0.5, 0.5, 0.5], "stiffness": 1e5}}], "contact": [TOUCH]},
    ],
    ids=["plane", "profile", "mesh", "ellipsoid", "box"],
)
def test_a_person_who_starts_deep_in_anything_is_refused(what, tmp_path) -> None:
    """Profiles, meshes, ellipsoids and boxes: only planes at rest and other people were checked."""
    (tmp_path / "block.stl").write_text(tetrahedron(), encoding="utf-8")
    with pytest.raises(InputError, match=r"human: \w+ starts \d+ mm inside '(wall|step|block|thing)"):
        Scenario(MAN | what, folder=tmp_path).run()


@pytest.mark.parametrize("turn", [[0, 0, 0], [0.3, 0.2, 3.0]])
def test_a_person_wholly_inside_a_closed_mesh_is_refused(turn, tmp_path) -> None:
    """The shapes touched no face, so the person left the solid without a contact, in silence."""
    (tmp_path / "block.stl").write_text(tetrahedron(), encoding="utf-8")
    block = {"name": "block", "shape": "mesh", "file": "block.stl", "contact": "concrete", "scale": 10}
    for height, words in ((-2.0, r"human: \w+ starts wholly inside 'block'; accepted up to 50 mm"), (9.0, None)):
        what = Scenario(
            MAN | {"surface": [GROUND, block | {"place": [0, 0, height], "rotation": turn}]}, folder=tmp_path
        )
        if words is None:
            what.check()
        else:
            with pytest.raises(InputError, match=words):
                what.check()


@pytest.mark.parametrize(
    ("surface", "height", "words"),
    [
        ({}, -0.2, "ball starts 300 mm inside 'block': a contact with damping that begins so deep lets go slowly"),
        ({"shape": "mesh", "file": "block.stl", "scale": 10}, 5.0, "ball starts wholly inside 'block': no face"),
        ({}, 0.06, None),
        ({"shape": "mesh", "file": "block.stl"}, 5.0, None),
    ],
)
def test_a_body_that_starts_deep_is_noted(surface, height, words, tmp_path) -> None:
    """A ball 0.3 m deep in concrete rose by 5 mm in 1 s, one inside a mesh fell out of it; both in silence."""
    (tmp_path / "block.stl").write_text(tetrahedron(), encoding="utf-8")
    ball = {
        "name": "ball",
        "mass": 5,
        "shapes": {"kind": "sphere", "radius": 0.1},
        "start": {"position": [0, 0, height]},
    }
    what = {"body": [ball], "surface": [{"name": "block", "contact": "concrete"} | surface]}
    notes = Scenario({"schema": 1, "solver": {"duration": "10 ms"}} | what, folder=tmp_path).run().notes
    assert [note.startswith(words or "") for note in notes if "ball starts" in note] == [True] * (words is not None)


def test_the_distal_piece_of_a_bone_belongs_to_its_person() -> None:
    """Pieces of bones that may break were not checked."""
    step = {"name": "step", "point": [0, 0, 0.2], "only": ["left_shank"], "contact": "concrete"}
    human = {"preset": "50M", "failure": True, "joints": "recommended-2"}
    with pytest.raises(InputError, match=r"human: left_shank_distal starts \d+ mm inside 'step'"):
        Scenario(MAN | {"human": human, "surface": [GROUND, step]}).check()


def test_a_person_deep_in_a_front_at_rest_is_refused() -> None:
    for front in ("sedan", "bus"):
        vehicle = {"front": front, "speed": 0, "position": "0.3 m"}
        with pytest.raises(InputError, match=r"the front starts 0\.\d+ m inside \w+; accepted up to"):
            Scenario(MAN | {"vehicle": vehicle}).run()


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ({"sex": "female", "age": 70}, "1.75 m is taller than about 98 of 100 women of 70 years; the median is 1.60 m"),
        ({"sex": "male", "age": 30, "height": "1.55 m", "mass": 55}, "is shorter than about"),
        ({"sex": "male", "age": 30}, None),
        ({"sex": "female", "age": 70, "percentile": 99}, None),
        ({"sex": "female"}, None),
    ],
)
def test_a_rare_stature_is_noted(who, words):
    """The ready scenario has a man of 1.75 m; a woman of 70 keeps his stature unless it is changed."""
    from vitruvian.scenario.build import build
    from vitruvian.scenario.notes import notes

    table = Scenario.load("slip", {f"human.{key}": value for key, value in who.items()}).table
    found = [note for note in notes(table, build(table)) if "of 100" in note]
    assert len(found) == (words is not None) and all(words in note for note in found)


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("vehicle.speed", "m/s"),
        ("human.height", "m"),
        ("surface.ground.contact.friction", ""),
        ("surface.ground.contact.slip_speed", "m/s"),
        ("factor.joint.damping", ""),
    ],
)
def test_a_path_has_the_unit_of_its_key(path, unit):
    from vitruvian.scenario.schema import unit_of

    assert unit_of(path) == unit

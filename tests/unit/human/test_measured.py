"""A measured person: own numbers come back, the rest fits round them, and bad files are refused."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import human, load_measured, measured, place, sheet, write_sheet
from vitruvian.human.proportion import STACK
from vitruvian.model.pose import lowest_distance, segment_poses

ANNA = """
sex = "female"
age = 35
height = "168 cm"
mass = 61.5

[length]
thigh = "41 cm"
upper_arm = "29 cm"
[mass_of]
thigh = "8.6 kg"
[semi_axes]
head = ["96 mm", "75 mm", "113 mm"]
[inertia]
head = [0.016, 0.019, 0.012]
[range.knee]
flexion = "128 deg"
[range.shoulder]
abduction = "150 deg"
"""

ANNA_ROWS = """item,quantity,value,unit
person,sex,female,-
person,age,35,-
person,height,168,cm
person,mass,61.5,kg
thigh,length,41,cm
upper_arm,length,29,cm
thigh,mass,8.6,kg
head,semi_axis_x,96,mm
head,semi_axis_y,75,mm
head,semi_axis_z,113,mm
head,inertia_x,0.016,kg m^2
head,inertia_y,0.019,kg m^2
head,inertia_z,0.012,kg m^2
knee,flexion,128,deg
shoulder,abduction,150,deg
"""


@pytest.fixture
def anna(tmp_path: Path) -> Path:
    (tmp_path / "anna.toml").write_text(ANNA)
    (tmp_path / "anna.csv").write_text(ANNA_ROWS)
    return tmp_path


def test_toml_and_csv_mean_the_same(anna: Path) -> None:
    assert load_measured(anna / "anna.toml") == load_measured(anna / "anna.csv")
    read = load_measured(anna / "anna.toml")
    assert measured(read.to_table()) == read


def test_what_was_measured_is_there_and_the_rest_fits(anna: Path) -> None:
    person = human(measured=load_measured(anna / "anna.toml"))
    sized, plain = person.dimensions, human(1.68, 61.5, sex="female", age=35).dimensions
    assert (person.height, person.mass, person.sex, person.age) == (1.68, 61.5, "female", 35)
    assert sized.length["thigh"] == pytest.approx(0.41) and sized.masses["thigh"] == 8.6
    assert sized.length["upper_arm"] == pytest.approx(0.29)
    assert sized.semi_axes["head"] == (0.096, 0.075, 0.113)
    assert sized.moments["head"].tolist() == [0.016, 0.019, 0.012]
    # the others share what is left in proportion
    assert sum(sized.length[name] for name, _ in STACK) == pytest.approx(1.68, abs=1e-12)
    assert person.system.mass == pytest.approx(61.5, abs=1e-12)
    lengths = [sized.length[name] / plain.length[name] for name, _ in STACK if name != "thigh"]
    assert np.ptp(lengths) < 1e-12 and lengths[0] != pytest.approx(1.0)
    masses = [m / plain.masses[name] for name, m in sized.masses.items() if name != "thigh"]
    assert np.ptp(masses) < 1e-12
    # the joints are joined: hip to knee is the thigh, on both sides
    for side in ("left", "right"):
        upper = person.system.joint(f"{side}_hip").point_child[2]
        lower = person.system.joint(f"{side}_knee").point_parent[2]
        assert upper - lower == pytest.approx(0.41)


def test_a_measured_foot_stands_on_the_floor() -> None:
    person = human(1.75, 70, measured=measured({"semi_axes": {"foot": ["13 cm", "5 cm", "4 cm"]}}))
    poses = segment_poses(person.system, place(person, "standing"))
    assert poses["left_foot"][0][2] == pytest.approx(0.04)
    top = -lowest_distance(person.system, poses, (0, 0, 0), (0, 0, -1.0))
    assert top == pytest.approx(1.75)


def test_measured_ranges_are_the_limits_on_both_sides(anna: Path) -> None:
    system = human(measured=load_measured(anna / "anna.toml")).system
    for side in ("left", "right"):
        assert np.degrees(system.joint(f"{side}_knee").resistance.limit_plus[1]) == pytest.approx(128)
    assert np.degrees(system.joint("right_shoulder").resistance.limit_minus[0]) == pytest.approx(-150)
    assert np.degrees(system.joint("left_shoulder").resistance.limit_plus[0]) == pytest.approx(150)


def test_all_lengths_and_masses_need_no_height_and_mass() -> None:
    plain = human(1.75, 70).dimensions
    table = {"length": {name: plain.length[name] for name, _ in STACK}, "mass_of": dict(plain.masses)}
    table["length"]["shank"] += 0.02
    person = human(measured=measured(table))
    assert person.height == pytest.approx(1.77) and person.mass == pytest.approx(70)
    poses = segment_poses(person.system, place(person, "standing"))
    top = -lowest_distance(person.system, poses, (0, 0, 0), (0, 0, -1.0))
    assert top - lowest_distance(person.system, poses, (0, 0, 0), (0, 0, 1.0)) == pytest.approx(1.77, abs=1e-9)


@pytest.mark.parametrize(
    "who", [{"preset": "5F"}, {"sex": "male", "age": 6, "percentile": 30}, {"height": 1.8, "mass": 80}]
)
def test_the_sheet_of_a_person_reads_back_as_that_person(who, tmp_path: Path) -> None:
    person = human(**who)
    text = io.StringIO()
    write_sheet(sheet(person), text)
    (tmp_path / "person.csv").write_text(text.getvalue())
    again = human(measured=load_measured(tmp_path / "person.csv"))
    for one, other in zip(person.system.bodies, again.system.bodies, strict=True):
        assert one.mass == pytest.approx(other.mass, rel=1e-12)
        assert one.inertia == pytest.approx(other.inertia, rel=1e-12, abs=1e-15)
        axes, again_axes = ([shape.semi_axes for shape in body.shapes] for body in (one, other))
        assert axes == [pytest.approx(found, rel=1e-12) for found in again_axes]
    for one, other in zip(person.system.joints[1:], again.system.joints[1:], strict=True):
        assert one.point_child == pytest.approx(other.point_child, abs=1e-12)
        assert one.resistance.limit_plus == pytest.approx(other.resistance.limit_plus, rel=1e-12)
        assert one.resistance.stiffness == pytest.approx(other.resistance.stiffness, rel=1e-12)


def test_every_number_of_the_sheet_has_a_source() -> None:
    from vitruvian import data

    known = (*data.references(), "given", "measured")
    for who in ({"preset": "6YO"}, {"sex": "female", "age": 80, "percentile": 50}, {"height": 1.8, "mass": 80}):
        entries = sheet(human(**who))
        assert len(entries) == len({(entry.item, entry.quantity) for entry in entries}) > 200
        for entry in entries:
            assert any(key in entry.source for key in known), entry


def test_in_a_scenario(anna: Path) -> None:
    text = 'schema = 1\n[human]\nmeasured = "anna.toml"\n[[surface]]\nname = "ground"\n[solver]\nduration = 0.01\n'
    (anna / "fall.toml").write_text(text)
    scenario = Scenario.load(anna / "fall.toml")
    system, _ = scenario.build()
    assert system.body("left_thigh").mass == 8.6
    assert Scenario.from_toml(scenario.to_toml()).build()[0].body("left_thigh").mass == 8.6  # without the file


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"length": {"thihg": 0.4}}, "measured.length.thihg is not known; accepted: foot, shank, thigh"),
        ({"length": {"left_thigh": 0.4}}, "What is measured on one side holds for both: 'thigh'."),
        ({"lenght": {}}, 'Did you mean "length"?'),
        ({"length": 3}, "measured.length is 3; expected a table"),
        ({"length": {"thigh": "8 kg"}}, 'measured.length.thigh is "8 kg"; expected a length'),
        ({"mass_of": {"thigh": -1}}, "measured.mass_of.thigh is -1; it must be greater than zero"),
        ({"inertia": {"head": [0.1, 0.0, 0.1]}}, "all three must be greater than zero"),
        ({"range": {"knee": {"flexoin": 1}}}, 'Did you mean "flexion"?'),
        ({"range": {"knee": {"flexion": "-128 deg"}}}, "it must not be negative"),
        ({"range": {"knee": 2}}, "expected a table of movements"),
        ({"range": {"nee": {}}}, 'Did you mean "knee"?'),
    ],
)
def test_bad_tables_are_refused(table, message) -> None:
    with pytest.raises(InputError) as error:
        measured(table)
    assert message in str(error.value)


def test_contradictions_are_refused() -> None:
    plain = human(1.75, 70).dimensions
    lengths = {name: plain.length[name] for name, _ in STACK}
    with pytest.raises(InputError, match=r"height is 1.85 m, but all parts are given and sum to 1.75 m"):
        measured({"height": 1.85, "length": lengths})
    with pytest.raises(InputError, match=r"mass is 75 kg, but all parts are given and sum to 70 kg"):
        measured({"mass": 75, "mass_of": dict(plain.masses)})
    with pytest.raises(InputError, match="but the person measured is 'female'"):
        human(1.7, 60, sex="male", measured=measured({"sex": "female"}))
    with pytest.raises(InputError, match="joint ranges; they need the joints recommended or thesis-corrected"):
        human(1.7, 60, joints="silva", measured=measured({"range": {"knee": {"flexion": 2.0}}}))
    with pytest.raises(InputError, match=r"parts that were measured are 1\.8\d* m long"):
        human(1.7, 60, measured=measured({"length": {"thigh": 0.9, "shank": 0.9}}))
    with pytest.raises(InputError, match=r"parts that were measured weigh 62 kg"):
        human(1.7, 60, measured=measured({"mass_of": {"thigh": 31}}))
    with pytest.raises(InputError, match="triangle inequality"):
        human(1.7, 60, measured=measured({"inertia": {"head": [0.1, 0.01, 0.01]}}))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "segment,value\nthigh,1\n", "must name the columns item, quantity, value, unit"),
        ("a.csv", "item,quantity,value,unit\nthihg,length,1,m\n", 'line 2: there is no item "thihg"'),
        ("a.csv", "item,quantity,value,unit\nthigh,width,1,m\n", 'thigh has no quantity "width"'),
        ("a.csv", "item,quantity,value,unit\nhead,inertia_x,1,kg m^2\n", "y, z missing; give x, y and z"),
        ("a.toml", "a = [", "not a TOML file"),
        ("b.toml", None, "there is no file"),
    ],
)
def test_bad_files_are_refused(name, text, message, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        load_measured(tmp_path / name)
    assert message in str(error.value)

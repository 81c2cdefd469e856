"""The roster: who takes part in a run, and which body, joint and sensor belongs to whom."""

from __future__ import annotations

import re
from pathlib import Path

import h5py
import numpy as np
import pytest

import vitruvian
from vitruvian.human import human, pedestrian11
from vitruvian.model import Roster
from vitruvian.model.roster import JOINTS, SEGMENTS, Part
from vitruvian.scenario import Scenario
from vitruvian.sim.result import load

pytestmark = pytest.mark.needs_jit  # whole runs

TWO = """
schema = 1
title = "Two people and a car"

[[human]]
name = "anna"
sex = "female"
age = 30
posture = "standing"
start = { position = [0.0, 2.0], clearance = 0.0 }

[[human]]
name = "ben"
preset = "50M"
start = { clearance = 0.1 }

[[surface]]
name = "ground"
contact = "concrete"

[vehicle]
front = "sedan"
speed = "10 km/h"
gap = "0.5 m"

[solver]
duration = 2e-3
"""


@pytest.fixture(scope="module")
def result():
    return Scenario.from_toml(TWO).run()


def test_people_and_vehicles_are_named_with_their_parts(result):
    roster = result.roster
    anna, ben = roster.people
    assert (anna.name, anna.sex, anna.age, anna.by_percentile) == ("anna", "female", 30.0, True)
    assert (ben.preset, ben.clearance, ben.posture) == ("50M", 0.1, "standing")
    assert anna.segment("head") == "anna.head" and ben.joint("left_knee") == "ben.left_knee"
    (car,) = roster.vehicles
    assert (car.name, car.body, car.front) == ("vehicle", "vehicle", "sedan")
    assert car.speed == pytest.approx(10.0 / 3.6) and car.profile[0][0] <= 0.0
    assert {surface.name: (surface.material, surface.carrier) for surface in roster.surfaces} == {
        "ground": ("concrete", ""),
        **dict.fromkeys(car.surfaces, ("", "vehicle")),
    }
    assert car.surfaces == ("front", "front_left", "front_right")
    assert [sensor.name for sensor in roster.sensors] == list(result.recording.sensors)


def test_every_body_and_joint_has_an_owner_and_a_role(result):
    roster, recording = result.roster, result.recording
    assert {roster.owner(body) for body in recording.bodies} == {"anna", "ben", "vehicle"}
    assert (roster.role("ben.left_thigh"), roster.part("ben.left_thigh")) == ("left_thigh", Part("thigh", "left"))
    assert (roster.owner("anna.T1"), roster.role("anna.T1")) == ("anna", "T1")
    assert (roster.role("vehicle"), roster.part("vehicle")) == ("vehicle", Part("", ""))
    assert len(roster.segments(recording.bodies)) == 34
    assert roster.joint_part("anna.right_knee") == Part("knee", "right")
    assert roster.surface("front.bumper") == "front" and roster.surface_part("front.bumper") == "bumper"


def test_the_file_holds_the_roster_and_units_of_every_number(result, tmp_path):
    path = result.save(tmp_path / "result.nc")
    assert load(path).roster == result.roster
    assert load(path).summary()["peaks"].keys() == result.summary()["peaks"].keys()
    with h5py.File(path) as file:
        numbers = {name: item for name, item in file.items() if item.dtype.kind in "fiub"}
        bare = [name for name, item in numbers.items() if "units" not in item.attrs]
        named = [name for name in bare if "This is a netCDF dimension" not in str(file[name].attrs.get("NAME", ""))]
    assert len(numbers) > 50 and named == []


def test_a_file_without_a_roster_is_read_with_a_note(result, tmp_path):
    path = result.save(tmp_path / "result.nc")
    with h5py.File(path, "a") as file:
        for name in ("roster", "contents", "description"):
            del file.attrs[name]
    read = load(path)
    assert read.roster == Roster() and "no roster" in read.notes[-1]
    assert read.roster.role("anna.head") == "anna.head" and read.roster.role("head") == "head"


@pytest.mark.parametrize("made", [human(preset="50M"), human(1.8, 80, name="x"), pedestrian11(1.8, 80, name="y")])
def test_every_segment_and_joint_of_a_person_has_a_known_role(made):
    (person,) = made.system.roster.people
    assert set(person.segments) <= set(SEGMENTS) and set(person.joints) - {"root"} <= set(JOINTS)
    assert person.bodies == tuple(body.name for body in made.system.bodies)
    assert {made.system.roster.owner(body) for body in person.bodies} == {person.name}


def test_a_run_set_up_in_python_knows_its_person():
    from vitruvian.sim import Result, simulate

    system = human(preset="5F").system
    result = Result(simulate(system, duration=1e-3), system=system)
    assert result.roster.people[0].preset == "5F"
    assert result.injury(only=("HIC15",)).size == "5F"


@pytest.mark.parametrize("name", ["fall-4m", "pedestrian-front"])
def test_a_run_builds_its_model_once(name, monkeypatch):
    from vitruvian.scenario import build

    counts: dict[str, int] = {}

    def counted(module: object, function: str) -> None:
        real = getattr(module, function)

        def wrapper(*arguments: object, **options: object) -> object:
            counts[function] = counts.get(function, 0) + 1
            return real(*arguments, **options)

        monkeypatch.setattr(module, function, wrapper)

    for function in ("build", "_person", "placed"):
        counted(build, function)
    counted(build.human, "settled")
    counted(build.world, "front")
    Scenario.load(name).replace({"solver.duration": 1e-3}).run(check=False)
    assert counts.pop("placed") == (2 if "settled" in counts else 1)  # a settled person first looks along x
    assert set(counts.values()) == {1}, counts
    assert ("settled" in counts) == (name == "pedestrian-front")


def test_no_code_takes_names_of_bodies_apart():
    """Outside of the code that makes the names: no splitting at the dot, no cutting off of sides."""
    folder = Path(vitruvian.__file__).parent
    cut = re.compile(
        r"""(remove(prefix|suffix)|startswith)\("(left_|right_)|\b(body|joint|sensor|segment)\w*\.r?(partition|split)\("""
    )
    packages = ("sim", "injury", "view", "export", "studio", "scenario", "cli")
    files = [path for package in packages for path in (folder / package).rglob("*.py")]
    found = [
        f"{path.name}: {line.strip()}" for path in files for line in path.read_text().splitlines() if cut.search(line)
    ]
    assert found == []


def test_a_new_channel_is_one_row(monkeypatch, tmp_path):
    """A row added to the table is sampled, kept, stored, read, joined and shown; nothing else has to be told."""
    from importlib import import_module

    from vitruvian.sim import channel

    row = channel.Channel(
        "momentum", ("pose_time", "body"), "m/s", "first velocity twice", "body", lambda s: 2.0 * s.pose[..., 7]
    )
    monkeypatch.setitem(channel.CHANNELS, row.name, row)
    tables = {"SAMPLED": ("simulate", "recording"), "STORED": ("dataset", "integrity", "archive")}
    for table, modules in tables.items():
        for module in modules:  # each has its own name for the one table
            monkeypatch.setattr(import_module(f"vitruvian.sim.{module}"), table, (*getattr(channel, table), row))
    scenario = Scenario.load("double-pendulum").replace({"solver.duration": 0.01})
    run = scenario.run()
    read = load(run.save(tmp_path / "result.nc"))
    assert np.array_equal(read.recording.momentum, run.recording.momentum)
    longer = scenario.replace({"solver.duration": 0.02}).run(resume=run)
    assert len(longer.recording.momentum) == len(longer.recording.pose_time)
    assert read["momentum"].attrs["units"] == "m/s"

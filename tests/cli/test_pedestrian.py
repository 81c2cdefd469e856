"""Pedestrian impacts: what struck what, when, where and how hard, and the trends that every expert expects."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.cli import main
from vitruvian.errors import InputError
from vitruvian.injury.strike import launch_speed, searle_bounds
from vitruvian.scenario import library
from vitruvian.scenario.grid import pedestrian_grid
from vitruvian.scenario.impact_outcome import Outcome
from vitruvian.scenario.pedestrian import pedestrian_outcome
from vitruvian.sim.result import Result

pytestmark = pytest.mark.needs_jit

READY = [name for name in library() if name.startswith("pedestrian-") and "2d" not in name]


@cache
def result(name: str = "pedestrian-side-left", *changes: tuple[str, object]) -> Result:
    given = {path: json.loads(value) if str(value).startswith("{") else value for path, value in changes}
    return Scenario.load(name, given).run()


def outcome(name: str = "pedestrian-side-left", *changes: tuple[str, object]) -> Outcome:
    return pedestrian_outcome(result(name, *changes))


@pytest.mark.parametrize("name", READY)
def test_ready_pedestrians_are_struck_from_below_upwards(name):
    """A limb meets bumper or leading edge first, the head after the lower trunk; the energy is accounted for."""
    found = outcome(name)
    assert found.first == pytest.approx(0.0, abs=2e-3)
    first = {contact.body: contact.time for contact in reversed(found.contacts)}
    assert found.contacts[0].body.endswith(("thigh", "shank", "foot", "hand"))
    assert found.contacts[0].surface in ("front.bumper", "front.leading_edge")
    assert found.head is not None
    assert found.head.time >= min(time for body, time in first.items() if body in ("pelvis", "abdomen"))
    assert found.HIC >= found.HIC36 >= found.HIC15 > 0.0
    assert result(name).recording.balance_error < 1e-3


def test_the_mirrored_impact_is_the_mirror_image():
    """Struck from the right with the left leg in front: what was left is right."""
    one = outcome()
    other = outcome("pedestrian-side-left", ("human.posture", "walking-left"), ("human.start.heading", "-90 deg"))
    assert other.head.after == pytest.approx(one.head.after, abs=1e-4)
    assert other.head.speed == pytest.approx(one.head.speed, rel=1e-3)
    assert other.head.wrap_around_distance == pytest.approx(one.head.wrap_around_distance, abs=2e-3)
    assert abs(other.HIC15 / one.HIC15 - 1.0) < 0.01
    assert other.knees["left_knee"].bending == pytest.approx(one.knees["right_knee"].bending, rel=0.01)
    swapped = {"left": "right", "right": "left"}
    names = [
        f"{swapped.get(side, side)}_{rest}" if rest else side
        for side, _, rest in (contact.body.partition("_") for contact in one.contacts[:8])
    ]
    assert [contact.body for contact in other.contacts[:8]] == names


def test_an_outcome_reads_the_same_from_a_file(tmp_path):
    before = pedestrian_outcome(result())
    after = pedestrian_outcome(Result.load(result().save(tmp_path / "result.nc")))
    assert after.to_dict() == before.to_dict()
    json.dumps(before.to_dict())
    assert before.line.startswith("sedan at 40 km/h: head on the windscreen after 12")
    assert dict(before.rows())["wrap-around distance"] == f"{before.head.wrap_around_distance:.2f} m"


def test_the_speed_of_the_head_is_that_of_its_poses():
    """At a pose rate as high as that of the sensors nothing has to be integrated."""
    fine = outcome("pedestrian-side-left", ("output.pose_rate", "10 kHz"))
    assert outcome().head.speed == pytest.approx(fine.head.speed, rel=2e-3)
    assert outcome().head.place == pytest.approx(fine.head.place, abs=0.02)


def test_wrap_around_distance_is_near_the_stature_of_a_man_before_a_car():
    """The head of an adult lands about as far along the tape as he is tall, and beyond."""
    assert 1.0 < outcome().head.wrap_around_distance / 1.80 < 1.25
    assert outcome().head.place[2] == pytest.approx(
        np.interp(-outcome().head.place[0], [1.1, 1.9], [0.93, 1.37]), abs=0.03
    )


def test_without_a_vehicle_there_is_no_outcome():
    with pytest.raises(InputError, match=r"has no \[vehicle\]"):
        pedestrian_outcome(Scenario.load("fall-1cm", {"solver.duration": 1e-3}).run())
    with pytest.raises(InputError, match="no vehicle 'lorry'"):
        pedestrian_outcome(result(), vehicle="lorry")
    with pytest.raises(InputError, match="no person 'anna'"):
        pedestrian_outcome(result(), person="anna")


# --- the command


def invoked(*words: str):
    from typer.testing import CliRunner

    from vitruvian.cli.app import app

    return CliRunner().invoke(app, ["pedestrian", *words])


def test_the_command_answers_in_a_line(tmp_path):
    done = invoked("--three-d", "--car", "suv", "--speed", "30 km/h", "--preset", "5F", "--out", str(tmp_path))
    assert done.exit_code == 0, done.output
    title, line = done.output.splitlines()[:2]
    assert title == "Woman (1.50 m, 49 kg) struck from the left by suv at 30 km/h"
    assert line.startswith("suv at 30 km/h: head on the bonnet after ")
    assert "wrap-around distance" in done.output
    written = "result.nc, motion.png, scenario.toml, outcome.json"
    assert done.output.endswith(f"\nPicture: {tmp_path / 'motion.png'}\nFiles in {tmp_path}: {written}\n")
    assert {path.name for path in tmp_path.iterdir()} == set(written.split(", "))
    scenario = Scenario.load(tmp_path / "scenario.toml")
    assert scenario.title == title and not scenario.description  # that of the ready one tells of a man and a sedan
    kept = json.loads((tmp_path / "outcome.json").read_text(encoding="utf-8"))
    assert kept.pop("generator") == "written by vitruvian"
    assert kept == json.loads(json.dumps(pedestrian_outcome(Result.load(tmp_path / "result.nc")).to_dict()))


def test_the_title_of_the_command_follows_its_changes():
    words = ("--sex", "male", "--age", "6", "--percentile", "50", "--speed", "10", "--set", "solver.duration=0.001")
    done = invoked(*words, "--set", "human.age=9", "--set", "vehicle.front=van", "--no-files")
    assert done.output.startswith("Boy of 9 years (1.34 m, 29 kg) struck from the front by van at 36 km/h\n")
    assert "the head does not meet the vehicle in 0.001 s, HIC15 0 without contact." in " ".join(
        done.output.split()
    )  # too short for a 3 ms value
    note = "--speed 10 has no unit and is taken as 10 m/s (36 km/h); write --speed '10 km/h' if that is meant."
    assert f"Note: {note}" in done.output
    own = invoked(*words, "--set", "title=Case 7", "--no-files")
    assert own.output.startswith("Case 7\n")


def test_a_report_is_written_if_asked_for(tmp_path, monkeypatch):
    def report(result, path, **options):
        path.write_text(result.command, encoding="utf-8")
        return path

    monkeypatch.setattr(Result, "report", report)
    done = invoked("--report", "--set", "solver.duration=0.001", "--out", str(tmp_path))
    assert done.output.endswith("result.nc, motion.png, scenario.toml, report.html, outcome.json\n")
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("vitruvian pedestrian --report --set")


def test_knees_of_those_struck_from_the_side_bend_sideways():
    """Thigh and shank leave their plane by far more than ligaments stand; from the front the knee bends backwards."""
    side, front = outcome().knees, outcome("pedestrian-front").knees
    for knee in ("left_knee", "right_knee"):
        assert np.radians(30.0) < side[knee].sideways < np.radians(60.0)
        assert side[knee].extension < np.radians(10.0)
        assert front[knee].sideways < np.radians(1.0)
        assert np.radians(5.0) < front[knee].extension < np.radians(25.0)
    assert "deg sideways (ligaments tear at 15)" in dict(outcome().rows())["left knee"]


def test_the_angles_of_a_knee_are_those_of_its_posture():
    """Flexion alone is neither sideways nor beyond straight; varus and hyperextension are themselves."""
    still = {"solver.duration": 1e-4, "vehicle.gap": 1.0, "human.start.settle": False}
    for joints, sideways, extension in (
        ({"flexion": "60 deg"}, 0.0, 0.0),
        ({"varus": "3 deg"}, 3.0, 0.0),
        ({"flexion": "-1 deg"}, 0.0, 1.0),
    ):
        posture = {"joints": {"left_knee": joints}}
        knee = outcome("pedestrian-front", *still.items(), ("human.posture", json.dumps(posture))).knees["left_knee"]
        assert np.degrees([knee.sideways, knee.extension]) == pytest.approx([sideways, extension], abs=0.01)


def test_the_command_takes_a_side_and_changes():
    words = ("--three-d", "--from", "behind", "--json", "--no-files", "--set", "solver.duration=0.02", "--speed", "10")
    done = invoked(*words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["speed"] == pytest.approx(10.0)
    assert found["contacts"][0]["body"].endswith(("thigh", "shank"))
    assert found["head"] is None


def test_the_command_is_in_the_plane_unless_asked():
    planar = json.loads(invoked("--json", "--no-files", "--preset", "5F", "--speed", "30 km/h").output)
    assert set(planar["knees"]) == {"knee"}  # both legs are one
    assert planar["head"]["place"][1] == pytest.approx(0.0, abs=1e-9)
    side = json.loads(invoked("--json", "--no-files", "--from", "right", "--set", "solver.duration=0.02").output)
    assert set(side["knees"]) == {"left_knee", "right_knee"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--from", "above"), '--from is "above"; accepted: side, left, right, front, behind'),
        (("--car", "seden"), 'vehicle.front is "seden"'),
        (("--speed", "40 mp"), "vehicle.speed"),
        (("--age", "1"), "age"),
        (("--age", "35", "--percentile", "120"), "percentile"),
        (("--age", "35", "--percentile", "0"), "percentile is 0; accepted 1 to 99"),
        (("--age", "35", "--percentile", "100"), "percentile is 100; accepted 1 to 99"),
        (("--age", "35", "--percentile", "5%"), "write the number alone: 5"),
        (("--age", "old"), "age"),
        (("--percentile", "50"), "it needs an age"),
        (("--preset", "5F", "--sex", "male"), "the preset 5F is female"),
        (("--speed", "-40 km/h"), "speed is -11.1111 m/s; it must not be negative"),
        (("--speed", "40 kg"), "vehicle.speed"),
        (("--sex", "man"), "sex"),
    ],
)
def test_the_command_refuses(words, message):

    done = invoked(*words, "--no-files")
    assert message in str(done.exception)


# --- trends over a grid


PEOPLE = {name: {"preset": name} for name in ("6YO", "5F", "50M", "95M")}  # from small to tall
FRONTS = ("small-car", "sedan", "suv", "van")
SPEEDS = (30, 40, 50)  # [km/h]


@cache
def grid():
    rows = pedestrian_grid(FRONTS, [f"{speed} km/h" for speed in SPEEDS], PEOPLE, threads=2)
    return {(row.front, row.person, round(3.6 * row.speed)): row for row in rows}


def test_every_impact_of_the_grid_ends_and_meets_the_head():
    assert len(grid()) == len(FRONTS) * len(SPEEDS) * len(PEOPLE)
    assert {row.status for row in grid().values()} == {"finished"}
    assert all(np.isfinite(row.head_speed) for row in grid().values())


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("car", FRONTS)
def test_a_faster_car_strikes_the_head_faster_and_sooner(car, person):
    rows = [grid()[car, person, speed] for speed in SPEEDS]
    assert (np.diff([row.head_speed for row in rows]) > 0.0).all()
    assert (np.diff([row.head_time for row in rows]) < 0.0).all()
    assert (np.diff([row.HIC15 for row in rows]) > 0.0).all()


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("car", FRONTS)
def test_wrap_around_distance_grows_with_stature(car, speed):
    distances = [grid()[car, person, speed].wrap_around_distance for person in PEOPLE]
    assert (np.diff(distances) > 0.05).all()


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("person", PEOPLE)
def test_a_van_strikes_the_head_sooner_than_a_sedan(person, speed):
    assert grid()["van", person, speed].head_time < 0.8 * grid()["sedan", person, speed].head_time


def test_a_row_of_the_grid_is_the_run_of_its_scenario():
    """Compiled once and filled with another speed: the same numbers as built anew."""
    changes = {
        "human": {
            "preset": "5F",
            "posture": "walking",
            "tone": "standing",
            "start": {"heading": "90 deg", "settle": True},
        }
    }
    scenario = Scenario.load("pedestrian-side-left").replace(changes | {"vehicle.front": "suv"})
    alone = pedestrian_outcome(scenario.replace({"vehicle.speed": "50 km/h"}).run())
    row = grid()["suv", "5F", 50]
    assert row.head_speed == pytest.approx(alone.head.speed, rel=1e-12)
    assert row.head_time == pytest.approx(alone.head.after, rel=1e-12)
    assert abs(row.HIC15 / alone.HIC15 - 1.0) < 1e-9


# --- throws


@pytest.mark.slow
@pytest.mark.parametrize(("car", "speed"), [("sedan", 40), ("suv", 50), ("van", 40)])
def test_a_thrown_body_slides_as_far_as_friction_says(car, speed):
    """Searle's formula with the angle and the height of the launch supposes that the body slides all the time.

    No launch is faster than it says, because friction bears at most its coefficient times the load; it is slower where
    limbs stick as they land. Level or upward launches keep his bounds, and so does the car's speed from the whole throw
    over a bonnet.
    """
    from vitruvian.lab.validate.throws import FRICTION, predicted, thrown

    found = thrown(car, speed)
    launch = found.launch
    # limbs creep on regularised friction, so a run may reach its end before it counts as nearly at rest
    assert found.rest or found.end == pytest.approx(10.0)
    # the man on the sedan lands steeply and head down, and sticks most
    assert 0.99 * launch.speed < predicted(found) < (1.15 if car == "sedan" else 1.1) * launch.speed
    assert 0.5 < launch.ratio < 1.1
    if launch.rise >= 0.0:
        low, high = searle_bounds(launch.distance, FRICTION, launch.drop)
        assert low < np.hypot(launch.speed, launch.rise) < high
    if car != "van":
        low, high = searle_bounds(found.throw.value, FRICTION)
        assert low < found.speed < high


def test_searle_bounds_are_those_of_a_body_that_flies_lands_and_slides():
    """Thrown level, and at the angle whose tangent is the friction, by integrating flight, landing and slide."""
    friction, speed, drop, g = 0.6, 12.0, 1.1, 9.80665
    for angle in (0.0, np.arctan(friction), -0.2):
        v, rise = speed * np.cos(angle), speed * np.sin(angle)
        falling = np.sqrt(rise**2 + 2.0 * g * drop)
        slide = v - friction * falling
        distance = v * (rise + falling) / g + slide**2 / (2.0 * friction * g)
        assert launch_speed(distance, friction, rise, drop) == pytest.approx(v)
        low, high = searle_bounds(distance, friction, drop)
        assert (low - 1e-9 <= speed <= high + 1e-9) == (angle >= 0.0)
    with pytest.raises(InputError, match="friction is 0"):
        searle_bounds(10.0, 0.0)


def test_a_grid_of_vehicles_with_a_mass():
    """Item 19a: a vehicle of finite mass is slowed by the person; a heavy one is as good as on rails."""
    options = {"people": {"man": {"preset": "50M"}}, "speeds": [8.0, 11.0], "fronts": ["sedan"]}
    rails = pedestrian_grid(**options)
    heavy = pedestrian_grid(**options, changes={"vehicle.mass": 1e9})
    light = pedestrian_grid(**options, changes={"vehicle.mass": 700.0})
    for one, two, three in zip(rails, heavy, light, strict=True):
        assert two.head_speed == pytest.approx(one.head_speed, rel=1e-3)
        assert two.wrap_around_distance == pytest.approx(one.wrap_around_distance, rel=1e-3)
        assert three.head_speed < 0.995 * one.head_speed


def test_a_grid_agrees_with_a_single_run_of_a_vehicle_with_a_mass():
    changes = {"vehicle.mass": 1200.0, "solver.duration": "0.2 s"}
    row = pedestrian_grid(["sedan"], ["9 m/s"], {"woman": {"preset": "5F"}}, changes=changes)[0]
    single = Scenario.load("pedestrian-side-left", {"human.preset": "5F", "vehicle.speed": 9.0} | changes)
    outcome = pedestrian_outcome(single.run())
    assert row.head_speed == pytest.approx(outcome.head.speed, rel=1e-9)
    assert pytest.approx(outcome.HIC15, rel=1e-9) == row.HIC15


@pytest.mark.parametrize("heading", ["90 deg", "-90 deg", "45 deg", "177 deg"])
def test_a_planar_person_across_the_path_is_refused(heading):
    """Item 19a: the planar model has no motion across its plane; both along it are accepted."""
    with pytest.raises(
        InputError, match=r"human\.start\.heading is .* a planar person moves only in the vertical plane"
    ):
        Scenario.load("pedestrian-2d", {"human.start.heading": heading}).build()
    turned = Scenario.load("pedestrian-2d", {"human.start.heading": "30 deg", "vehicle.heading": "210 deg"})
    for fine in (Scenario.load("pedestrian-2d", {"human.start.heading": "0 deg"}), turned):
        fine.build()


@pytest.mark.parametrize("command", [("run", "slip"), ("pedestrian",), ("run", "pedestrian-side-left")])
def test_a_run_without_a_step_ends_with_a_sentence(command, tmp_path, capsys):
    """Item 19a: a least step that the tolerance does not allow gives an error, no traceback and no files."""
    changes = ("--set", "solver.min_step=1e-3", "--set", "solver.tolerance=1e-9", "--out", str(tmp_path / "out"))
    changes += ("--set", "human.tone=limp")
    with pytest.raises(SystemExit) as left:
        main([*command, *changes])
    told = capsys.readouterr().err
    assert left.value.code == 1
    assert "did not end well (step_too_small) and recorded nothing" in told
    assert "An error inside" not in told and not (tmp_path / "out").exists()


def test_the_wrap_around_distance_on_a_bus_is_the_height_of_the_head():
    """Item 19a: a bus rises almost straight, so the tape to the head is little longer than its height."""
    outcome = pedestrian_outcome(Scenario.load("pedestrian-2d", {"human.preset": "6YO", "vehicle.front": "bus"}).run())
    x, _, z = outcome.head.place
    assert z < outcome.head.wrap_around_distance < np.hypot(x, z) + 0.01


def test_a_child_between_the_dummies_has_no_tibia_index():
    """Item 14: the table says why."""
    changes = {"human.preset": None, "human.age": 8, "solver.duration": 0.03}
    outcome = pedestrian_outcome(Scenario.load("pedestrian-side-left", changes).run())
    assert ("tibia index", "no constants known for a child of 8") in outcome.rows()

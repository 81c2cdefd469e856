"""The assessment of a run: what it computes, filters, leaves out and says; as table, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.injury import hic, limits
from vitruvian.injury.assessment import Assessment, assess
from vitruvian.injury.channels import Channels, Record
from vitruvian.injury.subject import subject_of_person, subject_of_size
from vitruvian.model.roster import Participant
from vitruvian.scenario import Scenario
from vitruvian.scenario.pedestrian import pedestrian_outcome
from vitruvian.sim.result import Result, load
from vitruvian.sim.summary import HEAD_CRITERIA
from vitruvian.units import STANDARD_GRAVITY

pytestmark = pytest.mark.needs_jit  # whole runs

TIME = np.arange(3001) * 1e-4
PULSE = np.sin(np.pi * np.clip((TIME - 0.1) / 0.02, 0.0, 1.0))


def channels(**samples: np.ndarray) -> Channels:
    records = {name.replace("__", "."): value for name, value in samples.items()}
    return Channels({name: Record(name, TIME, value) for name, value in records.items()})


def along(axis: int, samples: np.ndarray) -> np.ndarray:
    vectors = np.zeros((len(samples), 3))
    vectors[:, axis] = samples
    return vectors


@pytest.fixture(scope="module")
def result() -> Result:
    """A fall from 1 cm, which is short."""
    return Scenario.load("fall-1cm", {"solver.duration": 0.1}).run()


def test_accelerometer_and_marker(result: Result) -> None:
    """A sensor in its own axes, raw and filtered; the velocity of a marker is the derivative of its position."""
    time, raw = result.accelerometer("T1")
    _, smooth = result.accelerometer("T1", 180.0)
    assert raw.shape == smooth.shape == (len(time), 3)
    assert np.abs(np.diff(smooth, axis=0)).max() < np.abs(np.diff(raw, axis=0)).max()
    time, position, velocity = result.marker("head", (0.1, 0.0, 0.05))
    slope = np.gradient(position, time, axis=0)
    assert slope[5:-5] == pytest.approx(velocity[5:-5], abs=0.02 * np.abs(velocity).max())
    assert np.linalg.norm(position - result.marker("head")[1], axis=1) == pytest.approx(
        np.full(len(time), np.hypot(0.1, 0.05))
    )
    with pytest.raises(InputError, match='Did you mean "head"'):
        result.marker("hed")
    with pytest.raises(InputError, match="no sensor"):
        result.accelerometer("T7")


def test_a_run_is_assessed(result: Result) -> None:
    found = result.injury()
    assert {"HIC15", "HIC36", "SI", "head 3ms", "BrIC", "Nij", "NIC", "femur force", "TI", "chest 3ms"} <= {
        f.criterion for f in found.findings
    }
    head = found["HIC15"]
    assert (head.place, head.filter, head.standing, head.limit) == ("head", "CFC 1000", "compared", 700.0)
    assert dict(found.missing)["VC"] == "there is no channel thorax.deflection"
    assert found["femur force, left_femur_upper"].value == pytest.approx(found["femur force, right_femur_upper"].value)


def test_filters_may_be_left_out(result: Result) -> None:
    raw = result.injury(filters=False, only=("HIC15",))
    time, acceleration = result.resultant_g("head")
    assert len(raw.findings) == 1
    assert raw["HIC15"].value == pytest.approx(hic(time, acceleration).value, rel=1e-12)
    assert raw["HIC15"].filter == "as recorded"


def test_the_summary_holds_the_same(result: Result) -> None:
    asked = Result(result.recording, geometry=result.geometry, criteria=tuple(HEAD_CRITERIA))
    head, found = asked.summary()["peaks"]["head"], asked.injury()
    for word, name in HEAD_CRITERIA.items():
        assert head[word]["value"] == found[name].value, word


def test_criteria_of_the_design_run_from_a_scenario() -> None:
    scenario = Scenario.load("fall-1cm", {"output.criteria": ["HIC15", "HIC36", "3ms", "SI"], "solver.duration": 0.05})
    head = scenario.run().summary()["peaks"]["head"]
    assert {"HIC15", "HIC36", "3ms", "SI"} <= set(head)
    assert head["3ms"]["unit"] == "g"


def test_standing_still_is_one_g_of_nothing(result: Result) -> None:
    """Forces of a body at rest: the upper neck carries the head."""
    neck = result.injury()["neck compression"]
    assert neck.value > 30.0  # N, the weight of the head


def test_a_saved_run_is_assessed_alike(result: Result, tmp_path) -> None:
    assert load(result.save(tmp_path / "result.nc")).injury() == result.injury()


def test_two_people_are_kept_apart() -> None:
    both = channels(anna__head__acceleration=along(0, 500.0 * PULSE), ben__head__acceleration=along(0, 900.0 * PULSE))
    found = assess(both)
    assert {f.place for f in found.findings} == {"anna.head", "ben.head"}
    assert found["HIC15"].place == "ben.head"  # the larger one
    assert found["HIC15, anna.head"].value < found["HIC15, ben.head"].value
    people = {
        "anna.": subject_of_person(Participant("anna", "female", 8.0, 1.28, 26.0)),
        "ben.": subject_of_size("95M"),
    }
    apart = assess(both, people=people)  # item 14: each has its own limits
    assert apart["HIC15, anna.head"].limit_missing == "no limit known for a child of 8"
    assert (apart["HIC15, ben.head"].limit, apart["HIC15, ben.head"].size) == (700.0, "95M")
    assert apart.notes[0].startswith("anna: No dummy of the tables")


def test_verdicts_in_words() -> None:
    heavy = assess(channels(head__acceleration=along(0, 150.0 * STANDARD_GRAVITY * PULSE)), simulated=True)
    assert heavy["HIC15"].exceeded
    assert heavy["HIC15"].verdict.endswith("times the limit (Hybrid III 50M, 5F)")
    assert "above their limits: HIC15" in heavy.verdict
    light = assess(channels(head__acceleration=along(0, 10.0 * STANDARD_GRAVITY * PULSE)))
    assert light.verdict == "None of 4 values is above its limit."
    assert light["HIC15"].standing == ""
    neck = assess(
        channels(upper_neck__force=along(2, 9000.0 * PULSE), occipital_condyles__moment=along(1, PULSE)), simulated=True
    )
    assert "not recommended for this model: a neck of one segment" in neck["Nij"].verdict
    assert neck.verdict == "No criterion with a limit could be computed."  # none that may be used


def test_limits_follow_the_size() -> None:
    force = channels(upper_neck__force=along(2, 3000.0 * PULSE))
    assert not assess(force)["neck tension"].exceeded
    small = assess(force, size="5F")["neck tension"]
    assert small.exceeded
    assert small.limit_population == "Hybrid III 5F"
    assert small.risks[0].population.startswith("Hybrid III 5F")
    with pytest.raises(InputError, match="accepted: 5F, 50M, 95M, 12M, 3YO, 6YO, 10YO, "):
        assess(force, size="50F")
    large = assess(force, size="95M")["neck tension"]  # the limit of the 50M is not that of the 95M
    assert (large.limit, large.limit_missing, large.risks) == (None, "no limit known for the 95M", ())


@pytest.mark.parametrize("size", limits.sizes())
def test_every_size_of_the_tables_is_accepted(size: str) -> None:
    """Item 14: a criterion whose constants are not known for the size is listed with the reason, not computed."""
    found = assess(
        channels(
            head__acceleration=along(0, 500.0 * PULSE),
            head__angular_velocity=along(1, 20.0 * PULSE),
            upper_neck__force=along(2, 900.0 * PULSE),
            occipital_condyles__moment=along(1, 20.0 * PULSE),
            thorax__deflection=0.03 * PULSE,
            left_tibia_upper__force=along(2, -900.0 * PULSE),
            left_tibia_upper__moment=along(1, 50.0 * PULSE),
        ),
        size=size,
    )
    for name in ("Nij", "VC", "TI", "BrIC"):
        reason = dict(found.missing).get(name)
        assert (name in found) != (reason == f"no constants known for the {size}"), name


def test_children_get_no_values_of_adults() -> None:
    """Item 14: by hand from the tables; no limit, risk or constant of an adult reaches a child."""
    made = {
        "head__acceleration": along(0, 500.0 * PULSE),
        "head__angular_velocity": along(1, 20.0 * PULSE),
        "upper_neck__force": along(2, 1400.0 * PULSE),
        "occipital_condyles__moment": along(1, 46.5 * PULSE),
        "left_tibia_upper__force": along(2, -900.0 * PULSE),
        "left_tibia_upper__moment": along(1, 50.0 * PULSE),
    }
    six = assess(channels(**made), size="6YO")
    assert six["Nij"].value == pytest.approx(1400.0 / 2800.0 + 46.5 / 93.0, rel=1e-2)
    assert (six["Nij"].limit_population, six["HIC15"].limit, six["neck tension"].limit) == ("Hybrid III 6YO", 700, 1490)
    assert all(finding.risks == () for finding in six.findings)
    assert six["SI"].limit_missing == "no limit known for the 6YO"
    assert assess(channels(**made), size="3YO")["BrIC"].value == pytest.approx(20.0 / 43.8, rel=1e-2)
    eight = assess(channels(**made), people={"": subject_of_person(Participant("human", "male", 8.0, 1.28, 26.0))})
    assert eight["HIC15"].verdict == "no limit known for a child of 8"
    assert eight.verdict == "No limit known for a child of 8."
    assert dict(eight.missing)["TI"] == dict(eight.missing)["Nij"] == "no constants known for a child of 8"
    assert any("No limit known for a child of 8: HIC15, HIC36" in line for line in eight.remarks)


def test_the_table_names_the_population_of_limits_and_risks() -> None:
    """Item 14: in both widths, by letters that are explained below."""
    found = assess(channels(head__acceleration=along(0, 900.0 * PULSE)))
    from rich.console import Console

    for wide in (True, False):
        out = io.StringIO()
        Console(file=out, width=200).print(found.table(wide=wide))
        letters = dict(re.findall(r"\((\w)\) ([^;.]+)", " ".join(out.getvalue().partition("Populations:")[2].split())))
        line = next(line for line in out.getvalue().splitlines() if "HIC15" in line)
        limit, risk = re.findall(r"\((\w)\)", line)
        assert (letters[limit], letters[risk]) == ("Hybrid III 50M, 5F", "Hybrid III 50M and 5F, US NCAP")


def test_the_age_enters_a_risk_whose_curve_has_it() -> None:
    """Item 14: the curve of chest deflection, by hand; others do not change."""
    chest = channels(thorax__deflection=0.05 * PULSE, head__acceleration=along(0, 500.0 * PULSE))
    for age in (None, 35.0, 70.0):
        found = assess(chest, size="50M", age=age)
        deflection = found["chest deflection"]
        exponent = 10.5456 - 0.05861 * ((age or 35.0) - 35.0) - 1.568 * deflection.value**0.4612
        assert deflection.risks[0].probability == pytest.approx(1.0 / (1.0 + np.exp(exponent)), rel=1e-12)
        assert deflection.risks[0].population.endswith(f"at {age or 35.0:g} years")
        assert found["HIC15"].risks == assess(chest, size="50M")["HIC15"].risks


def test_the_people_of_a_run_choose_their_limits(tmp_path) -> None:
    """Item 14: assessment, saved file and pedestrian outcome of a 5F agree with the 5F chosen by hand."""
    changes = {"human.preset": "5F", "solver.duration": 0.04}
    run = Scenario.load("pedestrian-side-left", changes).run()
    own, five, fifty = run.injury(), run.injury(size="5F"), run.injury(size="50M")
    assert own.size == "5F" and own.findings == five.findings
    assert own["TI"].value > 1.5 * fifty["TI"].value
    assert own["femur force"].limit == 6805.0
    assert load(run.save(tmp_path / "result.nc")).injury() == own
    assert max(pedestrian_outcome(run).tibias.values()) == own["TI"].value
    assert "the 5F, the nearest dummy to a woman of 1.50 m and 49 kg" in own.notes[0]


@pytest.mark.parametrize(
    ("sex", "age", "height", "mass", "size"),
    [
        ("male", None, 1.7526, 78.15, "50M"),
        ("female", 35.0, 1.5011, 48.99, "5F"),
        ("male", 40.0, 1.90, 105.0, "95M"),
        ("female", 70.0, 1.60, 73.0, "50M"),
        ("female", 30.0, 1.62, 55.0, "5F"),
        ("male", 18.0, 1.76, 70.0, "50M"),
        ("male", 2.0, 0.87, 12.5, "12M"),
        ("female", 4.0, 1.01, 16.0, "3YO"),
        ("male", 4.5, 1.05, 17.0, ""),
        ("male", 6.0, 1.15, 21.0, "6YO"),
        ("female", 8.0, 1.28, 26.0, ""),
        ("male", 11.0, 1.43, 36.0, "10YO"),
        ("male", 17.9, 1.76, 68.0, ""),
    ],
)
def test_the_size_of_a_person(sex: str, age: float | None, height: float, mass: float, size: str) -> None:
    """Item 14: adults by stature and mass, children by age, nobody between the children's dummies."""
    found = subject_of_person(Participant("human", sex, age, height, mass))
    assert (found.size, found.age) == (size, age)
    assert "no limit known" in found.reason if not size else f"the {size}" in found.reason


def test_the_moment_of_a_load_cell_is_moved_to_the_condyles() -> None:
    """Item 15: Nij of measured data, by hand; a run, whose joint is at the condyles, needs no lever."""
    my, fx, fz = 40.0 * PULSE, -800.0 * PULSE, 1500.0 * PULSE
    force = np.column_stack([fx, 0.0 * PULSE, fz])
    for size, lever, flexion, tension in (("50M", 0.01778, 310.0, 6806.0), ("12M", 0.005842, 43.0, 1460.0)):
        cell = Channels({"upper_neck.force": Record("upper_neck.force", TIME, force, 600.0)})
        cell.records["upper_neck.moment"] = Record("upper_neck.moment", TIME, along(1, my), 600.0)
        found = assess(cell, size=size)["Nij"]
        assert found.value == pytest.approx(1500.0 / tension + (40.0 + lever * 800.0) / flexion, rel=1e-6)
        assert f"moved {1e3 * lever:g} mm from the load cell" in found.filter
        there = replace(cell, records={"upper_neck.force": cell.records["upper_neck.force"]}, _done={})
        there.records["occipital_condyles.moment"] = Record("occipital_condyles.moment", TIME, along(1, my), 600.0)
        assert assess(there, size=size)["Nij"].value == pytest.approx(1500.0 / tension + 40.0 / flexion, rel=1e-6)
    alone = channels(upper_neck__moment=along(1, my))
    alone.records["upper_neck.force.z"] = Record("upper_neck.force.z", TIME, fz)
    found = assess(alone)
    assert "upper_neck.force.x is missing" in dict(found.missing)["Nij"]
    assert any(line.startswith("Nij is not computed: upper_neck.force.x") for line in found.remarks)
    unknown = channels(upper_neck__moment=along(1, my), upper_neck__force=force)
    assert (
        "no lever of the upper neck load cell known for the THOR 50M"
        in dict(assess(unknown, size="THOR 50M").missing)["Nij"]
    )


def test_channels_of_different_times_are_combined_where_both_are() -> None:
    """Item 16: force and moment that are late by 20 ms and twice as fast meet at the right instants, with a note."""
    fast = 0.02 + np.arange(6001) * 5e-5
    moment = np.interp(fast, TIME, 40.0 * PULSE)
    both = Channels({"upper_neck.force.z": Record("upper_neck.force.z", TIME, 1500.0 * PULSE, 600.0)})
    both.records["occipital_condyles.moment.y"] = Record("occipital_condyles.moment.y", fast, moment, 600.0)
    found = assess(both)
    assert found["Nij"].value == pytest.approx(1500.0 / 6806.0 + 40.0 / 310.0, rel=1e-6)
    assert any("have different time bases; all were interpolated linearly at 20000 Hz" in note for note in found.notes)
    apart = Record("occipital_condyles.moment.y", TIME + 1.0, 40.0 * PULSE, 600.0)
    both = Channels({"upper_neck.force.z": both.records["upper_neck.force.z"], apart.name: apart})
    assert "do not overlap in time" in dict(assess(both).missing)["Nij"]


def test_only_some_criteria() -> None:
    found = assess(channels(head__acceleration=along(0, PULSE)), only=("SI",))
    assert [f.criterion for f in found.findings] == ["SI"]
    with pytest.raises(InputError, match='Did you mean "HIC15"'):
        assess(channels(head__acceleration=along(0, PULSE)), only=("HIC 15",))
    with pytest.raises(InputError, match="no criterion 'BrIC' in this assessment \\(there is no channel"):
        assess(channels(head__acceleration=along(0, PULSE)))["BrIC"]


def test_a_resultant_alone_is_enough_for_hic() -> None:
    record = Record("head.acceleration.r", TIME, 800.0 * PULSE)
    found = assess(Channels({"head.acceleration.r": record}))
    whole = assess(channels(head__acceleration=along(0, 800.0 * PULSE)))
    assert found["HIC15"].value == pytest.approx(whole["HIC15"].value, rel=1e-3)
    assert "HIP" not in found


def test_angular_acceleration_is_made_from_the_velocity() -> None:
    spin = channels(head__angular_velocity=along(1, 30.0 * PULSE))
    found = assess(spin)
    assert found["DAMAGE"].filter == "CFC 180, from the angular velocity"
    alpha = np.gradient(30.0 * PULSE, TIME)
    both = channels(head__angular_velocity=along(1, 30.0 * PULSE), head__angular_acceleration=along(1, alpha))
    assert found["DAMAGE"].value == pytest.approx(assess(both)["DAMAGE"].value, rel=1e-3)


def test_filter_classes_that_are_there_are_not_applied_again() -> None:
    samples = along(0, 800.0 * PULSE)
    done = Channels({"head.acceleration": Record("head.acceleration", TIME, samples, 1000.0)})
    found = assess(done)["HIC15"]
    assert found.filter == "CFC 1000 as recorded"
    assert found.value == pytest.approx(hic(TIME, samples / STANDARD_GRAVITY).value)


def test_slow_and_uneven_records_say_so() -> None:
    slow = Channels({"upper_neck.force": Record("upper_neck.force", TIME[::10], along(2, 900.0 * PULSE[::10]))})
    assert assess(slow)["neck tension"].filter == "unfiltered: 1000 Hz, CFC 1000 wants 10000 Hz"
    uneven = TIME + 4e-5 * np.sin(np.arange(3001))
    found = assess(Channels({"head.acceleration": Record("head.acceleration", uneven, along(0, 800.0 * PULSE))}))
    assert any("head.acceleration: uneven times, resampled" in note for note in found.notes)
    half = Channels({"head.acceleration": Record("head.acceleration", TIME[::2], along(0, 800.0 * PULSE[::2]))})
    words = "CFC 1000 at 5000 Hz, which is too slow for it"
    assert any(words in line for line in assess(half).remarks)  # item 16: not in the JSON alone


def test_the_table_of_a_run_fits_80_columns_uncut(result: Result) -> None:
    """A run has the same criterion at several places, whose names are long."""
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=80).print(result.injury().table(wide=False))
    text = out.getvalue()
    assert "…" not in text and "femur force" in text and "right femur" in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines())


def test_json_csv_and_table(tmp_path) -> None:
    found: Assessment = assess(channels(head__acceleration=along(0, 900.0 * PULSE)), title="A test", simulated=True)
    read = json.loads(found.to_json(tmp_path / "a.json"))
    assert read["findings"][0]["value"] == found.findings[0].value
    assert read["findings"][0]["risks"][0]["population"]
    assert json.loads((tmp_path / "a.json").read_text()) == read
    rows = list(csv.DictReader(io.StringIO(found.to_csv(tmp_path / "a.csv"))))
    assert [row["criterion"] for row in rows] == [f.criterion for f in found.findings]
    assert float(rows[0]["value"]) == found.findings[0].value
    from rich.console import Console

    for wide, width in ((True, 140), (False, 80)):
        out = io.StringIO()
        Console(file=out, width=width).print(found.table(wide=wide))
        assert "HIC15" in out.getvalue() and "…" not in out.getvalue()
    with pytest.raises(InputError, match="cannot be written"):
        found.to_csv(tmp_path / "none" / "a.csv")


def test_a_run_that_broke_off_is_assessed_up_to_there(result: Result) -> None:
    broken = result.recording.sensor_acceleration_local.copy()
    broken[500:] = np.nan
    cut = Result(result.recording.replace(sensor_acceleration_local=broken), geometry=result.geometry)
    assert cut.injury(only=("HIC15",))["HIC15"].t2 <= result.recording.time[499]


def test_vehicle_criteria() -> None:
    brake = -20.0 * STANDARD_GRAVITY * (TIME < 0.08)
    speed = 15.0 + np.concatenate([[0.0], np.cumsum(0.5 * (brake[1:] + brake[:-1]) * 1e-4)])
    found = assess(
        channels(
            vehicle__acceleration=along(0, brake),
            vehicle__angular_velocity=along(2, np.zeros(3001)),
            vehicle__velocity=along(0, speed),
        )
    )
    assert {"ASI", "THIV", "PHD", "OLC"} <= {f.criterion for f in found.findings}
    assert found["THIV"].unit == "km/h"


def test_it_is_short_in_a_notebook_and_a_table_when_printed() -> None:
    made = assess(channels(head__acceleration=along(0, 100.0 * STANDARD_GRAVITY * PULSE)), title="sled 7")
    assert repr(made).startswith("<Assessment of sled 7: 5 values. ")
    printed = str(made).splitlines()
    assert any(line.split()[:2] == ["HIC15", f"{made['HIC15'].value:.0f}"] for line in printed)
    assert made.verdict in printed
    assert printed[-1].startswith("Note: Limits, intercepts and risk curves are those of the 50M, because")


def test_what_is_missing_of_one_person_or_place_is_listed() -> None:
    """Item 16: a criterion that another person or place has does not hide that it could not be computed here."""
    both = channels(anna__head__acceleration=along(0, 500.0 * PULSE), left_femur__force=along(2, -900.0 * PULSE))
    both.records["ben.head.acceleration.x"] = Record("ben.head.acceleration.x", TIME, 500.0 * PULSE)
    both.records["right_femur.force.z"] = Record("right_femur.force.z", TIME[:1], PULSE[:1])
    found = assess(both)
    assert dict(found.missing)["HIC15, ben"].startswith("head.acceleration has x only")
    assert dict(found.missing)["femur force, right_femur"] == "right_femur.force.z has a single sample"
    assert "HIC15" in found and "femur force" in found and "HIC15" not in dict(found.missing)

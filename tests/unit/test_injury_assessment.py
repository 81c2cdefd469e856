"""The assessment of a run: what it computes, filters, leaves out and says; as table, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.injury import hic
from vitruvian.injury.assessment import Assessment, assess
from vitruvian.injury.channels import Channels, Record
from vitruvian.scenario import Scenario
from vitruvian.sim.result import HEAD_CRITERIA, Result, load
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
    assert (head.place, head.filter, head.standing, head.limit) == ("head", "CFC 1000", "plausible", 700.0)
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


def test_verdicts_in_words() -> None:
    heavy = assess(channels(head__acceleration=along(0, 150.0 * STANDARD_GRAVITY * PULSE)), simulated=True)
    assert heavy["HIC15"].exceeded
    assert heavy["HIC15"].verdict.endswith("times the limit (Hybrid III 50M, 5F)")
    assert "above their limits: HIC15" in heavy.verdict
    light = assess(channels(head__acceleration=along(0, 10.0 * STANDARD_GRAVITY * PULSE)))
    assert light.verdict == "None of 4 values is above its limit."
    assert light["HIC15"].standing == ""
    neck = assess(
        channels(upper_neck__force=along(2, 9000.0 * PULSE), upper_neck__moment=along(1, PULSE)), simulated=True
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
    with pytest.raises(InputError, match="accepted: 50M, 5F, 95M"):
        assess(force, size="50F")


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
    assert "head.acceleration: uneven times, resampled" in found.notes[0]


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
    from dataclasses import replace

    broken = result.recording.sensor_acceleration_local.copy()
    broken[500:] = np.nan
    cut = Result(replace(result.recording, sensor_acceleration_local=broken), geometry=result.geometry)
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
    assert printed[-1] == made.verdict

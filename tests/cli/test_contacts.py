"""The contact audit on the command line and in Python."""

import csv
import json

import pytest
from typer.testing import CliRunner

from vitruvian.cli.app import app
from vitruvian.scenario import Scenario

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    """A bouncing ball: the scenario's result in a folder."""
    folder = tmp_path_factory.mktemp("ball")
    result = Scenario.load("bouncing-ball").run()
    result.save(folder / "result.nc")
    return folder, result


def test_the_account_is_that_of_the_energy_audit(ball):
    _, result = ball
    (row,) = result.contacts()
    assert row.order == 1 and row.touches >= 1
    assert row.dissipated == pytest.approx(-result.recording.work[-1, 2], rel=1e-9)
    assert row.friction == pytest.approx(-result.recording.work[-1, 3], abs=1e-9)
    first = next(event for event in result.recording.events if event.kind == "touch")
    assert row.time == pytest.approx(first.time, abs=2e-5)
    assert row.depth == pytest.approx(result.recording.contact_depth.max(), rel=0.05)


def test_impulse_is_the_change_of_momentum(ball):
    _, result = ball
    (row,) = result.contacts()
    run = result.recording
    mass = result.geometry.body_mass[0]
    change = mass * (run.velocity[-1, 0] - run.velocity[0, 0])
    weight = mass * 9.80665 * run.end_time
    assert row.impulse[2] == pytest.approx(change[2] + weight, rel=1e-6)


def test_table_csv_and_json(ball, tmp_path):
    folder, _ = ball
    wide = {"COLUMNS": "200"}
    shown = CliRunner().invoke(app, ["contacts", str(folder), "--csv", str(tmp_path / "touch.csv")], env=wide)
    assert shown.exit_code == 0 and "peak force" in shown.output
    (row,) = csv.DictReader((tmp_path / "touch.csv").open())
    assert float(row["impulse_z"]) > 0.0
    printed = CliRunner().invoke(app, ["contacts", str(folder / "result.nc"), "--json"])
    assert json.loads(printed.output)["contacts"][0]["order"] == 1


def test_no_such_result():
    assert CliRunner().invoke(app, ["contacts", "nowhere.nc"]).exit_code != 0


def test_compression_is_that_of_the_notes_of_the_run(tmp_path):
    """`contacts` printed a share of the half-width, above 1 for layered tissue."""
    from vitruvian.sim.plausibility import compression
    from vitruvian.sim.result import load

    scenario = Scenario.load("fall-ladder-3m")
    result = scenario.run()
    squeezed = compression(result.recording.sound(), scenario.build()[0])
    rows = result.contacts()
    for body in {row.body for row in rows}:
        assert max(row.share for row in rows if row.body == body) == pytest.approx(squeezed[body], rel=1e-12), body
    assert all(0.0 <= row.share <= 1.0 for row in rows)
    result.save(tmp_path / "result.nc")
    assert [row.share for row in load(tmp_path / "result.nc").contacts()] == [row.share for row in rows]

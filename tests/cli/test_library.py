"""The ready scenarios do what their descriptions say."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from vitruvian.errors import SimulationError
from vitruvian.scenario import Scenario, library

pytestmark = pytest.mark.needs_jit


def test_the_ball_bounces_to_0_64_of_its_height() -> None:
    """Restitution 0.8, so 0.64 in height; gravity during the 3 ms of contact takes up to a percent."""
    result = Scenario.load("bouncing-ball").run()
    height = result["ball.position"].sel(axis="z").values - 0.12
    tops = height[1:-1][(height[1:-1] > height[:-2]) & (height[1:-1] >= height[2:])]
    assert np.array([1.0, *tops[:2]])[1:] / np.array([1.0, *tops[:1]]) == pytest.approx(0.64, rel=0.02)


def test_the_pendulum_swings_with_its_period() -> None:
    """Elliptic integral for a ball of radius 6 cm on a rod of 1 m at 60 degrees: 2.15479 s."""
    from scipy.special import ellipk

    result = Scenario.load("pendulum").run()
    time, angle = result.recording.pose_time, result["hinge.joint_rotation"].values[:, 0]
    down = np.nonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))[0]
    crossings = time[down] - angle[down] * (time[down + 1] - time[down]) / (angle[down + 1] - angle[down])
    period = 4.0 * np.sqrt((1.0 + 0.4 * 0.06**2) / 9.80665) * ellipk(np.sin(np.radians(30.0)) ** 2)
    assert np.diff(crossings) == pytest.approx(period, rel=1e-6)
    assert result.recording.balance_error < 1e-6


def test_the_double_pendulum_keeps_its_energy() -> None:
    assert Scenario.load("double-pendulum").run().recording.balance_error < 1e-6


def test_the_block_stops_where_friction_says() -> None:
    """v2 / (2 mu g) = 1.1472 m."""
    result = Scenario.load("sliding-block").run()
    assert float(result["block.position"].sel(axis="x")[-1]) == pytest.approx(9.0 / (2.0 * 0.4 * 9.80665), rel=2e-3)
    assert abs(float(result["block.velocity"].sel(axis="x")[-1])) < 1e-6


@pytest.mark.parametrize(("name", "first"), [("fall-4m", "foot"), ("fall-1cm", "foot"), ("slip", "foot")])
def test_people_land_on_their_feet_and_energy_is_accounted_for(name: str, first: str) -> None:
    result = Scenario.load(name).run()
    summary = result.summary()
    assert first in summary["first_contacts"][0]["body"]
    assert "head" in [contact["body"] for contact in summary["first_contacts"]]
    assert summary["balance_error"] < 1e-3
    assert summary["peaks"]["head"]["HIC36"]["value"] >= summary["peaks"]["head"]["HIC15"]["value"] > 0.0


FALLS = [name for name in library() if name.startswith(("fall-", "wall-", "illustrative-"))]


@pytest.mark.parametrize("name", FALLS)
def test_falls_run_to_their_end_and_account_for_their_energy(name: str) -> None:
    scenario = Scenario.load(name)
    assert len(scenario.description.split()) >= 30, "a paragraph on what happens"
    result = scenario.run()
    assert result.recording.end_time == scenario.table.solver.duration
    assert result.recording.balance_error < 1e-3


@pytest.mark.parametrize("name", [name for name in FALLS if name.endswith("-friction")])
def test_frictional_twins_differ_in_friction_only(name: str) -> None:
    scenarios = [Scenario.load(word) for word in (name, name.removesuffix("-friction"))]
    held, sliding = (scenario.build()[0].surfaces[0] for scenario in scenarios)
    assert (held.contact.friction, sliding.contact.friction) == (0.6, 0.0)
    assert replace(held, contact=replace(held.contact, friction=0.0)) == sliding
    one, other = (scenario.resolved() for scenario in scenarios)
    same = ("human", "solver", "output", "gravity")
    assert {key: one[key] for key in same} == {key: other[key] for key in same}


@pytest.mark.parametrize("name", [name for name in FALLS if name.endswith("-frontal")])
def test_frontal_twins_differ_in_heading_only(name: str) -> None:
    one, other = (Scenario.load(word).resolved() for word in (name, name.removesuffix("-frontal")))
    assert one["human"]["start"].pop("heading") == pytest.approx(np.pi)
    assert other["human"]["start"].pop("heading") == pytest.approx(-np.pi / 2)
    same = ("human", "surface", "solver", "output", "gravity")
    assert {key: one[key] for key in same} == {key: other[key] for key in same}


@pytest.mark.parametrize("angle", [20, 45, 70])
def test_falls_onto_slopes_are_falls_of_4_m(angle: int) -> None:
    """The nearest point meets the plane after sqrt(2 h / g), h = 4 m along the vertical."""
    first = Scenario.load(f"fall-incline-{angle}", {"human.joints": "none"}).run().summary()["first_contacts"][0]
    assert first["time"] == pytest.approx(np.sqrt(8.0 / 9.80665), rel=1e-4)
    speed = np.sqrt(2.0 * 9.80665 * 4.0) * np.cos(np.radians(angle))
    assert first["speed"] == pytest.approx(speed, rel=1e-3)


@pytest.mark.parametrize(("name", "side"), [("wall-70-5ms", "right"), ("fall-standing-sideways", "right")])
def test_sideways_hits_meet_the_right_side_first(name: str, side: str) -> None:
    contacts = [row["body"] for row in Scenario.load(name).run().summary()["first_contacts"]]
    sided = [body for body in contacts if body.startswith(("left_", "right_")) and "foot" not in body]
    assert sided[0].startswith(f"{side}_")
    assert f"{side}_thigh" in sided
    assert "left_thigh" not in sided or sided.index(f"{side}_thigh") < sided.index("left_thigh")


def test_a_person_without_friction_on_a_slope_keeps_the_momentum_along_it() -> None:
    """Only gravity acts along a plane without friction: down the slope at g sin(20 deg), whatever strikes."""
    result = Scenario.load("fall-incline-20").run()
    masses = result.geometry.body_mass
    velocity = np.tensordot(result.recording.velocity, masses, axes=(1, 0)) / masses.sum()
    down = np.array([np.cos(np.radians(20.0)), 0.0, -np.sin(np.radians(20.0))])
    expected = 9.80665 * np.sin(np.radians(20.0)) * result.recording.pose_time
    np.testing.assert_allclose(velocity @ down, expected, atol=2e-3)
    np.testing.assert_allclose(velocity[:, 1], 0.0, atol=2e-3)


def test_stairs_are_met_on_the_way_down() -> None:
    """Feet, hands and head meet the steps, and no segment sinks below the line through their inner corners."""
    result = Scenario.load("fall-stairs").run()
    contacts = [row["body"] for row in result.summary()["first_contacts"] if row["surface"].startswith("stairs")]
    assert "foot" in contacts[0] and "head" in contacts
    assert any("hand" in body for body in contacts[: contacts.index("head")])
    x, z = result.recording.position[..., 0], result.recording.position[..., 2]
    assert (z > -0.17 * np.maximum(x / 0.28 + 1.0, 0.0)).all()
    assert x[-1].max() > 1.0  # [m], some steps further down


@pytest.mark.parametrize("floor", ["wood-floor", "gym-mat", "concrete"])
def test_a_child_that_rolls_off_a_bed_meets_the_floor_with_the_legs_first(floor: str) -> None:
    """As the dummy of three years of Bertocci et al. (2003), whose head injury criterion was below the limits, lowest
    on foam. The head meets the floor slower than a free fall from the bed would bring it down, sqrt(2 g 0.68 m)."""
    result = Scenario.load("fall-bed-child", {"surface.floor.contact": floor}).run()
    summary = result.summary()
    met = {row["body"]: row["speed"] for row in reversed(summary["first_contacts"]) if row["surface"] == "floor"}
    order = [row["body"] for row in summary["first_contacts"] if row["surface"] == "floor"]
    assert "foot" in order[0]
    assert order.index("pelvis") < order.index("head")
    assert 0.5 < met["head"] < np.sqrt(2.0 * 9.80665 * 0.68)
    hic = summary["peaks"]["head"]["HIC15"]["value"]
    assert hic < 570.0  # the limit of the dummy of three years
    assert (hic < 50.0) == (floor == "gym-mat")


def test_a_run_that_does_not_end_well_raises_and_keeps_the_result() -> None:
    with pytest.raises(SimulationError, match=r"solver\.max_steps") as caught:
        Scenario.load("bouncing-ball", {"solver.max_steps": 10}).run()
    assert caught.value.result.status == "too_many_steps"  # type: ignore[attr-defined]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is asked every 11 steps whether it is to stop, however fast the machine."""
    module = import_module("vitruvian.sim.simulate")
    ticks = iter(range(10**9))
    monkeypatch.setattr(module, "CHUNK", 11)
    monkeypatch.setattr(module, "clock", SimpleNamespace(perf_counter=lambda: float(next(ticks))))


def test_a_run_can_be_cancelled_and_go_on(impatient: None) -> None:
    scenario = Scenario.load(
        "double-pendulum", {"solver.duration": 100.0, "output.rate": 10.0, "output.pose_rate": 10.0}
    )
    cancelled = scenario.run(lambda now, end: True, check=False)
    assert cancelled.status == "cancelled"
    assert 0.0 < cancelled.recording.end_time < 100.0
    assert scenario.run(resume=cancelled).recording.end_time == 100.0


def test_a_landing_cancelled_in_the_middle_loses_neither_energy_nor_samples(impatient: None) -> None:
    """The step on trial when the run is cancelled is settled first, and both parts have one row of sampling times."""
    start = {"human.start.clearance": 0.01, "human.start.velocity": [0, 0, -3.1]}
    scenario = Scenario.load("fall-4m", start | {"solver.duration": "0.08 s"})
    cancelled = scenario.run(lambda now, end: now > 0.009, check=False)
    assert cancelled.status == "cancelled"
    assert sum(abs(cancelled.recording.contact_force[-1, :, 2])) > 5e3  # in the middle of the landing [N]
    both, whole = scenario.run(resume=cancelled).recording, scenario.run().recording
    assert both.balance_error < 1e-4
    np.testing.assert_array_equal(both.time, whole.time)
    np.testing.assert_array_equal(both.pose_time, whole.pose_time)
    peaks = [abs(run.sensor_acceleration).max() for run in (both, whole)]
    assert peaks[0] == pytest.approx(peaks[1], rel=0.01)


def test_a_run_stopped_by_a_touch_goes_on_with_even_samples() -> None:
    scenario = Scenario.load("bouncing-ball", {"solver.duration": "1 s"})
    stopped = scenario.replace({"solver.stop": "ball contact"}).run()
    assert stopped.status == "contact_stop"
    both, whole = scenario.run(resume=stopped).recording, scenario.run().recording
    np.testing.assert_array_equal(both.time, whole.time)
    np.testing.assert_array_equal(both.pose_time, whole.pose_time)
    speeds = [run.sensor_acceleration[:, 0, 2].cumsum() / 10_000.0 for run in (both, whole)]  # from the samples [m/s]
    np.testing.assert_allclose(*speeds, rtol=0, atol=0.01)

"""Load cells: joint loads at the rate of the sensors are exact means, in world axes and in those of SAE J1733."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.injury.channels import from_result
from vitruvian.model import Body, Joint, Load, Sensor, System, Table
from vitruvian.signals import cfc
from vitruvian.sim.channel import to_body_axes
from vitruvian.sim.join import join
from vitruvian.sim.load_cell import cell, loads
from vitruvian.sim.result import Result, load
from vitruvian.sim.simulate import simulate

G = np.array([0.0, 0.0, -9.80665])
ARMS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "hand"))
UPPER = ("lumbar_link", "abdomen", "thorax", "neck", "head", *ARMS)
LANDING = {"human.start.clearance": "1 cm", "human.start.velocity": [0, 0, -2], "human.posture": "standing"}
STEP = 1e-4  # longest step of the landing, that between two samples [s]


@pytest.fixture(scope="module")
def landing():
    """A man who lands on his feet at 2 m/s, with a sensor at the centre of mass of every body above the pelvis."""
    scenario = Scenario.load("fall-4m", LANDING)
    system, start = scenario.build()
    held = {sensor.name for sensor in system.sensors if sensor.name == sensor.body}
    system = system.replace(sensors=system.sensors + tuple(Sensor(name, name) for name in UPPER if name not in held))
    return system, simulate(system, start, duration=0.3, contact_step=STEP)


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    ("joint", "distal"),
    [("upper_neck", ("head",)), ("lower_neck", ("neck", "head")), ("lumbar", UPPER)],
)
def test_section_force_is_the_mass_times_acceleration_of_what_it_carries(landing, joint, distal):
    """Item 18: Newton's second law for the segments beyond a section, at every sample of the full rate."""
    system, run = landing
    touched = [event.time for event in run.events if event.body in UPPER]
    free = run.time < min(touched, default=np.inf) - 1e-3
    wanted = np.zeros((len(run.time), 3))
    for name in distal:
        wanted += system.body(name).mass * (run.sensor_acceleration[:, run.sensors.index(name)] - G)
    got = run.joint_force_world[:, run.load_cells.index(joint)]
    peak = np.linalg.norm(wanted[free], axis=1).max()
    assert peak > 3.0 * sum(system.body(name).mass for name in distal) * 9.8  # the impact of the feet is felt
    off = (got - wanted)[free]
    # the line inside a step is found for each number on its own: of a sum of several bodies it is another one
    assert abs(off).max() < (1e-6 if len(distal) == 1 else 1e-3) * peak
    assert abs(off.cumsum(axis=0)).max() < 1e-6 * np.linalg.norm(wanted[free], axis=1).sum()  # the impulse is not


@pytest.mark.needs_jit
def test_section_moment_follows_from_eulers_equation():
    """Item 18: I alpha + w x I w = M + (p - c) x F in the axes of the head, from the sensor of the head alone.

    The mean of a product is not the product of the means; what differs vanishes with the step.
    """
    system, start = Scenario.load("pedestrian-side-left").build()
    run = simulate(system, start, duration=0.12, contact_step=5e-5)
    wanted, got = _moments(run, system, "head", "upper_neck")
    touched = [event.time for event in run.events if event.body in ("head", "neck")]
    free = run.time < min([run.end_time, *touched]) - 1e-3
    peak = abs(wanted[free]).max()
    assert peak > 5.0  # [N m]
    assert abs(got - wanted)[free].max() < 2e-4 * peak


@pytest.mark.needs_jit
def test_section_moment_counts_muscles_that_cross_two_joints():
    """The same of a foot in flight: passive muscles across knee and ankle belong to the moment of the ankle."""
    system, start = Scenario.load("fall-4m", {"human.posture": "walking"}).build()
    assert {"left_knee", "left_ankle"} in ({tendon.joint, tendon.other} for tendon in system.tendons)
    run = simulate(system.replace(sensors=(Sensor("left_foot", "left_foot"),)), start, duration=0.1, max_step=2e-4)
    wanted, got = _moments(run, system, "left_foot", "left_ankle")
    assert abs(wanted).max() > 2.0  # [N m]
    assert abs(got - wanted)[5:].max() < 2e-5 * abs(wanted).max()


def _moments(run, system, name, at):
    """Return the moment of a joint on the last body of a chain by Euler's equation, and the recorded one [N m]."""
    body, joint = system.body(name), system.joint(at)
    turn = run.attitude[:, run.bodies.index(name)].astype(float)
    sensor = run.sensors.index(name)
    force = body.mass * to_body_axes(turn, run.sensor_acceleration[:, sensor] - G)
    spin, alpha = run.sensor_angular_velocity_local[:, sensor], run.sensor_angular_acceleration_local[:, sensor]
    inertia = np.asarray(body.inertia, dtype=float)
    inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
    wanted = alpha @ inertia.T + np.cross(spin, spin @ inertia.T) - np.cross(np.array(joint.point_child), force)
    return wanted, to_body_axes(turn, run.joint_moment_world[:, run.load_cells.index(at)].astype(float))


@pytest.mark.needs_jit
def test_a_sample_is_the_impulse_over_its_interval_whatever_the_steps():
    """Item 18: a triangular pulse of 0.4 ms on a clamped body, sampled at 1 kHz, keeps its impulse."""
    pulse = Table((0.0, 0.0101, 0.0103, 0.0105), (0.0, 0.0, 900.0, 0.0))
    system = System(
        (Body("base", 1.0, np.ones(3)), Body("tip", 2.0, np.ones(3))),
        (Joint("root", "rigid", None, "base"), Joint("weld", "rigid", "base", "tip")),
        loads=(Load("blow", "tip", (pulse, 0.0, 0.0)),),
        gravity=(0.0, 0.0, 0.0),
    )
    for rate in (1e3, 1e4):
        run = simulate(system, duration=0.02, rate=rate, pose_rate=1e3, max_step=1e-3)
        pushed = -run.joint_force_world[:, run.load_cells.index("weld"), 0].astype(float)
        assert pushed.sum() / rate == pytest.approx(0.5 * 900.0 * 4e-4, rel=1e-6)


@pytest.mark.needs_jit
def test_attitude_is_the_orientation_at_the_rate_of_the_sensors(landing):
    _, run = landing
    same = np.isin(np.round(run.time * 1e4), np.round(run.pose_time * 1e4))
    dots = abs((run.attitude[same].astype(float) * run.orientation).sum(axis=-1))
    assert np.linalg.norm(run.attitude.astype(float), axis=-1) == pytest.approx(1.0, abs=1e-6)
    assert dots == pytest.approx(1.0, abs=1e-6)


@pytest.mark.needs_jit
def test_local_channels_are_those_of_the_sections(landing, tmp_path):
    """Item 18: `joint_force_local` turns with its segment and has the signs of J1733, in files too."""
    system, run = landing
    result = Result(run, system=system)
    again = load(result.save(tmp_path / "landing.nc"))
    records = from_result(again).records
    for joint, section in (
        ("lower_neck", "lower_neck"),
        ("lumbar", "lumbar"),
        ("left_knee", "left_tibia_upper"),
        ("left_ankle", "left_tibia_lower"),
        ("right_hip", "right_femur_upper"),
    ):
        for quantity in ("force", "moment"):
            channel = again[f"{joint}.joint_{quantity}_local"]
            assert channel.dims == ("time", "axis") and len(channel) == len(run.time)
            np.testing.assert_array_equal(channel.values, records[f"{section}.{quantity}"].samples)
    # a shank pressed between ground and thigh is in compression, in the axes of the thigh as of the shank
    struck = int(np.argmin(again["left_knee.joint_force_local"].sel(axis="z").values))
    for section in ("left_femur_lower", "left_tibia_upper", "left_tibia_lower"):
        assert records[f"{section}.force"].samples[struck, 2] < -1000.0
    world = run.joint_force_world[:, run.load_cells.index("left_wrist")].astype(float)
    turn = run.attitude[:, run.bodies.index("left_hand")].astype(float)
    local = again["left_wrist.joint_force_local"].values
    np.testing.assert_allclose(local, to_body_axes(turn, world) * [-1.0, 1.0, 1.0], atol=1e-9)
    assert cell("left_ankle").axes == "parent" and cell("hinge").sign == -1.0


@pytest.mark.needs_jit
def test_a_run_that_goes_on_has_the_loads_of_both_parts(landing):
    system, whole = landing
    _, start = Scenario.load("fall-4m", LANDING).build()
    first = simulate(system, start, duration=0.15, contact_step=STEP)
    both = join(first, simulate(system, duration=0.15, resume=first.final, contact_step=STEP))
    assert both.joint_force_world.shape == whole.joint_force_world.shape
    assert both.attitude.shape == whole.attitude.shape
    scale = abs(whole.joint_force_world).max()
    assert abs(both.joint_force_world - whole.joint_force_world).mean() < 2e-3 * scale


@pytest.mark.needs_jit
def test_a_result_without_load_cells_falls_back_to_the_poses(landing):
    """Results of earlier versions have joint loads at the rate of the poses only, and say so."""
    system, run = landing
    old = run.replace(load_cells=(), joint_force_world=np.zeros((0, 0, 3)), joint_moment_world=np.zeros((0, 0, 3)))
    found = loads(old, "left_knee")
    assert found is not None and len(found.time) == len(run.pose_time)
    finding = Result(old, system=system).injury(only=("TI",))["TI"]
    assert finding.filter.startswith("unfiltered: 1000 Hz")


@pytest.mark.needs_jit
@pytest.mark.slow
def test_tibia_index_converges_with_the_sensor_rate_and_is_filtered_by_default():
    """Item 18: a woman struck from the side. At 1 kHz without a filter one index was 21 % too high."""
    scenario = Scenario.load("pedestrian-side-left", {"human.preset": "5F", "solver.duration": "0.1 s"})
    found = {}
    for rate in (10e3, 20e3, 100e3):
        findings = scenario.replace({"output.rate": rate}).run().injury(only=("TI",)).findings
        assert {finding.filter for finding in findings} == {"CFC 600"}
        found[rate] = np.array([finding.value for finding in findings])
    assert len(found[10e3]) == 4
    assert found[20e3] == pytest.approx(found[100e3], rel=0.01)
    assert found[10e3] == pytest.approx(found[100e3], rel=0.02)


SENSOR = {
    "schema": 1,
    "body": [
        {
            "name": "ball",
            "mass": 1.0,
            "shapes": [{"kind": "sphere", "radius": 0.1}],
            "start": {"position": [0, 0, 0.15]},
        }
    ],
    "surface": [{"name": "ground", "contact": {"stiffness": "50 kN/m", "restitution": 0.5}}],
    "sensor": [
        {"name": "raw", "body": "ball"},
        {"name": "slow", "body": "ball", "filter": "CFC60"},
    ],
    "solver": {"duration": "0.2 s"},
}


@pytest.mark.needs_jit
def test_a_sensor_has_the_filter_class_of_the_scenario(tmp_path):
    """Item 18: the class is applied where a sensor is shown, judged or exported; the file keeps the raw samples."""
    result = load(Scenario(SENSOR).run().save(tmp_path / "ball.nc"))
    run = result.recording
    assert run.sensor_filters == ("none", "CFC60")
    np.testing.assert_array_equal(run.sensor_acceleration[:, 0], run.sensor_acceleration[:, 1])
    time, raw = result.accelerometer("raw")
    _, slow = result.accelerometer("slow")
    np.testing.assert_array_equal(slow, cfc(time, raw, 60.0))
    np.testing.assert_array_equal(result.accelerometer("slow", "none")[1], raw)
    np.testing.assert_array_equal(result.accelerometer("raw", "CFC60")[1], slow)
    peaks = result.summary()["peaks"]
    assert peaks["slow"]["acceleration_g"] == pytest.approx(np.linalg.norm(slow, axis=1).max() / 9.80665)
    assert peaks["slow"]["acceleration_g"] < 0.95 * peaks["raw"]["acceleration_g"]
    records = from_result(result).records
    assert records["slow.acceleration"].filter_class == 60.0 and records["raw.acceleration"].filter_class is None


def test_an_unknown_filter_class_is_refused():
    with pytest.raises(
        InputError, match=r"sensor.slow.filter is \"CFC90\"; accepted: none, CFC60, CFC180, CFC600, CFC1000"
    ):
        Scenario(SENSOR).replace({"sensor.slow.filter": "CFC90"}).build()
    with pytest.raises(
        InputError, match=r"filter is \"CFC60\", which needs 600 samples per second; output.rate is 500 Hz"
    ):
        Scenario(SENSOR).replace({"output.rate": 500.0}).build()
    with pytest.raises(InputError, match="sensor 'a': filter is 'CFC90'; accepted: none, CFC60"):
        Sensor("a", "b", filter="CFC90")

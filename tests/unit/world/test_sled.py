"""Pulses and sleds: closed forms of the motion, files, and what is refused."""

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.units import STANDARD_GRAVITY
from vitruvian.world import Barrier, Pulse, Sled, read_pulse

PEAK, LENGTH = -9.0 * STANDARD_GRAVITY, 0.074


def half_sine(time: np.ndarray) -> np.ndarray:
    """Return the displacement of a half-sine pulse [m], integrated twice by hand."""
    omega = np.pi / LENGTH
    within = np.minimum(time, LENGTH)
    moved = PEAK / omega * (within - np.sin(omega * within) / omega)
    return moved + 2.0 * PEAK / omega * np.maximum(time - LENGTH, 0.0)


def test_half_sine_is_integrated_as_by_hand():
    pulse = Pulse(shape="half-sine", peak=PEAK, duration=LENGTH)
    time = np.linspace(0.0, 0.2, 401)
    assert pulse.table().at(time) == pytest.approx(half_sine(time), abs=2e-6)
    assert pulse.table().at(np.array([LENGTH, 0.2])) == pytest.approx(half_sine(np.array([LENGTH, 0.2])), rel=1e-12)
    assert pulse.change == pytest.approx(2.0 * PEAK * LENGTH / np.pi, rel=1e-12)


@pytest.mark.parametrize(
    ("pulse", "change"),
    [
        (Pulse(shape="triangle", peak=-160.0, duration=0.18), -14.4),
        (Pulse(shape="trapezoid", peak=-240.0, duration=0.08, rise=0.02, fall=0.01), -240.0 * 0.065),
    ],
)
def test_change_of_velocity_of_straight_shapes(pulse, change):
    assert pulse.change == pytest.approx(change, rel=1e-12)


def test_velocity_and_displacement_follow_the_given_values():
    time = np.linspace(0.0, 1.0, 101)
    moved = Pulse(quantity="velocity", times=tuple(time), values=tuple(np.cos(time))).table()
    assert moved.at(time) == pytest.approx(np.sin(time), abs=1e-8)
    placed = Pulse(quantity="displacement", times=tuple(time), values=tuple(time**3)).table()
    assert placed.at(np.array([0.305])) == pytest.approx(0.305**3, abs=1e-12)


def test_file_with_units_and_samples_before_zero(tmp_path):
    path = tmp_path / "pulse.csv"
    path.write_text("time [ms],acceleration [g]\n-5,0\n0,1\n10,-20\n20,0\n")
    pulse = read_pulse(path)
    assert pulse.values[2] == pytest.approx(-20.0 * STANDARD_GRAVITY)
    assert pulse.samples()[0].tolist() == pytest.approx([0.0, 0.01, 0.02])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time [ms],acceleration [g]\n0,0\n10,1\n5,2\n", "time decreases"),
        ("time,acceleration [g]\n0,0\n1,1\n", "has no unit"),
        ("time [ms],acceleration [kg]\n0,0\n1,1\n", "kg"),
        ("time [ms],force [N]\n0,0\n1,1\n", "expected time"),
        ("time [ms],acceleration [g]\n0,x\n1,1\n", "row 2"),
        ("", "empty"),
        ("time [ms],acceleration [g]\n", "at least two"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, words):
    path = tmp_path / "pulse.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_pulse(path)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Pulse(shape="half-sine", peak=1.0), "duration"),
        (lambda: Pulse(shape="triangle", peak=1.0, duration=0.1, rise=0.2), "do not fit"),
        (lambda: Pulse(times=(0.0, 1.0), values=(1.0,)), "one for each time"),
        (lambda: Sled(mass=100.0, pulse=Pulse(shape="half-sine", peak=1.0, duration=1.0)), "give one"),
        (lambda: Sled(barrier=Barrier(((0.0, 0.0), (0.1, 1e4)))), "give its mass"),
        (lambda: Sled(mass=-1.0), "greater than zero"),
    ],
)
def test_contradictions_are_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


SCENE = """
schema = 1
gravity = 0
[sled]
{sled}
[[body]]
name = "load"
mass = 10
inertia = [1, 1, 1]
shapes = [{{ kind = "sphere", radius = 0.1 }}]
[[joint]]
name = "slide"
type = "prismatic"
parent = "sled"
child = "load"
axis = [1, 0, 0]
resistance = {{ stiffness = "20 kN/m", damping = "100 N s/m" }}
[solver]
duration = "0.1 s"
"""


def test_driven_sled_moves_as_given_and_its_work_is_audited():
    sled = 'pulse = { shape = "half-sine", peak = "-9 g", duration = "74 ms" }\nvelocity = ["15 km/h", 0, 0]'
    result = Scenario.from_toml(SCENE.format(sled=sled)).run()
    recording = result.recording
    body = recording.bodies.index("sled")
    time = recording.pose_time
    assert recording.position[:, body, 0] == pytest.approx(half_sine(time) + 15.0 / 3.6 * time, abs=2e-6)
    assert recording.balance_error < 1e-4  # with the work of the drive


def test_turned_sled_moves_along_the_axes_of_the_world():
    sled = 'orientation = [0, "30 deg", 0]\naxes = "world"\nvelocity = [0, 0, "-10 m/s"]'
    recording = Scenario.from_toml(SCENE.format(sled=sled)).run().recording
    body = recording.bodies.index("sled")
    assert recording.position[-1, body] == pytest.approx([0.0, 0.0, -1.0], abs=1e-9)


def test_free_sled_is_stopped_by_its_absorbers():
    curve = "[[0, 0], [0.01, 2e4], [0.5, 2e4]]"
    sled = f'mass = "500 kg"\nvelocity = [4, 0, 0]\nbarrier = {{ curve = {curve}, distance = 0.02 }}'
    scene = Scenario.from_toml(SCENE.format(sled=sled).replace("mass = 10\n", "mass = 1e-3\n"))
    recording = scene.run().recording
    body = recording.bodies.index("sled")
    crush = recording.position[:, body, 0].max() - 0.02
    assert crush == pytest.approx(0.5 * 500.0 * 16.0 / 4e4 + 0.005, rel=2e-3)  # work of two equal absorbers

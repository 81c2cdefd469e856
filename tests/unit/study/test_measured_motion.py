"""Strain from a measured motion: what is read, filtered and refused, and that it gives the strain of its source."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.study.exercise import exercise, loads, write_loads
from vitruvian.study.measured_motion import Motion, filtered, frequency_of, read_motion

EXAMPLE = Path(__file__).parents[3] / "examples" / "measured-squat.csv"


def run(path: Path, **options):
    scenario = exercise(path, **options)
    recording = scenario.run().recording
    return recording, loads(recording, scenario.build()[0], "file")


def test_angles_and_forces_give_the_strain_of_the_run_they_were_made_from():
    """The file is sampled from `squat` with noise; forces act on the foot instead of a ground."""
    scenario = exercise("squat")
    source = loads(scenario.run().recording, scenario.build()[0], "squat")
    recording, found = run(EXAMPLE, frequency=6.0)
    assert recording.status == "finished" and not any(surface == "ground" for _, surface in recording.pairs)
    assert found.strain == pytest.approx(source.strain, rel=0.05)
    assert found.bending == pytest.approx(source.bending, rel=0.08)
    assert 1.0 < found.ground < source.ground  # whose stiff contact rings


def test_the_bending_moment_is_that_of_static_equilibrium(tmp_path):
    """A leg that stands still: the moment at mid-shank follows from the force of the ground and its place."""
    times, force, centre = np.arange(0.0, 1.0, 0.02), 500.0, 0.06
    rows = "\n".join(f"{t:.2f},0,0,0,0,{force},{centre}" for t in times)
    path = tmp_path / "still.csv"
    path.write_text(f"time [s],hip [deg],knee [deg],ankle [deg],ground_forward [N],ground_up [N],centre [m]\n{rows}\n")
    recording, _ = run(path)
    front = recording.channels["bending_moment"][-1, recording.points.index("shank.50-front")]
    foot = 9.81 * 1.0 * 0.05  # weight of the foot, whose centre is 0.05 m in front of the ankle
    assert abs(front) == pytest.approx(force * centre - foot, rel=0.01)
    back, ahead = (
        recording.channels["strain"][-1, recording.points.index(f"shank.50-{side}")] for side in ("back", "front")
    )
    outer, inner, young = 0.037, 0.027, 17e9
    second, area = 0.25 * np.pi * (outer**4 - inner**4), np.pi * (outer**2 - inner**2)
    assert abs(ahead - back) == pytest.approx(2.0 * abs(front) * outer / (young * second), rel=1e-4)
    half = 9.81 * (1.0 + 1.5)  # foot and about half of the shank hang below the section
    assert 0.5 * (ahead + back) == pytest.approx(-(force - half) / (young * area), rel=0.02)


def test_a_filter_takes_noise_and_leaves_motion():
    times = np.arange(0.0, 2.0, 0.01)
    slow, fast = np.sin(2.0 * np.pi * times), 0.1 * np.sin(2.0 * np.pi * 30.0 * times)
    (found,) = filtered(Motion(times, {"knee": slow + fast}), 6.0, "file").columns.values()
    assert abs(found - slow)[20:-20].max() < 0.005
    tone = np.sin(2.0 * np.pi * 6.0 * times)
    (found,) = filtered(Motion(times, {"knee": tone}), 6.0, "file").columns.values()
    assert found[50:-50].std() / tone[50:-50].std() == pytest.approx(2.0**-0.5, abs=0.01)
    for frequency in (0.0, -1.0, 70.0):
        with pytest.raises(InputError, match="does not fit 100 samples per second"):
            filtered(Motion(times, {"knee": slow}), frequency, "file")
    uneven = times + np.where(np.arange(len(times)) % 2, 0.003, 0.0)
    with pytest.raises(InputError, match="file"):
        filtered(Motion(uneven, {"knee": slow}), 6.0, "file")


def test_files_of_opensim(tmp_path):
    times = np.arange(0.0, 1.0, 0.02)
    knee = -60.0 * np.sin(np.pi * times) ** 2  # flexion is negative in some models
    rows = "\n".join(f"{t + 5.0:.2f} {0.5 * -k:.4f} {k:.4f} {0.5 * -k:.4f} 7" for t, k in zip(times, knee, strict=True))
    head = "Coordinates\nversion=1\ninDegrees=yes\nendheader\n"
    path = tmp_path / "squat.mot"
    path.write_text(f"{head}time hip_flexion_r knee_angle_r ankle_angle_r pelvis_tx\n{rows}\n")
    motion = read_motion(path)
    assert motion.times[0] == 0.0 and motion.columns["knee"].max() == pytest.approx(np.radians(60.0), rel=1e-3)
    with pytest.raises(InputError, match="no hip_flexion_l"):
        read_motion(path, "left")
    recording, found = run(path, frequency=6.0)
    assert recording.status == "finished" and found.strain > 1e-5
    path.write_text(path.read_text().replace("inDegrees=yes\n", ""))
    with pytest.raises(InputError, match="inDegrees"):
        read_motion(path)
    path.write_text("time knee_angle_r\n0 0\n")
    with pytest.raises(InputError, match="endheader"):
        read_motion(path)


ROWS = [(0.02 * k, 5.0 + k) for k in range(20)]


@pytest.mark.parametrize(
    ("heading", "rows", "words"),
    [
        ("time [s],knee [deg],elbow [deg]", [(*row, 0.0) for row in ROWS], "has the column 'elbow'"),
        ("time [s],knee [kg]", ROWS, "column knee"),
        ("time [s],knee [deg]", ROWS[:5], "expected at least 8"),
        ("time [s],knee [rad]", ROWS, "no joint of a leg turns"),
        ("time [s],knee [deg]", [*ROWS[:10], (0.2, 150.0), *ROWS[11:]], "no joint is so fast"),
        ("time [ms],knee [deg]", ROWS, "no joint is so fast"),
        ("time [s],knee [deg]", [*ROWS[:10], (0.2, float("nan")), *ROWS[11:]], "fill the gap"),
        ("time [s],knee [deg],ground_up [N]", [(*row, 400.0) for row in ROWS], "needs all three"),
        ("time [s],knee [deg],ground_up [N],ground_forward [N],centre [m]", [(*row, -400.0, 0.0, 0.0) for row in ROWS],
         "pushes, upwards"),
        ("time [s],height [m]", ROWS, "expected joint angles"),
        ("time [s],knee [deg]", ROWS[::-1], "time decreases"),
    ],
)  # fmt: skip
def test_bad_files_are_refused(tmp_path, heading, rows, words):
    path = tmp_path / "motion.csv"
    path.write_text(heading + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    with pytest.raises(InputError, match=words):
        exercise(path)


def test_a_frequency_has_a_unit():
    assert frequency_of("none") is None and frequency_of("6 Hz") == 6.0 and frequency_of("6") == 6.0
    for text in ("six", "6 m", ""):
        with pytest.raises(InputError, match="--filter"):
            frequency_of(text)


def test_loads_over_time_are_written(tmp_path):
    recording, found = run(EXAMPLE, frequency=6.0)
    lines = write_loads(recording, tmp_path / "strain.csv").read_text(encoding="utf-8").splitlines()
    names = next(line for line in lines if line.startswith("time")).split(",")
    rows = np.array([[float(cell) for cell in line.split(",")] for line in lines if line[0] not in "#t"])
    assert "shank.50-front stress [MPa]" in names and len(rows) == len(recording.time)
    strain = rows[:, [k for k, name in enumerate(names) if name.endswith("strain [1e-6]")]]
    assert 1e-6 * abs(strain).max() == pytest.approx(found.strain, rel=1e-4)

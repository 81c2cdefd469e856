"""A measured motion of the leg: joint angles, with or without the force of the ground, that drive the leg of `squat`.

Without measured forces the foot stands on the ground, which pushes. With them there is no ground: force and centre of
pressure act on the foot, and the hip moves so that the lowest point of the foot stays on the ground, unless its height
was measured. Angles and forces pass the same low pass without delay. SI units.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..data.file import read_text
from ..errors import InputError, shown
from ..model import Configuration, System
from ..model.pose import rotation_matrix, segment_poses
from ..scenario import Scenario
from ..scenario.time_series import read_series
from ..signals.filter import both_ways, butterworth
from ..signals.record_check import uniform_step
from ..units import parse_unit

ANGLES = ("hip", "knee", "ankle")
#: further columns -> dimension: force of the ground forwards and upwards, its centre in front of the ankle, hip height
FORCES = {"ground_forward": "force", "ground_up": "force", "centre": "length"}
GROUND_FORCE = "ground_force"  # name of the load
HEIGHT = {"height": "length"}
SUNK = 2.5e-3  # depth at which heel and toe bear the weight standing [m]
TWICE = (2.0**0.5 - 1.0) ** -0.25  # frequency of each of two passes over that of both
FEWEST = 8  # samples of a motion
WIDEST = np.radians(170.0)  # angle of a joint [rad]
STEEPEST = 60.0  # angular velocity of a joint from one sample to the next [rad/s]; a sprinter's knee reaches 20
#: names of OpenSim without the side -> ours, sign
OPENSIM = {"hip_flexion": ("hip", 1.0), "knee_angle": ("knee", 1.0), "ankle_angle": ("ankle", 1.0)}


class Motion(NamedTuple):
    """A motion of the leg: times [s] and columns in SI, by name."""

    times: np.ndarray
    columns: dict[str, np.ndarray]


def read_motion(path: Path, side: str = "right") -> Motion:
    """Return the motion of a CSV file with units, or of a MOT or STO file of OpenSim; refuse what no leg does.

    side  of the leg in a file of OpenSim, right or left
    """
    if path.suffix.lower() in (".mot", ".sto"):
        motion = _of_opensim(path, side)
    else:
        series = read_series(path)
        known = dict.fromkeys(ANGLES, "angle") | FORCES | HEIGHT
        if odd := [name for name in series.columns if name not in known]:
            raise InputError(f"{path} has the column {odd[0]!r}; accepted: time, {', '.join(known)}.")
        found = {}
        for name, (unit, values) in series.columns.items():
            try:
                found[name] = parse_unit(unit, known[name])[0] * np.array(values)
            except InputError as error:
                raise InputError(f"{path}, column {name}: {error}") from None
        motion = Motion(np.array(series.times), found)
    return _checked(motion, path)


def _checked(motion: Motion, path: Path) -> Motion:
    """Return a motion; refuse what no leg does, and what forces need."""
    times, columns = motion
    if not any(name in columns for name in ANGLES):
        raise InputError(f"{path} has no joint angle; expected at least one of {', '.join(ANGLES)}.")
    if len(times) < FEWEST:
        raise InputError(f"{path} has {len(times)} samples; expected at least {FEWEST}.")
    for name, values in columns.items():
        if not np.isfinite(values).all():
            at = int(np.argmin(np.isfinite(values)))
            raise InputError(f"{path}, column {name}: no number at {times[at]:.4g} s; fill the gap.")
    for name in (name for name in ANGLES if name in columns):
        widest = float(abs(columns[name]).max())
        if widest > WIDEST:
            raise InputError(
                f"{path}, column {name}: {np.degrees(widest):.0f} degrees; no joint of a leg turns by more than "
                f"{np.degrees(WIDEST):.0f}. Check the unit in the heading."
            )
        rate = abs(np.diff(columns[name]) / np.diff(times))
        if rate.max() > STEEPEST:
            raise InputError(
                f"{path}, column {name}: {np.degrees(rate.max()):.0f} deg/s at {times[int(rate.argmax())]:.4g} s; "
                "no joint is so fast. Remove the jump, or check the units of angle and time."
            )
    given = [name for name in FORCES if name in columns]
    if given and len(given) < len(FORCES):
        missing = ", ".join(name for name in FORCES if name not in columns)
        raise InputError(f"{path} has {', '.join(given)} without {missing}; the force of the ground needs all three.")
    if given and columns["ground_up"].min() < -50.0:
        raise InputError(f"{path}, column ground_up: {columns['ground_up'].min():.0f} N; the ground pushes, upwards.")
    return motion


def _of_opensim(path: Path, side: str) -> Motion:
    """Return hip, knee and ankle of one leg from a MOT or STO file; knee flexion is positive in it or negative."""
    lines = read_text(path).splitlines()
    end = next((k for k, line in enumerate(lines) if line.strip().lower() == "endheader"), None)
    if end is None or end + 2 >= len(lines):
        raise InputError(f"{path} has no line endheader with headings and rows below it, as files of OpenSim have.")
    head = {
        key.strip().lower(): value.strip().lower() for key, _, value in (line.partition("=") for line in lines[:end])
    }
    if head.get("indegrees") not in ("yes", "no"):
        raise InputError(f"{path}: its header does not say inDegrees=yes or inDegrees=no.")
    names = lines[end + 1].split()
    try:
        rows = np.array([[float(cell) for cell in line.split()] for line in lines[end + 2 :] if line.strip()])
    except ValueError:
        rows = np.zeros((0, 0))
    if rows.ndim != 2 or rows.shape[1:] != (len(names),) or names[0] != "time":
        raise InputError(f"{path}: its rows are not {len(names)} numbers each, or its first column is not time.")
    if (np.diff(rows[:, 0]) <= 0.0).any():
        raise InputError(f"{path}: time decreases or stays; sort the rows.")
    unit = np.pi / 180.0 if head["indegrees"] == "yes" else 1.0
    found = {}
    for name, (ours, sign) in OPENSIM.items():
        label = f"{name}_{side[0]}"
        if label in names:
            values = sign * unit * rows[:, names.index(label)]
            found[ours] = -values if ours == "knee" and np.median(values) < 0.0 else values
    if not found:
        raise InputError(f"{path} has no hip_flexion_{side[0]}, knee_angle_{side[0]} or ankle_angle_{side[0]}.")
    return Motion(rows[:, 0] - rows[0, 0], found)


def filtered(motion: Motion, frequency: float, where: str) -> Motion:
    """Return the motion after a low pass of fourth order, forward and backward, 3 dB down at a frequency [Hz]."""
    rate = 1.0 / uniform_step(motion.times, name=where)
    highest = 0.5 * rate / TWICE
    if not 0.0 < frequency < highest:
        raise InputError(
            f"{where}: a filter of {frequency:g} Hz does not fit {rate:.4g} samples per second; expected above 0 and "
            f"below {highest:.3g} Hz."
        )
    section, padding = butterworth(TWICE * frequency, rate), round(rate / frequency)
    return Motion(motion.times, {name: both_ways(section, v, padding) for name, v in motion.columns.items()})


def scenario_of(motion: Motion, label: str) -> Scenario:
    """Return the leg of `squat` with a motion; joints that it leaves out stay straight."""
    base = Scenario.load("squat")
    joints = {joint["name"]: joint for joint in base.data["joint"]}
    times = motion.times.tolist()
    for name in ANGLES:
        joints[name]["motion"] = [_function(times, motion.columns[name]) if name in motion.columns else 0.0]
    changed = base.data | {"solver": base.data["solver"] | {"duration": times[-1]}}
    system = Scenario(changed, label=label).build()[0]
    heights, ankles = _standing(system, motion, sunk="ground_up" not in motion.columns)
    if "height" in motion.columns:
        ankles, heights = ankles + motion.columns["height"] - heights, motion.columns["height"]
    if "ground_up" not in motion.columns and "height" not in motion.columns:
        joints["guide"]["start"] = {"coordinates": [float(heights[0])]}
        return Scenario(changed, label=label)
    joints["guide"] |= {"motion": [_function(times, heights)]}
    joints["guide"].pop("start", None)
    if "ground_up" in motion.columns:
        changed |= {"load": _loads(motion, ankles, system), "surface": []}
    return Scenario(changed, label=label)


def _function(times: list[float], values: np.ndarray, kind: str = "position") -> dict[str, Any]:
    return {"times": times, "values": values.tolist(), "kind": kind}


def _loads(motion: Motion, ankles: np.ndarray, system: System) -> list[dict[str, Any]]:
    """Return the force of the ground at the ankle and its moment about it, from the centre of pressure on the ground.

    ankles  height of the ankle (n,) [m]
    """
    times, forward, up = motion.times.tolist(), motion.columns["ground_forward"], motion.columns["ground_up"]
    about = -ankles * forward - motion.columns["centre"] * up  # (centre, 0, -ankle) x force
    zero = {"times": [times[0]], "values": [0.0]}
    point = list(system.joint("ankle").point_child)
    force = [_function(times, forward, "linear"), zero, _function(times, up, "linear")]
    return [
        {"name": GROUND_FORCE, "body": "foot", "point": point, "components": force},
        {"name": "ground_moment", "body": "foot", "kind": "moment",
         "components": [zero, _function(times, about, "linear"), zero]},
    ]  # fmt: skip


def _standing(system: System, motion: Motion, *, sunk: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the heights of hip and ankle (n,) [m] at which the lowest ball of the foot is on the ground.

    sunk  as deep as it bears the weight
    """
    free = system.replace(
        joints=tuple(replace(joint, motion=None) if joint.name in ANGLES else joint for joint in system.joints)
    )
    shapes = [shape for shape in system.body("foot").shapes if shape.kind == "sphere"]
    balls, radius = np.array([shape.offset for shape in shapes]), max(shape.half_size[0] for shape in shapes)
    ankle = np.array(system.joint("ankle").point_child)
    found = []
    for k in range(len(motion.times)):
        turns: dict[str, tuple[float, ...]] = {
            name: (float(motion.columns[name][k]) if name in motion.columns else 0.0,) for name in ANGLES
        }
        place, turn = segment_poses(free, Configuration(turns | {"guide": (0.0,)}))["foot"]
        axes = np.asarray(turn) if np.shape(turn) == (3, 3) else rotation_matrix(turn)
        hip = radius - sunk * SUNK - float((place + balls @ axes.T)[:, 2].min())
        found.append((hip, hip + float((place + axes @ ankle)[2])))
    heights, ankles = np.array(found).T
    return heights, ankles


def frequency_of(text: str | None) -> float | None:
    """Return a frequency [Hz] from text as "6 Hz"; None for none."""
    if text is None or text == "none":
        return None
    number, _, unit = text.strip().partition(" ")
    try:
        value = float(number) * parse_unit(unit or "Hz", "frequency")[0]
    except (ValueError, InputError):
        raise InputError(f"--filter is {shown(text)}; expected a frequency, as in --filter '6 Hz', or none.") from None
    return value

"""Head and neck of a volunteer whose T1 moves as measured in a frontal sled test of 15 g (NBDL, ewing1972).

The thorax is driven: its T1 point with the measured x acceleration, z displacement and rotation. Head and neck follow.
The neck is fitted to this test, so its ratings are those of a calibration, not of a validation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ... import data
from ...human import human
from ...injury.rating import Rating, iso18571
from ...model import Joint, Resistance, System, Table, constant
from ...sim import simulate
from ...units import STANDARD_GRAVITY

HEIGHT, MASS = 1.77, 77.0  # of the volunteers [m], [kg]: estimated, young sailors
CHANNELS = ("x_acceleration", "z_acceleration", "x_displacement", "z_displacement", "y_rotation")
EVERY = 4  # of the knots of the z displacement: finer ones are noise of its acceleration
RATE = 10_000.0  # of the rating [Hz], as in its standard
END = 0.2  # [s], up to which the axes of the sled are known


@dataclass(frozen=True)
class NeckRun:
    """Answer of the head: channel -> samples over `time` [s], in SI, relative to T1 where it is a displacement."""

    time: np.ndarray
    channels: Mapping[str, np.ndarray]


def measured(part: str, channel: str, kind: str = "mean") -> tuple[np.ndarray, np.ndarray]:
    """Return times [s] and a measured curve of "head" or "t1" in SI: its mean, or "low" and "high" of the corridor."""
    table = data.tree("nbdl_frontal")
    row = table[part][channel]
    factor = {"g": STANDARD_GRAVITY, "mm": 1e-3, "deg": np.pi / 180.0, "rad/s2": 1.0}[row["unit"]]
    step = table["step"] if kind == "mean" else table["corridor_step"]
    return step * np.arange(len(row[kind])), factor * np.array(row[kind])


def neck_response(joints: str = "recommended", resistance: Mapping[str, Resistance] | None = None) -> NeckRun:
    """Simulate head and neck of a volunteer on the measured motion of T1.

    resistance  of "lower_neck" and "upper_neck" instead of those of the joint set
    """
    system = _volunteer(joints, resistance or {})
    run = simulate(system, duration=END, pose_rate=1000.0, rate=RATE)
    head, thorax = run.bodies.index("head"), run.bodies.index("thorax")
    lower = system.joint("lower_neck").point_parent
    turn = run.joint_rotation[:, run.joints.index("driven"), 1]
    sine, cosine = np.sin(turn), np.cos(turn)
    arm = np.stack([cosine * lower[0] + sine * lower[2], 0.0 * turn, cosine * lower[2] - sine * lower[0]], axis=-1)
    away = run.position[:, head] - run.position[:, thorax] - arm
    flexed = turn + sum(
        _flexion(run.joint_rotation[:, run.joints.index(name)]) for name in ("lower_neck", "upper_neck")
    )
    time, sensor = run.time, run.sensors.index("head")
    at = run.sensor_acceleration[:, sensor]
    spun = run.sensor_angular_acceleration_local[:, sensor]
    return NeckRun(
        time,
        {
            "x_acceleration": at[:, 0],
            "z_acceleration": at[:, 2],
            "y_angular_acceleration": spun[:, 1],
            "x_displacement": np.interp(time, run.pose_time, away[:, 0] - away[0, 0]),
            "z_displacement": np.interp(time, run.pose_time, away[:, 2] - away[0, 2]),
            "y_rotation": np.interp(time, run.pose_time, flexed),
        },
    )


def neck_ratings(run: NeckRun) -> dict[str, Rating]:
    """Return the ISO/TS 18571 rating of every channel of the head against the mean of the volunteers, 0 to 0.2 s."""
    time = np.arange(0.0, END + 0.5 / RATE, 1.0 / RATE)
    found = {}
    for channel in run.channels:
        knots, mean = measured("head", channel)
        truth = np.interp(time, knots, mean)
        found[channel] = iso18571(time, truth, np.interp(time, run.time, run.channels[channel]))
    return found


def neck_score(ratings: Mapping[str, Rating]) -> float:
    """Return the mean rating of the five channels: accelerations, displacements and rotation [-]."""
    return float(np.mean([ratings[channel].value for channel in CHANNELS]))


def _flexion(rotation: np.ndarray) -> np.ndarray:
    return np.asarray(rotation[:, 1])


def _volunteer(joints: str, resistance: Mapping[str, Resistance]) -> System:
    """Return thorax, neck and head; the T1 point of the thorax moves as measured."""
    body = human(HEIGHT, MASS, joints=joints, axial="rigid").system
    kept = [body.joint(name) for name in ("lower_neck", "upper_neck")]
    kept = [replace(joint, resistance=resistance.get(joint.name, joint.resistance)) for joint in kept]
    pulse, (knots, rise) = measured("t1", "x_acceleration"), measured("t1", "z_displacement")
    times, turned = measured("t1", "y_rotation")
    still = constant(0.0)
    motion = (
        Table(tuple(pulse[0]), tuple(pulse[1]), "acceleration"),
        still,
        Table(tuple(knots[::EVERY]), tuple(rise[::EVERY]), "position"),
        still,
        Table(tuple(times), tuple(turned), "position"),
        still,
    )
    driven = Joint("driven", "free", None, "thorax", point_child=kept[0].point_parent, motion=motion)
    return System(
        bodies=tuple(part for part in body.bodies if part.name in ("thorax", "neck", "head")),
        joints=(driven, *kept),
        sensors=tuple(sensor for sensor in body.sensors if sensor.name == "head"),
        gravity=(0.0, 0.0, 0.0),  # the measured accelerations start at zero
    )

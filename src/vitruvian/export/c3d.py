"""C3D, the file of motion laboratories: virtual markers as points, sensors as analog channels, contacts as events.

Points in millimetres and world axes (x forward, y left, z up; POINT:X_SCREEN +X, POINT:Y_SCREEN +Z); accelerations in
m/s2 and the axes of the sensor. C3D stores single precision: seven digits.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import writing
from ..errors import optional
from .marker import even_rate, markers, paths
from .output import about

if TYPE_CHECKING:
    from ..sim.result import Result

_UNITS = {
    "sensor_acceleration_local": ("A", "m/s2", "acceleration, sensor axes"),
    "sensor_angular_velocity_local": ("W", "rad/s", "angular velocity, sensor axes"),
}


def write(result: Result, path: str | Path) -> Path:
    """Write the file; needs the package ezc3d."""
    ezc3d = optional("ezc3d", "c3d", "export to C3D")
    result = result.sound  # single precision does not hold what comes after
    recording, points = result.recording, markers(result)
    rate = even_rate(recording.pose_time, "export to C3D")
    place = 1e3 * paths(result, points)
    file = ezc3d.c3d()
    parameters = file["parameters"]
    parameters["POINT"]["RATE"]["value"] = [rate]
    parameters["POINT"]["LABELS"]["value"] = [point.name for point in points]
    parameters["POINT"]["UNITS"]["value"] = ["mm"]
    file.add_parameter("POINT", "X_SCREEN", ["+X"])
    file.add_parameter("POINT", "Y_SCREEN", ["+Z"])
    data = np.ones((4, len(points), len(recording.pose_time)))
    data[:3] = place.transpose(2, 1, 0)
    file["data"]["points"] = data
    _add_analogs(file, result, rate)
    touches = [event for event in recording.events if event.kind == "touch"]
    if touches:
        file.add_parameter("EVENT", "USED", [len(touches)])
        file.add_parameter("EVENT", "CONTEXTS", ["General"] * len(touches))
        file.add_parameter("EVENT", "LABELS", [f"{event.body} touches {event.surface}" for event in touches])
        file.add_parameter("EVENT", "TIMES", np.array([[0.0] * len(touches), [event.time for event in touches]]))
    facts = about(result)
    file.add_parameter("MANUFACTURER", "COMPANY", ["Vitruvian"])
    file.add_parameter("MANUFACTURER", "SOFTWARE", [facts["exported by"]])
    for name, text in facts.items():
        file.add_parameter("VITRUVIAN", name.replace(" ", "_").upper(), [text[:120]])
    file.add_parameter("VITRUVIAN", "START", [float(recording.pose_time[0])])
    with writing(path) as temporary:
        file.write(str(temporary))
    return Path(path)


def _add_analogs(file: Any, result: Result, rate: float) -> None:
    """Return the sensors at a whole multiple of the point rate; others are left out and listed in the file.

    C3D wants as many samples for the last point as for all others: there the last sample is repeated.
    """
    recording = result.recording
    if not recording.sensors or len(recording.time) < 2:
        return
    fast = even_rate(recording.time, "export to C3D")
    times = round(fast / rate)
    if times < 1 or abs(fast - times * rate) > 1e-6 * fast or abs(recording.time[0] - recording.pose_time[0]) > 1e-9:
        text = f"the sensors are left out: {fast:g} 1/s is no multiple of {rate:g} 1/s"
        file.add_parameter("VITRUVIAN", "NOTE", [text])
        return
    labels, units, words, rows = [], [], [], []
    for sensor, name in enumerate(recording.sensors):
        for quantity, (letter, unit, text) in _UNITS.items():
            for axis, sign in enumerate("XYZ"):
                labels.append(f"{name}.{letter}{sign}")
                units.append(unit)
                words.append(text)
                rows.append(getattr(recording, quantity)[:, sensor, axis])
    count = times * len(recording.pose_time)
    samples = np.array(rows)[:, :count]
    samples = np.pad(samples, ((0, 0), (0, count - samples.shape[1])), mode="edge")
    analog = file["parameters"]["ANALOG"]
    analog["RATE"]["value"] = [fast]
    analog["LABELS"]["value"] = labels
    analog["UNITS"]["value"] = units
    analog["DESCRIPTIONS"]["value"] = words
    file["data"]["analogs"] = samples[None]

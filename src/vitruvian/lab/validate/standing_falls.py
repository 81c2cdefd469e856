"""Falls from standing compared with measurements: dummies that fell on their heads, people on their hips.

Sources: hajiaghamemar2015 (95 % prediction intervals of 107 falls of pedestrian dummies onto a hard floor), lim2020
(hip force of people, estimated for the bare ground from falls onto a mat).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ... import data
from ...scenario import Scenario
from ...sim.result import Result
from ...units import STANDARD_GRAVITY
from ..verdict import Progress, Report, Validated
from . import body
from .target import Compared, compared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DIRECTIONS = ("backward", "forward", "sideways")
CFC = 1000.0  # channel class of a head accelerometer [Hz]
RATE = 1e5  # [Hz]; a head pulse lasts 1 ms
FORCE_RATE = 1e4  # of contact forces [Hz]
HIP = ("pelvis", "left_thigh", "right_thigh")

_DUMMIES = "Hajiaghamemar 2015, dummies, 95 % interval"
_SPIN = "one ellipsoid is the head: it is struck off its centre, and has no scalp or vinyl that would slip"
_PEOPLE = "Lim 2020, people, mean and two standard deviations"


def standing_falls(progress: Progress) -> Report:
    """Compare head speed, acceleration and force, and the force on the hip, of three falls from standing."""
    runs = {}
    for number, direction in enumerate(DIRECTIONS):
        progress(f"fall-standing-{direction}", number, len(DIRECTIONS))
        changes = body.changes() | {"output.rate": RATE, "output.pose_rate": FORCE_RATE}
        runs[direction] = Scenario.load(f"fall-standing-{direction}", changes).run()
    rows: list[Validated] = [row for direction, run in runs.items() for row in _head(direction, run)]
    rows += [_hip(runs["sideways"]), *_targets(runs["sideways"])]
    flat = " and ".join(f"{_peak_force(runs[way], HIP, vertical=True) / 1e3:.1f} kN {way}" for way in DIRECTIONS[:2])
    outside = [row.quantity for row in rows if not row.inside]
    said = f"outside: {', '.join(outside)}" if outside else "all of them inside"
    return Report(
        title="Falls from standing onto concrete",
        source="hajiaghamemar2015: Hybrid III pedestrian dummies; lim2020: people who fell onto a mat",
        rows=tuple(rows),
        figures={"head": partial(_draw, runs)},
        notes=(
            f"{len(rows)} quantities of three falls, {said}.",
            "The intervals are wide because the falls were: one inside it does not make a model right. The person here "
            "falls without muscles, as the dummies did. His face gives way, which that of a dummy hardly does.",
            f"Pelvis and both thighs together strike with {flat}; the people of lim2020 landed on one hip, whichever "
            "way they fell, so these are not compared.",
        ),
    )


def _head(direction: str, run: Result) -> list[Validated]:
    """Compare head accelerations with those of the dummies."""
    measured = data.values("measured_fall")["standing"]

    def row(words: str, quantity: str, ours: float, unit: str, factor: float = 1.0) -> Validated:
        low, high = (measured[f"{quantity}_{end}"] / factor for end in ("low", "high"))
        note = _SPIN if quantity == "head_angular_acceleration" and ours > high * factor else ""
        return Validated(f"{direction}: {words}", low, high, ours / factor, unit, source=_DUMMIES, note=note)

    acceleration, spin = peak_accelerations(run)
    return [
        row("head impact speed", "head_speed", head_speed(run), "m/s"),
        row("peak head acceleration, CFC 1000", "head_acceleration", acceleration, "g", STANDARD_GRAVITY),
        row("peak head angular acceleration, CFC 1000", "head_angular_acceleration", spin, "krad/s2", 1e3),
        row("peak force on the head", "head_force", _peak_force(run, ("head",)), "kN", 1e3),
    ]


def _hip(run: Result) -> Validated:
    """Compare the vertical hip force with that of the people."""
    measured = data.values("measured_fall")["standing"]
    mean, spread = (measured[f"hip_force_{word}"] / 1e3 for word in ("mean", "sd"))
    force = _peak_force(run, HIP, vertical=True) / 1e3
    words = "sideways: peak vertical force on pelvis and thighs"
    return Validated(words, mean - 2.0 * spread, mean + 2.0 * spread, force, "kN", mean, _PEOPLE)


def _targets(run: Result) -> list[Compared]:
    """Compare force and vertical speed of the hip in the sideways fall with targets B19 and C09."""
    recording = run.recording
    touch = next((event.time for event in recording.events if event.kind == "touch" and event.body in HIP), np.nan)
    fall = -recording.velocity[:, recording.bodies.index("pelvis"), 2]
    force = _peak_force(run, HIP, vertical=True) / 1e3
    return [
        compared("B19", force, "peak vertical force on pelvis and thighs"),
        compared(
            "C09",
            float(np.interp(touch, recording.pose_time, fall)),
            "vertical speed of the pelvis at the first touch of pelvis or thigh",
        ),
    ]


def head_speed(run: Result, body: str = "head") -> float:
    """Return the closing speed of the first head contact [m/s]; NaN without contact."""
    return next((event.value for event in run.recording.events if (event.kind, event.body) == ("touch", body)), np.nan)


def peak_accelerations(run: Result, sensor: str = "head") -> tuple[float, float]:
    """Return peaks of resultant linear [m/s2] and angular acceleration [rad/s2] of a sensor, channel class 1000."""
    from ...signals import cfc

    recording = run.recording
    time, linear = run.accelerometer(sensor, CFC)
    angular = recording.sensor_angular_acceleration_local[:, recording.sensors.index(sensor)]
    angular = cfc(time, angular, CFC, name=sensor, assume_units=True)
    return float(np.linalg.norm(linear, axis=1).max()), float(np.linalg.norm(angular, axis=1).max())


def _peak_force(run: Result, bodies: tuple[str, ...], *, vertical: bool = False) -> float:
    """Return the peak of the contact force on some bodies together [N]."""
    recording = run.recording
    places = [place for place, (body, _) in enumerate(recording.pairs) if body in bodies]
    force = recording.contact_force[:, places].sum(axis=1)
    return float(force[:, 2].max() if vertical else np.linalg.norm(force, axis=1).max())


def _draw(runs: dict[str, Result]) -> Figure:
    """Draw the head acceleration pulse of each fall."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    axes = figure.add_subplot(xlabel="time after the head's touch [ms]", ylabel="head acceleration, CFC 1000 [g]")
    measured = data.values("measured_fall")["standing"]
    low, high = (measured[f"head_acceleration_{end}"] / STANDARD_GRAVITY for end in ("low", "high"))
    axes.axhspan(low, high, color="#f2cc8f", alpha=0.5, label="dummies: 95 % interval of the peak")
    for direction, run in runs.items():
        touch = next(event.time for event in run.recording.events if event.body == "head")
        time, samples = run.accelerometer("head", CFC)
        near = abs(time - touch - 2e-3) < 4e-3
        resultant = np.linalg.norm(samples[near], axis=1) / STANDARD_GRAVITY
        axes.plot(1e3 * (time[near] - touch), resultant, label=direction)
    axes.legend(frameon=False)
    axes.set_ylim(bottom=0.0)
    return figure

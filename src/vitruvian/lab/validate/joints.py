"""Joints compared with volunteers and cadavers: static moments, the swing of a relaxed leg, bending to failure.

Targets A01 to A51. The tests themselves are in `joint_tests`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ... import data
from ..verdict import Progress, Report
from . import body, joint_tests
from .joint_tests import Bending
from .ram import ram_rows
from .target import Compared, compared, targets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLOW = float(np.radians(30.0))  # rate of a quasi-static test [rad/s]
CAR = float(np.radians(1500.0))  # bending rate of a knee struck at 40 km/h [rad/s]; target A03
FALL = 0.3  # of the moment, after which a joint has failed [-]
BENT = 50.0  # moment at which the stiffness of a trunk joint is taken [N m]; target A48 is up to 95
TRUNK = ("lumbar", "thoracolumbar")
BENDS = ("flexion", "extension", "right_bend", "left_bend")

#: target -> joint, movement in which the moment is positive, posture: movement -> angle [deg]
STATIC: dict[str, tuple[str, str, dict[str, float]]] = {
    "A16": ("hip", "flexion", {"hip_flexion": -15, "knee_flexion": 15}),
    "A17": ("hip", "flexion", {"hip_flexion": 75, "knee_flexion": 15}),
    "A18": ("hip", "flexion", {"hip_flexion": 75, "knee_flexion": 60}),
    "A19": ("knee", "flexion", {"knee_flexion": 0, "ankle_dorsiflexion": 20}),
    "A20": ("knee", "flexion", {"knee_flexion": 0, "ankle_dorsiflexion": -15}),
    "A21": ("knee", "flexion", {"knee_flexion": 120, "ankle_dorsiflexion": 20}),
    "A22": ("ankle", "dorsiflexion", {"ankle_dorsiflexion": 20, "knee_flexion": 0}),
    "A23": ("ankle", "dorsiflexion", {"ankle_dorsiflexion": 20, "knee_flexion": 60}),
    "A24": ("ankle", "dorsiflexion", {"ankle_dorsiflexion": 0, "knee_flexion": 0}),
}
#: target -> movement of the wrist, angle [deg]; None for the end of the range
WRIST = {"A34": ("flexion", 90.0), "A35": ("extension", 90.0), "A36": ("ulnar_deviation", None)}
#: targets of failure moment and angle -> joint, movement, angle to which it is turned [deg]
FAILURE = {
    ("A37", "A38"): ("ankle", "dorsiflexion", 70.0),
    ("A39", "A40"): ("ankle", "plantarflexion", 100.0),
    ("A41", "A42"): ("ankle", "inversion", 60.0),
    ("A43", "A44"): ("ankle", "eversion", 60.0),
    ("A45", "A46"): ("ankle", "toe_out", 70.0),
}


def joints(progress: Progress) -> Report:
    """Compare moments, stiffness, damping and failure of joints with measurements."""
    steps = (_static, _knee_stiffness, _relaxed, _swing, _trunk, _failure)
    rows: list[Compared] = []
    for number, step in enumerate(steps):
        progress(step.__name__.strip("_").replace("_", " "), number, len(steps))
        rows += step()
    return Report(
        title="Joints",
        source="targets A01 to A51",
        rows=tuple(sorted(rows, key=lambda row: row.target)),
        figures={"static": _draw_static, "bending": _draw_bending, "swing": _draw_swing},
        notes=(
            "Static moments are those of the whole limb in the posture of the test, passive muscles included. In tests "
            "to failure the joint is isolated: no muscle crosses it, and a heavy fixture turns the distal segment.",
            "Failure is the first fall of the moment by 30 %. Where there is none there is no value.",
        ),
    )


def _moment(joint: str, movement: str, posture: Mapping[str, float]) -> float:
    """Return a static moment of the chosen body [N m]."""
    return joint_tests.static_moment(joint, movement, posture, joints=body.joints())


def _stiffness(joint: str, movement: str, posture: Mapping[str, float], **options: bool) -> float:
    """Return a tangent stiffness of the chosen body [N m/rad]."""
    return joint_tests.tangent_stiffness(joint, movement, posture, joints=body.joints(), **options)


def _radians(posture: dict[str, float]) -> dict[str, float]:
    return {name: float(np.radians(angle)) for name, angle in posture.items()}


def _static() -> Iterable[Compared]:
    """Return moments of hip, knee, ankle and wrist."""
    for name, (joint, movement, posture) in STATIC.items():
        yield compared(name, _moment(joint, movement, _radians(posture)))
    for name, (movement, angle) in WRIST.items():
        turned = angle if angle is not None else float(np.degrees(end_of_range("wrist", movement)))
        posture = _radians({"elbow_flexion": 90, f"wrist_{movement}": turned})
        yield compared(name, -_moment("wrist", movement, posture), f"at {turned:.0f} deg" * (angle is None))


def end_of_range(joint: str, movement: str) -> float:
    """Return the angle at which the range of a movement of the body of the tests ends [rad]."""
    system = joint_tests.specimen(body.joints())
    resistance = system.joint(joint_tests.full_name(system, joint)).resistance
    assert resistance is not None
    axis, sign = data.movements()[joint][movement]
    return abs((resistance.limit_plus if sign > 0 else resistance.limit_minus)[axis])


def _knee_stiffness() -> Iterable[Compared]:
    """Return the lateral stiffness of the knee at four flexions."""
    for name, flexion in {"A06": 0.0, "A07": 10.0, "A08": 20.0, "A09": 45.0}.items():
        slope = _stiffness("knee", "valgus", _radians({"knee_flexion": flexion}), muscles=False)
        yield compared(name, slope * np.pi / 180.0)


def _relaxed() -> Iterable[Compared]:
    """Return damping of hip and knee, and stiffness and rest of the elbow."""
    system = joint_tests.specimen(body.joints())
    for name, joint in (("A28", "right_knee"), ("A29", "right_hip")):
        resistance = system.joint(joint).resistance
        assert resistance is not None
        yield compared(name, resistance.damping[1], "flexion, in the table of joint resistance")
    angles = np.radians(np.arange(0.0, 141.0, 5.0))
    moments = np.array([_moment("elbow", "flexion", {"elbow_flexion": float(angle)}) for angle in angles])
    rest = float(np.interp(0.0, -moments, angles))
    slope = _stiffness("elbow", "flexion", {"elbow_flexion": rest})
    yield compared("A30", slope, "at the relaxed angle")
    yield compared("A31", 180.0 - np.degrees(rest), f"included angle; flexed {np.degrees(rest):.0f} deg")


@cache
def _leg() -> joint_tests.Swing:
    return joint_tests.leg_swing(body.joints())


def _swing() -> Iterable[Compared]:
    """Return the free swing of a relaxed leg."""
    swing = _leg()
    yield compared("A25", swing.peaks[0], "/".join(f"{peak:.2f}" for peak in swing.peaks[:4]))
    yield compared("A26", swing.period)
    yield compared("A27", swing.ratio)


def _trunk() -> Iterable[Compared]:
    """Return the stiffness of the trunk joints beyond their range, and the moment of the neck at its end."""
    slopes = [slope_at(joint, way, BENT) for joint in TRUNK for way in BENDS]
    span = f"{min(slopes):.0f} to {max(slopes):.0f}"
    note = f"mean of {len(slopes)}: two joints, four directions, {span}, at {BENT:.0f} N m"
    yield compared("A49", float(np.mean(slopes)), note)
    yield compared("A48", 3.0 * float(np.mean(slopes)) * np.pi / 180.0, "one trunk joint is three segments")
    ends = []
    for joint in ("lower_neck", "upper_neck"):
        for way in BENDS:
            ends.append(-_moment(joint, way, {f"{joint}_{way}": end_of_range(joint, way)}))
    yield compared("A51", max(ends), "largest of two joints and four directions at the end of the range")


def slope_at(joint: str, movement: str, moment: float) -> float:
    """Return the tangent stiffness of a joint [N m/rad] at a static moment [N m]; NaN if it is never reached."""
    key = f"{joint}_{movement}"
    angles = np.radians(np.arange(0.0, 91.0, 1.0))
    moments = np.array([-_moment(joint, movement, {key: float(angle)}) for angle in angles])
    beyond = np.flatnonzero(moments >= moment)
    if not beyond.size:
        return nan
    k = int(beyond[0])
    angle = float(np.interp(moment, moments[k - 1 : k + 1], angles[k - 1 : k + 1]))
    return _stiffness(joint, movement, {key: angle})


@cache
def _bent(joint: str, movement: str, rate: float, to: float) -> Bending:
    return joint_tests.bend(joint, movement, rate, float(np.radians(to)), joints=body.joints(), failure=body.fails())


def _failure() -> Iterable[Compared]:
    """Return moment and angle at which joints fail."""
    fast, slow = (_bent("knee", "valgus", rate, 40.0) for rate in (CAR, SLOW))
    angle, note = failed(fast)[1:]
    yield compared("A01", np.degrees(angle), note)
    yield compared("A04", np.degrees(angle), note or "at the rate of target A03")
    moment, _, note = failed(slow)
    yield compared("A11", moment, note)
    yield from ram_rows(angle)
    yield from _sheared()
    for (first, second), (joint, movement, to) in FAILURE.items():
        moment, angle, note = failed(_bent(joint, movement, SLOW, to))
        yield compared(first, moment, note)
        yield compared(second, float(np.degrees(angle)), note)


def _sheared() -> Iterable[Compared]:
    """Return the displacement at which a knee that gives way across tears sideways."""
    if body.options()["axial"] == "compliant":
        slide, force = joint_tests.knee_shear(joints=body.joints()).peak
        for name in ("A02", "A05"):
            yield compared(
                name, 1e3 * slide, f"first tear in pure shear at 1 m/s, {1e-3 * force:.1f} kN; no interval is published"
            )


def failed(test: Bending) -> tuple[float, float, str]:
    """Return moment [N m] and angle [rad] of failure, and a remark; NaN if the moment never falls by FALL."""
    largest = np.maximum.accumulate(test.moment)
    torn = np.flatnonzero(test.moment < (1.0 - FALL) * largest)
    if not torn.size:
        return nan, nan, f"no failure: {test.moment[-1]:.0f} N m at {np.degrees(test.angle[-1]):.0f} deg"
    most = int(np.argmax(test.moment[: torn[0]]))
    return float(test.moment[most]), float(test.angle[most]), ""


# figures


def _draw_static() -> Figure:
    """Draw the moments of hip, knee and ankle over their angle, two postures each, with the targets."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 3.8), layout="constrained")
    ways = {
        "hip": ("flexion", (-20, 90), "knee_flexion", (15, 60)),
        "knee": ("flexion", (0, 125), "ankle_dorsiflexion", (-15, 20)),
        "ankle": ("dorsiflexion", (-30, 25), "knee_flexion", (0, 60)),
    }
    for number, (joint, (movement, (low, high), other, values)) in enumerate(ways.items()):
        axes = figure.add_subplot(1, 3, number + 1, xlabel=f"{joint} {movement} [deg]", ylabel="moment [N m]")
        for value in values:
            angles = np.linspace(low, high, 60)
            moments = [
                _moment(joint, movement, _radians({other: value, f"{joint}_{movement}": float(angle)}))
                for angle in angles
            ]
            (line,) = axes.plot(angles, moments, label=f"{other.replace('_', ' ')} {value} deg")
            for name, (its, _, posture) in STATIC.items():
                if its == joint and posture.get(other, 0) == value:
                    at, target = posture[f"{joint}_{movement}"], targets()[name]
                    filled = "none" if target.use == "calibrate" else line.get_color()
                    axes.plot(at, float(target.value), "o", color=line.get_color(), markerfacecolor=filled)
        axes.legend(frameon=False, fontsize=8, title="filled: not fitted", title_fontsize=8)
    return figure


def _draw_bending() -> Figure:
    """Draw the tests to failure."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    knee = figure.add_subplot(1, 2, 1, xlabel="knee valgus [deg]", ylabel="moment [N m]")
    for rate, words in ((CAR, "1500 deg/s"), (SLOW, "30 deg/s")):
        test = _bent("knee", "valgus", rate, 40.0)
        knee.plot(np.degrees(test.angle), test.moment, label=words)
    ankle = figure.add_subplot(1, 2, 2, xlabel="angle [deg]", ylabel="moment [N m]", title="ankle")
    for (first, second), (joint, movement, to) in FAILURE.items():
        test = _bent(joint, movement, SLOW, to)
        (line,) = ankle.plot(np.degrees(test.angle), test.moment, label=movement.replace("_", " "))
        ankle.plot(float(targets()[second].value), float(targets()[first].value), "o", color=line.get_color())
    for axes in (knee, ankle):
        axes.legend(frameon=False, fontsize=8)
    return figure


def _draw_swing() -> Figure:
    """Draw the swing of the relaxed leg."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.2), layout="constrained")
    axes = figure.add_subplot(xlabel="time [s]", ylabel="knee from its rest [rad]")
    axes.plot(_leg().time, _leg().angle)
    peaks = [float(peak) for peak in targets()["A25"].value.split("/")]
    axes.plot(0.55 + 1.1 * np.arange(len(peaks)), peaks, "o", color="#e07a5f", label="A25, one typical trial")
    axes.legend(frameon=False)
    return figure

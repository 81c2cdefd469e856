"""Feet-first landings on straight legs: ground reaction and how it decays towards the head.

Muscles hold the legs straight until the feet touch, as those of a person who lands stiff-legged: without them the
passive muscles bend hips and knees during the fall. Then they let go. Measured landings are active: people bend their
knees. They are shown with ours and not judged.

Soft tissue that is rigid on its bone carries the blow of the pelvis to the head. The landing from 0.5 m is therefore
also run with wobbling masses, which are off by default.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ...scenario import Scenario
from ...sim.result import Result
from ...units import STANDARD_GRAVITY
from ..verdict import Progress, Report, Table, Validated
from . import body
from .target import compared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHTS = {"C10": 0.32, "passive": 0.5, "wobbling": 0.5, "C11": 0.72, "C12": 1.28}  # of the feet above the ground [m]
CFC = 180.0  # of the accelerations [Hz]
SEGMENTS = ("pelvis", "thorax", "head")
RATE = 1e4  # [Hz]
LATER = 0.1  # after the touch, in which the first peak lies [s]

_STIFF = "requirement; people who land stiff-legged: about 10 to 14 body weights, source not at hand"


def landings(progress: Progress) -> Report:
    """Compare the ground reaction of feet-first landings from four heights, and the peak accelerations above it."""
    runs = {}
    for number, (name, height) in enumerate(HEIGHTS.items()):
        progress(f"landing from {height} m", number, len(HEIGHTS))
        runs[name] = landed(height, wobble=name == "wobbling")
    weights = {name: body_weights(run).max() for name, run in runs.items()}
    peaks = {name: accelerations(run) for name, run in runs.items()}
    rows: list[Validated] = [
        *_judged("0.5 m, straight legs", weights["passive"], peaks["passive"]),
        *_judged("the same with wobbling masses", weights["wobbling"], peaks["wobbling"]),
        *(compared(name, weights[name], "passive, straight legs") for name in ("C10", "C11", "C12")),
    ]  # fmt: skip
    cells = [
        (
            f"{HEIGHTS[name]:g}{_MARK.get(name, '')}",
            f"{weights[name]:.1f}",
            *(f"{peaks[name][segment]:.1f}" for segment in SEGMENTS),
        )
        for name in HEIGHTS
    ]
    headings = ("height [m]", "ground reaction [body weight]", *(f"{segment} [g]" for segment in SEGMENTS))
    return Report(
        title="Landings on straight legs",
        source="McNitt-Gray 1993 (recalled), active landings of gymnasts",
        rows=tuple(rows),
        tables=(Table("landings", "Peaks of the first 0.1 s after the touch", headings, tuple(cells)),),
        figures={"ground": partial(_draw, runs)},
        notes=(
            "A man of 180 cm and 80 kg drops feet first onto concrete, standing upright with hanging arms. Muscles "
            "hold the posture until the touch.",
            "Gymnasts bend hips and knees and land with 4 to 11 body weights from the same heights. A body on "
            "straight legs cannot do that, so these targets are shown, not judged.",
        ),
    )


_MARK = {"wobbling": ", wobbling masses"}


def _judged(title: str, weight: float, peaks: dict[str, float]) -> list[Validated]:
    """Return the rows of a landing from 0.5 m: ground reaction [body weight], and the head over the pelvis [-]."""
    ratio = peaks["head"] / peaks["pelvis"]
    return [
        Validated(f"{title}: peak ground reaction", 8.0, 16.0, weight, "body weight", source=_STIFF),
        Validated(f"{title}: head over pelvis acceleration", -inf, 0.5, ratio, "-", source="requirement"),
    ]


def landed(height: float, *, wobble: bool = False) -> Result:
    """Run a feet-first drop onto concrete from a height of the feet [m]; wobble: soft masses move on the bone."""
    fall = float(np.sqrt(2.0 * height / STANDARD_GRAVITY))
    changes = body.changes() | {
        "human.posture": "standing",
        "human.wobble": wobble,
        "human.tone": "standing",
        "human.tone_until": fall,
        "human.start.clearance": height,
        "solver.duration": fall + LATER,
        "output.rate": RATE,
        "output.pose_rate": RATE,
    }
    return Scenario.load("fall-4m", changes).run()


def body_weights(run: Result) -> np.ndarray:
    """Return the vertical ground reaction over the weight (n,) [-]."""
    assert run.geometry is not None
    return run.recording.contact_force[:, :, 2].sum(axis=1) / (run.geometry.body_mass.sum() * STANDARD_GRAVITY)


def accelerations(run: Result) -> dict[str, float]:
    """Return segment -> peak resultant acceleration [g], channel class 180."""
    found = {}
    for segment in SEGMENTS:
        _, samples = run.accelerometer(segment, CFC)
        found[segment] = float(np.linalg.norm(samples, axis=1).max()) / STANDARD_GRAVITY
    return found


def _draw(runs: dict[str, Result]) -> Figure:
    """Draw the ground reaction over time after the touch."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    axes = figure.add_subplot(xlabel="time after the touch [ms]", ylabel="ground reaction [body weight]")
    for name, run in runs.items():
        touch = run.recording.events[0].time
        axes.plot(
            1e3 * (run.recording.pose_time - touch),
            body_weights(run),
            label=f"{HEIGHTS[name]:g} m{_MARK.get(name, '')}",
        )
    axes.set_xlim(-5.0, 1e3 * LATER)
    axes.legend(frameon=False)
    return figure

"""The neck in a frontal sled test of 15 g: head of seven volunteers on the measured motion of T1 (NBDL, ewing1972).

The neck is fitted to this test: its ratings are reported and never count.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..verdict import Progress, Report, Table, Validated
from . import body
from .neck_test import CHANNELS, NeckRun, measured, neck_ratings, neck_response, neck_score
from .target import compared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AIM = 0.70  # mean rating of five channels that the calibration is to reach [-]


def neck(progress: Progress) -> Report:
    """Rate the head's response on the measured T1 motion by ISO/TS 18571, five channels."""
    progress("NBDL frontal", 0, 1)
    run = neck_response(body.joints())
    ratings = neck_ratings(run)
    headings = ("channel", "R", "corridor Z", "phase P", "magnitude M", "slope S", "in the mean")
    cells = [
        (channel.replace("_", " "), *(f"{value:.2f}" for value in _parts(rating)), "yes" * (channel in CHANNELS))
        for channel, rating in ratings.items()
    ]
    mean = Validated(
        "mean ISO/TS 18571 rating of five channels", AIM, 1.0, neck_score(ratings), "-",
        source="requirement", note="calibration: the neck is fitted to this test",
    )  # fmt: skip
    times, turn = measured("t1", "y_rotation")
    _, rise = measured("t1", "z_displacement")
    inside = times <= 0.2
    return Report(
        title="Neck in a frontal sled test of 15 g",
        source="ewing1972, seven volunteers; averaged curves",
        rows=(
            mean,
            compared("A62", float(np.degrees(turn[inside].max())), "input of the test"),
            compared("A63", 1e3 * float(rise[inside].max()), "input of the test"),
        ),
        tables=(Table("ratings", "Ratings, 0 to 200 ms", headings, tuple(cells)),),
        figures={"neck": partial(_draw, run)},
        notes=(
            "T1 is driven with the measured x acceleration, z displacement and rotation; head and neck follow. The "
            "neck is fitted to this test, so the ratings are those of a calibration and count in no score.",
        ),
    )


def _parts(rating: object) -> tuple[float, ...]:
    return tuple(getattr(rating, name) for name in ("value", "corridor", "phase", "magnitude", "slope"))


def _draw(run: NeckRun) -> Figure:
    """Draw the channels of the head with mean and corridor of the volunteers."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12.0, 6.4), layout="constrained")
    for number, (channel, samples) in enumerate(run.channels.items()):
        axes = figure.add_subplot(2, 3, number + 1, xlabel="time [ms]", ylabel=f"{channel.replace('_', ' ')}, SI")
        times, mean = measured("head", channel)
        at, low = measured("head", channel, "low")
        _, high = measured("head", channel, "high")
        axes.fill_between(1e3 * at, low, high, color="#f2cc8f", alpha=0.6, label="corridor of 7 volunteers")
        axes.plot(1e3 * times, mean, color="#888888", label="their mean")
        axes.plot(1e3 * run.time, samples, label="ours")
    axes.legend(frameon=False, fontsize=8)
    return figure

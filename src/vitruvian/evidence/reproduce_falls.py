"""The falls of the thesis, section 6.5: what it says of them, and what ours do. Source: spicka2020."""

from __future__ import annotations

from ..scenario import Scenario
from .report import Progress, Report, Reproduced

SOURCE = "spicka2020, section 6.5: pictures of the motion, hardly a number; contact parameters are not printed"
#: scenario -> the first segment that the pictures show on the ground
FIRST = {"fall-1cm": "foot", "fall-4m": "foot"}


def falls(progress: Progress) -> Report:
    """First contact, energy and time of every fall."""
    rows = []
    for number, (name, first) in enumerate(FIRST.items()):
        progress(name, number, len(FIRST))
        summary = Scenario.load(name).run().summary()
        touched = summary["first_contacts"][0]["body"].removeprefix("left_").removeprefix("right_")
        balance = summary["balance_error"]
        rows += [
            Reproduced.same(f"{name}: first contact", first, touched),
            Reproduced.at_most(f"{name}: energy balance error", 0.1, 100.0 * balance, "%"),
            Reproduced(f"{name}: wall time", "minutes to hours", f"{summary['wall_time']:.2g} s"),
        ]
    return Report("The falls of the human body model", SOURCE, tuple(rows))

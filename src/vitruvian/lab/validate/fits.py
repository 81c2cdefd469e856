"""Fits that anyone can repeat: one value of the tables each, so that a test gives the published value.

Each fit repeats the test of its target on the body and finds the value by bisection.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .calibration import Calibration, Fitted
from .joint_tests import leg_swing, specimen
from .target import targets

HALVINGS = 12  # of an interval: its ends differ by 0.02 % of it then


def knee_swing() -> Calibration:
    """Fit the damping of knee flexion to the decay of a relaxed leg's swing."""
    wanted = float(targets()["A27"].value)
    fitted = solve(lambda damping: leg_swing(damping=damping).ratio - wanted, 0.02, 2.0)
    swing = leg_swing(damping=fitted)
    resistance = specimen().joint("right_knee").resistance
    assert resistance is not None
    peaks = "/".join(f"{peak:.2f}" for peak in swing.peaks[:4])
    answers = {"A25": float(swing.peaks[0]), "A26": swing.period, "A27": swing.ratio, "A28": fitted}
    value = Fitted("knee: damping of flexion", fitted, resistance.damping[1], "N m s/rad")
    return Calibration((value,), answers, (f"Flexion peaks of the fitted swing: {peaks} rad.",))


def solve(miss: Callable[[float], float], low: float, high: float) -> float:
    """Return where a monotonic function changes its sign, by bisection of the logarithm; an end if it does not."""
    rises = miss(high) > miss(low)
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        if (miss(middle) > 0.0) == rises:
            high = middle
        else:
            low = middle
    return float(np.sqrt(low * high))

"""The head injury criterion and the severity index. Times in s, accelerations in g (9.80665 m/s2).

    HIC = max over t1 < t2 <= t1 + window of  (t2 - t1) [1/(t2 - t1) integral from t1 to t2 of a dt]^2.5
    SI  = integral of a^2.5 dt

a is the resultant acceleration of the head's centre of mass in g; both have the unit s, which by habit is left unsaid.
HIC takes the signal as straight lines between its samples; SI is the trapezoidal rule of a^2.5. No filter is applied
here: see signals.cfc (class 1000).
Sources: versace1971 (HIC), gadd1966 (SI).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check
from . import window as search


class Hic(NamedTuple):
    """The criterion [-] and the window in which it is reached [s]."""

    value: float
    t1: float
    t2: float


class SeverityIndex(NamedTuple):
    """The index [-] and the times between which its middle 90 % are gathered [s]."""

    value: float
    t1: float
    t2: float


def hic(time: np.ndarray, a_g: np.ndarray, window: float | None = 0.015, *, assume_units: bool = False) -> Hic:
    """Head injury criterion [-] and its window [s].

    time          of the samples [s], increasing, evenly spaced or not
    a_g           resultant acceleration [g] (n,), or its three components [g] (n, 3); one axis counts by its size
    window        longest window [s], inclusive: 0.015 for HIC15, 0.036 for HIC36, None for no limit
    assume_units  take the numbers as they are, however unlikely

    Exact: the largest value over all pairs of samples, found without trying each (`injury.window`).
    """
    time, acceleration = _resultant(time, a_g, "acceleration_g", "hic: a_g", assume_units)
    if window is not None and not window > 0.0:
        raise InputError(
            f"hic: the window is {window} s; give 0.015, 0.036 or another above zero, or None for no limit."
        )
    if window is not None and window > 1.0 and not assume_units:
        raise InputError(f"hic: the window is {window:g} s. Is it in ms? Give 0.015 for HIC15, or None for no limit.")
    found = search.best(time, acceleration, window)
    return Hic(found.value, float(time[found.first]), float(time[found.last]))


def severity_index(time: np.ndarray, a_g: np.ndarray, *, assume_units: bool = False) -> SeverityIndex:
    """Severity index of Gadd [-]: the integral of a^2.5 by the trapezoidal rule.

    time  of the samples [s]
    a_g   resultant acceleration [g] (n,), or its three components [g] (n, 3); one axis counts by its size

    The rule is applied to a^2.5, not to a^2.5 along the chords of a: chords cut the peaks, which cost 2 % at 1 kHz.
    """
    time, acceleration = _resultant(time, a_g, "acceleration_g", "severity_index: a_g", assume_units)
    sums = search.integral(time, acceleration**2.5)
    total = float(sums[-1])
    first, last = np.searchsorted(sums, [0.05 * total, 0.95 * total])
    last = min(int(last), len(time) - 1)
    return SeverityIndex(total, float(time[max(int(first) - 1, 0)]), float(time[last]))


def _resultant(
    time: object, channel: object, kind: str, name: str, assume_units: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the checked time [s] and the resultant of (n,) or (n, 3) samples; that of one axis is its size."""
    times, samples = record_check.record(time, channel, kind, name=name, assume_units=assume_units)
    return times, np.abs(samples) if samples.ndim == 1 else np.linalg.norm(samples, axis=1)

"""The head injury criterion and the severity index. Times in s, accelerations in g (9.80665 m/s2).

    HIC = max over t1 < t2 <= t1 + window of  (t2 - t1) [1/(t2 - t1) integral from t1 to t2 of a dt]^2.5
    SI  = integral of a^2.5 dt

a is the resultant acceleration of the head's centre of mass in g; both have the unit s, which by habit is left unsaid.
The signal is taken as straight lines between its samples. No filter is applied here: see signals.cfc (class 1000).
Sources: versace1971 (HIC), gadd1966 (SI).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import check
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
    a_g           resultant acceleration [g] (n,), or its three components [g] (n, 3)
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
    """Severity index of Gadd [-]: the integral of a^2.5, exact for straight lines between samples.

    time  of the samples [s]
    a_g   resultant acceleration [g] (n,), or its three components [g] (n, 3); what is negative counts as its size
    """
    time, acceleration = _resultant(time, a_g, "acceleration_g", "severity_index: a_g", assume_units)
    size = np.abs(acceleration)
    left, right, steps = size[:-1], size[1:], np.diff(time)
    # the mean of a^2.5 along a line from a to b is (b^3.5 - a^3.5) / (3.5 (b - a)); Simpson where b is close to a
    apart = np.abs(right - left) > 1e-3 * (right + left)
    middle = 0.5 * (left + right)
    mean = (left**2.5 + 4.0 * middle**2.5 + right**2.5) / 6.0
    mean[apart] = (right[apart] ** 3.5 - left[apart] ** 3.5) / (3.5 * (right[apart] - left[apart]))
    sums = np.concatenate([[0.0], np.cumsum(mean * steps)])
    total = float(sums[-1])
    first, last = np.searchsorted(sums, [0.05 * total, 0.95 * total])
    last = min(int(last), len(time) - 1)
    return SeverityIndex(total, float(time[max(int(first) - 1, 0)]), float(time[last]))


def _resultant(
    time: object, channel: object, kind: str, name: str, assume_units: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Time [s] and the resultant of (n,) or (n, 3) samples, checked."""
    times, samples = check.record(time, channel, kind, name=name, assume_units=assume_units)
    return times, samples if samples.ndim == 1 else np.linalg.norm(samples, axis=1)

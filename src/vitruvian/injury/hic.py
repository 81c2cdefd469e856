"""The head injury criterion, by its plain definition: no filter, every pair of samples tried.

Source: Versace 1971, SAE 710881.

HIC = max over t1 < t2 <= t1 + window of  (t2 - t1) [1/(t2 - t1) integral from t1 to t2 of a dt]^2.5

a is the resultant acceleration of the head's centre of mass in g and the time is in seconds, so HIC has
the unit s, which by habit is left unsaid. The signal is taken as straight lines between its samples (trapezoidal rule).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError

#: a pair whose distance exceeds the window by rounding alone still counts [-]
_ROUNDING = 1e-9


class Hic(NamedTuple):
    """The criterion [-] and the window in which it is reached [s]."""

    value: float
    t1: float
    t2: float


def hic(time: np.ndarray, acceleration_g: np.ndarray, window: float = 0.015) -> Hic:
    """Head injury criterion [-] and its window [s].

    time            of the samples [s], increasing, evenly spaced or not
    acceleration_g  resultant acceleration [g] (n,), or its three components [g] (n, 3)
    window          longest window [s], inclusive: 0.015 for HIC15, 0.036 for HIC36
    """
    time, acceleration = _checked(time, acceleration_g, window)
    # integral of a from the first sample to each [g s]
    integral = np.concatenate([[0.0], np.cumsum(0.5 * (acceleration[1:] + acceleration[:-1]) * np.diff(time))])
    best = Hic(0.0, float(time[0]), float(time[0]))
    longest = window * (1.0 + _ROUNDING)
    for lag in range(1, len(time)):
        span = time[lag:] - time[:-lag]
        within = span <= longest
        if not within.any():
            break
        # mean^2.5 as mean^2 sqrt(mean), many times faster than a power
        mean = np.maximum(integral[lag:] - integral[:-lag], 0.0) / span
        value = np.where(within, span * mean * mean * np.sqrt(mean), 0.0)
        first = int(np.argmax(value))
        if value[first] > best.value:
            best = Hic(float(value[first]), float(time[first]), float(time[first + lag]))
    return best


def _checked(time: np.ndarray, acceleration_g: np.ndarray, window: float) -> tuple[np.ndarray, np.ndarray]:
    """Time [s] and resultant [g] as float arrays of one length."""
    time = np.asarray(time, dtype=float)
    acceleration = np.asarray(acceleration_g, dtype=float)
    if acceleration.ndim == 2 and acceleration.shape[1] == 3:
        acceleration = np.linalg.norm(acceleration, axis=1)
    if time.ndim != 1 or acceleration.shape != time.shape or len(time) == 0:
        raise InputError(
            f"hic: time has the shape {time.shape} and acceleration {np.shape(acceleration_g)}; "
            "expected (n,) and (n,) or (n, 3)."
        )
    if not (np.isfinite(time).all() and np.isfinite(acceleration).all()):
        raise InputError("hic: a time or an acceleration is not a finite number; cut the signal before that sample.")
    if (np.diff(time) <= 0.0).any():
        raise InputError("hic: the times do not increase; sort the samples and drop those that are there twice.")
    if not window > 0.0:
        raise InputError(f"hic: the window is {window} s; it must be greater than zero (0.015 s or 0.036 s).")
    return time, acceleration

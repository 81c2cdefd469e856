"""Another sampling rate, or even steps from uneven ones. Times in s."""

from __future__ import annotations

import math

import numpy as np

from ..errors import InputError
from . import record_check
from .filter import RATE_PER_CLASS, cfc


def resample(
    time: np.ndarray,
    samples: np.ndarray,
    rate: float,
    *,
    start: float | None = None,
    stop: float | None = None,
    alias_filter: bool = True,
    name: str = "channel",
    assume_units: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return evenly spaced times [s] and the samples there, by straight lines between the old ones.

    rate          samples per second [Hz]
    start, stop   first and last time [s], inside the record; its own unless given
    alias_filter  if the rate decreases, filter first with the highest class that the new rate allows
    """
    time, samples = record_check.record(time, samples, name=name, assume_units=assume_units)
    if not 0.0 < rate < math.inf:
        raise InputError(f"{name}: the new rate is {rate} Hz; it must be greater than zero.")
    first = float(time[0]) if start is None else float(start)
    last = float(time[-1]) if stop is None else float(stop)
    slack = 1e-9 * max(1.0, abs(first), abs(last))
    if first < time[0] - slack or last > time[-1] + slack or last < first:
        raise InputError(
            f"{name}: {first:g} to {last:g} s is not inside the record, which goes from {time[0]:g} to {time[-1]:g} s."
        )
    if alias_filter and len(time) > 2 and rate < 0.999 * (len(time) - 1) / float(time[-1] - time[0]):
        old = (len(time) - 1) / float(time[-1] - time[0])
        even = np.linspace(time[0], time[-1], len(time))
        steady = _at(even, time, samples)
        samples = cfc(even, steady, min(rate, old) / RATE_PER_CLASS, name=name, assume_units=assume_units)
        time = even
    count = math.floor((last - first) * rate * (1.0 + 1e-12) + 1e-9) + 1
    new = first + np.arange(count) / rate
    return new, _at(new, time, samples)


def _at(new: np.ndarray, time: np.ndarray, samples: np.ndarray) -> np.ndarray:
    if samples.ndim == 1:
        return np.interp(new, time, samples)
    return np.column_stack([np.interp(new, time, column) for column in samples.T])

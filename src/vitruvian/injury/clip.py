"""The level that is exceeded for a given time: the 3 ms criterion. Times in s.

    cumulative  the highest level above which the signal is for 3 ms in all
    contiguous  the highest level above which it stays for 3 ms in one piece

Between samples the signal is a straight line, so crossings are interpolated and the level is exact, not a sample.
Source: saej1727.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check

MODES = ("cumulative", "contiguous")


class Clip(NamedTuple):
    """The level in the unit of the signal, and when it is exceeded.

    t1, t2  contiguous: the piece; cumulative: the first and the last moment above the level [s]
    pieces  every (start, end) above the level [s]
    """

    value: float
    t1: float
    t2: float
    pieces: tuple[tuple[float, float], ...]


def clip(
    time: np.ndarray,
    a_g: np.ndarray,
    duration: float = 0.003,
    mode: str = "cumulative",
    *,
    assume_units: bool = False,
) -> Clip:
    """Level [g] that is exceeded for a duration [s].

    time      of the samples [s]
    a_g       acceleration [g] (n,), which counts by its size, or its three components (n, 3): their resultant
    duration  [s], 0.003 for the 3 ms criterion
    mode      "cumulative" (regulations) or "contiguous"
    """
    time, samples = record_check.record(time, a_g, "acceleration_g", name="clip: a_g", assume_units=assume_units)
    samples = np.abs(samples) if samples.ndim == 1 else np.linalg.norm(samples, axis=1)
    if mode not in MODES:
        raise InputError(f"clip: the mode is {mode!r}; accepted: {', '.join(MODES)}.")
    if not duration > 0.0:
        raise InputError(f"clip: the duration is {duration} s; it must be greater than zero (0.003 s).")
    length = float(time[-1] - time[0])
    needed = duration * (1.0 - 1e-9)  # a record as long as the duration, up to rounding, is long enough
    if length < needed:
        raise InputError(f"clip: the record lasts {length:g} s, less than the duration of {duration:g} s.")
    level = _level(time, samples, needed, mode)
    pieces = _pieces(time, samples, level)
    if mode == "contiguous":
        first, last = max(pieces, key=lambda piece: piece[1] - piece[0])
    else:
        first, last = pieces[0][0], pieces[-1][1]
    return Clip(level, first, last, tuple(pieces))


def _level(time: np.ndarray, samples: np.ndarray, duration: float, mode: str) -> float:
    """The highest level that is exceeded long enough."""
    # between two neighbouring sample values no piece begins, ends or joins, so its length is linear in the level
    levels = np.unique(samples)
    low, high = 0, len(levels)
    while high - low > 1:  # levels[low] is exceeded long enough, levels[high] is not
        middle = (low + high) // 2
        if _long_enough(_pieces(time, samples, levels[middle]), duration, mode):
            low = middle
        else:
            high = middle
    if high == len(levels):
        return float(levels[low])
    bottom, top = float(levels[low]), float(levels[high])
    # lengths at two levels inside the gap give the straight lines of all pieces
    inner = (bottom + (top - bottom) / 3.0, bottom + 2.0 * (top - bottom) / 3.0)
    if not bottom < inner[0] < inner[1] < top:
        return bottom  # neighbours up to rounding
    lengths = [np.array([end - start for start, end in _pieces(time, samples, level)]) for level in inner]
    if mode == "cumulative":
        lengths = [np.array([float(length.sum())]) for length in lengths]
    slope = (lengths[1] - lengths[0]) / (inner[1] - inner[0])
    falling = slope < 0.0
    if not falling.any():
        return bottom
    reached = inner[0] + (duration - lengths[0][falling]) / slope[falling]
    return float(np.clip(reached.max(), bottom, top))


def _long_enough(pieces: list[tuple[float, float]], duration: float, mode: str) -> bool:
    lengths = [end - start for start, end in pieces]
    return (max(lengths, default=0.0) if mode == "contiguous" else sum(lengths)) >= duration


def _pieces(time: np.ndarray, samples: np.ndarray, level: float) -> list[tuple[float, float]]:
    """Start and end of every stretch at or above the level [s]."""
    above = np.concatenate([[False], samples >= level, [False]])
    rises, falls = np.flatnonzero(above[1:] & ~above[:-1]), np.flatnonzero(above[:-1] & ~above[1:]) - 1
    starts, ends = time[rises].astype(float), time[falls].astype(float)
    inner = rises > 0
    before = rises[inner] - 1
    starts[inner] -= (
        (time[rises[inner]] - time[before])
        * (samples[rises[inner]] - level)
        / (samples[rises[inner]] - samples[before])
    )
    inner = falls < len(time) - 1
    after = falls[inner] + 1
    ends[inner] += (
        (time[after] - time[falls[inner]]) * (samples[falls[inner]] - level) / (samples[falls[inner]] - samples[after])
    )
    return list(zip(starts.tolist(), ends.tolist(), strict=True))

"""Criteria of many runs: the values of `assess`, bit for bit, computed by compiled loops without labels and verdicts.

`values` knows the criteria of head and thorax that a study computes unless it names others. It returns None for
whatever needs more: other criteria, people without sensors there, short or broken records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..injury.brain import critical_of
from ..injury.channels import Channels, Record
from ..injury.finding import criteria
from ..injury.hic import Hic
from ..injury.limits import adult
from ..injury.risk import risks_of_size
from ..kernels import criterion as kernel
from ..signals.filter import DESIGN, ISO_6487, PADDING, PADDING_SAMPLES, START_SAMPLES, sections
from ..units import STANDARD_GRAVITY

if TYPE_CHECKING:
    from ..injury.subject import Subject
    from ..sim.recording import Recording

_WINDOWS = {"HIC15": 0.015, "HIC36": 0.036}
_CLIPS = {"head 3ms": "head", "chest 3ms": "thorax"}
KNOWN = frozenset({*_WINDOWS, *_CLIPS, "BrIC"})
CLIP = 0.003 * (1.0 - 1e-9)  # duration of the 3 ms criterion, as in `clip` [s]
SHORTEST = 300  # samples; shorter records take the general path
MANY = 256  # samples among which the level of the 3 ms criterion is searched first


class Quick(NamedTuple):
    """Columns of all people (criterion and its risks), and the filtered accelerations of their heads."""

    row: dict[str, float]
    channels: Channels


class _Signals:
    """Sensor signals of a recording, filtered once for each class."""

    def __init__(self, recording: Recording) -> None:
        self.recording, self.time = recording, recording.time
        self.rate = _rate(len(self.time), float(self.time[0]), float(self.time[-1]))
        self._done: dict[tuple[str, str, float], np.ndarray | None] = {}
        self._resultants: dict[tuple[str, float], np.ndarray | None] = {}

    def filtered(self, sensor: str, quantity: str, wanted: float) -> np.ndarray | None:
        """Return the filtered components (3, n), or None if they are not finite."""
        key = (sensor, quantity, wanted)
        if key not in self._done:
            self._done[key] = self._filtered(*key)
        return self._done[key]

    def _filtered(self, sensor: str, quantity: str, wanted: float) -> np.ndarray | None:
        recording = self.recording
        array = recording.channels[f"sensor_{quantity}_local"]
        samples = np.ascontiguousarray(array[:, recording.sensors.index(sensor)].T)
        if not np.isfinite(samples.sum()):
            return None
        own = recording.filter_class(sensor)
        for frequency_class in (own, wanted):
            if frequency_class is None or (frequency_class is not own and own is not None and own <= frequency_class):
                continue
            if self.rate > 2.0 * DESIGN[ISO_6487] * frequency_class:
                samples = _lowpass(samples, frequency_class, self.rate)
        return samples

    def resultant(self, sensor: str, wanted: float) -> np.ndarray | None:
        """Return the resultant acceleration [g] (n,), or None if it is not finite."""
        key = (sensor, wanted)
        if key not in self._resultants:
            parts = self.filtered(sensor, "acceleration", wanted)
            found = None if parts is None else np.empty(parts.shape[1])
            if parts is not None:
                kernel.resultant(parts[0], parts[1], parts[2], STANDARD_GRAVITY, found)
            self._resultants[key] = found
        return self._resultants[key]


def warm() -> None:
    """Load or compile the loops, so that threads find them."""
    time = np.arange(SHORTEST) / 1e4
    parts = _lowpass(np.ones((3, SHORTEST)), 60.0, 1e4)
    size, sums, most = np.empty(SHORTEST), np.empty(SHORTEST), np.empty(3)
    kernel.resultant(parts[0], parts[1], parts[2], STANDARD_GRAVITY, size)
    kernel.integral(time, size, sums)
    kernel.best_window(time, size, sums, 0.015)
    kernel.largest(parts[0], parts[1], parts[2], most)
    level(time, size)


def values(recording: Recording, people: Mapping[str, Subject], names: Sequence[str]) -> Quick | None:
    """Return the columns of some criteria of all people of a run, or None if the general path must compute them.

    people  prefix of a person ("" or "anna.") -> subject
    """
    if not set(names) <= KNOWN or len(recording.time) < SHORTEST:
        return None
    needed = {"head", *(_CLIPS[name] for name in names if name in _CLIPS)}
    if not all(f"{prefix}{place}" in recording.sensors for prefix in people for place in needed):
        return None
    signals = _Signals(recording)
    row: dict[str, float] = {}
    records: dict[str, Record] = {}
    for prefix, subject in people.items():
        head = f"{prefix}head"
        for name in names:
            value = _value(signals, prefix, name, subject.size)
            if value is None:
                return None
            if np.isfinite(value):
                row[f"{prefix}{name}"] = value
                chances = risks_of_size(name, value, subject.size, subject.age)
                row |= {f"{prefix}{name} {risk.outcome}": float(risk.probability) for risk in chances}
        label, wanted = f"{head}.acceleration", float(criteria()["HIC15"]["filter"])
        parts = signals.filtered(head, "acceleration", wanted)
        if parts is None:
            return None
        records[label] = Record(label, recording.time, parts.T, wanted)
    return Quick(row, Channels(records))


def _value(signals: _Signals, prefix: str, name: str, size: str) -> float | None:
    """Return a criterion of a person; not a number where its constants are not known, None if it is not finite."""
    wanted = float(criteria()[name]["filter"])
    if name == "BrIC":
        if size != "3YO" and not adult(size):
            return float("nan")
        turning = signals.filtered(f"{prefix}head", "angular_velocity", wanted)
        if turning is None:
            return None
        most = np.empty(3)
        kernel.largest(turning[0], turning[1], turning[2], most)
        parts = most / np.array(critical_of("3yo" if size == "3YO" else "average"))
        return float(np.sqrt((parts**2).sum()))
    a = signals.resultant(f"{prefix}{_CLIPS.get(name, 'head')}", wanted)
    if a is None:
        return None
    if name in _CLIPS:
        return level(signals.time, a)
    return best_window(signals.time, a, _WINDOWS[name])


def best_window(time: np.ndarray, a: np.ndarray, window: float) -> float:
    """Return the head injury criterion of a resultant acceleration [g] with a longest window [s]."""
    sums = np.empty(len(a))
    kernel.integral(time, a, sums)
    return float(kernel.best_window(time, a, sums, window))


def hic15(time: np.ndarray, samples: np.ndarray) -> Hic:
    """Return HIC15 of three components [g] (n, 3), without its window."""
    x, y, z = np.ascontiguousarray(samples.T)
    a = np.empty(len(time))
    kernel.resultant(x, y, z, 1.0, a)
    return Hic(best_window(np.ascontiguousarray(time), a, _WINDOWS["HIC15"]), float("nan"), float("nan"))


def level(time: np.ndarray, samples: np.ndarray) -> float:
    """Return the level that a signal without negative samples exceeds for 3 ms in all, as `clip` does."""
    n, lengths = len(samples), np.empty(len(samples))
    few = min(MANY, n)
    levels = np.unique(np.partition(samples, n - few)[n - few :])
    low = kernel.level_between(time, samples, levels, CLIP, lengths)
    if low < 0:  # a level that is exceeded for longer
        levels = np.unique(samples)
        low = max(kernel.level_between(time, samples, levels, CLIP, lengths), 0)
    if low + 1 == len(levels):
        return float(levels[low])
    bottom, top = float(levels[low]), float(levels[low + 1])
    inner = (bottom + (top - bottom) / 3.0, bottom + 2.0 * (top - bottom) / 3.0)
    if not bottom < inner[0] < inner[1] < top:
        return bottom
    first, second = (float(lengths[: kernel.pieces(time, samples, at, lengths)].sum()) for at in inner)
    slope = (second - first) / (inner[1] - inner[0])
    return min(max(inner[0] + (CLIP - first) / slope, bottom), top) if slope < 0.0 else bottom


@lru_cache(maxsize=16)
def _rate(count: int, first: float, last: float) -> float:
    """Return the sampling rate [Hz] of a clock of the solver, whose samples are evenly spaced."""
    return 1.0 / ((last - first) / (count - 1))


@lru_cache(maxsize=64)
def _section(frequency_class: float, rate: float) -> np.ndarray:
    return np.ascontiguousarray(sections(frequency_class, rate)[0])


def _lowpass(samples: np.ndarray, frequency_class: float, rate: float) -> np.ndarray:
    """Return components (3, n) filtered forward and backward."""
    count = samples.shape[1]
    padding = min(max(round(PADDING * rate), PADDING_SAMPLES), count - 1)
    out = np.empty_like(samples)
    one, two = np.empty(count + 2 * padding), np.empty(count + 2 * padding)
    for axis in range(3):
        kernel.lowpass(samples[axis], START_SAMPLES, _section(frequency_class, rate), padding, one, two, out[axis])
    return out

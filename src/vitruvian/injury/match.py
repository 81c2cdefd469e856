"""Agreement of runs and measured data channel by channel, by ISO/TS 18571. SI units, axes of SAE J211.

The first input is the reference. A channel is compared if both have it, over the time that both cover, each with the
filter class that criteria take for its quantity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, nearest
from ..signals import resample
from .channels import Channels, Record
from .rating import Rating, iso18571

#: filter class of a quantity [Hz]
CLASSES = {"acceleration": 1000.0, "force": 600.0, "moment": 600.0}
OTHER_CLASS = 180.0
RATE = 10_000.0  # of ISO/TS 18571 [Hz]
MOST = 3000  # samples of a rating: longer records are compared at a lower rate, because its cost grows with the square
FEWEST = 20
QUIET = 1e-3  # size of a reference over that of its vector, below which a component is noise and is not rated [-]


@dataclass(frozen=True)
class Match:
    """A channel of two inputs.

    name       with its axis: head.acceleration.x, or .size for that of a vector
    reference, other  samples at `time` [s], in SI
    rating     by ISO/TS 18571; None if the reference is zero or too short
    reason     why there is no rating; "" otherwise
    """

    name: str
    time: np.ndarray
    reference: np.ndarray
    other: np.ndarray
    rating: Rating | None
    reason: str = ""

    @property
    def peaks(self) -> tuple[float, float]:
        """Return the largest size of the reference and of the other, in SI."""
        return float(np.abs(self.reference).max()), float(np.abs(self.other).max())


def matches(reference: Channels, other: Channels, only: tuple[str, ...] = ()) -> list[Match]:
    """Return the channels that both have, compared.

    only  names of channels as head.acceleration, all axes of them; all if empty
    """
    common = [name for name in reference.records if name in other.records]
    for name in only:
        if name not in common:
            raise InputError(f"not both have a channel {name!r}.{nearest(name, common)} Common: {', '.join(common)}.")
    found = [match for name in common if not only or name in only for match in _compared(name, reference, other)]
    if not found:
        known = f"{', '.join(reference.records) or 'none'}; {', '.join(other.records) or 'none'}"
        raise InputError(f"the two have no channel in common that overlaps in time. Their channels: {known}.")
    return found


def overall(found: list[Match]) -> float:
    """Return the mean rating of all rated channels [-]; not a number if none is rated."""
    rated = [match.rating.value for match in found if match.rating is not None]
    return float(np.mean(rated)) if rated else float("nan")


def _compared(name: str, reference: Channels, other: Channels) -> Iterator[Match]:
    """Yield the axes of one channel, and the size of a vector."""
    frequency = CLASSES.get(name.rpartition(".")[2], OTHER_CLASS)
    one, two = reference.get(name, frequency), other.get(name, frequency)
    assert one is not None and two is not None  # both have it
    first, last = (max(r.time[0] for r in (one[0], two[0])), min(r.time[-1] for r in (one[0], two[0])))
    if last - first < FEWEST / RATE:
        return
    rate = min(RATE, MOST / (last - first))
    time, a = _sampled(one[0], rate, first, last)
    _, b = _sampled(two[0], rate, first, last)
    if a.ndim == 1 or b.ndim == 1:
        yield _match(name, time, _size(a), _size(b), 0.0)
        return
    size = float(np.linalg.norm(a, axis=1).max())
    for axis, label in enumerate("xyz"):
        yield _match(f"{name}.{label}", time, a[:, axis], b[:, axis], size)
    yield _match(f"{name}.size", time, _size(a), _size(b), size)


def _size(samples: np.ndarray) -> np.ndarray:
    return samples if samples.ndim == 1 else np.linalg.norm(samples, axis=1)


def _sampled(record: Record, rate: float, first: float, last: float) -> tuple[np.ndarray, np.ndarray]:
    return resample(
        record.time,
        record.samples,
        rate,
        start=first,
        stop=last,
        alias_filter=False,
        name=record.name,
        assume_units=True,
    )


def _match(name: str, time: np.ndarray, reference: np.ndarray, other: np.ndarray, size: float) -> Match:
    count = min(len(time), len(reference), len(other))
    time, reference, other = time[:count], reference[:count], other[:count]
    if np.abs(reference).max() <= QUIET * size or not np.abs(reference).max() > 0.0:
        return Match(name, time, reference, other, None, "the reference is nearly zero")
    try:
        return Match(name, time, reference, other, iso18571(time, reference, other, assume_units=True))
    except InputError as error:
        return Match(name, time, reference, other, None, str(error))

"""The best window of a record: the search behind HIC and the criteria of the same form. Exact and fast.

    value(i, j) = (t_j - t_i) [(S_j - S_i) / (t_j - t_i)]^2.5,   S the integral of the signal from the first sample

over all pairs i < j with t_j - t_i <= window. Trying every pair takes n^2 / 2 of them. Here pairs are first taken
together in blocks of starts and blocks of ends. No pair of two blocks can be better than

    (S_most - S_least)^2.5 / (shortest span)^1.5      and, for neighbours,      (S_most - S_least) (largest sample)^1.5

so blocks that cannot reach the best value found so far are dropped, the others are cut in four, down to single pairs.
Nothing is skipped that could win: the answer is that of the exhaustive search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: a pair whose span exceeds the window by rounding alone still counts [-]
ROUNDING = 1e-9
_SAFETY = 1.0 + 1e-10  # on bounds, which are rounded too [-]
_FIRST_PAIRS = 20_000  # of blocks, at most about
_CHUNK = 250_000  # pairs looked at together


class Best(NamedTuple):
    """The value and the samples between which it is reached."""

    value: float
    first: int
    last: int


class _Level(NamedTuple):
    """Blocks of 2^k samples: least and most of the integral and where, largest sample, first and last time."""

    least: np.ndarray
    least_at: np.ndarray
    most: np.ndarray
    most_at: np.ndarray
    largest: np.ndarray
    start: np.ndarray
    stop: np.ndarray


def integral(time: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """From the first sample to each, by straight lines, in the unit of the samples times s."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (samples[1:] + samples[:-1]) * np.diff(time))])


def power(total: np.ndarray, span: np.ndarray) -> np.ndarray:
    """span (total / span)^2.5; zero where the total is not positive."""
    mean = np.maximum(total, 0.0) / span
    return span * mean * mean * np.sqrt(mean)


def best(time: np.ndarray, samples: np.ndarray, window: float | None) -> Best:
    """The largest value over all pairs of samples no further apart than the window [s]; None for no limit."""
    n = len(time)
    if n < 2:
        return Best(0.0, 0, 0)
    longest = np.inf if window is None else window * (1.0 + ROUNDING)
    levels = [_finest(time, samples)]
    while len(levels[-1].start) > 1:
        levels.append(_coarser(levels[-1]))
    height = len(levels) - 1
    while height > 0 and _count(levels[height - 1], longest).sum() <= _FIRST_PAIRS:
        height -= 1
    found = Best(0.0, 0, 0)
    todo = [(height, *_pairs(levels[height], longest))]
    while todo:
        height, one, two = todo.pop()
        level = levels[height]
        if height == 0:
            found = _try(level, one, two, longest, found)
            continue
        # a pair of samples out of each pair of blocks, to raise the mark
        found = _try(levels[0], level.least_at[one], level.most_at[two], longest, found)
        keep = _bound(level, one, two, longest) * _SAFETY > found.value
        one, two = one[keep], two[keep]
        finer = levels[height - 1]
        firsts = np.concatenate([2 * one, 2 * one, 2 * one + 1, 2 * one + 1])
        seconds = np.concatenate([2 * two, 2 * two + 1, 2 * two, 2 * two + 1])
        size = len(finer.start)
        keep = (firsts <= seconds) & (seconds < size)
        firsts, seconds = firsts[keep], seconds[keep]
        for place in range(0, len(firsts), _CHUNK):
            todo.append((height - 1, firsts[place : place + _CHUNK], seconds[place : place + _CHUNK]))
    return found


def exhaustive(time: np.ndarray, samples: np.ndarray, window: float | None) -> Best:
    """Find the best window by trying every pair of samples: the definition, and the independent check of `best`."""
    found = Best(0.0, 0, 0)
    longest = np.inf if window is None else window * (1.0 + ROUNDING)
    sums = integral(time, samples)
    for lag in range(1, len(time)):
        span = time[lag:] - time[:-lag]
        within = span <= longest
        if not within.any():
            break
        value = np.where(within, power(sums[lag:] - sums[:-lag], span), 0.0)
        at = int(np.argmax(value))
        if value[at] > found.value:
            found = Best(float(value[at]), at, at + lag)
    return found


def _finest(time: np.ndarray, samples: np.ndarray) -> _Level:
    sums, at = integral(time, samples), np.arange(len(time))
    return _Level(sums, at, sums, at, np.maximum(samples, 0.0), time, time)


def _coarser(level: _Level) -> _Level:
    """Blocks of twice the length."""
    even, odd = slice(0, None, 2), slice(1, None, 2)
    n, half = len(level.start), len(level.start) // 2

    def joined(chosen: np.ndarray, lone: np.ndarray) -> np.ndarray:
        return np.concatenate([chosen, lone[-1:]]) if n % 2 else chosen

    less = level.least[odd] < level.least[even][:half]
    more = level.most[odd] > level.most[even][:half]
    return _Level(
        joined(np.where(less, level.least[odd], level.least[even][:half]), level.least),
        joined(np.where(less, level.least_at[odd], level.least_at[even][:half]), level.least_at),
        joined(np.where(more, level.most[odd], level.most[even][:half]), level.most),
        joined(np.where(more, level.most_at[odd], level.most_at[even][:half]), level.most_at),
        joined(np.maximum(level.largest[odd], level.largest[even][:half]), level.largest),
        level.start[even],
        joined(level.stop[odd], level.stop),
    )


def _count(level: _Level, longest: float) -> np.ndarray:
    """How many blocks each block can end in, itself included."""
    return np.searchsorted(level.start, level.stop + longest, side="right") - np.arange(len(level.start))


def _pairs(level: _Level, longest: float) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of blocks that may hold a window."""
    count = _count(level, longest)
    one = np.repeat(np.arange(len(count)), count)
    return one, one + np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)


def _bound(level: _Level, one: np.ndarray, two: np.ndarray, longest: float) -> np.ndarray:
    """Return an upper bound of all pairs of samples of two blocks; zero if no pair is within the window."""
    total = np.maximum(level.most[two] - level.least[one], 0.0)
    span = level.start[two] - level.stop[one]
    largest = np.where(two - one <= 1, np.maximum(level.largest[one], level.largest[two]), np.inf)
    # the mean is neither above the largest sample nor above the total over the shortest span
    mean = np.minimum(largest, np.divide(total, span, out=np.full_like(span, np.inf), where=span > 0.0))
    bound = np.zeros_like(total)
    some = (total > 0.0) & (span <= longest)
    bound[some] = total[some] * mean[some] * np.sqrt(mean[some])
    return bound


def _try(finest: _Level, one: np.ndarray, two: np.ndarray, longest: float, found: Best) -> Best:
    """The best of these pairs of samples and of what was found before."""
    span = finest.start[two] - finest.start[one]
    right = (span > 0.0) & (span <= longest)
    if not right.all():
        one, two, span = one[right], two[right], span[right]
    if not len(one):
        return found
    value = power(finest.least[two] - finest.least[one], span)
    at = int(np.argmax(value))
    return Best(float(value[at]), int(one[at]), int(two[at])) if value[at] > found.value else found

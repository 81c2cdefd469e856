"""Agreement of a curve with a measured one, from 0 to 1: ISO/TS 18571, and a corridor rating like CORA's.

ISO/TS 18571, of two curves at the same times (10 kHz in the standard):

    corridor   Z: 1 inside +-5 % of the reference's largest size, 0 outside +-50 %, quadratic between; mean over time
    phase      P: 1 - n / (0.2 N), n the shift of the curve, at most a fifth of it, at which the correlation is largest
    magnitude  M: 1 - e / 0.5, e the relative difference after shifting and dynamic time warping within a tenth
    slope      S: 1 - e / 2, e the relative difference of the smoothed slopes after shifting
    overall    0.4 Z + 0.2 P + 0.2 M + 0.2 S; grades: above 0.94 excellent, 0.80 good, 0.58 fair, else poor

CORA-like: corridors of a width of one's own, or measured ones, and cross correlation.
Source: iso18571 (as implemented in the package objective_rating_metrics 1.3, with which the tests compare).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..signals import record_check

GRADES = ((0.94, "excellent"), (0.80, "good"), (0.58, "fair"), (-1.0, "poor"))
_INNER, _OUTER = 0.05, 0.5  # half widths of the corridors over the largest size of the reference [-]
_SHIFT = 0.2  # largest shift over the length [-]
_WARP = 0.1  # half width of the warping window over the length [-]
_MAGNITUDE, _SLOPE = 0.5, 2.0  # errors that are rated zero [-]
_WEIGHTS = (0.4, 0.2, 0.2, 0.2)
_SMOOTH = 9  # samples of the mean slope


class Rating(NamedTuple):
    """ISO/TS 18571: overall rating, its four parts, the shift of the curve [s] (positive: late) and a grade."""

    value: float
    corridor: float
    phase: float
    magnitude: float
    slope: float
    shift: float
    grade: str


class CorridorRating(NamedTuple):
    """A rating like CORA's: overall, of the corridor, of the cross correlation and its parts."""

    value: float
    corridor: float
    correlation: float
    phase: float
    size: float
    progression: float


def iso18571(time: np.ndarray, reference: np.ndarray, curve: np.ndarray, *, assume_units: bool = False) -> Rating:
    """Objective rating of a curve against a measured reference.

    time       evenly spaced [s]; the standard wants 10 kHz: signals.resample makes it
    reference  the measured curve (n,)
    curve      the other one (n,), in the same unit
    """
    time, truth, other, step = _checked(time, reference, curve, assume_units)
    shift = _best_shift(truth, other)
    moved_truth, moved = _shifted(truth, other, shift)
    parts = (
        _corridor(truth, other),
        _phase(len(truth), shift),
        _magnitude(moved_truth, moved),
        _slope(moved_truth, moved, step),
    )
    value = float(np.dot(_WEIGHTS, parts))
    grade = next(word for limit, word in GRADES if value > limit)
    return Rating(value, *parts, shift * step, grade)


def corridor_rating(
    time: np.ndarray,
    reference: np.ndarray,
    curve: np.ndarray,
    *,
    inner: float | tuple[np.ndarray, np.ndarray] = 0.05,
    outer: float | tuple[np.ndarray, np.ndarray] = 0.5,
    exponent: float = 2.0,
    weights: tuple[float, float] = (0.5, 0.5),
    assume_units: bool = False,
) -> CorridorRating:
    """Rating like CORA's: half corridor, half cross correlation (phase, size and progression in equal parts).

    inner, outer  half widths over the largest size of the reference [-], or measured corridors (lower, upper) in the
                  unit of the curve, as when several tests gave a band
    exponent      of the fall from 1 at the inner to 0 at the outer corridor [-]
    """
    time, truth, other, _ = _checked(time, reference, curve, assume_units)
    inside, outside = (_band(truth, band) for band in (inner, outer))
    above = _between(other, inside[1], outside[1])
    below = _between(-other, -inside[0], -outside[0])
    corridor = float(np.mean(np.minimum(above, below) ** exponent))
    shift = _best_shift(truth, other)
    moved_truth, moved = _shifted(truth, other, shift)
    phase = _phase(len(truth), shift)
    squares = float((moved_truth**2).sum()), float((moved**2).sum())
    size = min(squares) / max(squares) if max(squares) > 0.0 else 1.0
    size = float(np.sqrt(size))
    progression = float(np.clip((1.0 + _correlation(moved_truth, moved)) / 2.0, 0.0, 1.0)) ** 2
    correlation = (phase + size + progression) / 3.0
    return CorridorRating(
        weights[0] * corridor + weights[1] * correlation, corridor, correlation, phase, size, progression
    )


def _checked(
    time: object, reference: object, curve: object, assume_units: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    times, truth = record_check.record(
        time, reference, name="rating: reference", components=1, assume_units=assume_units
    )
    _, other = record_check.record(time, curve, name="rating: curve", components=1, assume_units=assume_units)
    if len(times) < 2 * _SMOOTH:
        raise InputError(
            f"rating: {len(times)} samples are too few; give at least {2 * _SMOOTH}, 10 kHz in the standard."
        )
    if not np.abs(truth).max() > 0.0:
        raise InputError("rating: the reference is zero throughout; nothing can be compared with it.")
    return times, truth, other, record_check.uniform_step(times, name="rating: reference")


def _corridor(truth: np.ndarray, other: np.ndarray) -> float:
    most = float(np.abs(truth).max())
    off = np.abs(truth - other)
    rated = np.clip((_OUTER * most - off) / ((_OUTER - _INNER) * most), 0.0, 1.0) ** 2
    return float(np.mean(np.where(off < _INNER * most, 1.0, rated)))


def _best_shift(truth: np.ndarray, other: np.ndarray) -> int:
    """Samples by which the curve is late, at the largest correlation; the smallest shift of equally good ones."""
    best, found = _correlation(truth, other), 0
    for size in range(1, int(np.floor(len(truth) * round(_SHIFT, 2)) + 1)):
        for shift in (size, -size):
            value = _correlation(*_shifted(truth, other, shift))
            if value > best:
                best, found = value, shift
    return found


def _shifted(truth: np.ndarray, other: np.ndarray, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """Both curves where they overlap after the other one is moved earlier by that many samples."""
    if shift == 0:
        return truth, other
    return (truth[:-shift], other[shift:]) if shift > 0 else (truth[-shift:], other[:shift])


def _correlation(one: np.ndarray, two: np.ndarray) -> float:
    a, b = one - one.mean(), two - two.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0.0 else -1.0


def _phase(count: int, shift: int) -> float:
    return max(1.0 - abs(shift) / (count * _SHIFT), 0.0)


def _magnitude(truth: np.ndarray, other: np.ndarray) -> float:
    first, second = _warped(other, truth)
    size = float(np.abs(truth[second]).sum())
    error = float(np.abs(other[first] - truth[second]).sum()) / size if size > 0.0 else 0.0
    return max(1.0 - error / _MAGNITUDE, 0.0)


def _warped(one: np.ndarray, two: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the samples paired by dynamic time warping: least sum of squares within the window."""
    n = len(one)
    reach = int(np.ceil(_WARP * n)) - 1
    cost = np.full((n + 1, 2 * reach + 1), np.inf)  # row i, column j - i + reach; row 0 is before the first sample
    came = np.zeros((n + 1, 2 * reach + 1), dtype=np.int8)
    lags = np.arange(-reach, reach + 1)
    for i in range(n):
        partner = i + lags
        valid = (partner >= 0) & (partner < n)
        local = np.where(valid, (one[i] - two[np.clip(partner, 0, n - 1)]) ** 2, np.inf)
        if i == 0:
            from_above = np.full(len(lags), np.inf)
            diagonal = np.where(partner == 0, 0.0, np.inf)
        else:
            diagonal = cost[i]
            from_above = np.append(cost[i][1:], np.inf)  # the same partner as the sample before
        # best entry into the row and then along it: a running minimum
        entry = np.minimum(diagonal, from_above)
        sums = np.cumsum(np.where(valid, local, 0.0))
        running = np.minimum.accumulate(np.where(valid, entry + local - sums, np.inf))
        row = np.where(valid, running + sums, np.inf)
        cost[i + 1] = row
        from_left = valid & (row < entry + local - 1e-12 * (row[valid].max() + sums[-1]))  # beyond rounding
        came[i + 1] = np.where(from_left, 2, np.where(from_above < diagonal, 1, 0))
    i, j = n - 1, n - 1
    path = [(i, j)]
    while i > 0 or j > 0:
        move = came[i + 1, j - i + reach]
        if move == 2 and j > 0:
            j -= 1
        elif move == 1 and i > 0:
            i -= 1
        else:
            i, j = max(i - 1, 0), max(j - 1, 0)
        path.append((i, j))
    pairs = np.array(path[::-1])
    return pairs[:, 0], pairs[:, 1]


def _slope(truth: np.ndarray, other: np.ndarray, step: float) -> float:
    slopes = [_smooth(np.gradient(curve, step)) for curve in (truth, other)]
    size = float(np.abs(slopes[0]).sum())
    error = float(np.abs(slopes[1] - slopes[0]).sum()) / size if size > 0.0 else 0.0
    return max(1.0 - error / _SLOPE, 0.0)


def _smooth(slope: np.ndarray) -> np.ndarray:
    """Mean over nine samples; over 1, 3, 5 and 7 at the ends."""
    out = np.empty_like(slope)
    half = _SMOOTH // 2
    out[half:-half] = np.convolve(slope, np.ones(_SMOOTH) / _SMOOTH, mode="valid")
    for at in range(half):
        count = 2 * at + 1
        out[at] = slope[:count].mean()
        out[-at - 1] = slope[-count:].mean()
    return out


def _band(truth: np.ndarray, band: float | tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(band, tuple):
        low, high = (np.asarray(side, dtype=float) for side in band)
        if low.shape != truth.shape or high.shape != truth.shape or (low > high).any():
            raise InputError("rating: a corridor is (lower, upper), each as long as the reference and in that order.")
        return low, high
    width = band * float(np.abs(truth).max())
    return truth - width, truth + width


def _between(values: np.ndarray, inside: np.ndarray, outside: np.ndarray) -> np.ndarray:
    """1 up to the inner edge, 0 beyond the outer one, a straight line between."""
    width = np.maximum(outside - inside, 1e-300)
    return np.clip((outside - values) / width, 0.0, 1.0)

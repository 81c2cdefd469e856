"""Motion of a sled along one axis: a shape, a table of values at times, or a CSV file. SI units.

A CSV file has the headings `time [ms]` and `acceleration [g]`, with any unit in brackets; the second may be a velocity
or a displacement. Values are positive along the forward axis of the sled, so the pulse of a frontal crash is negative.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from math import isfinite, pi, tan
from pathlib import Path
from typing import Any

import numpy as np

from ..data.file import read_csv, read_text
from ..errors import InputError, shown
from ..model import Table
from ..model.field import field_of
from ..model.value import Choice, Depends, ListOf, Quantity, Text
from ..units import parse_unit

QUANTITIES = ("acceleration", "velocity", "displacement")
SHAPES = ("table", "half-sine", "triangle", "trapezoid")
PIECES = 256  # straight pieces of a half-sine
_HEADING = re.compile(r"\s*([A-Za-z ]+?)\s*\[([^\]]+)\]\s*")


@dataclass(frozen=True)
class Pulse:
    """Motion along one axis of a sled."""

    shape: str = field_of(Choice(SHAPES), "of the motion over time", default="table")
    quantity: str = field_of(Choice(QUANTITIES), "what the peak or the values are", default="acceleration")
    peak: float | None = field_of(Depends("SI"), "largest value of a shape; negative against the axis", default=None)
    duration: float | None = field_of("time", "of a shape, from 0 s on", default=None, above=0.0)
    rise: float | None = field_of(
        "time", "until the peak of a triangle (half of it unless given) or trapezoid (a quarter)", default=None
    )
    fall: float | None = field_of(
        "time", "from the plateau of a trapezoid to its end; the rise unless given", default=None
    )
    times: tuple[float, ...] = field_of(ListOf(Quantity("time")), "of a table, strictly increasing", default=())
    values: tuple[float, ...] = field_of(ListOf(Depends("SI")), "of a table, one for each time", default=())
    unit: str | None = field_of(Text(), "unit of the values, if not SI", default=None)

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise InputError(f"pulse shape is {shown(self.shape)}; accepted: {', '.join(SHAPES)}.")
        if self.quantity not in QUANTITIES:
            raise InputError(f"pulse quantity is {shown(self.quantity)}; accepted: {', '.join(QUANTITIES)}.")
        if self.shape == "table":
            if self.peak is not None or self.duration is not None or self.rise is not None or self.fall is not None:
                raise InputError('pulse: peak, duration, rise and fall go with a shape, as in shape = "half-sine".')
            _check_rows(self.times, self.values)
            return
        if self.times or self.values:
            raise InputError(f'pulse: times and values go with shape = "table", not {self.shape}.')
        if self.quantity != "acceleration":
            raise InputError(f"pulse: a {self.shape} is an acceleration; give a table of the {self.quantity}.")
        if self.peak is None or self.duration is None or not 0.0 < self.duration < float("inf"):
            raise InputError(f"pulse: a {self.shape} needs a peak and a duration greater than zero.")
        rise, fall = self._ramps()
        if not (rise > 0.0 and fall > 0.0 and rise + fall <= self.duration * (1.0 + 1e-12)):
            raise InputError(
                f"pulse: rise {rise:g} s and fall {fall:g} s do not fit a {self.shape} of {self.duration:g} s."
            )

    def _ramps(self) -> tuple[float, float]:
        """Return the times of rise and fall of a shape [s]."""
        assert self.duration is not None
        if self.shape == "trapezoid":
            rise = 0.25 * self.duration if self.rise is None else self.rise
            return rise, rise if self.fall is None else self.fall
        rise = 0.5 * self.duration if self.rise is None else self.rise
        return rise, self.duration - rise

    def samples(self) -> tuple[np.ndarray, np.ndarray]:
        """Return times [s] and values [SI] of the motion from 0 s on.

        The chords of a half-sine are scaled by less than 2e-5, so that change of velocity and displacement are exact.
        """
        if self.shape == "table":
            return _from_zero(np.array(self.times, float), np.array(self.values, float), self.quantity)
        assert self.peak is not None and self.duration is not None
        if self.shape == "half-sine":
            share = np.arange(PIECES + 1) / PIECES
            exact = 2.0 * PIECES / pi * tan(0.5 * pi / PIECES)
            values = exact * self.peak * np.sin(pi * share)
            values[-1] = 0.0
            return self.duration * share, values
        rise, fall = self._ramps()
        knots = [0.0, rise, self.duration - fall, self.duration]
        level = [0.0, self.peak, self.peak, 0.0]
        if knots[2] - knots[1] <= 1e-12 * self.duration:
            del knots[2], level[2]
        return np.array(knots), np.array(level)

    def table(self, velocity: float = 0.0) -> Table:
        """Return the displacement over time as a function that a joint can follow.

        velocity  at 0 s, of a prescribed acceleration [m/s or rad/s]
        """
        times, values = self.samples()
        if self.quantity == "acceleration":
            start = velocity * float(times[0])
            return Table(tuple(times.tolist()), tuple(values.tolist()), "acceleration", start, velocity)
        if velocity:
            raise InputError(f"velocity is {velocity:g}; leave it out, because the {self.quantity} over time is given.")
        if self.quantity == "velocity":
            values = _integral(times, values)
        return Table(tuple(times.tolist()), tuple(values.tolist()), "position")

    @property
    def change(self) -> float:
        """Change of velocity [m/s or rad/s] of a prescribed acceleration."""
        times, values = self.samples()
        return float(np.sum(0.5 * np.diff(times) * (values[1:] + values[:-1])))


def read_pulse(path: str | Path, quantity: str = "") -> Pulse:
    """Return the pulse of a CSV file with the headings `time [ms]` and `acceleration [g]`, any unit in brackets.

    quantity  column to read, if the file has several: acceleration, velocity or displacement
    """
    lines = read_text(Path(path)).splitlines()
    rows = [row for row in read_csv((line for line in lines if line.strip() and line[0] != "#"), ",") if row]
    if not rows:
        raise InputError(f"{path} is empty; expected the headings time [ms], acceleration [g] and rows of numbers.")
    headings: dict[str, tuple[int, float]] = {}
    for column, text in enumerate(rows[0]):
        name, factor = _heading(text, str(path))
        headings[name] = (column, factor)
    found = [name for name in QUANTITIES if name in headings and name == (quantity or name)]
    if "time" not in headings or not found:
        raise InputError(
            f"{path} has the headings {', '.join(rows[0])}; expected time [ms] and {quantity or 'acceleration [g]'}."
        )
    columns = [headings["time"], headings[found[0]]]
    values = [
        [_number(row, c, number, path) * factor for c, factor in columns] for number, row in enumerate(rows[1:], 2)
    ]
    times, samples = np.array(values, float).reshape(-1, 2).T
    try:
        return Pulse(quantity=found[0], times=tuple(times.tolist()), values=tuple(samples.tolist()))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _heading(text: str, path: str) -> tuple[str, float]:
    """Return name and factor to SI of a heading such as `acceleration [g]`; headings of other quantities have 1."""
    match = _HEADING.fullmatch(text.lstrip("\ufeff"))
    name = (match[1] if match else text.split("[", maxsplit=1)[0]).strip().lower()
    if name not in ("time", *QUANTITIES):
        return name, 1.0
    if match is None:
        raise InputError(f'{path}: the heading "{text}" has no unit; write it in brackets, as in "{name} [...]".')
    dimension = {"displacement": "length"}.get(name, name)
    if name in QUANTITIES:  # of an angle if its unit is one
        angular = {"acceleration": "angular acceleration", "velocity": "angular velocity", "displacement": "angle"}[
            name
        ]
        try:
            return name, parse_unit(match[2], angular)[0]
        except InputError:
            pass
    try:
        return name, parse_unit(match[2], dimension)[0]
    except InputError as error:
        raise InputError(f"{path}: {text}: {error}") from None


def _number(row: list[str], column: int, number: int, path: str | Path) -> float:
    try:
        return float(row[column])
    except (IndexError, ValueError):
        text = row[column] if column < len(row) else ""
        raise InputError(f"{path}: row {number} has {shown(text)}; expected a number.") from None


def _check_rows(times: Any, values: Any) -> None:
    """Refuse a table whose times do not increase, or that has not a value for each of them."""
    if len(times) != len(values) or len(times) < 2:
        raise InputError(
            f"pulse has {len(times)} times and {len(values)} values; expected at least two, one for each time."
        )
    if not all(map(isfinite, (*times, *values))):
        raise InputError("pulse has a time or value that is not a finite number.")
    for row, (first, second) in enumerate(itertools.pairwise(times), 2):
        if second <= first:
            raise InputError(
                f"pulse: time decreases or stays: row {row} has {second:g} s after {first:g} s; sort the rows."
            )
    if times[-1] <= 0.0:
        raise InputError(f"pulse ends at {times[-1]:g} s; it must end after 0 s, the start of the run.")


def _from_zero(times: np.ndarray, values: np.ndarray, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of a table from 0 s on: a run starts there, whatever a measurement recorded before."""
    if times[0] >= 0.0:
        return times, values
    first = np.interp(0.0, times, values)
    later = times > 0.0
    values = np.concatenate([[first], values[later]])
    return np.concatenate([[0.0], times[later]]), values - first if quantity == "displacement" else values


def _integral(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the integral of the cubic spline through values at times, at the same times."""
    from scipy.interpolate import CubicSpline

    whole = CubicSpline(times, values).antiderivative()
    found: np.ndarray = whole(times) - whole(times[0])
    return found

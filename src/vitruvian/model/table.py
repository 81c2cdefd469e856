"""Functions of time given by a table, as piecewise cubic polynomials with known rate and acceleration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import InputError, nearest
from .field import field_of
from .value import Choice, Depends, ListOf, Of, Quantity

KINDS = ("position", "acceleration", "linear", "step", "smooth")


@dataclass(frozen=True)
class Table:
    """A function of time: values at times.

    kind "position" is a cubic spline through the values (continuous acceleration). The values of "acceleration" are
    accelerations, linear in between, integrated twice from `start` and `start_rate` (a sled pulse). "linear" is
    straight lines (forces), "step" constant from each knot on, "smooth" has steps
    3 x^2 - 2 x^3 between the values.

    Before the first and after the last knot a spline continues with its end rate, an acceleration is zero, and a
    linear, step or smooth table keeps its end value.
    """

    times: tuple[float, ...] = field_of(ListOf(Quantity("time")), "knots, strictly increasing [s]")
    values: tuple[float, ...] = field_of(ListOf(Depends("SI")), "at the knots, in the unit of what the table drives")
    kind: str = field_of(
        Choice(KINDS),
        "how the values are joined; in a file position for motion and linear for forces unless given",
        default="linear",
        implied=True,
    )
    start: float = field_of(Depends("SI"), "kind acceleration: coordinate at the first knot", default=0.0)
    start_rate: float = field_of(Depends("SI"), "kind acceleration: its rate at the first knot", default=0.0)

    def __post_init__(self) -> None:
        times = np.asarray(self.times, dtype=float)
        values = np.asarray(self.values, dtype=float)
        if self.kind not in KINDS:
            raise InputError(
                f"table kind {self.kind!r} is unknown; accepted: {', '.join(KINDS)}." + nearest(self.kind, KINDS)
            )
        if times.ndim != 1 or times.shape != values.shape or len(times) == 0:
            raise InputError(
                f"table has {times.size} times and {values.size} values; expected as many of one as of the other."
            )
        if not (np.isfinite(times).all() and np.isfinite(values).all()):
            raise InputError("table has a time or value that is not finite.")
        late = np.nonzero(np.diff(times) <= 0.0)[0]
        if late.size:
            raise InputError(
                f"table times must increase; row {late[0] + 1} has {times[late[0] + 1]} s after {times[late[0]]} s."
            )
        object.__setattr__(self, "times", tuple(times.tolist()))
        object.__setattr__(self, "values", tuple(values.tolist()))

    def polynomials(self) -> tuple[np.ndarray, np.ndarray]:
        """Knots [s] (n,) and coefficients (n+1, 4), lowest power first, in the time since the piece began.

        Piece 0 lies before the first knot (time counted from it, negative), piece i from knot i-1 on.
        """
        times, values = np.array(self.times), np.array(self.values)
        pieces = np.zeros((len(times) + 1, 4))
        if self.kind == "step":
            pieces[1:, 0] = values
            pieces[0, 0] = values[0]
        elif self.kind == "linear":
            pieces[1:, 0] = values
            pieces[1:-1, 1] = np.diff(values) / np.diff(times)
            pieces[0, 0] = values[0]
        elif self.kind == "smooth":
            rise, span = np.diff(values), np.diff(times)
            pieces[0, 0], pieces[1:, 0] = values[0], values
            pieces[1:-1, 2], pieces[1:-1, 3] = 3.0 * rise / span**2, -2.0 * rise / span**3
        elif self.kind == "position":
            _spline(times, values, pieces)
        else:
            _integrate(times, values, self.start, self.start_rate, pieces)
        return times, pieces

    def at(self, time: np.ndarray) -> np.ndarray:
        """Its values at times [s]."""
        knots, pieces = self.polynomials()
        piece = np.searchsorted(knots, time, side="right")
        since = time - knots[np.maximum(piece - 1, 0)]
        a, b, c, d = pieces[piece].T
        return a + since * (b + since * (c + since * d))


#: a function of time as it is written: a number, or a table of values at times
FUNCTION = Of(Table, word=Depends("SI"))


def constant(value: float) -> Table:
    """The table that has one value for ever."""
    return Table((0.0,), (float(value),), "step")


def ramp(start: float, rate: float) -> Table:
    """Uniform motion: `start` at time zero, then `rate` per second."""
    return Table((0.0,), (0.0,), "acceleration", start, rate)


def _spline(times: np.ndarray, values: np.ndarray, pieces: np.ndarray) -> None:
    """Not-a-knot cubic spline; a straight line or a constant if there are too few points."""
    if len(times) == 1:
        pieces[:, 0] = values[0]
        return
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(times, values)
    pieces[1:-1] = spline.c[::-1].T
    for row, at in ((0, times[0]), (-1, times[-1])):
        pieces[row, 0], pieces[row, 1] = spline(at), spline(at, 1)


def _integrate(times: np.ndarray, values: np.ndarray, start: float, rate: float, pieces: np.ndarray) -> None:
    """Twice integrated, piecewise linear acceleration; `start` and `rate` hold at the first knot."""
    pieces[0, :2] = start, rate
    position = start
    for row, (span, first, last) in enumerate(zip(np.diff(times), values[:-1], values[1:], strict=True), start=1):
        jerk = (last - first) / span
        pieces[row] = position, rate, first / 2.0, jerk / 6.0
        position += span * (rate + span * (first / 2.0 + span * jerk / 6.0))
        rate += span * (first + span * jerk / 2.0)
    pieces[-1, :2] = position, rate


def tables(values: Sequence[float | Table]) -> tuple[Table, ...]:
    """Numbers become constant tables; tables stay."""
    return tuple(value if isinstance(value, Table) else constant(value) for value in values)


def with_areas(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Return tables one after the other, with a column more: the integral of each from its first knot on.

    tables  each of rows of a knot and its polynomial
    """
    ends = np.cumsum([0, *map(len, tables)]).tolist()
    found = np.zeros((ends[-1], 6))
    if not len(found):
        return found
    np.concatenate(tables, out=found[:, :5])
    length = np.diff(found[:, 0])  # without a meaning from one table to the next
    within = sum(found[:-1, 1 + power] * length ** (power + 1) / (power + 1) for power in range(4))
    for start, end in pairwise(ends):
        np.cumsum(within[start : end - 1], out=found[start + 1 : end, 5])
    return found


class TableList:
    """Functions of time and of depth, gathered one after the other."""

    def __init__(self) -> None:
        self.pieces: list[np.ndarray] = []
        self.times: list[np.ndarray] = [np.zeros(0)]

    def add(self, *tables: Table) -> int:
        """Append functions of time; the number of the first."""
        first = len(self.pieces)
        for table in tables:
            times, pieces = table.polynomials()
            self.pieces.append(np.column_stack([np.concatenate([times[:1], times]), pieces]))
            self.times.append(times)
        return first

    def add_pieces(self, *tables: np.ndarray) -> int:
        """Append functions of depth, given as rows of a knot and its polynomial; the number of the first."""
        self.pieces.extend(tables)
        return len(self.pieces) - len(tables)

    def fill(self, arrays: dict[str, np.ndarray]) -> None:
        """Write knots and polynomials, and the times at which a step must end."""
        arrays["table_start"] = np.concatenate([[0], np.cumsum([len(rows) for rows in self.pieces])]).astype(np.int64)
        arrays["table"] = with_areas(self.pieces)
        times = np.unique(np.concatenate(self.times))
        arrays["schedule"] = times[times < np.inf]

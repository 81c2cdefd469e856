"""An interval with every answer: cases over the ranges of the data tables and small changes of the start.

    from vitruvian.study import spread

    print(spread("fall-4m", cases=64, seed=0))

What varies is in the table `spread`: stiffness of head, thorax, pelvis and feet, stiffness and damping of the joints,
friction of the ground, and the start (clearance, heading, rotation; speed and lateral place of a vehicle). Every range
is sampled evenly by a Latin hypercube, factors evenly in their logarithm. The interval therefore shows what is not
known about the model and the start. It does not show errors of the model that the tables do not contain.

Chaotic outcomes are found with twins: some cases run again with every input moved by a thousandth of its range. If
twins touch the ground in another order, or an outcome of twins differs by a tenth of its interval, no single run
predicts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import data
from ..errors import InputError
from ..scenario import Scenario
from .case import WATCHED_RATE, people, unit
from .design import values_at
from .study import Progress, Study
from .variable import Range, Variable

if TYPE_CHECKING:
    import pandas

    from ..sim.result import Result

MODELLED = ("factor.tissue.head", "factor.tissue.thorax", "factor.tissue.pelvis", "factor.tissue.foot",
            "factor.joint.stiffness", "factor.joint.damping")  # fmt: skip
TWINS = 8  # cases that run again
NEAR = 1e-3  # by which inputs of twins differ, as a part of their range [-]
CHAOTIC = 0.1  # median difference of twins as a part of the 5-95 % interval, from which an outcome is chaotic [-]
LEAST = 0.05  # probability of a rank correlation by chance, below which an input is listed [-]
DRIVERS = 3
#: columns that are no outcomes
_TECHNICAL = ("case", "repetition", "end_time", "rest_heading", "balance_error", "wall_time")


@dataclass(frozen=True)
class Driver:
    """An input that drives an outcome: its path and its rank correlation with the outcome [-]."""

    path: str
    correlation: float


@dataclass(frozen=True)
class Interval:
    """An outcome over all cases.

    median, low, high  50, 5 and 95 % of the runs in which it happens
    share              of runs in which it happens at all [-]
    drivers            up to three inputs, the strongest first
    chaotic            True if twins differ by a tenth of the interval
    """

    name: str
    median: float
    low: float
    high: float
    share: float
    drivers: tuple[Driver, ...]
    chaotic: bool


@dataclass(frozen=True)
class Spread:
    """Intervals of all outcomes, with the rows of their cases.

    reordered  twins that touch in another order, and the number of all twins
    bands      head -> times [s], 5 and 95 % of its resultant acceleration [g] at each time
    study      that made the rows
    """

    title: str
    intervals: tuple[Interval, ...]
    rows: pandas.DataFrame
    inputs: tuple[str, ...]
    reordered: tuple[int, int]
    bands: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
    study: SpreadStudy

    def ghosts(self) -> list[Result]:
        """Return the runs in which the first outcome is nearest to the ends of its interval."""
        if not self.intervals:
            return []
        first, found = self.intervals[0], []
        values = self.rows.loc[self.rows["reason"] == "", first.name].dropna()
        for share, end in ((5, first.low), (95, first.high)):
            case = int((values - end).abs().idxmin())
            result = self.study.result(int(self.rows["case"][case]))
            value = float(values[case])
            result.title = f"{share} % of {first.name}: {value:.{0 if value >= 100.0 else 2}f}"
            found.append(result)
        return found

    def __getitem__(self, name: str) -> Interval:
        """Return the interval of an outcome."""
        for interval in self.intervals:
            if interval.name == name:
                return interval
        raise InputError(f"there is no outcome {name!r}; there are: {', '.join(one.name for one in self.intervals)}.")

    def __str__(self) -> str:
        width = max((len(one.name) for one in self.intervals), default=0)
        lines = [f"{one.name:<{width}}  {words(one)}" for one in self.intervals]
        return "\n".join([self.title, *lines, *self.notes])

    @property
    def notes(self) -> list[str]:
        """Sentences that a reader must see."""
        failed = int((self.rows["reason"] != "").sum())
        found = [f"{failed} of {len(self.rows)} cases did not end well and are left out."] if failed else []
        missed = [one for one in self.intervals if one.name.endswith("head_contact_time") and one.share < 1.0]
        for one in missed:
            end = float(self.rows["end_time"].max())
            found.append(
                f"The head touches nothing up to the end of the run ({end:.3g} s) in {100.0 * (1.0 - one.share):.0f} % "
                "of the runs. If it still falls then, a longer solver.duration changes the intervals of the head."
            )
        other, all_of_them = self.reordered
        chaotic = [one.name for one in self.intervals if one.chaotic]
        if other:
            found.append(
                f"In {other} of {all_of_them} pairs of nearly identical runs the later contacts come in another order."
            )
        if chaotic:
            found.append(f"Chaotic, so that only the interval has a meaning: {', '.join(chaotic)}.")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        outcomes = {
            one.name: {
                "median": one.median, "p5": one.low, "p95": one.high, "share": one.share, "chaotic": one.chaotic,
                "drivers": {driver.path: driver.correlation for driver in one.drivers},
            }
            for one in self.intervals
        }  # fmt: skip
        return {"cases": len(self.rows), "inputs": list(self.inputs), "outcomes": outcomes, "notes": self.notes}


def words(one: Interval) -> str:
    """Return an interval in words."""
    share = "" if one.share == 1.0 else f", in {100.0 * one.share:.0f} % of the runs"
    causes = ", ".join(f"{short(driver.path)} {driver.correlation:+.2f}" for driver in one.drivers)
    of = f" {unit(one.name)}".rstrip()
    return f"{one.median:.4g}{of} ({one.low:.4g} to {one.high:.4g}){share}" + (
        f"; driven by {causes}" if causes else ""
    )


def short(path: str) -> str:
    """Return a path without what every path has."""
    return path.removeprefix("factor.").removeprefix("human.")


def spread(
    scenario: Scenario | str, cases: int = 64, seed: int = 0, *, threads: int | None = None,
    progress: Progress | None = None,
) -> Spread:  # fmt: skip
    """Run a scenario over the ranges of the data tables and return every outcome with an interval.

    cases  of the Latin hypercube; 8 more are twins
    """
    base = Scenario.load(scenario) if isinstance(scenario, str) else scenario
    study = spread_study(base, cases, seed)
    watched: list[dict[str, np.ndarray]] = []
    study.runs.watched = watched
    rows = study.run(threads=threads, progress=progress)
    study.runs.watched = None
    twins = _twins(study, threads)
    twins = twins[twins["reason"] == ""]
    twins = twins[twins["case"].isin(rows.loc[rows["reason"] == "", "case"])]
    ours = rows[rows["case"].isin(twins["case"])]
    fine = rows[rows["reason"] == ""]
    if not len(fine):
        raise InputError(f"{base.label}: none of {len(rows)} cases ended well. The first one: {rows['reason'][0]}")
    names = [
        name
        for name, kind in study.columns.items()
        if kind is float and name not in (*_TECHNICAL, *study.paths) and "AIS" not in name and fine[name].notna().any()
    ]
    intervals = tuple(_interval(name, fine, study.paths, ours, twins) for name in names)
    orders = [f"{prefix}contacts" for prefix in people(base)]
    other = int((ours[orders].to_numpy() != twins[orders].to_numpy()).any(axis=1).sum()) if orders else 0
    return Spread(base.title or base.name, intervals, rows, study.paths, (other, len(ours)), _bands(watched), study)


def _bands(cases: list[dict[str, np.ndarray]]) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return head -> times [s], 5 and 95 % of the accelerations [g] of the cases that last until then."""
    found = {}
    for head in dict.fromkeys(name for case in cases for name in case):
        curves = [case[head] for case in cases if head in case]
        table = np.full((len(curves), max(map(len, curves))), np.nan)
        for row, curve in zip(table, curves, strict=True):
            row[: len(curve)] = curve
        low, high = np.nanquantile(table, [0.05, 0.95], axis=0)
        found[head] = (np.arange(table.shape[1]) / WATCHED_RATE, low, high)
    return found


@dataclass(frozen=True)
class SpreadStudy(Study):
    """A study whose variables are the ranges of the table `spread`."""

    ranges: tuple[Variable, ...] = ()

    @property
    def variables(self) -> tuple[Variable, ...]:  # type: ignore[override]
        """The ranges; they come from tables and need no check of their own."""
        return self.ranges

    @property
    def paths(self) -> tuple[str, ...]:
        """The first path of every variable, which names its column."""
        return tuple(variable.paths[0] for variable in self.ranges)


def spread_study(base: Scenario, cases: int = 64, seed: int = 0) -> SpreadStudy:
    """Return the study of a scenario over the ranges of the table `spread`."""
    base, ranges = _ranges(base)
    if not ranges:
        raise InputError(f"{base.label} has no person and no vehicle, so that no table gives a range to vary.")
    return SpreadStudy(base, cases=cases, seed=seed, name=f"spread of {base.name}", ranges=tuple(ranges))


@cache
def limits(what: str) -> tuple[float, float] | None:
    """Return the lower and upper end of a row of the table `spread` in SI, or None."""
    found = data.values("spread").get(what)
    return None if found is None else (found["low"], found["high"])


def _ranges(base: Scenario) -> tuple[Scenario, list[Variable]]:
    """Return the scenario with the keys that vary written out, and what varies."""
    found: list[Variable] = []
    written: dict[str, Any] = {}
    planar = any(row.model == "pedestrian11" for row in base.table.human)
    for row in base.table.human:
        at = _place("human", row, base.table.human)
        if base.table.seat:  # a seated person is settled on the seat
            continue
        if row.start.clearance:
            found.append(_range(f"{at}.start.clearance", "start.clearance", row.start.clearance, times=True))
        if not planar:
            found.append(_range(f"{at}.start.heading", "start.heading", row.start.heading))
            written[f"{at}.start.angular_velocity"] = [float(value) for value in row.start.angular_velocity]
            for axis in (0, 1):
                place = f"{at}.start.angular_velocity[{axis}]"
                found.append(_range(place, "start.angular_velocity", float(row.start.angular_velocity[axis])))
    if base.table.human:
        found = [_factor(path) for path in MODELLED] + _frictions(base) + found
    for row in base.table.vehicle:
        at = _place("vehicle", row, base.table.vehicle)
        if row.speed > 0.0:
            found.append(_range(f"{at}.speed", "vehicle.speed", row.speed, times=True))
        if not planar:
            found.append(_range(f"{at}.lateral", "vehicle.lateral", row.lateral))
    return base.replace({**written, "title": base.title}), found


def _place(kind: str, row: Any, rows: tuple[Any, ...]) -> str:
    """Return the path of a table; the only one of its kind is not named."""
    return kind if len(rows) == 1 else f"{kind}.{row.name}"


def _range(path: str, what: str, value: float, *, times: bool = False) -> Range:
    """Return a range around a value of the scenario: a factor, or an amount that is added."""
    ends = limits(what)
    assert ends is not None  # a row of the table
    low, high = (value * end if times else value + end for end in ends)
    return Range((path,), min(low, high), max(low, high))


def _factor(path: str) -> Range:
    ends = limits(path)
    assert ends is not None  # a row of the table
    return Range((path,), *ends, log=True)


def _frictions(base: Scenario) -> list[Variable]:
    """Return a range of the friction of every ready surface; all surfaces of one name vary together."""
    paths: dict[str, list[str]] = {}
    for row in base.table.surface:
        if isinstance(row.contact, str):
            paths.setdefault(row.contact, []).append(f"{_place('surface', row, base.table.surface)}.contact.friction")
    found: list[Variable] = []
    for name, places in paths.items():
        own, usual = limits(f"friction.{name}"), limits("friction.other")
        assert usual is not None  # a row of the table
        low, high = own or tuple(data.surface(name)["friction"] * end for end in usual)
        if high > low:
            found.append(Range(tuple(places), low, high))
    return found


def _twins(study: SpreadStudy, threads: int | None) -> pandas.DataFrame:
    """Run some cases again with every input moved by a small part of its range."""
    from .folder import table

    n = min(TWINS, study.size)
    cases = np.linspace(0, study.size - 1, n).astype(int)
    moved = study.unit[cases]
    moved = moved + np.where(moved < 0.5, NEAR, -NEAR)
    values = values_at(study.variables, moved)
    inputs = [{path: column[k] for path, column in values.items()} for k in range(n)]
    rows = study.evaluate(inputs, threads=threads)
    return table(
        [{"case": int(case), **one, **row} for case, one, row in zip(cases, inputs, rows, strict=True)], study.columns
    ).to_pandas()


def _interval(
    name: str, rows: pandas.DataFrame, paths: tuple[str, ...], ours: pandas.DataFrame, twins: pandas.DataFrame
) -> Interval:
    """Return the interval of an outcome."""
    happened = rows[rows[name].notna()]
    values = happened[name].to_numpy()
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    apart = np.abs(ours[name].to_numpy() - twins[name].to_numpy())
    apart = apart[np.isfinite(apart)]
    chaotic = bool(len(apart) and high > low and np.median(apart) > CHAOTIC * (high - low))
    drivers = drivers_of(values, {path: happened[path].to_numpy() for path in paths})
    return Interval(name, float(median), float(low), float(high), len(happened) / len(rows), drivers, chaotic)


def drivers_of(values: np.ndarray, inputs: dict[str, np.ndarray]) -> tuple[Driver, ...]:
    """Return the three inputs with the strongest rank correlation that chance does not explain."""
    if len(values) < 8 or np.ptp(values) == 0.0:
        return ()
    found = []
    for path, column in inputs.items():
        if np.ptp(column) > 0.0:
            correlation, chance = rank_correlation(column, values)
            if chance < LEAST:
                found.append(Driver(path, correlation))
    return tuple(sorted(found, key=lambda driver: -abs(driver.correlation))[:DRIVERS])


def rank_correlation(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """Return Spearman's rank correlation [-] and the probability of one as large by chance, by Student's t [-].

    The numbers are those of `scipy.stats.spearmanr`, whose import takes longer than a dozen cases of a study.
    """
    from scipy.special import stdtr

    correlation, free = float(np.corrcoef([_ranks(one), _ranks(other)])[1, 0]), len(one) - 2
    rest = (correlation + 1.0) * (1.0 - correlation)
    t = correlation * np.sqrt(free / rest) if rest > 0.0 else np.inf
    return correlation, float(2.0 * stdtr(free, -abs(t)))


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of numbers from 1 on; equal ones share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: np.ndarray = (np.cumsum(count) - 0.5 * (count - 1))[place]
    return ranks


__all__ = ["Driver", "Interval", "Spread", "spread", "spread_study"]

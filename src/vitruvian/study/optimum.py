"""Optimisation: the design with the smallest criterion or risk, over any paths, under bounds and constraints.

    from vitruvian.study import Study, optimize

    study = Study("pedestrian-2d", {"human": {"population": "us"}}, cases=12)
    best = optimize(study, {"vehicle.front.profile[4][1]": [0.72, 0.86]}, Goal("HIC15 AIS3+"))

Every design runs with the same cases of the study (its people, speeds, uncertain inputs), so that designs differ by
themselves and not by chance. The objective is the mean or a quantile of an outcome over these cases. The difference to
the start is given with its standard error, because few cases leave it uncertain. A constraint is a limit of another
outcome; a violation counts as its size relative to the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError, optional, shown
from .design import latin_hypercube, values_at
from .study import Progress, Study
from .variable import Range, Value, read_variables, refuse_unknown_word, together

SEARCHES = ("cma", "differential-evolution", "nelder-mead")
MEASURES = ("mean", "median", "p95", "worst")
FEWEST = 4  # designs of a search
HARD = 10.0  # weight of a violated constraint, relative to the size of the objective at the start [-]
EDGE = 0.01  # distance from a bound, as a part of the range, below which the optimum is at the bound [-]


@dataclass(frozen=True)
class Limit:
    """A constraint: the measure of an outcome is at most, or at least, a value."""

    outcome: str
    most: float = np.inf
    least: float = -np.inf

    def violation(self, value: float) -> float:
        """Return by how much a value is outside, relative to the limit [-]."""
        if not np.isfinite(value):
            return 1.0
        above, below = max(0.0, value - self.most), max(0.0, self.least - value)
        return (above + below) / max(abs(self.most if above else self.least), 1e-12) if above + below else 0.0


@dataclass(frozen=True)
class Goal:
    """The objective of a design and its constraints.

    minimise  a column of numbers of the study: "HIC15", "HIC15 AIS3+"
    measure   of the cases: mean, median, p95 or worst
    limits    constraints of other outcomes, of the same measure
    """

    minimise: str
    measure: str = "mean"
    limits: tuple[Limit, ...] = ()

    def __post_init__(self) -> None:
        refuse_unknown_word(self.measure, MEASURES, "optimum.measure")

    def checked(self, outcomes: Sequence[str]) -> Goal:
        """Return the goal; refuse outcomes that the study does not have."""
        for name in (self.minimise, *(limit.outcome for limit in self.limits)):
            refuse_unknown_word(name, outcomes, "optimum: outcome")
        return self

    def design(self, values: dict[str, float], rows: Sequence[Mapping[str, Any]]) -> Design:
        """Return a design with its measures over the cases that ended well."""

        def sample(name: str) -> np.ndarray:
            return np.array([np.nan if row["reason"] or row[name] is None else row[name] for row in rows], dtype=float)

        failed = sum(bool(row["reason"]) for row in rows)
        found = {limit.outcome: _measured(sample(limit.outcome), self.measure) for limit in self.limits}
        own = sample(self.minimise)
        return Design(values, _measured(own, self.measure), found, failed, own)

    def violation(self, design: Design) -> float:
        """Return by how much a design violates the constraints [-]."""
        return sum(limit.violation(design.limits[limit.outcome]) for limit in self.limits)


@dataclass(frozen=True)
class Design:
    """A design: values of its paths, measure of the objective, measures of the constrained outcomes, failed cases."""

    values: dict[str, float]
    objective: float
    limits: dict[str, float]
    failed: int
    sample: np.ndarray  # the outcome of each case; nan if the case failed


@dataclass(frozen=True)
class Optimum:
    """The best design.

    best, start  the best design, and the middle of the ranges
    better       objective at the start minus that of the best design, paired over the cases
    error        standard error of `better`; nan with one case
    at_bound     paths whose optimum is at an end of their range
    satisfied    True if all constraints hold
    designs      number of designs that were tried
    runs         number of simulations
    """

    goal: Goal
    best: Design
    start: Design
    better: float
    error: float
    at_bound: tuple[str, ...]
    satisfied: bool
    designs: int
    runs: int

    def __str__(self) -> str:
        lines = [
            f"{self.goal.measure} {self.goal.minimise}: {self.best.objective:.4g}, at the start "
            f"{self.start.objective:.4g} ({self.designs} designs, {self.runs} runs)",
            *(f"{path} = {value:.4g}" for path, value in self.best.values.items()),
            *(f"{name}: {value:.4g}" for name, value in self.best.limits.items()),
        ]
        if not self.satisfied:
            lines.append("No design that was tried satisfies the constraints; this one violates them least.")
        if np.isfinite(self.error):
            sure = "" if self.better > 2.0 * self.error else "; more cases are needed to tell them apart"
            lines.append(f"better than the start by {self.better:.4g} +- {self.error:.2g} (standard error){sure}")
        if self.at_bound:
            lines.append(f"At an end of its range: {', '.join(self.at_bound)}. A wider range may give a better design.")
        if self.best.failed:
            lines.append(f"{self.best.failed} cases of the best design failed and are left out.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "outcome": self.goal.minimise, "measure": self.goal.measure, "values": self.best.values,
            "objective": self.best.objective, "start": self.start.objective, "better": self.better,
            "standard_error": self.error if np.isfinite(self.error) else None, "limits": self.best.limits,
            "satisfied": self.satisfied, "at_bound": list(self.at_bound), "designs": self.designs, "runs": self.runs,
        }  # fmt: skip


def optimize(
    study: Study,
    over: Mapping[str, Any],
    goal: Goal | str,
    *,
    search: str = "differential-evolution",
    designs: int = 60,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Optimum:
    """Return the design that minimises an outcome.

    study    what is not designed: people, speeds, uncertain inputs; its cases are the same for all designs
    over     dotted path -> [low, high], as in a study
    goal     what is minimised, or the name of an outcome whose mean is
    search   cma (needs the extra "study"), differential-evolution or nelder-mead
    designs  that are tried, about
    """
    refuse_unknown_word(search, SEARCHES, "optimum.search")
    if designs < FEWEST:
        raise InputError(f"optimum.designs is {designs}; expected at least {FEWEST}.")
    whole, ranges, cases = _prepared(study, over)
    wanted = goal if isinstance(goal, Goal) else Goal(goal)
    wanted.checked([name for name, kind in whole.columns.items() if kind is float])
    tried: list[Design] = []

    def evaluate(units: np.ndarray) -> list[Design]:
        columns = values_at(ranges, np.clip(units, 0.0, 1.0))
        values = [{path: float(column[k]) for path, column in columns.items()} for k in range(len(units))]
        rows = whole.evaluate([{**case, **one} for one in values for case in cases], threads=threads)
        n = len(cases)
        tried.extend(wanted.design(one, rows[k * n : (k + 1) * n]) for k, one in enumerate(values))
        if progress is not None:
            progress(min(len(tried), designs), designs, sum(design.failed > 0 for design in tried))
        return tried[-len(values) :]

    start = evaluate(np.full((1, len(ranges)), 0.5))[0]
    size = abs(start.objective) if np.isfinite(start.objective) and start.objective else 1.0

    def cost(design: Design) -> float:
        own = design.objective if np.isfinite(design.objective) else 10.0 * size
        return own + HARD * size * wanted.violation(design)

    def batch(units: np.ndarray) -> np.ndarray:
        return np.array([cost(design) for design in evaluate(np.atleast_2d(units))])

    SEARCH[search](batch, len(ranges), designs, whole.seed)
    best = min(tried, key=cost)
    if not np.isfinite(best.objective):
        raise InputError(f"{wanted.minimise} could not be computed in any design; check the ranges and the scenario.")
    return _optimum(wanted, best, start, ranges, (len(tried), len(tried) * len(cases)))


def _optimum(goal: Goal, best: Design, start: Design, ranges: list[Range], numbers: tuple[int, int]) -> Optimum:
    """Return the best design next to the start; numbers: of designs and of runs."""
    apart = (start.sample - best.sample)[np.isfinite(start.sample - best.sample)]
    many = goal.measure == "mean" and len(apart) > 1
    error = float(apart.std(ddof=1) / np.sqrt(len(apart))) if many else float("nan")
    ends = tuple(r.paths[0] for r in ranges if _at_bound(r, best.values[r.paths[0]]))
    return Optimum(
        goal, best, start, start.objective - best.objective, error, ends, goal.violation(best) == 0.0, *numbers
    )


def _prepared(study: Study, over: Mapping[str, Any]) -> tuple[Study, list[Range], list[dict[str, Value]]]:
    """Return a study of designs and cases together, the ranges of the design, and the cases; refuse other variables."""
    found = read_variables(over, study.name, study.folder)
    ranges = [variable for variable in found if isinstance(variable, Range)]
    if len(ranges) != len(found):
        others = [", ".join(v.paths) for v in found if not isinstance(v, Range)]
        raise InputError(f"{study.name}: optimum.over takes ranges [low, high]; these are none: {', '.join(others)}.")
    twice = [r.paths[0] for r in ranges if study.variation and r.paths[0] in study.paths_of_variables]
    if twice:
        raise InputError(f"{study.name}: {', '.join(twice)} is in study.vary and in optimum.over; leave one out.")
    both = replace(study, variation=together(study.variation, over, study.name), cases=study.cases or 1)
    cases = [study.inputs(case) for case in range(study.size)] if study.variation else [{}]
    return both, ranges, cases


def _measured(sample: np.ndarray, measure: str) -> float:
    """Return the measure of the cases in which an outcome happened; nan if it did not in any."""
    fine = sample[np.isfinite(sample)]
    if not len(fine):
        return float("nan")
    if measure == "mean":
        return float(fine.mean())
    return float(np.quantile(fine, {"median": 0.5, "p95": 0.95, "worst": 1.0}[measure]))


def _at_bound(one: Range, value: float) -> bool:
    return min(value - one.low, one.high - value) < EDGE * (one.high - one.low)


Batch = Callable[[np.ndarray], np.ndarray]


def _cma(batch: Batch, dimensions: int, designs: int, seed: int) -> None:
    """Search by CMA-ES in the unit cube."""
    cma = optional("cma", "study", "the search cma")
    options = {"bounds": [0.0, 1.0], "seed": seed + 1, "verbose": -9, "maxfevals": designs - 1, "tolfun": 1e-9}
    if dimensions == 1:  # the package needs two dimensions: the second one has no effect
        strategy = cma.CMAEvolutionStrategy([0.5, 0.5], 0.25, options)
    else:
        strategy = cma.CMAEvolutionStrategy(np.full(dimensions, 0.5), 0.25, options)
    while not strategy.stop():
        points = strategy.ask()
        strategy.tell(points, list(batch(np.array(points)[:, :dimensions])))


def _evolution(batch: Batch, dimensions: int, designs: int, seed: int) -> None:
    """Search by differential evolution of whole generations."""
    from scipy.optimize import differential_evolution

    members = max(5, min(6 * dimensions, designs // 4))
    differential_evolution(
        lambda units: batch(units.T), [(0.0, 1.0)] * dimensions, popsize=1, rng=seed, polish=False, vectorized=True,
        updating="deferred", maxiter=max(1, designs // members - 1), tol=1e-6,
        init=latin_hypercube(members, dimensions, np.random.default_rng(seed)),
    )  # fmt: skip


def _simplex(batch: Batch, dimensions: int, designs: int, seed: int) -> None:
    """Search by the simplex method of Nelder and Mead, one design at a time."""
    from scipy.optimize import minimize

    start = np.full(dimensions, 0.5)
    simplex = np.vstack([start, start + 0.2 * np.eye(dimensions)])
    options = {"maxfev": designs - 1, "initial_simplex": simplex, "xatol": 1e-4, "fatol": 1e-9}
    minimize(
        lambda u: float(batch(u[None])[0]),
        start,
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * dimensions,
        options=options,
    )


SEARCH = {"cma": _cma, "differential-evolution": _evolution, "nelder-mead": _simplex}


def read_limits(table: Any, where: str) -> list[Limit]:
    """Return the constraints of a file: outcome -> { most = 80 } or { least = 0 }; refuse others."""
    if not isinstance(table, Mapping):
        raise InputError(f"{where} is {shown(table)}; expected a table of outcomes, as in HIC15 = {{ most = 1000 }}.")
    found = []
    for name, given in table.items():
        fine = isinstance(given, Mapping) and given and set(given) <= {"most", "least"}
        if not fine or not all(isinstance(v, int | float) and np.isfinite(v) for v in given.values()):
            raise InputError(f"{where}.{name} is {shown(given)}; accepted: {{ most = number }}, {{ least = number }}.")
        found.append(Limit(name, **{key: float(value) for key, value in given.items()}))
    return found

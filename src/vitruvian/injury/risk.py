"""Risk curves: the probability of an injury of at least some severity, for the population of the curve.

A curve is lognormal, logistic or Weibull; its numbers, population, source and range are in the data table risk_curve. A
human model is not a dummy: the population says for whom a probability was meant.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from .. import data
from ..errors import InputError, nearest
from .limits import chosen

_NAME = re.compile(r"(?P<criterion>.+) (?P<outcome>AIS\d\+)(?: (?P<variant>.+))?")


@dataclass(frozen=True)
class Risk:
    """The answer of a curve.

    probability  [-]; outside the range that at its nearest end
    inside       False where the value lies outside the range of the curve
    """

    probability: float
    outcome: str
    population: str
    source: str
    status: str
    inside: bool
    words: str


@dataclass(frozen=True)
class Curve:
    """A risk curve: of which criterion, which outcome, for whom, from where, and from what value to what value."""

    name: str
    criterion: str
    outcome: str
    variant: str  # "" for the usual one
    population: str
    source: str
    status: str
    note: str
    numbers: dict[str, float]

    @property
    def range(self) -> tuple[float, float]:
        """Values between which the curve may be used, in the unit of the criterion."""
        return self.numbers["range_from"], self.numbers["range_to"]

    def probability(self, value: float, age: float | None = None) -> float:
        """Return the probability of the outcome [-] by the formula, whatever the range.

        age  [years]; enters where the curve has a term for it, otherwise and by default the age of its reference
        """
        n = self.numbers
        older = n.get("age_slope", 0.0) * (0.0 if age is None else age - n.get("age_reference", age))
        x = value / n.get("divisor", 1.0)
        if "log_mean" in n:
            return 0.5 * math.erfc((n["log_mean"] - math.log(x)) / (n["log_sd"] * math.sqrt(2.0))) if x > 0.0 else 0.0
        if "intercept" in n:
            exponent = n["intercept"] - older - n["slope"] * max(x, 0.0) ** n.get("power", 1.0)
            return float(1.0 / (1.0 + np.exp(exponent)))
        return float(1.0 - np.exp(-((max(x - n.get("threshold", 0.0), 0.0) / n["scale"]) ** n["shape"])))

    def risk(self, value: float, age: float | None = None) -> Risk:
        """Return the probability with its population, and whether the value lies in the range of the curve.

        age  [years], as in `probability`
        """
        low, high = self.range
        inside = low <= value <= high
        chance = self.probability(min(max(value, low), high), age)
        population = self.population
        if "age_slope" in self.numbers:
            population += f", at {self.numbers['age_reference'] if age is None else age:g} years"
        words = f"{percent(chance)} {self.outcome} ({population})"
        if not inside:
            bound = "at least" if value > high else "at most"
            words = (
                f"{value:.4g} is outside the range of the curve ({low:g} to {high:g}): {bound} {percent(chance)} "
                f"{self.outcome} ({population})"
            )
        return Risk(chance, self.outcome, population, self.source, self.status, inside, words)


@cache
def curves() -> dict[str, Curve]:
    """All curves by name."""
    rows: dict[str, list[data.Row]] = {}
    for row in data.table("risk_curve"):
        rows.setdefault(row.item, []).append(row)
    found = {}
    for name, group in rows.items():
        match = _NAME.fullmatch(name)
        if match is None:
            raise InputError(f'risk_curve.csv: the curve {name!r} is not named "criterion AISk+ variant".')
        first = group[0]
        found[name] = Curve(
            name,
            match["criterion"],
            match["outcome"],
            match["variant"] or "",
            first.population,
            first.source,
            first.status,
            first.note,
            {row.quantity: row.value for row in group},
        )
    return found


def risks(criterion: str, value: float, variant: str = "") -> tuple[Risk, ...]:
    """Return the risks of a value by the curves of its criterion, one for each outcome.

    criterion  "HIC15", "BrIC", "Nij", "neck tension" [N], "chest 3ms" [g], "chest deflection" [mm], "femur force" [N]
    variant    "" for the Hybrid III 50M; "5F", "THOR", ...
    """
    return tuple(
        curve.risk(value) for curve in curves().values() if (curve.criterion, curve.variant) == (criterion, variant)
    )


def risks_of_size(criterion: str, value: float, size: str, age: float | None = None) -> tuple[Risk, ...]:
    """Return the answer of every curve that holds for a size of dummy (`table.chosen`); none if none is known.

    age  [years]; enters where a curve has a term for it
    """
    variants: dict[str, list[Curve]] = {}
    for curve in curves().values():
        if curve.criterion == criterion:
            variants.setdefault(curve.variant, []).append(curve)
    return tuple(curve.risk(value, age) for curve in chosen(variants, size) or ())


def risk(curve: str, value: float, age: float | None = None) -> Risk:
    """Return the answer of one curve to a value: risk("HIC15 AIS3+", 700).

    age  [years]; enters where the curve has a term for it
    """
    known = curves()
    if curve not in known:
        raise InputError(f"there is no risk curve {curve!r}; accepted: {', '.join(known)}.{nearest(curve, known)}")
    return known[curve].risk(value, age)


def percent(chance: float) -> str:
    """A probability as people write it."""
    if chance < 1e-4:
        return "0 %" if chance == 0.0 else "below 0.01 %"
    return f"{100.0 * chance:.2g} %" if chance < 0.995 else "over 99 %"

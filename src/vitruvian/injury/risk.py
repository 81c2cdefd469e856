"""Risk curves: the probability of an injury of at least some severity, for those on whom the curve was found.

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

    def probability(self, value: float) -> float:
        """Of the outcome [-] by the formula, whatever the range."""
        n = self.numbers
        x = value / n.get("divisor", 1.0)
        if "log_mean" in n:
            return 0.5 * math.erfc((n["log_mean"] - math.log(x)) / (n["log_sd"] * math.sqrt(2.0))) if x > 0.0 else 0.0
        if "intercept" in n:
            return float(1.0 / (1.0 + np.exp(n["intercept"] - n["slope"] * max(x, 0.0) ** n.get("power", 1.0))))
        return float(1.0 - np.exp(-((max(x - n.get("threshold", 0.0), 0.0) / n["scale"]) ** n["shape"])))

    def risk(self, value: float) -> Risk:
        """The probability with its population, and whether the value lies in the range of the curve."""
        low, high = self.range
        inside = low <= value <= high
        chance = self.probability(min(max(value, low), high))
        words = f"{percent(chance)} {self.outcome} ({self.population})"
        if not inside:
            bound = "at least" if value > high else "at most"
            words = (
                f"{value:.4g} is outside the range of the curve ({low:g} to {high:g}): {bound} {percent(chance)} "
                f"{self.outcome} ({self.population})"
            )
        return Risk(chance, self.outcome, self.population, self.source, self.status, inside, words)


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
    """What the curves of a criterion say of a value: one answer an outcome.

    criterion  "HIC15", "BrIC", "Nij", "neck tension" [N], "chest 3ms" [g], "chest deflection" [mm], "femur force" [N]
    variant    "" for the Hybrid III 50M; "5F", "THOR", ...
    """
    return tuple(
        curve.risk(value) for curve in curves().values() if (curve.criterion, curve.variant) == (criterion, variant)
    )


def risk(curve: str, value: float) -> Risk:
    """What one curve says of a value: risk("HIC15 AIS3+", 700)."""
    known = curves()
    if curve not in known:
        raise InputError(f"there is no risk curve {curve!r}; accepted: {', '.join(known)}.{nearest(curve, known)}")
    return known[curve].risk(value)


def percent(chance: float) -> str:
    """A probability as people write it."""
    if chance < 1e-4:
        return "0 %" if chance == 0.0 else "below 0.01 %"
    return f"{100.0 * chance:.2g} %" if chance < 0.995 else "over 99 %"

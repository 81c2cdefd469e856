"""Stature and mass of people by sex, age and percentile. SI units, ages in years.

Children and the young, 2 to 20 years: growth charts as L, M, S of each age (kuczmarski2002),

    X = M (1 + L S z)^(1/L),   M exp(S z) for L = 0,   z = Phi^-1(percentile / 100)

linearly interpolated between the ages of the table. Adults: stature is normal, mass log-normal above a lowest mass,

    stature = mean + sd z,   mass = median + c (exp(s z) - 1)

with c and s such that mean, standard deviation and median are those of the table. Where the mean is not above the
median, mass is normal too. This holds at the middle of each decade, with linear interpolation between the middles; the
last middle (85 years) holds to 90.

us  decades of nhanes2012
cz  the means of all adults of kopecky2016; trend with age and scatter as in nhanes2012 (by the ratio to the mean of all
    ages there); children as in the growth charts

From 20 to 25 years each percentile is interpolated from the charts (children measured up to 1994) to the adults
(measured 2009 to 2015). Nothing jumps, but these five years contain the growth of a generation, not of a person.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import exp, expm1, sqrt
from statistics import NormalDist
from typing import NamedTuple

from .. import data
from ..errors import InputError, nearest, shown
from ..units import quantity

SEXES = ("male", "female")
POPULATIONS = ("us", "cz")
AGES = (2.0, 90.0)  # [years]
PERCENTILES = (1.0, 99.0)  # a few hundred people per decade do not determine the tails beyond
GROWN = 20.0  # [years], the end of the growth charts


class Grown(NamedTuple):
    """Stature [m] or mass [kg] of adults of one decade: median + c (exp(s z) - 1), or median + sd z for s = 0."""

    age: float  # middle of the decade [years]
    median: float
    scatter: float  # c, or the standard deviation
    skew: float  # s [-]

    def at(self, z: float) -> float:
        """Return the value z standard deviations from the median."""
        return self.median + self.scatter * (expm1(self.skew * z) if self.skew > 0.0 else z)


class Chart(NamedTuple):
    """A row of a growth chart."""

    age: float  # [years]
    power: float  # L [-]
    median: float  # M [m] or [kg]
    scatter: float  # S [-]


def stature(sex: str, age: float, percentile: float = 50.0, population: str = "us") -> float:
    """Return the stature at a percentile [m]."""
    return _size("stature", sex, age, percentile, population)


def body_mass(sex: str, age: float, percentile: float = 50.0, population: str = "us") -> float:
    """Return the mass at a percentile of all people of that sex and age, independent of stature [kg]."""
    return _size("mass", sex, age, percentile, population)


def stature_percentile(height: float, sex: str, age: float, population: str = "us") -> float:
    """Return the percentile of a stature [m], the inverse of `stature`, limited to 1 to 99."""
    return _percentile("stature", height, sex, age, population)


def mass_percentile(mass: float, sex: str, age: float, population: str = "us") -> float:
    """Return the percentile of a mass [kg], the inverse of `body_mass`, limited to 1 to 99."""
    return _percentile("mass", mass, sex, age, population)


def deviation(what: str, z: float, sex: str, age: float, population: str = "us") -> float:
    """Return stature [m] or mass [kg] (`what` is "stature" or "mass") z standard deviations from the median."""
    if age <= GROWN:
        return _charted(_charts(what, sex), age, z)
    knots = [(GROWN, _charted(_charts(what, sex), GROWN, z))]
    knots += [(row.age, row.at(z)) for row in _decades(what, sex, population)]
    return _between(knots, age)


def checked_age(age: object, where: str = "age") -> float:
    """Return the age [years]; raise InputError if there are no data for it."""
    years = quantity(age, "age", where)
    low, high = AGES
    if years < low:
        raise InputError(
            f"{where} is {years:g}; accepted {low:g} to {high:g} years. Infants cannot stand: the growth charts give "
            "a length instead of a stature, and their proportions are not in the data."
        )
    if years > high:
        raise InputError(f"{where} is {years:g}; accepted {low:g} to {high:g} years. The data contain no older people.")
    return years


def checked_word(value: object, accepted: tuple[str, ...], where: str) -> str:
    """Return the word; raise InputError if it is not accepted."""
    if not isinstance(value, str) or value not in accepted:
        raise InputError(f"{where} is {shown(value)}; accepted: {', '.join(accepted)}.{nearest(str(value), accepted)}")
    return str(value)


def checked_percentile(value: object, where: str = "percentile") -> float:
    """Return the percentile; raise InputError if it is outside the accepted range."""
    share = quantity(value, "dimensionless", where)
    if isinstance(value, str) and "%" in value:
        raise InputError(f'{where} is "{value}"; write the number alone: {100.0 * share:g}.')
    low, high = PERCENTILES
    if not low <= share <= high:
        raise InputError(f"{where} is {share:g}; accepted {low:g} to {high:g} (5 is the fifth percentile).")
    return share


def _size(what: str, sex: str, age: float, percentile: float, population: str) -> float:
    checked_word(sex, SEXES, "sex")
    checked_word(population, POPULATIONS, "population")
    z = NormalDist().inv_cdf(checked_percentile(percentile) / 100.0)
    return deviation(what, z, sex, checked_age(age), population)


def _percentile(what: str, value: float, sex: str, age: float, population: str) -> float:
    """Return the percentile of a stature [m] or mass [kg] by bisection."""
    low, high = PERCENTILES
    if value <= _size(what, sex, age, low, population):
        return low
    if value >= _size(what, sex, age, high, population):
        return high
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _size(what, sex, age, middle, population) < value:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


# children


def _charted(rows: tuple[Chart, ...], age: float, z: float) -> float:
    """Return stature [m] or mass [kg] of a chart at an age [years]; L, M and S are interpolated between its rows."""
    power, median, scatter = (_between([(row.age, row[place]) for row in rows], age) for place in (1, 2, 3))
    if abs(power) < 1e-9:
        return median * exp(scatter * z)
    return median * (1.0 + power * scatter * z) ** (1.0 / power)


@cache
def _charts(what: str, sex: str) -> tuple[Chart, ...]:
    found: dict[float, dict[str, float]] = {}
    for row in data.table("growth"):
        if row.item == what and row.sex == sex:
            found.setdefault(float(row.age_group), {})[row.quantity] = row.si
    return tuple(Chart(age, row["L"], row["M"], row["S"]) for age, row in sorted(found.items()))


# adults


@cache
def _decades(what: str, sex: str, population: str) -> tuple[Grown, ...]:
    found: dict[str, dict[str, float]] = {}
    abroad: dict[str, float] = {}
    for row in data.table("adult_size"):
        if row.sex != sex or row.item not in (what, "people"):
            continue
        if row.population == "us":
            found.setdefault(row.age_group, {})[row.quantity] = row.si
        elif row.population == population:
            abroad[row.quantity] = row.si
    everybody = sum(decade["number"] for decade in found.values())
    middle = sum(decade["number"] * decade["mean"] for decade in found.values()) / everybody
    ratio = abroad["mean"] / middle if abroad else 1.0
    rows = []
    for group, decade in found.items():
        age = float(group.partition("-")[0]) + 5.0
        if what == "stature":
            rows.append(Grown(age, ratio * decade["mean"], ratio * decade["sd"], 0.0))
        else:
            rows.append(_skewed(age, *(ratio * decade[name] for name in ("mean", "sd", "median"))))
    return tuple(sorted(rows))


def _skewed(age: float, mean: float, sd: float, median: float) -> Grown:
    """Return the log-normal distribution with a mean, standard deviation and median.

    With b = exp(s^2 / 2): mean - median = c (b - 1) and sd = c b sqrt(b^2 - 1); s follows from their ratio by halving.
    """
    wanted = (mean - median) / sd
    if wanted <= 0.0:
        return Grown(age, median, sd, 0.0)
    low, high = 0.0, 1.0
    for _ in range(60):
        skew = 0.5 * (low + high)
        b = exp(0.5 * skew * skew)
        if (b - 1.0) / (b * sqrt(b * b - 1.0)) < wanted:
            low = skew
        else:
            high = skew
    return Grown(age, median, (mean - median) / (b - 1.0), skew)


def _between(knots: list[tuple[float, float]], age: float) -> float:
    """Return the linear interpolation between knots (age, value); beyond the ends the first or last value."""
    if age <= knots[0][0]:
        return knots[0][1]
    for (low, one), (high, other) in pairwise(knots):
        if age <= high:
            return one + (other - one) * (age - low) / (high - low)
    return knots[-1][1]

"""People of a population: sex, age, height and mass, correlated as in the data tables. SI units, ages in years.

Sex and age follow the numbers of people by decade (tables `adult_size` and `population`), evenly within a decade.
Height and mass follow the distributions of `human.anthropometry` at that sex and age. Their scores z have a correlation
that the table `population` gives for men, women and children.

    from vitruvian.study import Population

    people = Population("us").sample(100, seed=0)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from .. import data
from ..errors import InputError, shown
from ..human.anthropometry import AGES, POPULATIONS, SEXES, checked_word, deviation
from ..human.proportion import ADULT_AGE

_EDGE = 1e-9  # probabilities stay so far from 0 and 1


class Someone(NamedTuple):
    """A person of a population: sex, age [years], height [m], mass [kg]."""

    sex: str
    age: float
    height: float
    mass: float


class _Group(NamedTuple):
    """People of one sex between two ages [years], and their number in the source."""

    sex: str
    low: float
    high: float
    number: float


@dataclass(frozen=True)
class Population:
    """The people of a country: "us" or "cz" (`human.anthropometry`).

    Numbers by age are those of the sample behind the US table for every population.
    """

    name: str = "us"

    def __post_init__(self) -> None:
        checked_word(self.name, POPULATIONS, "population")

    def sample(self, n: int, seed: int = 0) -> list[Someone]:
        """Return n people, drawn independently; the same for the same seed."""
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise InputError(f"n is {shown(n)}; expected a whole number of people, at least 1.")
        return self.at(np.random.default_rng(seed).random((n, 4)))

    def at(self, unit: np.ndarray) -> list[Someone]:
        """Return the people at numbers between 0 and 1 (n, 4): sex, age, height, and mass at that height."""
        return [self._person(*map(float, row)) for row in unit]

    def _person(self, u_sex: float, u_age: float, u_height: float, u_mass: float) -> Someone:
        share = self.share_of_women()
        sex = SEXES[1] if u_sex < share else SEXES[0]
        age = self.age_at(u_age, sex)
        r = correlation(sex, age)
        tall = NormalDist().inv_cdf(min(max(u_height, _EDGE), 1.0 - _EDGE))
        heavy = r * tall + sqrt(1.0 - r * r) * NormalDist().inv_cdf(min(max(u_mass, _EDGE), 1.0 - _EDGE))
        return Someone(
            sex, age, deviation("stature", tall, sex, age, self.name), deviation("mass", heavy, sex, age, self.name)
        )

    def share_of_women(self) -> float:
        """Return the share of women and girls [-]."""
        everybody = sum(group.number for group in _groups())
        return sum(group.number for group in _groups() if group.sex == "female") / everybody

    def age_at(self, share: float, sex: str) -> float:
        """Return the age [years] below which a share of the people of that sex are [-]."""
        groups = [group for group in _groups() if group.sex == sex]
        left = min(max(share, 0.0), 1.0) * sum(group.number for group in groups)
        for group in groups:
            if left <= group.number:
                return group.low + (group.high - group.low) * left / group.number
            left -= group.number
        return groups[-1].high


@cache
def _groups() -> tuple[_Group, ...]:
    """Return the groups of the tables, by sex and age."""
    found = []
    for row in data.table("adult_size"):
        if row.item == "people" and row.population == "us":
            low, high = (float(part) for part in row.age_group.split("-"))
            found.append(_Group(row.sex, low, min(high + 1.0, AGES[1]), row.si))
    for row in data.table("population"):
        if row.item == "people":
            low, high = (float(part) for part in row.age_group.split("-"))
            found.append(_Group(row.sex, low, high + 1.0, row.si))
    return tuple(sorted(found))


@cache
def _correlations() -> dict[str, float]:
    """Return the correlation of the scores of height and mass [-] of men, women and children."""
    return {row.sex or "child": row.si for row in data.table("population") if row.quantity == "correlation"}


def correlation(sex: str, age: float) -> float:
    """Return the correlation of the scores of height and mass at a sex and age [years]."""
    return _correlations()["child" if age < ADULT_AGE else sex]

"""Segment masses of a body. SI units.

by-age      the laws below, each for the people on whom it was measured
by-age-heads  the same, with the heads of women and children as heavy as measured (dummies that were made after them):
            3.7 kg for a woman of 1.51 m and 49 kg, 3.47 kg at six years, cut above the occipital condyles
zatsiorsky  regression on height and mass (spicka2020 Table 4.1); men
fractions   of the mass of the body, by sex (deleva1996)

By age: zatsiorsky for men of 18 to 64 years, fractions for women. Head and neck of women depend little on body mass:
they have their fraction at 1.66 m and 62 kg, the reference body, and change with height and mass as those of men in
the regression. (A fixed fraction would give a woman of 49 kg a head of 2.8 kg, less than that of a child of six, and
one of 74 kg a head of 4.3 kg.) For children, the fractions of jensen1986 at 6, 12 and 15 years are interpolated
linearly and extrapolated below 6. From 15 to 18 years they blend into the law of adults, which blends into the
fractions of jensen1994 from 64 to 70 years. The studies cut the body differently (the thigh of a man of 18 is 11.4 %
in jensen1986 and 14.2 % in deleva1996), so without blending a birthday would move three kilograms.

jensen1986 and jensen1994 have the trunk in fewer pieces, which are divided as in deleva1996. Head and neck do not
follow their fractions, because a head would lose half a kilogram between 12 and 15 years and grow at 70. The head of a
child has the mass of its size (human.proportion) at the density and shape of an adult head. The neck has the same
share of the body mass as in an adult. The elderly have the head and neck of adults. The rest of the body is divided by
the fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import fsum, pi, prod
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from .. import data
from .proportion import ADULT_AGE, TEENAGE, childhood, proportions

PAIRED = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")

MASS_LAWS = ("by-age", "by-age-heads", "zatsiorsky", "fractions")
BY_AGE = ("by-age", "by-age-heads")
TRUNK = ("pelvis", "abdomen", "thorax")
SMALL_WOMAN = (1.51, 49.0)  # [m], [kg], whose head was measured
REFERENCE_WOMAN = (1.66, 62.0)  # [m], [kg], the body for which the table of segment geometry is made
AGEING = 64.0  # [years], to which the law of adults holds alone
ELDERLY = 70.0  # [years], from which the fractions of the elderly hold alone


class SegmentMass(NamedTuple):
    """The mass of one segment."""

    segment: str
    number: int  # 2 for a paired segment
    by_law: float  # by the law [kg]
    mass: float  # after the remainder is distributed [kg]


def mass_regression(height: float, mass: float) -> dict[str, float]:
    """Return segment masses [kg] after Zatsiorsky and Seluyanov, as printed in spicka2020 Table 4.1, one side.

    height  [m]
    mass    of the whole body [kg]

    m_i = b0 + b1 m + b2 H. Their sum is not quite the mass of the body.
    """
    return {
        segment: row["mass_constant"] + row["mass_per_mass"] * mass + row["mass_per_height"] * height
        for segment, row in data.values("segment_mass").items()
    }


def mass_fractions(mass: float, sex: str = "male") -> dict[str, float]:
    """Return segment masses [kg] as fixed fractions of the body mass [kg], after deleva1996, one side."""
    return {segment: row["mass_fraction"] * mass for segment, row in data.values("segment_mass", sex).items()}


def segment_masses(
    height: float, mass: float, law: str = "by-age", sex: str = "male", age: float | None = None
) -> tuple[SegmentMass, ...]:
    """Return the masses of all segments, which sum to the mass of the body [kg].

    height  [m]
    mass    of the whole body [kg]
    law     one of MASS_LAWS
    age     [years]; None is an adult

    The remainder of the law is distributed in proportion to the masses.
    """
    by_law = _by_law(height, mass, law, sex, age)
    scale = mass / total(by_law)
    return tuple(SegmentMass(segment, count(segment), m, m * scale) for segment, m in by_law.items())


def law_source(segment: str, law: str, sex: str, age: float | None) -> str:
    """Return the keys in references.bib of a segment mass: "jensen1986", "jensen1986, spicka2020"."""
    grown = "spicka2020" if law == "zatsiorsky" or (law in BY_AGE and sex == "male") else "deleva1996"
    if law in BY_AGE and sex == "female" and segment in ("head", "neck"):
        grown = "deleva1996, spicka2020"
    if law == "by-age-heads" and segment == "head" and (sex == "female" or (age is not None and age < ADULT_AGE)):
        return "irwin1997"
    if law not in BY_AGE or age is None or ADULT_AGE <= age <= AGEING:
        return grown
    other = "jensen1986" if age < ADULT_AGE else "jensen1994"
    if segment == "head" and age < ADULT_AGE:
        other = "gordon2014, dempster1955"
    elif segment in ("head", "neck"):
        return grown if age > AGEING else "deleva1996"
    elif segment in TRUNK:
        other += ", deleva1996"
    alone = age <= TEENAGE or age >= ELDERLY
    return other if alone else f"{other}, {grown}"


def total(masses: Mapping[str, float]) -> float:
    """Return the sum of segment masses [kg], paired segments twice."""
    return fsum(count(segment) * m for segment, m in masses.items())


def count(segment: str) -> int:
    """Return how many of a segment a body has [-]."""
    return 2 if segment in PAIRED else 1


def _by_law(height: float, mass: float, law: str, sex: str, age: float | None) -> dict[str, float]:
    if law == "fractions":
        grown = mass_fractions(mass, sex)
    elif sex == "female":
        grown = _women(height, mass, measured=law == "by-age-heads")
    else:
        grown = mass_regression(height, mass)
    if law not in BY_AGE or age is None or ADULT_AGE <= age <= AGEING:
        return grown
    scale = mass / total(grown)
    grown = {segment: scale * m for segment, m in grown.items()}
    if age < ADULT_AGE:
        upper = {
            "neck": mass_fractions(mass, sex)["neck"],
            "head": _child_head(height, age, grown["head"]) if law == "by-age-heads" else _head(height, sex, age),
        }
        below: Mapping[str, float] = _children(age, sex)
        share = 1.0 - childhood(age)
    else:
        upper = {segment: grown[segment] for segment in ("neck", "head")}
        below = _divided("elderly", sex)
        share = max(0.0, (ELDERLY - age) / (ELDERLY - AGEING))
    rest = mass - total(upper)
    other = upper | {segment: rest * value for segment, value in below.items()}
    return {segment: (1.0 - share) * other[segment] + share * m for segment, m in grown.items()}


def _women(height: float, mass: float, measured: bool = False) -> dict[str, float]:
    """Return segment masses [kg] of a woman by height [m] and mass [kg], one side: fractions except head and neck.

    measured  the head is that of SMALL_WOMAN, and changes with height and mass as those of men do
    """
    tall, heavy = REFERENCE_WOMAN
    here, there = mass_regression(height, mass), mass_regression(tall, heavy)
    reference = mass_fractions(heavy, "female")
    found = mass_fractions(mass, "female")
    upper = {name: reference[name] * here[name] / there[name] for name in ("neck", "head")}
    if measured:
        head = next(row.si for row in data.table("segment_mass_age") if (row.item, row.sex) == ("head", "female"))
        upper["head"] = head * here["head"] / mass_regression(*SMALL_WOMAN)["head"]
    share = (mass - total(upper)) / (total(found) - found["neck"] - found["head"])
    return {name: upper.get(name, share * m) for name, m in found.items()}


def _head(height: float, sex: str, age: float) -> float:
    """Return the mass of a child's head by its size [kg], for a stature [m]."""
    axes = proportions(sex, age).semi_axes["head"]
    return data.values("segment_geometry", sex)["head"]["density"] * 4.0 / 3.0 * pi * prod(axes) * height**3


def _child_head(height: float, age: float, grown: float) -> float:
    """Return the measured mass of a child's head [kg] at an age [years], in proportion to its stature [m].

    grown  head of an adult of this stature [kg]
    """
    rows = [row for row in data.table("segment_mass_age") if row.item == "head" and not row.sex]
    known = {
        what: [(float(row.age_group), row.si) for row in rows if row.quantity == what] for what in ("mass", "stature")
    }
    ages, heavy = np.array([*known["mass"], (ADULT_AGE, grown)]).T
    _, tall = np.array([*known["stature"], (ADULT_AGE, height)]).T
    return float(np.interp(age, ages, heavy) * height / np.interp(age, ages, tall))


def _children(age: float, sex: str) -> dict[str, float]:
    """Return fractions of the mass below the neck [-] at an age [years], of paired segments one side."""
    ages = (6.0, 12.0, 15.0)
    low = 0 if age <= ages[1] else 1
    share = min((age - ages[low]) / (ages[low + 1] - ages[low]), 1.0)
    one, other = (_divided(f"{ages[place]:g}", sex) for place in (low, low + 1))
    return {segment: value + share * (other[segment] - value) for segment, value in one.items()}


@cache
def _divided(group: str, sex: str) -> Mapping[str, float]:
    """Return fractions of the mass below the neck [-], sum one, of an age group of the table."""
    rows = {
        row.item: row.si
        for row in data.table("segment_mass_age")
        if row.age_group == group and row.sex in ("", sex) and row.item not in ("head_neck", "head")
    }
    whole = total(rows)
    grown = mass_fractions(1.0, sex)
    found: dict[str, float] = {}
    for name, value in rows.items():
        pieces = {"trunk": TRUNK, "abdomen_pelvis": ("pelvis", "abdomen")}.get(name, (name,))
        shares = fsum(grown[piece] for piece in pieces)
        found |= {piece: value / whole * grown[piece] / shares for piece in pieces}
    return MappingProxyType(found)

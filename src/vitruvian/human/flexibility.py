"""How far the joints of a person go, by age and sex. Angles in rad, ages in years.

flexindex         the sum of twenty movements scored 0 to 4 (araujo2008), as a straight line through the mean of 46 to
                  65 years (araujo2024) with the yearly decline of medeiros2013; the percentile table of araujo2008
                  itself was not at hand. The 2D pedestrian model of the seeds multiplies all joint ranges by its ratio.
range_of_motion   passive range of each movement by age group and sex (soucie2011): better, because it is measured
                  movement by movement
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from .. import data
from ..errors import InputError, nearest

SEXES = ("male", "female")
AGES = (2.0, 95.0)  # [years], accepted
FLEXITEST_AGES = (5.0, 92.0)  # [years], of the people measured in medeiros2013
HYPEREXTENSION = ("knee_extension", "elbow_extension")  # a degree or two, or below zero
REFERENCE_AGE = 32.0  # [years], middle of the group 20-44 for which the joint table is made


def flexindex(age: float, sex: str) -> float:
    """Return the mean Flexindex [-], 0 to 80; constant below 5 and above 92 years."""
    _check(age, sex)
    row = data.values("flexibility", sex)[sex]
    years = min(max(age, FLEXITEST_AGES[0]), FLEXITEST_AGES[1])
    return row["flexindex"] * (1.0 - row["decline"] * (years - row["middle_age"]))


def flexindex_ratio(age: float, sex: str, reference: float = REFERENCE_AGE) -> float:
    """Return the Flexindex over that of this sex at a reference age [-], the scale of all 2D joint ranges."""
    return flexindex(age, sex) / flexindex(reference, sex)


def movements() -> tuple[str, ...]:
    """Return the movements whose range is known by age: hip_extension, knee_flexion, ..."""
    return tuple(data.values("range_of_motion"))


def range_of_motion(movement: str, age: float, sex: str) -> float:
    """Return the mean passive range of a movement [rad].

    It is interpolated linearly between the middles of the age groups (2-8, 9-19, 20-44, 45-69 years) and constant below
    the first. Above the last middle it declines as the Flexindex does (medeiros2013), which is an estimate.
    """
    _check(age, sex)
    if movement not in movements():
        raise InputError(
            f"there is no movement {movement!r}; accepted: {', '.join(movements())}.{nearest(movement, movements())}"
        )
    middles, ranges = _groups(movement, sex)
    value = float(np.interp(age, middles, ranges))
    decline = data.values("flexibility", sex)[sex]["decline"]
    return value - abs(value) * decline * max(0.0, age - middles[-1])


@lru_cache(maxsize=4096)
def range_ratio(movement: str, age: float, sex: str) -> float:
    """Return the range of a movement over that of men of the reference age [-].

    It is 1 for hyperextension of knee and elbow: the ratio of angles of a degree or two has no meaning.
    """
    if movement in HYPEREXTENSION:
        _check(age, sex)
        return 1.0
    return range_of_motion(movement, age, sex) / range_of_motion(movement, REFERENCE_AGE, "male")


@cache
def _groups(movement: str, sex: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return middle ages [years] and ranges [rad] of the groups, in the order of age."""
    found = []
    for row in data.table("range_of_motion"):
        if row.item == movement and row.sex == sex:
            low, high = (float(end) for end in row.age_group.split("-"))
            found.append((0.5 * (low + high), row.si))
    middles, ranges = zip(*sorted(found), strict=True)
    return middles, ranges


def _check(age: float, sex: str) -> None:
    if sex not in SEXES:
        raise InputError(f"sex is {sex!r}; accepted: {', '.join(SEXES)}.{nearest(str(sex), SEXES)}")
    if not AGES[0] <= age <= AGES[1]:
        raise InputError(f"age is {age:g}; accepted {AGES[0]:g} to {AGES[1]:g} years.")

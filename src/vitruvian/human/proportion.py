"""Proportions of a body: where joints and segments lie and how large they are, in fractions of the stature.

Adults: the tables of their sex. Children (gordon2014 and estimates of this package, in the table of proportions): the
head is larger and the legs are shorter. With the adult fractions of the sex,

    head    its size when grown up times the head factor f(age); grown up, the child is taller by M(18) / M(age), the
            ratio of the medians of the growth charts, so g = f M(18) / M(age) times the adult fraction
    legs    what the sitting height leaves: 1 - (1 - adult legs) s(age) / s(adult)
    trunk   and neck: the rest, stretched evenly
    arms    half-way between those of an adult and the stretch of the legs (estimated)

so the standing height is always the sum. Girls up to 12 years have the proportions of boys of their age, to which the
data of children belong, and blend linearly into those of women from 12 to 18 years. The sizes of their heads blend
from 6 years on, because the head of a woman is no larger than that of a boy of eight, and a head does not shrink.
Lengths along z are scaled with their part, breadths of the head with g; other cross-sections follow the mass.

Points are given in the standing frame: x forward from the ankle line, y left from the midline, z up from the floor.
Paired segments and joints are the right ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from .. import data
from .anthropometry import deviation

Vector = tuple[float, float, float]

ADULT_AGE = 18.0  # [years], from which a body has the proportions of an adult
TEENAGE = 15.0  # [years], to which laws of children hold alone; they blend into those of adults until ADULT_AGE
PUBERTY = 12.0  # [years], to which girls are built as boys
LIKE_HEADS = 6.0  # [years], to which they have heads of that size too
#: segments from the floor to the vertex, each with the joint at its top
STACK = (
    ("foot", "ankle"),
    ("shank", "knee"),
    ("thigh", "hip"),
    ("pelvis", "lumbar"),
    ("abdomen", "thoracolumbar"),
    ("thorax", "lower_neck"),
    ("neck", "upper_neck"),
    ("head", None),
)
#: segments of the arm from the shoulder down, each with the joint at its upper end
ARM = (("upper_arm", "shoulder"), ("forearm", "elbow"), ("hand", "wrist"))
LEG = ("foot", "shank", "thigh")
TRUNK = ("pelvis", "abdomen", "thorax", "neck")


@dataclass(frozen=True)
class Proportions:
    """Fractions of the stature [-].

    centre     segment -> centre of mass, which is the centre of the ellipsoid
    semi_axes  segment -> semi-axes of the ellipsoid, before its cross-section follows its mass
    place      joint -> its point
    length     segment -> from joint to joint along the standing body; those of STACK sum to one. The head ends at the
               vertex, the foot at the floor, the hand at the tip of its ellipsoid
    """

    centre: Mapping[str, Vector]
    semi_axes: Mapping[str, Vector]
    place: Mapping[str, Vector]
    length: Mapping[str, float]


@cache
def adult(sex: str) -> Proportions:
    """Return the proportions of an adult."""
    shapes, joints = data.values("segment_geometry", sex), data.values("joint_place", sex)
    centre = {name: _vector(row, "centre") for name, row in shapes.items()}
    semi_axes = {name: _vector(row, "semi_axis") for name, row in shapes.items()}
    place = {name: _vector(row, "place") for name, row in joints.items()}
    return _frozen(centre, semi_axes, place)


@lru_cache(maxsize=256)
def proportions(sex: str, age: float | None) -> Proportions:
    """Return the proportions at an age [years]; None is an adult."""
    if age is None or age >= ADULT_AGE:
        return adult(sex)
    own = _growing(sex, age, head_factor(sex, age))
    if sex == "male":
        return own
    share = min(1.0, max(0.0, (age - PUBERTY) / (ADULT_AGE - PUBERTY)))
    as_boy = _growing("male", age, head_factor(sex, age) * _head_size(sex) / _head_size("male"))
    return _mixed(as_boy, own, share)


def _growing(sex: str, age: float, longer_head: float) -> Proportions:
    """Return the proportions of a child from those of an adult; `longer_head` scales the head fraction [-]."""
    grown = adult(sex)
    legs = sum(grown.length[name] for name in LEG)
    head = grown.length["head"]
    sitting = 1.0 - (1.0 - legs) * sitting_height(age) / sitting_height(None)
    shorter_legs = sitting / legs
    trunk = (1.0 - sitting - longer_head * head) / (1.0 - legs - head)
    stretch = dict.fromkeys(LEG, shorter_legs) | dict.fromkeys(TRUNK, trunk) | {"head": longer_head}
    stretch |= {name: 0.5 * (1.0 + shorter_legs) for name, _ in ARM}
    return stretched(grown, stretch, broader={"head": longer_head})


def stretched(
    given: Proportions, stretch: Mapping[str, float], broader: Mapping[str, float] | None = None
) -> Proportions:
    """Return proportions with every segment scaled along z by its factor; the joints stay connected.

    stretch  segment -> factor of its length, 1 unless given
    broader  segment -> factor of its semi-axes x and y, 1 unless given
    """
    broader = broader or {}
    centre, semi_axes, place = dict(given.centre), dict(given.semi_axes), dict(given.place)

    def moved(point: Vector, low: float, onto: float, factor: float) -> Vector:
        return point[0], point[1], onto + (point[2] - low) * factor

    low = onto = 0.0
    for segment, joint in STACK:
        factor = stretch.get(segment, 1.0)
        centre[segment] = moved(given.centre[segment], low, onto, factor)
        if segment == "thorax":
            place["shoulder"] = moved(given.place["shoulder"], low, onto, factor)
        if joint is not None:
            place[joint] = moved(given.place[joint], low, onto, factor)
            low, onto = given.place[joint][2], place[joint][2]
    low, onto = given.place["shoulder"][2], place["shoulder"][2]
    for (segment, _), (_, below) in zip(ARM, (*ARM[1:], ("", None)), strict=True):
        factor = stretch.get(segment, 1.0)
        centre[segment] = moved(given.centre[segment], low, onto, factor)
        if below is not None:
            place[below] = moved(given.place[below], low, onto, factor)
            low, onto = given.place[below][2], place[below][2]
    for segment, (x, y, z) in given.semi_axes.items():
        wide = broader.get(segment, 1.0)
        semi_axes[segment] = (x * wide, y * wide, z * stretch.get(segment, 1.0))
    return _frozen(centre, semi_axes, place)


def childhood(age: float | None) -> float:
    """Return the weight of the laws of children at an age [years] [-]; the rest is that of adults. None is an adult."""
    return 0.0 if age is None else min(1.0, max(0.0, (ADULT_AGE - age) / (ADULT_AGE - TEENAGE)))


def head_factor(sex: str, age: float) -> float:
    """Return the ratio of head size to stature of a child over that of an adult [-]."""
    return head_growth(sex, age) * _median(sex, ADULT_AGE) / _median(sex, age)


def head_growth(sex: str, age: float) -> float:
    """Return the size of a child's head over that of the same person as an adult [-].

    A girl has the head of a boy of her age up to LIKE_HEADS; from there on the ratio is linear in age.
    """
    if sex == "male":
        return _at_age("head", age)
    larger = _head_size("male") * _median("male", ADULT_AGE) / (_head_size(sex) * _median(sex, ADULT_AGE))
    ages = (*(a for a in _knots("head")[0] if a <= LIKE_HEADS), ADULT_AGE)
    return float(np.interp(age, ages, [*(larger * _at_age("head", a) for a in ages[:-1]), 1.0]))


def _head_size(sex: str) -> float:
    """Return the radius of a sphere with the volume of an adult head, as a fraction of the stature [-]."""
    return float(np.cbrt(np.prod(adult(sex).semi_axes["head"])))


def _median(sex: str, age: float) -> float:
    """Return the median stature at an age [m]."""
    return deviation("stature", 0.0, sex, age)


def sitting_height(age: float | None) -> float:
    """Return sitting height over stature [-] at an age [years]; None is an adult."""
    return _at_age("trunk", age)


@cache
def _knots(part: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    rows = [row for row in data.table("proportion") if row.item == part]
    ages = (ADULT_AGE if row.age_group == "adult" else float(row.age_group) for row in rows)
    return tuple(ages), tuple(row.si for row in rows)


def _at_age(part: str, age: float | None) -> float:
    ages, values = _knots(part)
    return float(np.interp(ADULT_AGE if age is None else age, ages, values))


def _frozen(centre: dict[str, Vector], semi_axes: dict[str, Vector], place: dict[str, Vector]) -> Proportions:
    """Return proportions with the lengths that follow from the joint positions."""
    tops = [
        0.0,
        *(place[joint][2] for _, joint in STACK if joint is not None),
        centre["head"][2] + semi_axes["head"][2],
    ]
    length = {segment: high - low for (segment, _), (low, high) in zip(STACK, pairwise(tops), strict=True)}
    ends = [place[joint][2] for _, joint in ARM] + [centre["hand"][2] - semi_axes["hand"][2]]
    length |= {segment: high - low for (segment, _), (high, low) in zip(ARM, pairwise(ends), strict=True)}
    return Proportions(
        MappingProxyType(centre), MappingProxyType(semi_axes), MappingProxyType(place), MappingProxyType(length)
    )


def _mixed(one: Proportions, other: Proportions, share: float) -> Proportions:
    """Return the linear blend of two proportions; `share` is the weight of the second [-]."""

    def between(first: Mapping[str, Vector], second: Mapping[str, Vector]) -> dict[str, Vector]:
        found = {}
        for name, point in first.items():
            x, y, z = ((1.0 - share) * a + share * b for a, b in zip(point, second[name], strict=True))
            found[name] = (x, y, z)
        return found

    return _frozen(
        between(one.centre, other.centre), between(one.semi_axes, other.semi_axes), between(one.place, other.place)
    )


def _vector(row: Mapping[str, float], quantity: str) -> Vector:
    return row[f"{quantity}_x"], row[f"{quantity}_y"], row[f"{quantity}_z"]

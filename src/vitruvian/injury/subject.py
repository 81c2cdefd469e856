"""Whose limits, intercepts and risk curves apply to a person. Heights in m, masses in kg, ages in years.

    adults    the nearest of 5F, 50M and 95M: least  ln(height ratio)^2 + [ln(mass ratio) / 3]^2
    children  under 18 years: the dummy whose age is within one year: 12M, 3YO, 6YO, 10YO; the smaller of two as near;
              otherwise none

The cube root of a mass is a length, so both terms compare lengths. Sex does not enter, because the tables distinguish
dummies by size. A child between the dummies gets no adult values: no limit is known then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from .. import data
from ..errors import InputError, nearest
from .limits import ADULTS, CHILDREN, sizes

if TYPE_CHECKING:
    from ..model.roster import Participant

#: from which a person is an adult [years]
ADULT_AGE = 18.0
#: largest difference of age between a child and the dummy that represents it [years]
CHILD_AGE_RANGE = 1.0


@dataclass(frozen=True)
class Subject:
    """The person or dummy whose values are taken from the tables.

    size    a size of `table.sizes`, or "" if no dummy represents the person
    age     [years], or None if it is not known
    words   the person in messages: "a child of 8", "the 5F"
    reason  how the size was chosen, as a sentence; "" if the caller chose it
    """

    size: str
    age: float | None = None
    words: str = ""
    reason: str = ""


def subject_of_size(size: str, age: float | None = None) -> Subject:
    """Return the subject of a size that the caller chose."""
    if size not in sizes():
        raise InputError(f"the size is {size!r}; accepted: {', '.join(sizes())}.{nearest(size, sizes())}")
    if age is not None and not 0.0 <= age <= 120.0:
        raise InputError(f"the age is {age:g}; accepted: 0 to 120 years.")
    return Subject(size, age, f"the {size}")


def subject_of_person(person: Participant) -> Subject:
    """Return the subject that represents a person: the one rule for adults and children."""
    age = person.age
    if age is not None and age < ADULT_AGE:
        words = f"a child of {age:g}"
        apart = {name: abs(years - age) for name, years in CHILDREN.items()}
        size = min(apart, key=apart.__getitem__)
        if apart[size] > CHILD_AGE_RANGE:
            reason = f"No dummy of the tables ({', '.join(CHILDREN)}) represents {words}: no limit known for {words}."
            return Subject("", age, words, reason)
        reason = f"Limits, intercepts and risk curves are those of the {size}, for {words}."
        return Subject(size, age, words, reason)
    size = min(ADULTS, key=lambda name: _apart(person, name))
    noun = {"male": "man", "female": "woman"}[person.sex]
    about = f"a {noun} of {person.height:.2f} m and {person.mass:.0f} kg"
    reason = f"Limits, intercepts and risk curves are those of the {size}, the nearest dummy to {about}."
    return Subject(size, age, f"the {size}", reason)


def subjects(people: Iterable[Participant]) -> dict[str, Subject]:
    """Return the subject of each person by the prefix of its channels: "" or "anna."."""
    return {person.prefix: subject_of_person(person) for person in people}


def _apart(person: Participant, size: str) -> float:
    """Return the squared distance of a person to a dummy of the presets [-]."""
    dummy = {row.quantity: row.si for row in data.table("preset") if row.item == size}
    return log(person.height / dummy["height"]) ** 2 + (log(person.mass / dummy["mass"]) / 3.0) ** 2

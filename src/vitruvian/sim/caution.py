"""Grades of the notes of a run, so that a reader sees first what makes numbers useless. SI units.

wrong     a law was broken: numbers after it must not be used
beyond    the motion went beyond what the model means
estimate  an input is an estimate
remark    everything else
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

GRADES = ("wrong", "beyond", "estimate", "remark")
#: how a note starts or what it contains -> its grade
_SIGNS = {
    "Contacts returned more energy": "wrong",
    "Contacts began with a large force": "wrong",
    "Contacts pulled": "wrong",
    "Contact forces changed their direction": "wrong",
    "Compressed by more than": "beyond",
    "Bent more than": "beyond",
    "Failure: ": "beyond",
    "Submarining": "beyond",
    "Nearly at rest": "remark",
    " are estimates": "estimate",
    " is an estimate": "estimate",
}


class Caution(NamedTuple):
    """A note with its grade, one of `GRADES`."""

    grade: str
    text: str


def graded(note: str) -> Caution:
    """Return a note with its grade."""
    return Caution(next((grade for sign, grade in _SIGNS.items() if sign in note), "remark"), note)


def ranked(notes: Iterable[str]) -> tuple[Caution, ...]:
    """Return the notes of a run, the gravest first; notes of one grade keep their order."""
    return tuple(sorted(map(graded, dict.fromkeys(notes)), key=lambda caution: GRADES.index(caution.grade)))

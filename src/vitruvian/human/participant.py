"""The entry of a person in the roster of its system."""

from __future__ import annotations

from dataclasses import replace

from ..model import Participant, Roster, System
from .person import Person


def participant(name: str, who: Person, mass_law: str, joints: str | None, flexibility: str) -> Participant:
    """Return the entry of a person, before its segments are known."""
    return Participant(
        name,
        who.sex,
        who.age,
        who.height,
        who.mass,
        by_percentile=any(origin.startswith("percentile") for origin in (who.height_from, who.mass_from)),
        percentile=who.percentile,
        preset=who.preset or "",
        mass_law=mass_law,
        joint_set=joints or "",
        flexibility=flexibility,
    )


def enrolled(system: System, person: Participant) -> System:
    """Return the system of one person with the person in its roster."""

    def names(kind: str) -> dict[str, str]:
        parts = [part for part in getattr(system, kind) if kind != "bodies" or part.shapes]  # not links and soft masses
        return {part.name.removeprefix(person.prefix): part.name for part in parts}

    whole = replace(person, segments=names("bodies"), joints=names("joints"), sensors=names("sensors"))
    return system.replace(roster=Roster(people=(whole,)))

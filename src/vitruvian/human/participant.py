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


def enrolled(system: System, person: Participant, segments: System | None = None) -> System:
    """Return the system of one person with the person in its roster.

    segments  the system of the segments alone, whose parts have roles, if links and soft masses were added to it
    """
    plain = segments or system

    def names(kind: str) -> dict[str, str]:
        return {part.name.removeprefix(person.prefix): part.name for part in getattr(plain, kind)}

    named = {body.name for body in plain.bodies}
    links = tuple(body.name for body in system.bodies if body.name not in named)
    whole = replace(person, segments=names("bodies"), joints=names("joints"), sensors=names("sensors"), links=links)
    return system.replace(roster=Roster(people=(whole,)))

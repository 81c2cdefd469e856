"""Where the numbers behind a result come from: the references of its person, surfaces, contact laws and criteria."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .. import __version__, data
from ..injury.assessment import Assessment
from ..injury.limits import chosen
from ..model.contact import Contact
from ..model.contact_law import LAWS
from ..model.roster import Participant, Roster, Surface
from ..sim.result import Result

#: tables of a person, and what they are for
_PERSON = {
    "segment_geometry": "shapes of the segments",
    "joint_place": "places of the joints",
    "tissue": "stiffness of the segments",
}
#: tables of the joints by the resistance that the scenario names
_JOINTS = {
    "recommended": "joint_resistance",
    "recommended-1": "joint_resistance",
    "recommended-2": "joint_resistance_2",
    "thesis": "joint_range_thesis",
    "thesis-corrected": "joint_range_thesis",
    "silva": "joint_cone_silva",
    "silva-dummy": "joint_cone_silva",
}
#: references of the methods of the solver
_METHODS = {
    "implicit": (("featherstone2008", "articulated-body dynamics"), ("deuflhard1985", "time integration")),
    "dormand-prince": (("featherstone2008", "articulated-body dynamics"), ("dormand1980", "time integration")),
}
_ADULT, _AGEING = 18.0, 64.0  # [years], between which masses are those of adults
_GROWN = 20.0  # [years], from which sizes are those of adults
_OURS = "vitruvian"  # the key of estimates of this project


@dataclass(frozen=True)
class Source:
    """A reference and what it was used for.

    key   of references.bib
    text  the citation
    uses  what for, in words
    """

    key: str
    text: str
    uses: tuple[str, ...]


def sources(result: Result, assessment: Assessment | None = None) -> list[Source]:
    """Return every reference behind a result, in the order of references.bib."""
    return sources_of(result.roster, result.recording.method, assessment)


def sources_of(roster: Roster, method: str, assessment: Assessment | None = None) -> list[Source]:
    """Return every reference behind the people and surfaces of a roster, a method of the solver and an assessment."""
    uses: dict[str, dict[str, None]] = {}
    for key, use in _uses(roster, method, assessment):
        uses.setdefault(key, {})[use] = None
    known = data.references()
    return [Source(key, cited(known[key]), tuple(uses[key])) for key in known if key in uses]


def software() -> str:
    """How to cite the program."""
    return f"Vitruvian developers: Vitruvian, multibody models of the human body in impact, version {__version__}."


def cited(entry: Any) -> str:
    """A reference in one line: authors, title, where, year, note."""
    place = entry.get("journal") or entry.get("booktitle") or entry.get("school") or entry.get("institution") or ""
    place = place or entry.get("publisher") or entry.get("howpublished") or ""
    number = entry.get("volume", "")
    if entry.get("number"):
        number = f"{number}({entry['number']})" if number else entry["number"]
    pages = entry.get("pages", "").replace("--", "–")
    where = ", ".join(part for part in (" ".join(part for part in (place, number) if part), pages) if part)
    authors = (
        entry.get("author", entry.get("organization", "")).replace(" and others", " et al.").replace(" and ", "; ")
    )
    parts = [authors, entry.get("title", ""), where, entry.get("year", "")]
    line = ". ".join(part.rstrip(".") for part in parts if part) + "."
    if entry.get("note"):
        line += f" ({entry['note']})"
    return line.replace("{\\oe}", "œ").replace("{", "").replace("}", "").replace("\\&", "&")


def _uses(roster: Roster, method: str, assessment: Assessment | None) -> Iterator[tuple[str, str]]:
    for person in roster.people:
        yield from _of_person(person)
    for surface in roster.surfaces:
        yield from _of_contact(surface)
    if roster != Roster():
        yield from _METHODS.get(method, ())
    if assessment is None:
        return
    for finding in assessment.findings:
        if finding.limit_source:
            yield finding.limit_source, f"limit of {finding.criterion}"
        for source in _of_constants(finding.criterion, finding.size):
            yield source, f"constants of {finding.criterion}"
        for risk in finding.risks:
            yield risk.source, f"risk curve of {finding.criterion}"
        if finding.filter.startswith("CFC"):
            yield "weisang", "channel filter classes"


def _of_constants(criterion: str, size: str) -> Iterator[str]:
    """Yield the sources of the constants with which a criterion was computed for a size of dummy."""
    rows: dict[str, list[data.Row]] = {}
    for row in data.table("neck_intercept") if criterion == "Nij" else data.table("criterion_constant"):
        name, _, rest = row.item.partition(" ")
        if criterion == "Nij":
            rows.setdefault(row.item, []).append(row)
        elif name == criterion and ("_3yo_" not in row.quantity or size == "3YO"):
            rows.setdefault(rest, []).append(row)
    taken = chosen(rows, size) or rows.get("", [])  # those of no size hold for everybody
    yield from (row.source for row in taken)


def _of_person(person: Participant) -> Iterator[tuple[str, str]]:
    """Yield the references of a person."""
    sex, age, law = person.sex, person.age, person.mass_law
    if "thorax" in person.segments and "abdomen" not in person.segments:  # the occupant has two torso parts
        yield data.tree("occupant12")["source"], "model occupant12: segments, masses, inertia, joints"
        yield from ((row.source, _PERSON["tissue"]) for row in data.table("tissue") if row.source != _OURS)
        return
    yield data.tree("human17")["source"], "segments and joints"
    if "thigh" in person.segments:  # both limbs of a pair are one segment
        yield "hyncik2011", "model pedestrian11"
    if law == "zatsiorsky" or (law.startswith("by-age") and sex == "male"):
        yield from (("zatsiorsky2002", "masses of the segments"), ("spicka2020", "masses of the segments"))
    else:
        yield "deleva1996", "masses of the segments"
    tables = dict(_PERSON)
    if resistance := _JOINTS.get(person.joint_set):
        tables[resistance] = "resistance of the joints"
    if age is not None and law.startswith("by-age") and not _ADULT <= age <= _AGEING:
        yield "jensen1986" if age < _ADULT else "jensen1994", "masses of the segments"
    if person.flexibility != "reference":
        ranges = "flexibility" if person.flexibility == "flexindex" else "range_of_motion"
        tables[ranges] = "ranges of the joints by age and sex"
    if person.by_percentile:
        tables["adult_size" if age is None or age >= _GROWN else "growth"] = "stature and mass by percentile"
    for row in data.table("preset"):
        if row.item == person.preset:
            yield row.source, f"size {row.item}"
    for table, use in tables.items():
        rows = data.table(table)
        taken = sex if any(row.sex == sex for row in rows) else "male"  # tables without women hold for them too
        for row in rows:
            if row.source != _OURS and row.sex in ("", taken):
                yield row.source, use


def _of_contact(surface: Surface) -> Iterator[tuple[str, str]]:
    """Yield the references of a contact: its row of the surface table and its law."""
    for row in data.table("surface"):
        if surface.material and row.item == surface.material and row.source != _OURS:
            yield row.source, f"contact of {surface.material}"
    law = LAWS.get(surface.law or (Contact.law if surface.material else ""))
    if law is not None:
        text = re.sub(r"(?<!limb )thesis", "spicka2020", law.source).replace("2D paper", "hyncik2011")
        for key in re.findall(r"\w+", text):
            yield key, f"contact law {law.name}"

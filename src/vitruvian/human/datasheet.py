"""Every number of a person with its source, for printing or a file. SI units, angles in rad.

The CSV file (item, quantity, value, unit, source) of the numbers that can be measured is read by `human.measured`:
print the nearest person, replace its numbers with measured ones, and use the file.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from math import degrees
from typing import TYPE_CHECKING, NamedTuple, TextIO

from .. import data
from .._files import csv_cell
from .flexibility import HYPEREXTENSION, movements
from .mass import law_source
from .measured import Measured
from .proportion import ADULT_AGE
from .resistance import table_of

if TYPE_CHECKING:
    from .human17 import Human


class Entry(NamedTuple):
    """One number."""

    item: str  # "person", a segment or a joint; paired ones once
    quantity: str  # height, mass, length, semi_axis_x, centre_x, inertia_x, place_x, or a movement of a joint
    value: float | str  # SI; the sex is a word
    unit: str
    source: str  # keys of references.bib with the status of the number, or "given", "measured"


def sheet(human: Human) -> tuple[Entry, ...]:
    """Return all numbers of a person: description, segments, joints."""
    if human.individual is not None:
        return (*_person(human), *_occupant(human))
    return (*_person(human), *_segments(human), *_joints(human))


def write_sheet(entries: Iterable[Entry], file: TextIO) -> None:
    """Write the numbers that can be measured as CSV; angles in degrees."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(Entry._fields)
    for entry in entries:
        if entry.quantity.startswith(("centre_", "place_")):
            continue
        if entry.unit == "rad" and not isinstance(entry.value, str):
            entry = entry._replace(value=degrees(entry.value), unit="deg")
        writer.writerow([repr(cell) if isinstance(cell, float) else csv_cell(cell) for cell in entry])


def _person(human: Human) -> Iterator[Entry]:
    who = human.person
    yield Entry("person", "sex", who.sex, "-", "given")
    if who.age is not None:
        yield Entry("person", "age", who.age, "-", "given")
    yield Entry("person", "height", who.height, "m", who.height_from)
    yield Entry("person", "mass", who.mass, "kg", who.mass_from)


def _segments(human: Human) -> Iterator[Entry]:
    sized, known = human.dimensions, human.measured or Measured()
    ends = _ends()
    for segment, mass in sized.masses.items():
        law = law_source(segment, sized.mass_law, sized.sex, sized.age)
        rest = "scaled to the mass of the body" if known.masses else ""
        yield Entry(segment, "mass", mass, "kg", "measured" if segment in known.masses else _joined(law, rest))
        length = _joined(*(_cited("joint_place", joint, "place_z", human) for joint in ends[segment]))
        fitted = "scaled to the height" if known.lengths else ""
        yield Entry(
            segment,
            "length",
            sized.length[segment],
            "m",
            "measured" if segment in known.lengths else _joined(length, _grown(human), fitted),
        )
        for axis, value in zip("xyz", sized.semi_axes[segment], strict=True):
            cited = _joined(_cited("segment_geometry", segment, f"semi_axis_{axis}", human), _grown(human))
            if sized.geometry == "build" and axis in ("y" if segment == "foot" else "xy"):
                density = _cited("segment_geometry", segment, "density", human)
                cited = _joined(cited, f"volume x density = mass, density {density}")
            yield Entry(segment, f"semi_axis_{axis}", value, "m", "measured" if segment in known.semi_axes else cited)
        for axis, value in zip("xyz", sized.centre[segment], strict=True):
            cited = _joined(_cited("segment_geometry", segment, f"centre_{axis}", human), _grown(human))
            yield Entry(segment, f"centre_{axis}", value, "m", cited)
        law = {
            "ellipsoid": "solid ellipsoid (spicka2020 eq. 4.2)",
            "zatsiorsky": "zatsiorsky2002 (regression)",
            "deleva": "deleva1996 (radii of gyration)",
        }[sized.inertia]
        for axis, value in zip("xyz", sized.moments[segment].tolist(), strict=True):
            yield Entry(segment, f"inertia_{axis}", value, "kg m^2", "measured" if segment in known.moments else law)


def _occupant(human: Human) -> Iterator[Entry]:
    """Yield the numbers of the 12-body occupant; its joint limits are cones, which have no rows here."""
    sized, own = human.dimensions, human.individual
    assert own is not None
    source = f"silva1997 (Tables II to V, E074, E075), {own.name}, scaled to the person"
    for segment in sized.segments:
        yield Entry(segment, "mass", sized.masses[segment], "kg", source)
        yield Entry(segment, "length", sized.length[segment], "m", source)
        for stem, values, unit in (
            ("semi_axis", sized.semi_axes[segment], "m"),
            ("centre", sized.centre[segment], "m"),
            ("inertia", sized.moments[segment].tolist(), "kg m^2"),
        ):
            for axis, value in zip("xyz", values, strict=True):
                yield Entry(segment, f"{stem}_{axis}", value, unit, source)
    for joint, place in sized.place.items():
        for axis, value in zip("xyz", place, strict=True):
            yield Entry(joint, f"place_{axis}", value, "m", source)


def _joints(human: Human) -> Iterator[Entry]:
    known = (human.measured or Measured()).ranges
    for joint, place in human.dimensions.place.items():
        for axis, value in zip("xyz", place, strict=True):
            yield Entry(
                joint,
                f"place_{axis}",
                value,
                "m",
                _joined(_cited("joint_place", joint, f"place_{axis}", human), _grown(human)),
            )
    for row in data.tree("human17")["joint"]:
        name = row["name"]
        resistance = human.system.joint(f"{human.prefix}{'right_' if row.get('paired') else ''}{name}").resistance
        if resistance is None:
            continue
        single = resistance.law == "coordinate"  # a hinge about y
        for movement, (about, sign) in data.movements()[name].items():
            limits = resistance.limit_plus if sign > 0 else resistance.limit_minus
            if single and about != 1:
                continue
            measured = movement in known.get(name, {})
            yield Entry(
                name,
                movement,
                abs(limits[0 if single else about]),
                "rad",
                "measured" if measured else _range_source(human, name, movement),
            )


# sources


def _cited(table: str, item: str, quantity: str, human: Human) -> str:
    """Return source and status of a number of a table."""
    row = next(row for row in data.table(table) if (row.item, row.quantity, row.sex) == (item, quantity, human.sex))
    return f"{row.source} ({row.status})"


def _grown(human: Human) -> str:
    """Return the source of the proportions of children; "" for adults."""
    child = human.age is not None and human.age < ADULT_AGE
    return "kuczmarski2002, vitruvian (estimated: proportions of children)" if child else ""


def _range_source(human: Human, joint: str, movement: str) -> str:
    if human.joints in ("silva", "silva-dummy", "thesis", "thesis-corrected"):
        base = {"silva": "silva1997", "silva-dummy": "silva1997"}.get(human.joints, "spicka2020")
        return f"{base} (set {human.joints})"
    row = next(row for row in data.table(table_of(human.joints)) if row.item == joint and row.movement == movement)
    cited = f"{row.source} ({row.status})"
    if human.flexibility != "age" or row.source == "vitruvian" or movement == "hyperextension":
        return cited
    named = f"{'forearm' if movement in ('pronation', 'supination') else joint}_{movement}"
    whose = "" if named in movements() and named not in HYPEREXTENSION else ": mean of the movements measured"
    old = human.age is not None and human.age > 57.0
    return _joined(cited, f"by age and sex soucie2011{whose}", "medeiros2013" if old else "")


def _ends() -> dict[str, tuple[str, ...]]:
    """Return segment -> the joints at the ends of its length."""
    from .proportion import ARM, STACK

    found: dict[str, tuple[str, ...]] = {}
    below: tuple[str, ...] = ()
    for segment, joint in STACK:
        above = (joint,) if joint is not None else ()
        found[segment] = (*below, *above)
        below = above
    joints = [joint for _, joint in ARM]
    for place, (segment, joint) in enumerate(ARM):
        found[segment] = (joint, *joints[place + 1 : place + 2])
    return found


def _joined(*parts: str) -> str:
    """Return the parts that are not empty, each once."""
    return "; ".join(dict.fromkeys(part for part in parts if part))

"""Keys of surfaces, contacts and vehicles that only a file has, and checks of their whole tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..data import pulses, surface, surfaces, tree
from ..errors import InputError, nearest, shown
from ..model import Contact
from ..model.field import field_of
from ..model.value import Choice, ListOf, Name, Of, ReadBy, Schema, Text
from ..units import parse_unit, quantity
from ..world.front import front, fronts
from ..world.front_part import GRADES, PARTS, SIDE_PARTS
from ..world.pulse import Pulse, read_pulse
from ..world.sled import AXES
from ..world.surface import dimensions, with_base
from .definition import Changes, Row, Table, TableOf, of_file

#: a row of the surface table, or a table of parameters
CONTACT = Of(Contact, word=Choice(surfaces))


@dataclass(frozen=True)
class ContactKeys:
    """Keys of a contact law in a file beyond those of the model."""

    base: str | None = field_of(
        Choice(surfaces), "a row of the surface table that gives what is not given here", default=None
    )


def from_base(given: dict[str, Any], where: str = "", folder: Path = Path()) -> dict[str, Any]:
    """Return the keys of a contact with those of the row of the surface table that it names."""
    base = given.get("base")
    return with_base(surface(base), given) if isinstance(base, str) and base in surfaces() else given


def checked_contact(row: Row, where: str) -> Changes:
    """Return the parameters whose unit depends on the law in SI; refuse what has no effect."""
    changes: dict[str, Any] = {"base": None}  # everything it gave is here now
    for name, dimension in dimensions(row.law, row.exponent, row.friction_law).items():
        value = getattr(row, name)
        if value is not None and value != float("inf"):
            changes[name] = quantity(value, dimension, f"{where}.{name}")
    hertz = ("body_young", "body_poisson", "radius", "density") if row.young is None else ()
    coulomb = ("tangent_stiffness", "tangent_damping") if row.friction_law in (None, "coulomb") else ()
    for names, needed in ((hertz, "young"), (coulomb, "another friction_law than coulomb")):
        idle = next((name for name in names if getattr(row, name) is not None), None)
        if idle is not None:
            raise InputError(f"{where}.{idle} has no effect without {needed}; give it, or leave {idle} out.")
    return changes


# surfaces


@dataclass(frozen=True)
class ContactKey:
    """The law of a contact, by name or by its parameters."""

    contact: Contact = field_of(CONTACT, "a row of the surface table, or a table of its parameters", factory=Contact)


@dataclass(frozen=True)
class PartKeys:
    """Keys of a surface of several parts."""

    contacts: Mapping[str, Any] | None = field_of(
        TableOf(CONTACT), "a contact for each part, instead of contact", default=None
    )


def checked_surface(row: Row, where: str) -> Changes:
    """Refuse two directions of a plane, and laws of parts that are not there."""
    if row.normal is not None and row.incline is not None:
        raise InputError(f"{where} has both normal and incline; give one of them.")
    parts = tuple(dict.fromkeys(row.segments or ()))
    unknown = next((part for part in row.contacts or () if part not in parts), None)
    if unknown is not None:
        known = f"accepted: {', '.join(parts)}.{nearest(unknown, parts)}" if parts else "segments names the parts."
        raise InputError(f"{where}.contacts: there is no part {shown(unknown)}; {known}")
    return None


def _between(value: Any, where: str, folder: Path) -> Any:
    """Return two tuples of names; a name alone is a list of one."""
    sides = [[side] if isinstance(side, str) else side for side in value] if isinstance(value, list | tuple) else value
    return ListOf(ListOf(Text()), 2).read(sides, where, folder)


@dataclass(frozen=True)
class BodyContactKeys:
    """Contact of bodies with each other."""

    name: str = field_of(Name(), "of its own")
    between: Any = field_of(
        ReadBy(_between, ("array",)),
        "two bodies, or two lists of bodies; the name of a person stands for all its segments",
    )
    contact: Contact = field_of(CONTACT, "a row of the surface table, or a table of its parameters", factory=Contact)


# vehicles


def _front(value: Any, where: str, folder: Path) -> Any:
    """Return the name of a ready front as it is; a file or a table as a whole table in SI."""
    if isinstance(value, str) and Text().read(value, where).endswith(".toml"):
        return of_file(lambda path: front(str(path)), value, where, folder).table()
    found = front(value, where=where)
    return value if isinstance(value, str) else found.table()


def _grades(value: Any, where: str, folder: Path) -> Any:
    if not isinstance(value, dict):
        raise InputError(f'{where} is {shown(value)}; expected a grade for some parts: {{ bonnet = "soft" }}.')
    for part, grade in value.items():
        if part not in (*PARTS, *SIDE_PARTS) or not isinstance(grade, str) or grade not in GRADES:
            raise InputError(
                f"{where}.{part} is {shown(grade)}; accepted: {', '.join(GRADES)}, of the parts "
                f"{', '.join((*PARTS, *SIDE_PARTS))}."
            )
    return value


@dataclass(frozen=True)
class VehicleKeys:
    """Keys of the front of a vehicle."""

    front: Any = field_of(ReadBy(_front), f"a ready front ({', '.join(fronts())}), a file, or a table")
    grades: Mapping[str, str] = field_of(
        ReadBy(_grades, ("object",)),
        "part -> soft, medium, stiff or heavy: its ready force-penetration curve",
        factory=dict,
    )
    friction: float | None = field_of("dimensionless", "of all parts; that of the front unless given", default=None)


# sleds

_PULSED = {
    "acceleration": ("acceleration", "angular acceleration"),
    "velocity": ("velocity", "angular velocity"),
    "displacement": ("length", "angle"),
}


class _PulseTable(Table):
    """A table of a pulse, or the name of a ready pulse or of a CSV file, which is read into one."""

    def read(self, value: Any, where: str, folder: Path = Path()) -> Row:
        """Return the row of a table, ready pulse or file."""
        if not isinstance(value, str):
            return super().read(value, where, folder)
        if value in pulses():
            return super().read(_ready_pulse(value, where), where, folder)
        if not Path(value).suffix:
            raise InputError(
                f"{where} is {shown(value)}; accepted: {', '.join(pulses())}, a CSV file, or a table."
                + nearest(value, pulses())
            )
        found = of_file(read_pulse, Text().read(value, where), where, folder)
        rows = {"times": list(found.times), "values": list(found.values), "quantity": found.quantity}
        return super().read(rows, where, folder)

    def schema(self) -> Schema:
        """Return a reference to its definition, or a text."""
        return {"anyOf": [Text().schema(), super().schema()]}


PULSE = _PulseTable(Pulse)


def _ready_pulse(name: str, where: str) -> dict[str, Any]:
    """Return the table of a ready pulse, as a file would give it; refuse it on another axis than its own."""
    item = tree("sled_pulses")[name]
    axis = where.rpartition(".")[2]
    if axis in AXES and axis != item["axis"]:
        raise InputError(f"{where}: the pulse {name!r} is one of sled.{item['axis']}, {item['description']}.")
    return dict(item["pulse"])


def checked_sled(row: Row, where: str) -> Changes:
    """Return the pulses of a sled in SI, by the dimension of their axes."""
    changes = {}
    for k, axis in enumerate(AXES):
        pulse = getattr(row, axis)
        if pulse is None:
            continue
        place, dimension = f"{where}.{axis}", _PULSED[pulse.quantity][k >= 3]
        factor = 1.0
        if pulse.unit is not None:
            try:
                factor = parse_unit(pulse.unit, dimension)[0]
            except InputError as error:
                raise InputError(f"{place}.unit: {error}") from None
        pairs = enumerate(pulse.values)
        changes[axis] = pulse.replace(
            unit=None,
            peak=None if pulse.peak is None else quantity(pulse.peak, dimension, f"{place}.peak"),
            values=tuple(factor * quantity(value, dimension, f"{place}.values[{i}]") for i, value in pairs),
        )
    return changes


# belts


def checked_belt(row: Row, where: str) -> Changes:
    """Refuse a belt with neither a path nor a type, or with both."""
    if bool(row.path) == (row.type is not None):
        raise InputError(f"{where}: give either a path of waypoints or a type, such as three-point.")
    for key in ("person", "carrier"):
        if row.path and getattr(row, key) is not None:
            raise InputError(f"{where}.{key} goes with a type; the waypoints of a path name their own bodies.")
    return None

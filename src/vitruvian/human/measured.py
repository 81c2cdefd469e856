"""Dimensions measured on a person: lengths, masses, inertia and joint ranges. SI units.

From a TOML file

    sex = "female"                     # sex, age, height and mass as in [human]; all optional
    age = 35
    height = "168 cm"
    mass = 61.5

    [length]                           # from joint to joint; see human.dimensions
    thigh = "41 cm"
    [mass_of]                          # of one side
    thigh = "8.6 kg"
    [semi_axes]
    head = ["96 mm", "75 mm", "113 mm"]
    [inertia]                          # principal moments about x, y, z through the centre of mass
    head = [0.016, 0.019, 0.012]
    [range.knee]                       # clinical words of the joint table, both sides
    flexion = "128 deg"

or from a CSV file with the columns item, quantity, value, unit:

    person,height,168,cm
    thigh,length,41,cm
    thigh,mass,8.6,kg
    head,semi_axis_x,96,mm
    head,inertia_x,0.016,kg m^2
    knee,flexion,128,deg

The person is symmetric: a dimension measured on one side holds for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import data, units
from ..data.file import read_csv
from ..errors import InputError, located, nearest, shown, spelled
from .mass import total
from .mirror import plain_name
from .proportion import ARM, STACK

Vector = tuple[float, float, float]
_NOTHING: Mapping[str, Any] = MappingProxyType({})
SCHEMA = 1
SAME_HEIGHT = 0.005  # [m], within which a stature and the sum of all lengths agree
SAME_MASS = 0.005  # of the mass of the body, within which it and the sum of all masses agree [-]


@dataclass(frozen=True)
class Measured:
    """Dimensions measured on a person; those not given follow the laws.

    lengths    segment -> from joint to joint [m]
    masses     segment -> mass of one side [kg]
    semi_axes  segment -> semi-axes x, y, z [m]
    moments    segment -> principal moments x, y, z [kg m2]
    ranges     joint -> movement -> end of its range [rad], not negative
    height, mass, sex, age  [m], [kg], word, [years]; None: not given
    """

    lengths: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    masses: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    semi_axes: Mapping[str, Vector] = field(default_factory=lambda: _NOTHING)
    moments: Mapping[str, Vector] = field(default_factory=lambda: _NOTHING)
    ranges: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: _NOTHING)
    height: float | None = None
    mass: float | None = None
    sex: str | None = None
    age: float | None = None

    @property
    def whole_height(self) -> float | None:
        """The stature that was measured, or the sum of the lengths if all are there [m]."""
        stack = [name for name, _ in STACK]
        return fsum(self.lengths[name] for name in stack) if set(stack) <= set(self.lengths) else self.height

    @property
    def whole_mass(self) -> float | None:
        """The mass of the body that was measured, or the sum of the masses if all are there [kg]."""
        return total(self.masses) if set(segments()) <= set(self.masses) else self.mass

    def to_table(self) -> dict[str, Any]:
        """Return the dimensions as a table that `measured` reads, in SI."""
        table: dict[str, Any] = {name: value for name in _PERSON if (value := getattr(self, name)) is not None}
        for name, part in (("length", self.lengths), ("mass_of", self.masses), ("range", self.ranges)):
            if part:
                table[name] = {key: dict(v) if isinstance(v, Mapping) else v for key, v in part.items()}
        for name, vectors in (("semi_axes", self.semi_axes), ("inertia", self.moments)):
            if vectors:
                table[name] = {key: list(value) for key, value in vectors.items()}
        return table


def segments() -> tuple[str, ...]:
    """Return the names of all segments, paired ones once."""
    return tuple(data.values("segment_mass"))


def load_measured(path: str | Path) -> Measured:
    """Return the dimensions in a TOML or CSV file."""
    path = Path(path)
    text = data.read_text(path) if path.suffix.lower() == ".csv" else None
    table = data.read_toml(path) if text is None else {}
    with located(path):
        return measured(table if text is None else _rows(text))


_PERSON = ("sex", "age", "height", "mass")
_PARTS = ("length", "mass_of", "semi_axes", "inertia", "range")


def measured(table: Mapping[str, Any], where: str = "measured") -> Measured:
    """Return the dimensions in a table; errors start with `where`."""
    for key in table:
        _known(key, ("schema", *_PERSON, *_PARTS), where)
    data.refuse_schema(table, SCHEMA, where)
    for key in _PARTS:
        if not isinstance(table.get(key, {}), Mapping):
            raise InputError(f"{where}.{key} is {shown(table[key])}; expected a table.")
    if not isinstance(table.get("sex", ""), str):
        raise InputError(f"{where}.sex is {shown(table['sex'])}; expected male or female.")

    def each(part: str, names: tuple[str, ...], value: Callable[[Any, str], Any]) -> Mapping[str, Any]:
        given = table.get(part, {})
        for name in given:
            _known(name, names, f"{where}.{part}")
        return MappingProxyType({name: value(given[name], f"{where}.{part}.{name}") for name in given})

    stack = tuple(name for name, _ in (*STACK, *ARM))
    ranges = {}
    for joint, words in table.get("range", {}).items():
        _known(joint, tuple(data.movements()), f"{where}.range")
        if not isinstance(words, Mapping):
            raise InputError(f"{where}.range.{joint} is {shown(words)}; expected a table of movements.")
        for word in words:
            _known(word, tuple(data.movements()[joint]), f"{where}.range.{joint}")
        ranges[joint] = MappingProxyType(
            {word: _at_least(0.0, value, "angle", f"{where}.range.{joint}.{word}") for word, value in words.items()}
        )
    found = Measured(
        lengths=each("length", stack, _positive("length")),
        masses=each("mass_of", segments(), _positive("mass")),
        semi_axes=each("semi_axes", segments(), _three("length")),
        moments=each("inertia", segments(), _three("moment of inertia")),
        ranges=MappingProxyType(ranges),
        height=_positive("length")(table["height"], f"{where}.height") if "height" in table else None,
        mass=_positive("mass")(table["mass"], f"{where}.mass") if "mass" in table else None,
        sex=table.get("sex"),
        age=units.quantity(table["age"], "dimensionless", f"{where}.age") if "age" in table else None,
    )
    for what, said, summed, slack, unit in (
        ("height", found.height, found.whole_height, SAME_HEIGHT, "m"),
        ("mass", found.mass, found.whole_mass, SAME_MASS * (found.mass or 0.0), "kg"),
    ):
        if said is not None and summed is not None and abs(said - summed) > slack:
            raise InputError(
                f"{where}.{what} is {said:g} {unit}, but all parts are given and sum to {summed:.4g} {unit}; leave the "
                f"{what} or one of the parts out, or correct them."
            )
    return found


def _known(key: str, names: tuple[str, ...], where: str) -> None:
    if key not in names:
        plain = plain_name(str(key))
        hint = (
            f" What is measured on one side holds for both: {plain!r}." if plain in names else nearest(str(key), names)
        )
        raise InputError(f"{where}.{spelled(key)} is not known; accepted: {', '.join(names)}.{hint}")


def _at_least(low: float, value: Any, dimension: str, where: str) -> float:
    si = units.quantity(value, dimension, where)
    if si < low:
        raise InputError(
            f"{where} is {shown(value)}; it must not be negative. The name of the movement gives the direction."
        )
    return si


def _positive(dimension: str) -> Callable[[Any, str], float]:
    def read(value: Any, where: str) -> float:
        si = units.quantity(value, dimension, where)
        if si <= 0.0:
            raise InputError(f"{where} is {shown(value)}; it must be greater than zero.")
        return si

    return read


def _three(dimension: str) -> Callable[[Any, str], Vector]:
    def read(value: Any, where: str) -> Vector:
        x, y, z = units.vector(value, dimension, where)
        if min(x, y, z) <= 0.0:
            raise InputError(f"{where} is {shown(value)}; all three must be greater than zero.")
        return x, y, z

    return read


# a CSV file

_COLUMNS = ("item", "quantity", "value", "unit")


def _rows(text: str) -> dict[str, Any]:
    """Return the rows of a CSV file as a table."""
    rows = read_csv(text.splitlines(), ",")
    if not rows or tuple(cell.strip() for cell in rows[0][:4]) != _COLUMNS:
        raise InputError(f"the first line must name the columns {', '.join(_COLUMNS)}.")
    table: dict[str, Any] = {}
    vectors: dict[str, dict[str, dict[str, Any]]] = {"semi_axes": {}, "inertia": {}}
    lines: dict[tuple[str, str], int] = {}
    for number, cells in enumerate(rows[1:], start=2):
        if not cells:
            continue
        if len(cells) != len(rows[0]):
            raise InputError(f"line {number} has {len(cells)} cells, the first line {len(rows[0])}.")
        item, quantity, value, unit = (cell.strip() for cell in cells[:4])  # further columns are remarks
        if (item, quantity) in lines:
            raise InputError(
                f"line {number}: {shown(item)} {shown(quantity)} is in line {lines[item, quantity]} already."
            )
        lines[item, quantity] = number
        said: Any = f"{value} {unit}".strip() if unit not in ("", "-") else _number(value)
        stem, _, axis = quantity.rpartition("_")
        if item == "person":
            _known(quantity, _PERSON, f"line {number}: person")
            table[quantity] = said
        elif item in segments() and quantity in ("length", "mass"):
            table.setdefault({"mass": "mass_of"}.get(quantity, quantity), {})[item] = said
        elif item in segments() and axis in ("x", "y", "z") and stem in ("semi_axis", "inertia"):
            vectors[{"semi_axis": "semi_axes"}.get(stem, stem)].setdefault(item, {})[axis] = said
        elif item in data.movements():
            table.setdefault("range", {}).setdefault(item, {})[quantity] = said
        else:
            accepted = ("person", *segments(), *data.movements())
            what = (
                f"{item} has no quantity {shown(quantity)}; accepted: length, mass, semi_axis_x, _y, _z, inertia_x, "
                "_y, _z."
                if item in segments()
                else f"there is no item {shown(item)}; accepted: {', '.join(accepted)}.{nearest(item, accepted)}"
            )
            raise InputError(f"line {number}: {what}")
    for part, items in vectors.items():
        for item, values in items.items():
            missing = [axis for axis in "xyz" if axis not in values]
            if missing:
                raise InputError(f"{item}, {part}: {', '.join(missing)} missing; give x, y and z.")
            table.setdefault(part, {})[item] = [values[axis] for axis in "xyz"]
    return table


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text

"""Read the data tables of this package, once each, and convert them to SI."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from ..errors import InputError, nearest
from ..units import parse_unit

TABLES = (
    "segment_mass",
    "segment_mass_age",
    "segment_geometry",
    "proportion",
    "joint_place",
    "joint_resistance",
    "joint_resistance_2",
    "passive_muscle",
    "joint_range_thesis",
    "joint_cone_silva",
    "occupant_human50",
    "occupant_dummy50",
    "range_of_motion",
    "flexibility",
    "growth",
    "adult_size",
    "population",
    "spread",
    "preset",
    "joint_strength",
    "wobble",
    "tissue",
    "segment_region",
    "belt_tissue",
    "axial",
    "common_tissue",
    "bone_strength",
    "surface",
    "vehicle_front",
    "vehicle_curve",
    "criterion_constant",
    "criterion_limit",
    "neck_intercept",
    "risk_curve",
    "measured_fall",
    "lower_limb",
    "bone",
)
STATUS = ("sourced", "derived", "recalled", "mixed", "estimated", "unverified")

_BIB_ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),(.*?)^\}", re.DOTALL | re.MULTILINE)
_BIB_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$", re.DOTALL | re.MULTILINE)


class Row(NamedTuple):
    """One number and where it comes from."""

    item: str  # the segment, joint, surface or criterion it belongs to; right or midline
    quantity: str
    value: float  # in `unit`, as printed
    unit: str
    si: float  # in SI
    sex: str  # "" where it does not matter
    age_group: str
    movement: str  # of a joint limit: the motion that it ends, right side
    source: str  # key of references.bib
    where: str
    status: str
    note: str
    population: str = ""  # of a criterion: for whom the value was found
    low: float | None = None  # range of the value, in `unit`
    high: float | None = None
    dimension: str = ""  # where the unit has two meanings: "acceleration" for g


@cache
def table(name: str) -> tuple[Row, ...]:
    """Return all rows of a table, in the order of the file."""
    if name not in TABLES:
        raise InputError(f"there is no data table {name!r}; accepted: {', '.join(TABLES)}.{nearest(name, TABLES)}")
    lines = _text(f"{name}.csv").splitlines()
    return tuple(
        _row(cells, f"{name}.csv, line {number}") for number, cells in enumerate(csv.DictReader(lines), start=2)
    )


@cache
def values(name: str, sex: str = "male") -> Mapping[str, Mapping[str, float]]:
    """Return item -> quantity -> value in SI, of the rows that hold for that sex."""
    found: dict[str, dict[str, float]] = {}
    for row in table(name):
        if row.sex in ("", sex):
            found.setdefault(row.item, {})[row.quantity] = row.si
    return MappingProxyType({item: MappingProxyType(quantities) for item, quantities in found.items()})


@cache
def movements() -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """Return joint -> clinical word -> (axis 0, 1 or 2, sign) of that motion on the right side."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for row in table("joint_resistance"):
        if row.movement:
            sign = 1 if row.quantity.startswith("limit_plus") else -1
            found.setdefault(row.item, {})[row.movement] = ("xyz".index(row.quantity[-1]), sign)
    return MappingProxyType({joint: MappingProxyType(words) for joint, words in found.items()})


def pulses(axis: str = "") -> dict[str, str]:
    """Return name -> description of the ready pulses of sleds: all, or those for one key of [sled], as in "pulse"."""
    items = tree("sled_pulses").items()
    return {name: str(item["description"]) for name, item in items if axis in ("", item["axis"])}


def surfaces() -> tuple[str, ...]:
    """Return the names of the ready surfaces."""
    return tuple(values("surface"))


def surface(name: str) -> dict[str, float]:
    """Return the contact parameters of a ready surface, by the field names of vitruvian.model.Contact, in SI."""
    known = values("surface")
    if name not in known:
        raise InputError(f"there is no surface {name!r}; accepted: {', '.join(known)}.{nearest(name, known)}")
    return dict(known[name])


@cache
def tree(name: str) -> dict[str, Any]:
    """Return the content of a TOML file of this folder: "human17", "postures". Not to be changed."""
    return tomllib.loads(_text(f"{name}.toml"))


@cache
def references() -> Mapping[str, Mapping[str, str]]:
    """Return key -> fields of references.bib, with the entry type under "type"."""
    found = {}
    for kind, key, body in _BIB_ENTRY.findall(_text("references.bib")):
        fields = {name: " ".join(value.split()) for name, value in _BIB_FIELD.findall(body)}
        found[key] = MappingProxyType({"type": kind, **fields})
    return MappingProxyType(found)


def read_table_text(file: str) -> str:
    """Return the text of a CSV file of this folder whose columns are not those of `table`."""
    return _text(file)


def _text(file: str) -> str:
    return files(__package__).joinpath(file).read_text(encoding="utf-8")


def _row(cells: dict[str, str], where: str) -> Row:
    try:
        item = next(iter(cells.values()))
        value = float(cells["value"])
        factor, _ = parse_unit(cells["unit"], cells.get("dimension") or None)
        named = {name: cells.get(name, "") for name in ("sex", "age_group", "movement", "population", "dimension")}
        return Row(
            item=item,
            quantity=cells["quantity"],
            value=value,
            unit=cells["unit"],
            si=value * factor,
            source=cells["source"],
            where=cells["where"],
            status=cells["status"],
            note=cells["note"],
            low=float(cells["low"]) if cells.get("low") else None,
            high=float(cells["high"]) if cells.get("high") else None,
            **named,
        )
    except (KeyError, ValueError, InputError) as error:
        raise InputError(f"{where}: {error}") from error

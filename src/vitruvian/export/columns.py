"""Columns of measured data: names and units of their own to records in SI. Used by the readers of CSV and ISO-MME.

Axes and signs are those of SAE J211 and J1733: x forward, y right, z down; tension and flexion positive.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..errors import InputError, located, nearest, shown, spelled
from ..injury.channels import PLACES, QUANTITIES, Channels, Record, checked, doubts, simultaneous
from ..units import parse_unit

#: dimension of units.UNITS of each quantity
DIMENSIONS = {
    "acceleration": "acceleration",
    "velocity": "velocity",
    "angular_velocity": "angular velocity",
    "angular_acceleration": "angular acceleration",
    "force": "force",
    "moment": "moment",
    "deflection": "length",
    "displacement": "length",
    "time": "time",
}
AXES = "xyz"
#: filter letters of ISO-MME
LETTERS = {"A": 1000.0, "B": 600.0, "C": 180.0, "D": 60.0, "E": 1000.0, "F": 600.0, "G": 180.0, "H": 60.0, "L": 20.0}
#: ISO-MME code of each place: main location, fine locations 1 and 2
LOCATIONS = {
    "head": ("HEAD", "00", "00"),
    "T1": ("THSP", "01", "00"),
    "thorax": ("CHST", "00", "00"),
    "T12": ("THSP", "12", "00"),
    "left_rib": ("TRRI", "LE", "00"),
    "right_rib": ("TRRI", "RI", "00"),
    "pelvis": ("PELV", "00", "00"),
    "occipital_condyles": ("TMON", "UP", "00"),
    "upper_neck": ("NECK", "UP", "00"),
    "lower_neck": ("NECK", "LO", "00"),
    "thoracolumbar": ("LUSP", "UP", "00"),
    "lumbar": ("LUSP", "LO", "00"),
    "left_femur": ("FEMR", "LE", "00"),
    "right_femur": ("FEMR", "RI", "00"),
    "left_femur_upper": ("FEMR", "LE", "UP"),
    "left_femur_lower": ("FEMR", "LE", "LO"),
    "right_femur_upper": ("FEMR", "RI", "UP"),
    "right_femur_lower": ("FEMR", "RI", "LO"),
    "left_tibia_upper": ("TIBI", "LE", "UP"),
    "left_tibia_lower": ("TIBI", "LE", "LO"),
    "right_tibia_upper": ("TIBI", "RI", "UP"),
    "right_tibia_lower": ("TIBI", "RI", "LO"),
    "vehicle": ("VEHC", "00", "00"),
}
#: ISO-MME code of each quantity
PHYSICAL = {
    "acceleration": "AC",
    "velocity": "VE",
    "angular_velocity": "AV",
    "angular_acceleration": "AA",
    "force": "FO",
    "moment": "MO",
    "deflection": "DS",
    "displacement": "DS",
}
_PLACE_OF = {code: place for place, code in LOCATIONS.items()}
_CODE = re.compile(r"[A-Z0-9?]{16}")


#: ISO-MME code of a dummy -> size in the tables of limits
DUMMIES = {"H3": "50M", "HF": "5F", "TH": "THOR 50M"}


class Column(NamedTuple):
    """One column: who ("" or "11"), place, quantity, axis ("x", "y", "z", "r"), filter class, dummy code and unit."""

    person: str
    place: str
    quantity: str
    axis: str
    filter_class: float | None
    dummy: str = ""
    unit: str = ""

    @property
    def name(self) -> str:
        """Name of the record that this column belongs to."""
        return f"{self.person}.{self.place}.{self.quantity}".removeprefix(".")


def column(label: str) -> Column | None:
    """Parse a label: "head.acceleration.x", or an ISO-MME code; return None for a code that no criterion needs."""
    if _CODE.fullmatch(label):
        return _from_code(label)
    *people, place, quantity, axis = [*label.split("."), "", ""][: max(3, label.count(".") + 1)]
    if place in QUANTITIES:
        raise InputError(f"{spelled(label)}: the place is missing; write it as head.acceleration.x.")
    if place not in PLACES:
        raise InputError(
            f"{spelled(label)}: the place {shown(place)} is not known. Columns are called place.quantity.axis, as in "
            f"head.acceleration.x, or head.acceleration.r for a resultant; accepted places: {', '.join(PLACES)}."
            f"{nearest(place, PLACES)}"
        )
    if quantity not in QUANTITIES:
        raise InputError(
            f"{spelled(label)}: the quantity {shown(quantity)} is not known; accepted: {', '.join(QUANTITIES)}."
            f"{nearest(quantity, QUANTITIES)}"
        )
    if axis not in ("x", "y", "z", "r") and not (axis == "" and quantity == "deflection"):
        raise InputError(
            f"{spelled(label)}: the axis is {spelled(axis) or 'missing'}; accepted: x, y, z, or r for a resultant "
            f"({place}.{quantity}.r)."
        )
    return Column(".".join(people), place, quantity, axis or "x", None)


def _from_code(code: str) -> Column | None:
    main, one, two = code[2:6], code[6:8], code[8:10]
    place = _PLACE_OF.get((main, one, two))
    if place is None and (one == "CG" or one.isdecimal()) and two.isdecimal():  # looser spellings: HEADCG00, CHST0003
        place = _PLACE_OF.get((main, "00", "00"))
    quantities = {code: quantity for quantity, code in PHYSICAL.items() if quantity != "displacement"}
    quantity = quantities.get(code[12:14])
    if place is None or quantity is None or code[14] not in "XYZR" or code[15] == "X":
        return None
    if quantity == "deflection" and place != "thorax":
        quantity = "displacement"
    return Column(code[:2], place, quantity, code[14].lower(), LETTERS.get(code[15]), code[10:12])


def factor(unit: str, quantity: str, label: str) -> float:
    """From a unit to SI."""
    plain = unit.strip().replace("(s*s)", "s^2").replace("(s^2)", "s^2").replace("°", "deg").replace(".", " ")
    if quantity == "acceleration" and plain in ("g0", "G"):
        plain = "g"
    with located(label):
        return parse_unit(plain, DIMENSIONS[quantity])[0]


def as_channels(columns: list[tuple[Column, str, np.ndarray, np.ndarray]], *, assume_units: bool = False) -> Channels:
    """Return the channels of columns (what, label, time [s], samples in SI); three axes of a quantity are one record.

    A column that is refused is left out with a note, so that it does not cost the others; all refused is an error.
    Columns that are there twice are refused, because nothing tells which of them is meant.
    Axes with different time bases are interpolated at the same times, with a note. Axes with different units or filter
    classes, and a column with several classes, get a note, because one of them may be labelled wrongly.
    """
    people = {column.person for column, *_ in columns if column.place != "vehicle"}
    groups: dict[str, dict[str, tuple[Column, str, np.ndarray, np.ndarray]]] = {}
    dummies: dict[str, set[str]] = {}
    labels: dict[tuple[object, ...], list[str]] = {}
    classes: dict[tuple[str, ...], set[float | None]] = {}
    for found in columns:
        what = found[0] if len(people) > 1 else found[0]._replace(person="")
        if what.dummy in DUMMIES:
            dummies.setdefault(f"{what.person}.".removeprefix("."), set()).add(DUMMIES[what.dummy])
        axes = groups.setdefault(what.name, {})
        labels.setdefault((*what[:4], what.filter_class), []).append(found[1])
        classes.setdefault(what[:4], set()).add(what.filter_class)
        # of the same channel with several filter classes, the least filtered one
        if what.axis not in axes or (what.filter_class or np.inf) > (axes[what.axis][0].filter_class or np.inf):
            axes[what.axis] = (what, *found[1:])
    made: dict[str, Record] = {}
    notes: list[str] = []
    refused: list[InputError] = []
    for name, axes in groups.items():
        notes += _unlike(name, [what for what, *_ in axes.values()])
        for axis, (what, label, time, samples) in axes.items():
            if len(known := classes[what[:4]]) > 1:
                notes.append(f"{name}.{axis} is there {_classes(known)}; {label} is used.")
            single = Record(f"{name}.{axis}", time, samples, what.filter_class, label)
            same = labels[(*what[:4], what.filter_class)]
            try:
                if len(same) > 1:
                    raise InputError(f"{single.name} is there {len(same)} times ({', '.join(same)}); keep one of them.")
                made[single.name] = checked(single, assume_units=assume_units)
            except InputError as error:
                refused.append(error)
                notes.append(left_out(error))
            else:
                notes += [] if assume_units else doubts(single)
        if all(f"{name}.{axis}" in made for axis in AXES):
            try:
                joined, note = _joined(name, [made[f"{name}.{axis}"] for axis in AXES])
            except InputError as error:
                notes.append(f"{error}: {name} has no resultant.")
                continue
            made = {key: record for key, record in made.items() if key not in {f"{name}.{axis}" for axis in AXES}}
            made[name] = joined
            notes += [note] if note else []
        elif name.endswith("thorax.deflection") and f"{name}.x" in made:
            made[name] = replace(made.pop(f"{name}.x"), name=name)
    if not made:
        raise refused[0]
    return Channels(made, notes=notes, sizes={who: sizes.pop() for who, sizes in dummies.items() if len(sizes) == 1})


def _unlike(name: str, columns: list[Column]) -> list[str]:
    """Return notes on axes of one quantity that have different units or filter classes."""
    notes = []
    if len({factor(what.unit, what.quantity, name) for what in columns if what.unit}) > 1:
        units = ", ".join(f"{what.axis} [{what.unit}]" for what in columns)
        notes.append(f"the axes of {name} have different units: {units}. Check that each is right.")
    classes = {what.filter_class for what in columns}
    if len(classes) > 1:
        notes.append(f"the axes of {name} are {_classes(classes)}, so they are not the components of one vector.")
    return notes


def _classes(classes: set[float | None]) -> str:
    """Return filter classes in words, the least filtered first."""
    known = sorted((one for one in classes if one is not None), reverse=True)
    return " and ".join([*["unfiltered"] * (None in classes), *(f"filtered with CFC {one:g}" for one in known)])


def left_out(error: InputError) -> str:
    """Return the note on a channel that is left out because of an error."""
    return f"{str(error).rstrip('.')}. This channel is left out."


def _joined(name: str, axes: list[Record]) -> tuple[Record, str]:
    """Return three axes as one record, with a note if their time bases differ."""
    present, note = simultaneous(axes) if min(len(axis.time) for axis in axes) > 1 else (axes, "")
    classes = {part.filter_class for part in present}
    samples = np.column_stack([part.samples for part in present])
    return Record(name, present[0].time, samples, classes.pop() if len(classes) == 1 else None, present[0].label), note

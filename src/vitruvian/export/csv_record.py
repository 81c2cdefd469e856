"""Measured data in CSV: a time column and one column a channel, each with its unit in the heading.

    time [ms], head.acceleration.x [g], head.acceleration.y [g], head.acceleration.z [g], upper_neck.force.z [kN]

A name is place, quantity and axis (SAE J211 axes, J1733 signs), or an ISO-MME code: 11HEAD0000H3ACXA [g]. Comma,
semicolon or tab separate the columns; lines that begin with # are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..data.file import read_csv, read_text
from ..errors import InputError, located, shown, spelled
from ..injury.channels import Channels
from ..units import parse_unit
from .columns import as_channels, column, factor


def read(path: str | Path, *, assume_units: bool = False) -> Channels:
    """The channels of a CSV file; a refusal names the column and the row."""
    path = Path(path)
    lines = [
        line for line in read_text(path, latin=True).splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise InputError(f"{path} is empty; expected a heading and rows of numbers.")
    separator = max(",;\t", key=lines[0].count)
    with located(path):
        rows = read_csv(lines, separator)
    headings = [_heading(path, text) for text in rows[0]]
    if headings[0][0].lower() not in ("time", "t"):
        raise InputError(
            f"{path}: the first column is {shown(headings[0][0])}; expected the time. The first line is a heading "
            "with units, as in: time [s], head.acceleration.x [g], head.acceleration.y [g], head.acceleration.z [g]"
        )
    values = np.array([_numbers(path, row, headings, separator) for row in rows[1:]])
    if not len(values):
        raise InputError(f"{path} has a heading but no rows of numbers.")
    time = values[:, 0] * _time_factor(path, *headings[0], assume_units=assume_units)
    columns = []
    for at, (name, unit) in enumerate(headings[1:], start=1):
        with located(path):
            what = column(name)
        if what is None:
            continue
        if unit is None:
            raise InputError(
                f'{path}: the column {spelled(name)} has no unit; write it in brackets, as in "{spelled(name)} [g]".'
            )
        scale = factor(unit, what.quantity, f"{path}: {spelled(name)}")
        columns.append((what._replace(unit=unit), name, time, scale * values[:, at]))
    if not columns:
        raise InputError(f"{path} has no column that a criterion needs; as in: head.acceleration.x [g].")
    with located(path):
        return as_channels(columns, assume_units=assume_units)


def _time_factor(path: Path, name: str, unit: str | None, *, assume_units: bool) -> float:
    """Return the factor from the unit of the time column to s."""
    if unit is None and not assume_units:
        raise InputError(
            f'{path}: the time has no unit; write "{name} [s]" or "{name} [ms]", or pass assume_units=True '
            "(--assume-units) to take it as s."
        )
    with located(f"{path}: {name}"):
        return parse_unit(unit or "s", "time")[0]


def _heading(path: Path, text: str) -> tuple[str, str | None]:
    """Return the name and the unit in brackets, or None without brackets. Takes linear time, unlike an expression."""
    text = text.strip()
    begin = min((at for at in (text.find("["), text.find("(")) if at >= 0), default=len(text))
    name, unit = text[:begin].strip(), text[begin:]
    if not name or (unit and (len(unit) < 2 or unit[-1] not in "])")):
        raise InputError(f"{path}: the heading {shown(text)} is no name with a unit, as in: head.acceleration.x [g].")
    return name, unit[1:-1].strip() if unit else None


def _numbers(path: Path, row: list[str], headings: list[tuple[str, str | None]], separator: str) -> list[float]:
    if len(row) != len(headings):
        raise InputError(
            f"{path}: a row has {len(row)} cells, the heading {len(headings)}: {spelled(separator.join(row))}"
        )
    numbers = []
    for cell, (name, _) in zip(row, headings, strict=True):
        try:
            numbers.append(float(cell) if cell.strip() else float("nan"))
        except ValueError:
            hint = " Write a decimal point instead of the comma." if re.fullmatch(r"\s*-?\d+,\d+\s*", cell) else ""
            raise InputError(f"{path}: column {spelled(name)}: {shown(cell)} is not a number.{hint}") from None
    return numbers

"""Functions of time from a CSV file: `time [s]` and one column for each function, with units in the headings.

    time [s], knee [deg], soleus [-]
    0,        0,          0.05
    0.5,      40,         0.6

A function of a scenario takes a column by its name: { file = "squat.csv", column = "knee" }.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..data.file import read_csv, read_text
from ..errors import InputError, nearest, shown
from ..units import parse_unit

_HEADING = re.compile(r"(.*?)\s*\[(.*)\]")


def from_file(given: dict[str, Any], where: str, folder: Path) -> dict[str, Any]:
    """Return the keys of a function of time, with times and values from the file that they name."""
    if "file" not in given:
        if "column" in given:
            raise InputError(f"{where}.column goes with a file; give both, or times and values.")
        return given
    if twice := [key for key in ("times", "values", "unit") if key in given]:
        raise InputError(f"{where} has a file and {twice[0]}; the file holds them, so leave {twice[0]} out.")
    name, column = given["file"], given.get("column")
    if not isinstance(name, str) or not isinstance(column, str):
        raise InputError(f"{where}: file and column are the name of a CSV file and of one of its columns, in quotes.")
    try:
        series = read_series(folder / name)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if column not in series.columns:
        raise InputError(
            f"{where}.column is {shown(column)}; {name} has {', '.join(series.columns)}."
            + nearest(column, series.columns)
        )
    unit, values = series.columns[column]
    rest = {key: value for key, value in given.items() if key not in ("file", "column")}
    return {"times": series.times, "values": values, "unit": unit, **rest}


class Series:
    """Columns of a CSV file over time.

    times    [s]
    columns  name -> unit and values in this unit
    """

    def __init__(self, times: list[float], columns: dict[str, tuple[str, list[float]]]) -> None:
        self.times, self.columns = times, columns


def read_series(path: Path) -> Series:
    """Return the columns of a CSV file with the heading `time [s]` and further ones, each with a unit in brackets."""
    lines = (line for line in read_text(path).splitlines() if line.strip() and line[0] != "#")
    rows = [[cell.strip() for cell in row] for row in read_csv(lines, ",") if row]
    if len(rows) < 2:
        raise InputError(f"{path} has no rows; expected the headings time [s], knee [deg], ... and rows of numbers.")
    names, units = zip(*(_heading(text, path) for text in rows[0]), strict=True)
    if "time" not in names or len(set(names)) < len(names):
        raise InputError(
            f"{path} has the headings {', '.join(rows[0])}; expected time [s] and further columns, each name once."
        )
    columns: dict[str, list[float]] = {name: [] for name in names}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise InputError(f"{path}: row {number} has {len(row)} cells; expected {len(names)}, one for each heading.")
        for name, cell in zip(names, row, strict=True):
            try:
                columns[name].append(float(cell))
            except ValueError:
                raise InputError(f"{path}: row {number} has {shown(cell)}; expected a number.") from None
    factor = parse_unit(units[names.index("time")], "time")[0]
    times = [factor * value for value in columns.pop("time")]
    for number, (first, second) in enumerate(pairwise(times), 3):
        if not second > first:
            raise InputError(
                f"{path}: time decreases or stays: row {number} has {second:g} s after {first:g} s; sort the rows."
            )
    return Series(times, {name: (units[names.index(name)], values) for name, values in columns.items()})


def _heading(text: str, path: Path) -> tuple[str, str]:
    match = _HEADING.fullmatch(text.strip())
    if match is None:
        raise InputError(f'{path}: the heading "{text}" has no unit; write it in brackets, as in "knee [deg]".')
    return match[1].strip(), match[2].strip()

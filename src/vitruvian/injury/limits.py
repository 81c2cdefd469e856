"""The constants and limits of the criteria, out of the data tables, by the size of the dummy they were made for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from .. import data
from ..errors import InputError, nearest

_T = TypeVar("_T")

#: sizes of adults, whose statures and masses are in the table of presets
ADULTS = ("5F", "50M", "95M")
#: sizes of children -> age of the child that the dummy represents [years]
CHILDREN = {"12M": 1.0, "3YO": 3.0, "6YO": 6.0, "10YO": 10.0}


class UnknownSizeError(InputError):
    """The tables hold no values for a size of dummy."""


@cache
def sizes() -> tuple[str, ...]:
    """Every size of dummy that a table knows: those of people first, then single dummies such as "THOR 50M"."""
    chests = [item.removeprefix("VC ") for item in data.values("criterion_constant") if item.startswith("VC ")]
    return tuple(dict.fromkeys([*ADULTS, *CHILDREN, *data.values("neck_intercept"), *chests]))


def adult(size: str) -> bool:
    """Return whether a size is that of an adult; False for "", the size of a person whom no dummy represents."""
    return bool(size) and size not in CHILDREN


def chosen(rows: Mapping[str, _T], size: str) -> _T | None:
    """Return the row of a size, or None if the table has none for it.

    rows  by size. "" holds for all adults, or for the 50M alone where other sizes of adults have rows of their own

    A dummy without its own row has that of its family, the first word of its name: "THOR 50M" that of "THOR".
    """
    for key in (size, size.partition(" ")[0]):
        if key and key in rows:
            return rows[key]
    if size == "50M" or (adult(size) and not any(key in ADULTS for key in rows)):
        return rows.get("")
    return None


@cache
def constants(criterion: str) -> dict[str, float]:
    """Quantity -> value in SI of one criterion."""
    known = data.values("criterion_constant")
    if criterion not in known:
        raise InputError(f"there are no constants of {criterion!r}.{nearest(criterion, known)}")
    return dict(known[criterion])


def by_size(criterion: str, size: str) -> dict[str, float]:
    """Return the constants of a criterion for a size of dummy: by_size("TI", "50M")."""
    start = f"{criterion} "
    rows = {
        item.removeprefix(start): row
        for item, row in data.values("criterion_constant").items()
        if item.startswith(start)
    }
    return _of_size(criterion, rows, size)


def intercepts(size: str) -> dict[str, float]:
    """Tension and compression [N], flexion and extension [N m] at which Nij is one."""
    return _of_size("nij", data.values("neck_intercept"), size)


def _of_size(criterion: str, rows: Mapping[str, Mapping[str, float]], size: str) -> dict[str, float]:
    row = chosen(rows, size) if size in sizes() else None
    if row is None:
        raise UnknownSizeError(f"{criterion}: the size is {size!r}; accepted: {', '.join(rows)}.{nearest(size, rows)}")
    return dict(row)


@cache
def limits(criterion: str) -> dict[str, data.Row]:
    """Size -> limit of a criterion with its source, as `chosen` takes it."""
    names = {f"limit_{size.lower()}": size for size in sizes()} | {"limit": ""}
    return {names[row.quantity]: row for row in data.table("criterion_limit") if row.item == criterion}


def limit(criterion: str, size: str = "50M") -> data.Row | None:
    """Return the limit of a criterion for a size of dummy with its source, or None if none is known."""
    return chosen(limits(criterion), size)

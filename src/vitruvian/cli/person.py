"""A person on the screen: every dimension, mass and joint range with its source."""

from __future__ import annotations

import re
from math import degrees
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from ..human import Entry, Human

_KEY = re.compile(r"\b[a-z]+\d{4}\b|\bhybrid3wiki\b|\bhybrid3\b|\bclinicalrom\b|\bvitruvian\b")


def print_person(person: Human) -> None:
    """Print tables of the description, masses, sizes, inertia, joints and ranges, with the sources at the end."""
    from .. import data
    from ..human import sheet
    from .screen import console

    entries = sheet(person)
    screen = console(150)
    screen.print(_headline(person))
    segments, joints = list(person.dimensions.masses), list(person.dimensions.place)
    for table in (
        _masses(person, entries),
        _grouped(
            "Sizes", "segment", segments, entries, {"length": ("length",), "semi-axes x, y, z": _axes("semi_axis")}
        ),
        _grouped("Centres of mass, standing", "segment", segments, entries, {"x, y, z": _axes("centre")}),
        _grouped("Moments of inertia", "segment", segments, entries, {"x, y, z": _axes("inertia")}, "kg cm2", 1e4, 1),
        _grouped("Joints, standing", "joint", joints, entries, {"x, y, z": _axes("place")}),
        _ranges(entries),
    ):
        screen.print()
        screen.print(table)
    cited = dict.fromkeys(key for entry in entries for key in _KEY.findall(entry.source))
    titles = {key: row["title"].replace("{", "").replace("}", "") for key, row in data.references().items()}
    screen.print()
    screen.print("Sources: " + "; ".join(f"{key}: {titles[key]}" for key in cited if key in titles), markup=False)


def _headline(person: Human) -> str:
    from ..human import mass_percentile, stature_percentile

    who = person.person
    age = "an adult" if who.age is None else f"{who.age:g} years"
    text = f"{who.sex}, {age}: {who.height * 100:.1f} cm ({who.height_from}), {who.mass:.1f} kg ({who.mass_from})"
    text += f", body mass index {who.mass / who.height**2:.1f} kg/m2"
    if who.age is not None:
        tall = stature_percentile(who.height, who.sex, who.age)
        heavy = mass_percentile(who.mass, who.sex, who.age)
        text += f"; in the population us at percentile {tall:.0f} of stature and {heavy:.0f} of mass"
    return text + ". Paired segments and joints: the right one; x forward, y left, z up."


def _axes(stem: str) -> tuple[str, ...]:
    return tuple(f"{stem}_{axis}" for axis in "xyz")


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column in ("segment", "joint", "movement", "source") else "right")
    return table


def _masses(person: Human, entries: tuple[Entry, ...]) -> Table:
    source = {entry.item: entry.source for entry in entries if entry.quantity == "mass"}
    table = _table("Masses", "segment", "number", "kg", "% of the body", "source")
    for row in person.mass_table():
        share = 100.0 * row.mass / person.mass
        table.add_row(row.segment, str(row.number), f"{row.mass:.3f}", f"{share:.2f}", source[row.segment])
    return table


def _grouped(
    title: str,
    item: str,
    items: list[str],
    entries: tuple[Entry, ...],
    columns: dict[str, tuple[str, ...]],
    unit: str = "mm",
    factor: float = 1e3,
    digits: int = 0,
) -> Table:
    """Return a row for each segment or joint; entries with the same source share it."""
    found = {(entry.item, entry.quantity): entry for entry in entries}
    table = _table(f"{title} [{unit}]", item, *columns, "source")
    for name in items:
        cells: list[str] = []
        sources: dict[str, None] = {}
        for quantities in columns.values():
            rows = [found[name, quantity] for quantity in quantities]
            cells.append("  ".join(f"{float(row.value) * factor:.{digits}f}" for row in rows))
            sources |= dict.fromkeys(row.source for row in rows)
        table.add_row(name, *cells, " | ".join(sources))
    return table


def _ranges(entries: tuple[Entry, ...]) -> Table:
    table = _table("Joint ranges", "joint", "movement", "degrees", "source")
    last = ""
    for entry in entries:
        if entry.unit == "rad":
            name = entry.item if entry.item != last else ""
            table.add_row(name, entry.quantity, f"{degrees(float(entry.value)):.1f}", entry.source)
            last = entry.item
    return table

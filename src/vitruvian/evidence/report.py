"""What `reproduce` and `validate` hand over: rows of printed or published against ours, tables, figures, notes."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .._files import csv_cell, writing
from ..errors import InputError, nearest
from .check import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..view.board import Board

#: told what is being done, how much of it is done and how much there is
Progress = Callable[[str, int, int], None]
#: draws a figure when it is asked for, so that a table alone needs no matplotlib
Drawing = Callable[[], "Figure | Board"]


@dataclass(frozen=True)
class Reproduced:
    """A number or a word that a source prints, beside ours.

    quantity  what it is
    printed   in the source [unit]; None where it says nothing
    ours      what came out [unit]
    unit      of both numbers; "-" for none
    agrees    the verdict; None where nothing is claimed
    why       why they differ
    """

    quantity: str
    printed: float | str | None
    ours: float | str
    unit: str = "-"
    agrees: bool | None = None
    why: str = ""

    HEADINGS: ClassVar = ("quantity", "printed", "ours", "why they differ")

    @classmethod
    def close(
        cls, quantity: str, printed: float, ours: float, within: float, unit: str = "-", why: str = ""
    ) -> Reproduced:
        """The row whose verdict is |ours - printed| <= within [unit]; NaN differs."""
        return cls(quantity, printed, ours, unit, bool(abs(ours - printed) <= within), why)

    @classmethod
    def same(cls, quantity: str, printed: str, ours: str, why: str = "") -> Reproduced:
        """The row whose verdict is that both words are the same."""
        return cls(quantity, printed, ours, "-", printed == ours, why)

    @classmethod
    def at_most(cls, quantity: str, aim: float, ours: float, unit: str = "-", why: str = "") -> Reproduced:
        """The row of something that no source prints and that is to stay below an aim [unit]; NaN does not."""
        return cls(quantity, f"aim: {shown(aim, unit, 4)} at most", ours, unit, bool(ours <= aim), why)

    @property
    def failed(self) -> bool:
        """Whether they differ and nothing says why."""
        return self.agrees is False and not self.why

    @property
    def verdict(self) -> str:
        """ "agrees", "DIFFERS", or why they differ."""
        if self.agrees:
            return f"agrees; {self.why}" if self.why else "agrees"
        return "DIFFERS" if self.failed else self.why

    def cells(self) -> tuple[str, str, str, str]:
        """As text under the headings."""
        return self.quantity, _cell(self.printed, self.unit), _cell(self.ours, self.unit), self.verdict

    def record(self) -> dict[str, Any]:
        """By column, for files."""
        return {
            "quantity": self.quantity,
            "printed": self.printed,
            "ours": self.ours,
            "unit": self.unit,
            "agrees": self.agrees,
            "why": self.why,
        }


@dataclass(frozen=True)
class Validated:
    """A quantity that was measured on people, beside ours.

    quantity  what it is
    low       least published value [unit]; -inf for none
    high      largest published value [unit]; inf for none
    ours      what came out [unit]
    unit      of all numbers; "-" for none
    mean      published mean [unit]; None where none is given
    source    who published it, and on whom it was measured
    note      why ours is outside, or how the two compare
    """

    quantity: str
    low: float
    high: float
    ours: float
    unit: str = "-"
    mean: float | None = None
    source: str = ""
    note: str = ""

    HEADINGS: ClassVar = ("quantity", "published", "ours", "inside?")

    @property
    def inside(self) -> bool:
        """Whether ours lies in the published range; NaN does not."""
        return self.low <= self.ours <= self.high

    @property
    def failed(self) -> bool:
        """Whether ours is outside and nothing says why."""
        return not self.inside and not self.note

    @property
    def verdict(self) -> str:
        """ "inside" or "OUTSIDE", with the note."""
        return ("inside" if self.inside else "OUTSIDE") + (f": {self.note}" if self.note else "")

    @property
    def published(self) -> str:
        """Range, mean and source as text."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            text = f"{shown(self.low, '-', 4)} to {shown(self.high, self.unit, 4)}"
        elif math.isfinite(self.low):
            text = f"at least {shown(self.low, self.unit, 4)}"
        else:
            text = f"at most {shown(self.high, self.unit, 4)}"
        mean = "" if self.mean is None else f", mean {shown(self.mean, self.unit, 4)}"
        return text + mean + (f" ({self.source})" if self.source else "")

    def cells(self) -> tuple[str, str, str, str]:
        """As text under the headings."""
        return self.quantity, self.published, shown(self.ours, self.unit, 4), self.verdict

    def record(self) -> dict[str, Any]:
        """By column, for files."""
        return {
            "quantity": self.quantity,
            "low": self.low,
            "high": self.high,
            "mean": self.mean,
            "ours": self.ours,
            "unit": self.unit,
            "inside": self.inside,
            "source": self.source,
            "note": self.note,
        }


@dataclass(frozen=True)
class Table:
    """A table of its own shape beside the rows: a list of falls, a printed table side by side.

    name      of its file, without ending
    title     one line above it
    headings  of the columns
    rows      cells as text, as many as there are headings
    """

    name: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.headings):
                raise ValueError(f"table {self.name}: {row} has {len(row)} cells for {len(self.headings)} headings")


@dataclass(frozen=True)
class Report:
    """The answer of one entry of `reproduce` or `validate`.

    title    one line
    source   where the printed or published numbers stand
    rows     the comparison
    tables   further tables
    figures  file name without ending -> what draws it
    notes    sentences below the tables: what the numbers mean, and warnings
    """

    title: str
    source: str
    rows: tuple[Reproduced, ...] | tuple[Validated, ...]
    tables: tuple[Table, ...] = ()
    figures: Mapping[str, Drawing] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a row differs, or lies outside, and nothing says why."""
        return any(row.failed for row in self.rows)

    def record(self) -> dict[str, Any]:
        """By name, for JSON."""
        return {
            "title": self.title,
            "source": self.source,
            "failed": self.failed,
            "rows": [row.record() for row in self.rows],
            "tables": {
                table.name: [dict(zip(table.headings, row, strict=True)) for row in table.rows] for table in self.tables
            },
            "notes": list(self.notes),
        }

    def write(self, folder: Path) -> list[Path]:
        """rows.csv, a CSV file a table and a PNG file a figure; the paths in that order."""
        written = []
        if self.rows:
            records = [row.record() for row in self.rows]
            written.append(_csv(folder / "rows.csv", list(records[0]), [list(row.values()) for row in records]))
        written += [_csv(folder / f"{table.name}.csv", table.headings, table.rows) for table in self.tables]
        return written + self.draw(folder)

    def draw(self, folder: Path) -> list[Path]:
        """A PNG file a figure."""
        written = []
        for name, drawing in self.figures.items():
            written.append(folder / f"{name}.png")
            with writing(written[-1]) as temporary:
                drawing().savefig(temporary, dpi="figure")
        return written


class Entry(NamedTuple):
    """Where the function of an entry stands: a module of this room, its function, and one line on what it shows.

    The function takes a Progress and returns a Report.
    """

    module: str
    function: str
    title: str


def made(entries: Mapping[str, Entry], kind: str, name: str, progress: Progress | None = None) -> Report:
    """The report of one entry; an unknown name is refused with the nearest one.

    kind  the word in the refusal: "reproduction"
    """
    if name not in entries:
        raise InputError(f'there is no {kind} "{name}"; accepted: {", ".join(entries)}.{nearest(name, entries)}')
    entry = entries[name]
    function = getattr(import_module(f".{entry.module}", __package__), entry.function)
    report: Report = function(progress or _silent)
    return report


def _silent(what: str, done: int, total: int) -> None:
    """The progress of those who do not ask for it."""


def _cell(value: float | str | None, unit: str) -> str:
    if value is None:
        return "not printed"
    return value if isinstance(value, str) else shown(value, unit, 5)


def _csv(path: Path, headings: Any, rows: Any) -> Path:
    with writing(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in (headings, *rows):
            writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return path

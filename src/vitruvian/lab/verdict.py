"""Reports of `reproduce` and `validate`: rows that compare printed or published numbers with ours, tables, figures.

Every judged row has a verdict, and its expected verdict is stored in `verdicts.toml`. A reproduction fails if a verdict
differs from the stored one, whether it became worse or better. A validation fails if a row that was inside its
published interval is outside.
"""

from __future__ import annotations

import csv
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .._files import csv_cell, writing
from ..errors import InputError, nearest
from .evidence import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..view.canvas import Canvas

#: called with the current task, the number of finished tasks and the number of all tasks
Progress = Callable[[str, int, int], None]
#: draws a figure on demand, so that a table alone needs no matplotlib
Drawing = Callable[[], "Figure | Canvas"]


#: verdicts of a row; "shown" is not judged, because the source has nothing to compare with
AGREES, EXPLAINED, DIFFERS, SHOWN = "agrees", "explained", "differs", "shown"
INSIDE, OUTSIDE = "inside", "outside"

#: an erratum by number, or a sentence of the source in quotation marks
_CITATION = re.compile(r'E\d{3}\b|".+"')


@dataclass(frozen=True)
class Cause:
    """Why a number of ours differs from that of a source.

    text   shown with the row
    holds  whether it accounts for the difference; a row whose cause does not hold differs
    """

    text: str
    holds: bool

    @classmethod
    def cited(cls, text: str) -> Cause:
        """Return a cause that rests on an erratum (E054) or on a sentence of the source, which the text must quote."""
        if not _CITATION.search(text):
            raise ValueError(f"the cause {text!r} cites neither an erratum (E001 ...) nor a quoted sentence")
        return cls(text, True)

    @classmethod
    def computed(cls, text: str, holds: bool) -> Cause:
        """Return a cause that a second run shows: with the setting in question it gives the printed value, or not."""
        return cls(text, bool(holds))


@dataclass(frozen=True)
class Reproduced:
    """A number or a word with which a source, a closed form or an aim is compared, and ours.

    quantity   what it is; unique in a report, because verdicts are stored under it
    reference  what ours is compared with [unit]; None where there is nothing
    ours       what came out [unit]
    unit       of both numbers; "-" for none
    agrees     whether they agree; None where nothing is claimed
    origin     where the reference comes from: "printed" in the source, or "closed form", "Fig. 6.12", "aim" ...
    cause      why they differ, if something shows it
    note       a remark that changes no verdict
    """

    quantity: str
    reference: float | str | None
    ours: float | str
    unit: str = "-"
    agrees: bool | None = None
    origin: str = "printed"
    cause: Cause | None = None
    note: str = ""

    HEADINGS: ClassVar = ("quantity", "reference", "ours", "verdict")

    @classmethod
    def close(
        cls, quantity: str, reference: float, ours: float, within: float, unit: str = "-", **details: Any
    ) -> Reproduced:
        """Return the row that agrees if |ours - reference| <= within [unit]; NaN does not.

        details  origin, cause and note of the row
        """
        return cls(quantity, reference, ours, unit, bool(abs(ours - reference) <= within), **details)

    @classmethod
    def factor(
        cls, quantity: str, reference: float, ours: float, factor: float, unit: str = "-", **details: Any
    ) -> Reproduced:
        """Return the row that agrees if ours is at most `factor` times larger or smaller than the reference."""
        return cls(quantity, reference, ours, unit, bool(reference / factor <= ours <= reference * factor), **details)

    @classmethod
    def same(cls, quantity: str, reference: str, ours: str, **details: Any) -> Reproduced:
        """Return the row that agrees if both words are the same."""
        return cls(quantity, reference, ours, "-", reference == ours, **details)

    @classmethod
    def at_most(cls, quantity: str, aim: float, ours: float, unit: str = "-", **details: Any) -> Reproduced:
        """Return the row of something that no source prints and that is to stay below an aim [unit]; NaN does not."""
        return cls(quantity, f"{shown(aim, unit, 4)} at most", ours, unit, bool(ours <= aim), "aim", **details)

    @property
    def verdict(self) -> str:
        """Whether it "agrees", is "explained" by a cause that holds, "differs", or is only "shown"."""
        if self.agrees is None:
            return SHOWN
        if self.agrees:
            return AGREES
        return EXPLAINED if self.cause is not None and self.cause.holds else DIFFERS

    def cells(self) -> tuple[str, str, str, str]:
        """Return the row as text under the headings."""
        reference = _cell(self.reference, self.unit)
        if self.reference is not None and self.origin != "printed":
            reference = f"{self.origin}: {reference}"
        said = "" if self.verdict == SHOWN else self.verdict
        remarks = [] if self.cause is None or self.agrees else [self.cause.text]
        remarks += [self.note] if self.note else []
        return self.quantity, reference, _cell(self.ours, self.unit), "; ".join([said, *remarks] if said else remarks)

    def record(self) -> dict[str, Any]:
        """Return the row by column, for files."""
        return {
            "quantity": self.quantity,
            "reference": self.reference,
            "origin": "" if self.reference is None else self.origin,
            "ours": self.ours,
            "unit": self.unit,
            "verdict": self.verdict,
            "cause": "" if self.cause is None else self.cause.text,
            "note": self.note,
        }


@dataclass(frozen=True)
class Validated:
    """A quantity that was measured on people, compared with ours.

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
    def verdict(self) -> str:
        """Whether ours is "inside" or "outside"."""
        return INSIDE if self.inside else OUTSIDE

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
        """Return the row as text under the headings."""
        said = "inside" if self.inside else "OUTSIDE"
        remark = f": {self.note}" if self.note else ""
        return self.quantity, self.published, shown(self.ours, self.unit, 4), said + remark

    def record(self) -> dict[str, Any]:
        """Return the row by column, for files."""
        names = ("quantity", "low", "high", "mean", "ours", "unit", "inside", "source", "note")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Table:
    """A further table with its own columns: a list of falls, a printed table next to ours.

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


class Change(NamedTuple):
    """A row whose verdict is not the stored one; None for a row that is not stored, or that was not made."""

    quantity: str
    stored: str | None
    now: str | None

    @property
    def sentence(self) -> str:
        """The change in words."""
        return f"{self.quantity}: stored {self.stored or 'nothing'}, now {self.now or 'not made'}"

    @property
    def fails(self) -> bool:
        """Whether the change fails: any change of a reproduction, and a validated row that is no longer inside."""
        if {self.stored, self.now} & {INSIDE, OUTSIDE}:
            return self.stored == INSIDE
        return True


@dataclass(frozen=True)
class Report:
    """The answer of one entry of `reproduce` or `validate`.

    title    one line
    source   of the printed or published numbers
    rows     the comparison
    tables   further tables
    figures  file name without ending -> what draws it
    notes    sentences below the tables: what the numbers mean, and warnings
    stored   quantity -> the verdict that is stored for it; `made` fills it in
    """

    title: str
    source: str
    rows: tuple[Reproduced, ...] | tuple[Validated, ...]
    tables: tuple[Table, ...] = ()
    figures: Mapping[str, Drawing] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stored: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [row.quantity for row in self.rows]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"report {self.title!r} has rows of the same quantity: {', '.join(sorted(twice))}")

    @property
    def verdicts(self) -> dict[str, str]:
        """Quantity -> verdict of every row that is judged."""
        return {row.quantity: row.verdict for row in self.rows if row.verdict != SHOWN}

    @property
    def changes(self) -> list[Change]:
        """The rows whose verdict is not the stored one, those not stored and those not made included."""
        now = self.verdicts
        return [
            Change(name, self.stored.get(name), now.get(name))
            for name in dict.fromkeys((*now, *self.stored))
            if self.stored.get(name) != now.get(name)
        ]

    @property
    def failed(self) -> bool:
        """Whether a verdict is not the stored one; of `validate`, whether a row that was inside is no longer."""
        return any(change.fails for change in self.changes)

    def record(self) -> dict[str, Any]:
        """Return the report by name, for JSON."""
        return {
            "title": self.title,
            "source": self.source,
            "failed": self.failed,
            "changes": [change._asdict() for change in self.changes],
            "rows": [row.record() for row in self.rows],
            "tables": {
                table.name: [dict(zip(table.headings, row, strict=True)) for row in table.rows] for table in self.tables
            },
            "notes": list(self.notes),
        }

    def write(self, folder: Path) -> list[Path]:
        """Write rows.csv, a CSV file per table and a PNG file per figure; return the paths in that order."""
        written = []
        if self.rows:
            records = [row.record() for row in self.rows]
            written.append(_csv(folder / "rows.csv", list(records[0]), [list(row.values()) for row in records]))
        written += [_csv(folder / f"{table.name}.csv", table.headings, table.rows) for table in self.tables]
        return written + self.draw(folder)

    def draw(self, folder: Path) -> list[Path]:
        """Write a PNG file per figure; return the paths."""
        written = []
        for name, drawing in self.figures.items():
            written.append(folder / f"{name}.png")
            with writing(written[-1]) as temporary:
                drawing().savefig(temporary, dpi="figure")
        return written


class Entry(NamedTuple):
    """A report that can be made: module in this package, function, and a one-line title.

    The function takes a Progress and returns a Report.
    """

    module: str
    function: str
    title: str


def made(entries: Mapping[str, Entry], kind: str, name: str, progress: Progress | None = None) -> Report:
    """Return the report of one entry; raise InputError for an unknown name.

    kind  word in the message: "reproduction"
    """
    if name not in entries:
        raise InputError(f'there is no {kind} "{name}"; accepted: {", ".join(entries)}.{nearest(name, entries)}')
    entry = entries[name]
    function = getattr(import_module(f".{entry.module}", __package__), entry.function)
    report: Report = function(progress or _silent)
    return replace(report, stored=stored_verdicts().get(name, {}))


#: the stored verdicts: name of a report -> quantity -> verdict; tools/make_report_docs.py --store rewrites it
VERDICTS = Path(__file__).with_name("verdicts.toml")


def stored_verdicts() -> dict[str, dict[str, str]]:
    """Return the verdicts that are stored for every report."""
    return tomllib.loads(VERDICTS.read_text(encoding="utf-8"))


def _silent(what: str, done: int, total: int) -> None:
    """Ignore progress."""


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

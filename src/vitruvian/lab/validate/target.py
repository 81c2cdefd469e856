"""Published values of people and cadavers that the body is compared with, one row each, and a row of ours for one.

The table `validation_target.csv` is a frozen list: rows marked `calibrate` may be fitted and never count; rows marked
`validate` are only compared. Of these only rows with eligible = "yes" count in the score; the others name a reason.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import inf, isfinite, nan
from types import MappingProxyType
from typing import Any, NamedTuple

from ... import data
from ...errors import InputError, nearest
from ..evidence import shown
from ..verdict import SHOWN, Validated

TABLE = "validation_target.csv"


class Target(NamedTuple):
    """One published value. Numbers are in `unit`; low and high are NaN if no interval is given.

    value       as printed, because some targets hold several numbers
    status      seen, seen-derived or recalled
    confidence  high, medium or low
    use         "calibrate" or "validate"
    eligible    "yes", or the reason why the target does not count; empty for fitted targets
    """

    id: str
    quantity: str
    body_part: str
    condition: str
    value: str
    low: float
    high: float
    unit: str
    source: str
    status: str
    confidence: str
    use: str
    note: str
    eligible: str

    @property
    def counts(self) -> bool:
        """Whether the target counts in the score."""
        return self.use == "validate" and self.eligible == "yes"

    @property
    def bounded(self) -> bool:
        """Whether the target has an interval, open at one end or not."""
        return isfinite(self.low) or isfinite(self.high)

    @property
    def name(self) -> str:
        """Identifier, quantity and condition in a line."""
        return f"{self.id} {self.body_part}: {self.quantity}" + (f"; {self.condition}" if self.condition else "")

    @property
    def interval(self) -> str:
        """Published interval, or the value where there is none, with the unit."""
        if not self.bounded:
            return f"{self.value} {self.unit}".strip()
        if isfinite(self.low) and isfinite(self.high):
            return f"{shown(self.low, '-', 4)} to {shown(self.high, self.unit, 4)}"
        return (
            f"at least {shown(self.low, self.unit)}" if isfinite(self.low) else f"at most {shown(self.high, self.unit)}"
        )


@dataclass(frozen=True)
class Compared(Validated):
    """Our value for a target; judged if the target counts, otherwise shown.

    target  identifier in the table of targets
    """

    target: str = ""

    @property
    def verdict(self) -> str:
        """Whether ours is "inside" or "outside"; "shown" for a target that does not count."""
        return super().verdict if targets()[self.target].counts else SHOWN

    @property
    def published(self) -> str:
        """Return interval and source as text."""
        target = targets()[self.target]
        return f"{target.interval} ({target.source}; {target.status})"

    def cells(self) -> tuple[str, str, str, str]:
        """Return the row as text under the headings."""
        word = word_of(targets()[self.target], self.ours)
        return (
            self.quantity,
            self.published,
            shown(self.ours, self.unit, 4),
            word + (f": {self.note}" * bool(self.note)),
        )

    def record(self) -> dict[str, Any]:
        """Return the row by column, for files."""
        return super().record() | {"target": self.target}


@cache
def targets() -> Mapping[str, Target]:
    """Return identifier -> target, in the order of the table."""
    found = {}
    for row in csv.DictReader(data.read_table_text(TABLE).splitlines()):
        ends = [float(row[end]) if row[end] else nan for end in ("low", "high")]
        texts = {name: row[name] for name in Target._fields if name not in ("low", "high")}
        found[row["id"]] = Target(low=ends[0], high=ends[1], **texts)
    return MappingProxyType(found)


def compared(target: str, ours: float, note: str = "") -> Compared:
    """Return the row that compares our value [unit of the target] with a target.

    note  why ours is outside, what was computed, or why there is no value (NaN)
    """
    known = targets()
    if target not in known:
        raise InputError(f'there is no target "{target}".{nearest(target, known)}')
    row = known[target]
    low, high = (-inf if row.low != row.low else row.low), (inf if row.high != row.high else row.high)
    return Compared(row.name, low, high, float(ours), row.unit or "-", None, row.source, note, target)


def word_of(target: Target, ours: float) -> str:
    """Return the outcome of a target in a word or two: inside, OUTSIDE, fitted, or why it does not count."""
    if target.use == "calibrate":
        return "fitted"
    if not target.counts:
        return f"not counted ({target.eligible.removeprefix('no: ')})"
    return "inside" if target.low <= ours <= target.high else "OUTSIDE"

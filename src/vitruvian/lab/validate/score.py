"""All targets in one table, with the share of the countable ones that are inside their published interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite, nan
from typing import Any

from ..evidence import shown
from ..verdict import INSIDE, Change, Progress, Report
from .target import Compared, Target, targets, word_of

HEADINGS = ("target", "published", "ours", "inside?", "remark")
NO_CASE = "no test of it yet"
#: targets inside only by a choice between sources that was made with the target known; they do not count as inside
CHOSEN = frozenset({"A12", "A45", "A46"})


@dataclass(frozen=True)
class Scored:
    """A target with our value; NaN where no case computes it.

    case    name of the case that computed the value; empty for none
    note    remark of that case
    """

    target: Target
    ours: float = nan
    case: str = ""
    note: str = ""

    @property
    def inside(self) -> bool:
        """Whether our value counts as inside the published interval; NaN and chosen rows do not."""
        return word_of(self.target, self.ours) == INSIDE and self.target.id not in CHOSEN

    def cells(self) -> tuple[str, ...]:
        """Return the row as text under the headings."""
        ours = shown(self.ours, self.target.unit or "-", 4)
        note = self.note or ("" if self.case or not self.target.counts else NO_CASE)
        if self.target.id in CHOSEN:
            note = f"{note}; source chosen with the target known: counts as outside".removeprefix("; ")
        return self.target.name, self.target.interval, ours, word_of(self.target, self.ours), note

    def record(self) -> dict[str, Any]:
        """Return the row by column, for JSON; null where a number is missing."""
        told: dict[str, Any] = {
            "id": self.target.id,
            "quantity": self.target.quantity,
            "condition": self.target.condition,
        }
        for name in ("value", "low", "high", "unit", "source", "status", "use", "eligible"):
            held = getattr(self.target, name)
            told[name] = None if isinstance(held, float) and not isfinite(held) else held
        ours = self.ours if isfinite(self.ours) else None
        return told | {
            "ours": ours,
            "inside": self.inside if self.target.counts else None,
            "word": word_of(self.target, self.ours),
            "case": self.case,
            "note": self.note,
        }


@dataclass(frozen=True)
class Score:
    """The outcome of all cases.

    rows     every target, in the order of the table
    changes  case and judged row whose verdict is not the stored one
    """

    rows: tuple[Scored, ...]
    changes: tuple[tuple[str, Change], ...] = ()

    @property
    def inside(self) -> int:
        """Number of countable targets whose interval contains our value."""
        return sum(row.inside for row in self.rows)

    @property
    def eligible(self) -> int:
        """Number of countable targets; those without a value of ours are among them."""
        return sum(row.target.counts for row in self.rows)

    @property
    def score(self) -> float:
        """Share of the countable targets that are inside [-]."""
        return self.inside / self.eligible

    @property
    def fallen(self) -> list[str]:
        """Sentences for the rows that were inside and are no longer."""
        return [f"{case}: {change.sentence}" for case, change in self.changes if change.fails]

    @property
    def line(self) -> str:
        """The score in a sentence."""
        return f"{self.inside} of {self.eligible} countable targets inside: score {self.score:.2f}."

    def record(self) -> dict[str, Any]:
        """Return the score by name, for JSON."""
        return {
            "score": self.score,
            "inside": self.inside,
            "eligible": self.eligible,
            "rows": [row.record() for row in self.rows],
            "fallen": self.fallen,
        }


def scored(reports: Mapping[str, Report]) -> Score:
    """Return the score of the reports of all cases; a target that two cases compute is an error."""
    found: dict[str, Scored] = {}
    for case, report in reports.items():
        for row in report.rows:
            if isinstance(row, Compared):
                if row.target in found:
                    raise ValueError(f"target {row.target} is computed by {found[row.target].case} and by {case}")
                found[row.target] = Scored(targets()[row.target], row.ours, case, row.note)
    changes = tuple((case, change) for case, report in reports.items() for change in report.changes)
    return Score(tuple(found.get(name, Scored(target)) for name, target in targets().items()), changes)


def score(cases: Iterable[str] | None = None, progress: Progress | None = None) -> Score:
    """Run some cases, all unless given, and return the score."""
    from . import VALIDATIONS, validate

    return scored({name: validate(name, progress) for name in (VALIDATIONS if cases is None else cases)})

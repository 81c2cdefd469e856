"""The assessment of a run or a test: every criterion that its channels allow, with limit, risk and a verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._files import csv_cell, write_text
from ..errors import InputError, nearest
from .channels import Channels, from_result
from .evaluation import NO_CHANNEL, evaluate, list_missing
from .finding import Finding, criteria, judge
from .risk import Risk, percent
from .rule import RULES, cuts_of
from .subject import Subject, subject_of_size, subjects

if TYPE_CHECKING:
    from rich.table import Table

    from ..sim.result import Result

#: the dummy of channels about whose person nothing is known
DEFAULT_SIZE = "50M"


@dataclass(frozen=True, repr=False)
class Assessment:
    """All findings, the criteria that could not be computed with the reasons, and notes. Printed, it is a table.

    size  of the dummies whose values were taken, joined by commas; "" if no dummy represents the person
    void  why there is no verdict, because the run did not end well; "" otherwise
    """

    title: str
    size: str
    findings: tuple[Finding, ...]
    missing: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    void: str = ""

    def __getitem__(self, name: str) -> Finding:
        """Return the largest finding of a criterion ("HIC15"), or at a place ("femur force, left_femur_upper")."""
        criterion, _, place = name.partition(", ")
        found = [f for f in self.findings if f.criterion == criterion and place in ("", f.place)]
        if not found:
            known = list(dict.fromkeys(f.criterion for f in self.findings))
            reason = dict(self.missing).get(criterion, "")
            raise InputError(
                f"there is no criterion {name!r} in this assessment{f' ({reason})' if reason else ''}; "
                f"there are: {', '.join(known) or 'none'}.{nearest(criterion, known)}"
            )
        return max(found, key=lambda finding: finding.value)

    def __repr__(self) -> str:
        return f"<Assessment of {self.title or 'channels'}: {len(self.findings)} values. {self.verdict}>"

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=140, highlight=False)
        with console.capture() as text:
            console.print(self.table())
        return "\n".join([f"{text.get()}{self.verdict}", *self.remarks])

    def __contains__(self, name: str) -> bool:
        return any(finding.criterion == name for finding in self.findings)

    @property
    def verdict(self) -> str:
        """All findings in one sentence, without those that are not recommended for the model."""
        if self.void:
            return self.void
        usable = [finding for finding in self.findings if finding.recommended]
        bounded = [finding for finding in usable if finding.limit is not None]
        above = list(dict.fromkeys(finding.criterion for finding in bounded if finding.exceeded))
        if not bounded:
            unknown = list(dict.fromkeys(finding.limit_missing for finding in usable if finding.limit_missing))
            if unknown:
                words = "; ".join(unknown)
                return f"{words[0].upper()}{words[1:]}."
            return "No criterion with a limit could be computed."
        if not above:
            return f"None of {len(bounded)} values is above its limit."
        count = sum(finding.exceeded for finding in bounded)
        return f"{count} of {len(bounded)} values are above their limits: {', '.join(above)}."

    @property
    def remarks(self) -> list[str]:
        """Return the remarks on the table: whose limits apply, doubts about channels, missing criteria with reasons.

        Criteria of places without any channel are left out if others could be computed.
        """
        reasons: dict[str, list[str]] = {}
        for name, reason in self.missing:
            if not self.findings or not reason.startswith(NO_CHANNEL):
                reasons.setdefault(reason.rstrip("."), []).append(name)
        return [f"Note: {note}" for note in self.notes] + [
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not computed: {reason}."
            for reason, names in reasons.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment as plain values that JSON can hold."""
        return {
            "title": self.title,
            "size": self.size,
            "verdict": self.verdict,
            "findings": [asdict(finding) | {"exceeded": finding.exceeded} for finding in self.findings],
            "missing": [{"criterion": name, "reason": reason} for name, reason in self.missing],
            "notes": list(self.notes),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the assessment as JSON text, and write it to a file if a path is given."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        return _written(text + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the findings as CSV text, one row each, and write it to a file if a path is given."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        columns = (
            "criterion",
            "place",
            "value",
            "unit",
            "t1",
            "t2",
            "detail",
            "filter",
            "size",
            "limit",
            "limit_missing",
            "limit_population",
            "limit_source",
            "limit_status",
            "trust",
            "recommended",
            "verdict",
        )
        writer.writerow([*columns, "risk"])
        for finding in self.findings:
            cells = ["" if (value := getattr(finding, name)) is None else value for name in columns]
            cells.append("; ".join(risk.words for risk in finding.risks))
            writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in cells])
        return _written(out.getvalue(), path)

    def table(self, *, wide: bool = True) -> Table:
        """Return the table for a screen, to be printed with rich.

        wide  False: for 80 columns, without times and limits; a star for criteria not recommended for the model

        Letters behind limits and risks refer to the populations under the table.
        """
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, title=Text(self.title), title_justify="left", title_style="bold")
        marks = _Marks()
        headings = ["criterion", "value", "when", "limit", "of limit", "risk", "for this model"]
        if not wide:
            headings = ["criterion", "value", "of limit", "risk", "trust"]
        if not any(finding.trust for finding in self.findings):
            headings.pop()
        for heading in headings:
            right = heading in ("value", "limit", "of limit")
            # only names of places may be broken, between their words; numbers are never cut
            table.add_column(heading, justify="right" if right else "left", no_wrap=wide or heading != "criterion")
        several = {f.criterion for f in self.findings if sum(g.criterion == f.criterion for g in self.findings) > 1}
        for f in self.findings:
            unknown = "none known" if f.limit_missing else ""
            share = unknown if f.limit is None else f"{100.0 * f.value / f.limit:.0f} %"
            if not wide and f.limit is not None:
                share += marks.of(f.limit_population)
            chances = [risk for risk in f.risks if risk.outcome in ("AIS2+", "AIS3+")]
            place = f.place if wide else f.place.replace("_", " ")
            name = f"{f.criterion}, {place}" if f.criterion in several else f.criterion
            cells: dict[str, Any] = {
                "criterion": name if wide or f.recommended else f"{name} *",
                "value": shown_value(f.value, f.unit),
                "when": f"{f.t1:.4f} s" if f.t1 == f.t2 else f"{f.t1:.4f} to {f.t2:.4f} s",
                "limit": "" if f.limit is None else shown_value(f.limit, f.unit) + marks.of(f.limit_population),
                "of limit": Text(share, style="bold red" if f.exceeded and f.recommended else ""),
                "risk": "\n".join(
                    _chance(risk) + marks.of(risk.population) for risk in (chances if wide else chances[-1:])
                ),
                "for this model": f.standing,
                "trust": f.trust,
            }
            table.add_row(*(cells[heading] for heading in headings))
        if marks.letters:
            table.caption = Text(f"Populations: {marks}.")
            table.caption_justify, table.caption_style = "left", ""
        return table


def assess(
    channels: Channels,
    *,
    title: str = "",
    size: str | None = None,
    age: float | None = None,
    people: Mapping[str, Subject] | None = None,
    simulated: bool = False,
    only: tuple[str, ...] = (),
) -> Assessment:
    """Compute every criterion that the channels allow.

    size       of the dummy whose limits, intercepts and risk curves apply to all people: see `limits.sizes`
    age        [years], for the risk curves that depend on it
    people     prefix of the channels ("" or "anna.") -> subject, where no size is given; the dummy that the channels
               name, or the 50M, for others
    simulated  True for a run of a human of rigid segments: each criterion then has a trust
    only       names of criteria; all if empty
    """
    chosen = subject_of_size(size or DEFAULT_SIZE, age)
    own = {person: _named_subject(code) for person, code in channels.sizes.items()} | dict(people or {})
    known = criteria()
    for name in only:
        if name not in known:
            raise InputError(f"there is no criterion {name!r}; accepted: {', '.join(known)}.{nearest(name, known)}")
    asked = [(name, rule) for rule in RULES for name in rule.names if not only or name in only]
    findings: list[Finding] = []
    missing: dict[str, str] = {}
    judged: dict[str, Subject] = {}  # people of whom something could be computed
    for person in channels.people():
        subject = chosen if size is not None else own.get(person, chosen)
        subject = subject if age is None else replace(subject, age=age)
        for name, rule in asked:
            of_vehicle = rule.places == ("vehicle",)
            whose = chosen if of_vehicle else subject
            made, reasons = evaluate(rule, name, channels, person, whose)
            findings += [judge(name, found, whose, simulated) for found in made]
            if made and not of_vehicle:
                judged[person] = subject
            list_missing(missing, name, person, reasons, anywhere=bool(made))
    known_of = {finding.criterion for finding in findings}
    missing = {k: reason for k, reason in missing.items() if k not in known_of or not reason.startswith(NO_CHANNEL)}
    order = {name: place for place, name in enumerate(known)}
    findings.sort(key=lambda finding: order[finding.criterion])
    sized = ", ".join(dict.fromkeys(subject.size for subject in (judged or {"": chosen}).values()))
    reasons_of_size = _whose(judged) if size is None else ()
    notes = dict.fromkeys([*reasons_of_size, *channels.notes, *_filter_notes(findings), *_limit_notes(findings)])
    return Assessment(title, sized, tuple(findings), tuple(missing.items()), tuple(notes))


def of_result(
    result: Result,
    *,
    size: str | None = None,
    age: float | None = None,
    filters: bool = True,
    only: tuple[str, ...] = (),
) -> Assessment:
    """Assess a run, with the limits of its people unless a size is given."""
    channels = from_result(result, filters=filters, **({"cuts": cuts_of(only)} if only else {}))
    options: dict[str, Any] = {
        "size": size,
        "age": age,
        "people": subjects(result.roster.people),
        "simulated": True,
        "only": only,
    }
    found = assess(channels, title=result.title or result.name, **options)
    if result.fine:
        return found
    ended = result.status.replace("_", " ")
    return replace(found, void=f"No verdict: the run did not end well ({ended} at {result.recording.end_time:.4g} s).")


# notes for the reader


def _whose(taken: Mapping[str, Subject]) -> Iterator[str]:
    """Yield whose limits were taken, where the caller did not choose them."""
    for person, subject in taken.items():
        name = f"{person.removesuffix('.')}: " if person else ""
        default = (
            f"Limits, intercepts and risk curves are those of the {subject.size}, because the person is not known; "
            "choose another size with size= (--size)."
        )
        yield name + (subject.reason or default)


def _named_subject(size: str) -> Subject:
    """Return the subject of a dummy that the channels name."""
    reason = f"Limits, intercepts and risk curves are those of the {size}, the dummy that the channels name."
    return replace(subject_of_size(size), reason=reason)


def _filter_notes(findings: list[Finding]) -> Iterator[str]:
    """Yield notes on filters: channels that are too slow or filtered too much, and the criteria that use them."""
    words: dict[str, dict[str, None]] = {}
    for finding in findings:
        if any(word in finding.filter for word in ("unfiltered", "too slow", "as recorded, not")):
            words.setdefault(finding.filter, {})[finding.criterion] = None
    for text, names in words.items():
        yield f"{', '.join(names)}: {text}."


def _limit_notes(findings: list[Finding]) -> Iterator[str]:
    """Yield for whom no limit is known, and of which criteria."""
    words: dict[str, dict[str, None]] = {}
    for finding in findings:
        if finding.limit_missing:
            words.setdefault(finding.limit_missing, {})[finding.criterion] = None
    for text, names in words.items():
        yield f"{text[0].upper()}{text[1:]}: {', '.join(names)}."


# the table


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _Marks:
    """Letters for populations, in the order in which a table mentions them."""

    def __init__(self) -> None:
        self.letters: dict[str, str] = {}

    def of(self, population: str) -> str:
        """Return the mark of a population: " (a)"; "" if none is named."""
        if not population:
            return ""
        return f" ({self.letters.setdefault(population, _LETTERS[len(self.letters)])})"

    def __str__(self) -> str:
        return "; ".join(f"({letter}) {population}" for population, letter in self.letters.items())


def _chance(risk: Risk) -> str:
    """Outcome and probability, short."""
    return f"{risk.outcome} {percent(risk.probability)}" if risk.inside else f"{risk.outcome} out of range"


def shown_value(value: float, unit: str) -> str:
    """Return a value with its unit, three digits or whole numbers."""
    digits = f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
    if abs(value) >= 1e6:
        digits = f"{value:.3g}"
    return digits if unit == "-" else f"{digits} {unit}"


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(path, text, new_folder=False)
    return text

"""The assessment of a run or a test: every criterion that its channels allow, with limit, risk and a verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import data
from ..errors import InputError, nearest
from .channels import Channels, Record, from_result
from .risk import Risk, percent, risks
from .rule import RULES, Rule
from .table import limit

if TYPE_CHECKING:
    from rich.table import Table

    from ..sim.result import Result

#: sizes of dummy whose limits and intercepts may be asked for, and the variant of their risk curves
SIZES = {"50M": "", "5F": "5F", "95M": ""}


@dataclass(frozen=True)
class Finding:
    """One criterion at one place.

    value       in `unit`
    t1, t2      when it is reached: a window, or twice the same moment [s]
    detail      axis, case or the like
    filter      the filter class of the channel, in words
    limit       in `unit`, or None; with the population it was made for, its source and the source's status
    risks       what the risk curves say
    standing    for a human of rigid segments: validated, plausible, not recommended; "" for measured data
    verdict     in words
    """

    criterion: str
    place: str
    value: float
    unit: str
    t1: float
    t2: float
    detail: str
    filter: str
    limit: float | None
    limit_population: str
    limit_source: str
    limit_status: str
    risks: tuple[Risk, ...]
    standing: str
    verdict: str

    @property
    def exceeded(self) -> bool:
        """True if there is a limit and the value is above it."""
        return self.limit is not None and self.value > self.limit


@dataclass(frozen=True, repr=False)
class Assessment:
    """All findings, what could not be computed and why, and remarks. Printed, it is a table."""

    title: str
    size: str
    findings: tuple[Finding, ...]
    missing: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> Finding:
        """The largest finding of a criterion ("HIC15"), or that at a place ("femur force, left_femur_upper")."""
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
        return f"{text.get()}{self.verdict}"

    def __contains__(self, name: str) -> bool:
        return any(finding.criterion == name for finding in self.findings)

    @property
    def verdict(self) -> str:
        """All findings in one sentence, without those that are not recommended for the model."""
        usable = [finding for finding in self.findings if finding.standing != "not recommended"]
        bounded = [finding for finding in usable if finding.limit is not None]
        above = list(dict.fromkeys(finding.criterion for finding in bounded if finding.exceeded))
        if not bounded:
            return "No criterion with a limit could be computed."
        if not above:
            return f"None of {len(bounded)} values is above its limit."
        count = sum(finding.exceeded for finding in bounded)
        return f"{count} of {len(bounded)} values are above their limits: {', '.join(above)}."

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return {
            "title": self.title,
            "size": self.size,
            "verdict": self.verdict,
            "findings": [asdict(finding) | {"exceeded": finding.exceeded} for finding in self.findings],
            "missing": [{"criterion": name, "reason": reason} for name, reason in self.missing],
            "notes": list(self.notes),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """As JSON text, written to a file if one is given."""
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        return _written(text + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """As CSV text, one row a finding, written to a file if one is given."""
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
            "limit",
            "limit_population",
            "limit_source",
            "limit_status",
            "standing",
            "verdict",
        )
        writer.writerow([*columns, "risk"])
        for finding in self.findings:
            cells = ["" if (value := getattr(finding, name)) is None else value for name in columns]
            writer.writerow([*cells, "; ".join(risk.words for risk in finding.risks)])
        return _written(out.getvalue(), path)

    def table(self, *, wide: bool = True) -> Table:
        """For a screen: print it with rich.

        wide  False: for 80 columns, without times and limits; a star for what is not recommended for the model
        """
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, title=Text(self.title), title_justify="left", title_style="bold")
        headings = ["criterion", "value", "when", "limit", "of limit", "risk", "for this model"]
        if not wide:
            headings = ["criterion", "value", "of limit", "risk"]
        elif not any(finding.standing for finding in self.findings):
            headings.remove("for this model")
        for heading in headings:
            right = heading in ("value", "limit", "of limit")
            table.add_column(heading, justify="right" if right else "left", no_wrap=True)
        several = {f.criterion for f in self.findings if sum(g.criterion == f.criterion for g in self.findings) > 1}
        for f in self.findings:
            share = "" if f.limit is None else f"{100.0 * f.value / f.limit:.0f} %"
            chances = [risk for risk in f.risks if risk.outcome in ("AIS2+", "AIS3+")]
            name = f"{f.criterion}, {f.place}" if f.criterion in several else f.criterion
            cells: dict[str, Any] = {
                "criterion": name if wide or f.standing != "not recommended" else f"{name} *",
                "value": _shown(f.value, f.unit),
                "when": f"{f.t1:.4f} s" if f.t1 == f.t2 else f"{f.t1:.4f} to {f.t2:.4f} s",
                "limit": "" if f.limit is None else _shown(f.limit, f.unit),
                "of limit": Text(share, style="bold red" if f.exceeded and f.standing != "not recommended" else ""),
                "risk": "\n".join(_chance(risk) for risk in (chances if wide else chances[-1:])),
                "for this model": f.standing,
            }
            table.add_row(*(cells[heading] for heading in headings))
        return table


def assess(
    channels: Channels, *, title: str = "", size: str = "50M", simulated: bool = False, only: tuple[str, ...] = ()
) -> Assessment:
    """Every criterion that the channels allow.

    size       of the dummy whose limits, intercepts and risk curves are taken: "50M", "5F", "95M"
    simulated  True for a run of a human of rigid segments: each criterion then says how far it may be trusted
    only       names of criteria; all if empty
    """
    if size not in SIZES:
        raise InputError(f"the size is {size!r}; accepted: {', '.join(SIZES)}.{nearest(size, SIZES)}")
    known = criteria()
    for name in only:
        if name not in known:
            raise InputError(f"there is no criterion {name!r}; accepted: {', '.join(known)}.{nearest(name, known)}")
    findings: list[Finding] = []
    missing: dict[str, str] = {}
    for person in channels.people():
        for rule in RULES:
            for name in rule.names:
                if only and name not in only:
                    continue
                made = list(_applied(rule, name, channels, person, size, missing))
                findings += [_finding(name, found, size, simulated) for found in made]
    missing = {name: reason for name, reason in missing.items() if name not in {f.criterion for f in findings}}
    order = {name: place for place, name in enumerate(known)}
    findings.sort(key=lambda finding: order[finding.criterion])
    return Assessment(title, size, tuple(findings), tuple(missing.items()), tuple(dict.fromkeys(channels.notes)))


def of_result(result: Result, *, size: str = "50M", filters: bool = True, only: tuple[str, ...] = ()) -> Assessment:
    """The assessment of a run."""
    channels = from_result(result, filters=filters)
    return assess(channels, title=result.title or result.name, size=size, simulated=True, only=only)


def criteria() -> dict[str, dict[str, Any]]:
    """Every criterion: title, unit, filter class, standing for a human of rigid segments and why."""
    return data.tree("criteria")


# from channels to values


class Found(NamedTuple):
    """A value with place, times [s] and detail, before limits are put on it; words: how its channels were filtered."""

    place: str
    value: float
    t1: float
    t2: float
    detail: str
    words: str


def _applied(
    rule: Rule, name: str, channels: Channels, person: str, size: str, missing: dict[str, str]
) -> Iterator[Found]:
    """A criterion of a person at every place whose channels are there; for the others `missing` is told why."""
    wanted = float(criteria()[name]["filter"])
    for place in rule.places:
        records, words, absent = [], [], []
        for quantity in rule.quantities:
            full = f"{place}.{quantity}" if "@" not in quantity else quantity.replace("@", ".")
            got = _record(channels, person + full, wanted)
            if got is None:
                absent.append(full)
            else:
                records.append(got[0])
                words.append(got[1])
        if absent:
            missing.setdefault(name, f"there is no channel {absent[0]}")
            continue
        time = records[0].time
        if len(time) < 2:
            missing[name] = f"{records[0].name} has a single sample"
            continue
        if any(len(record.time) != len(time) or not np.allclose(record.time, time) for record in records[1:]):
            records = [_at(record, time) for record in records]
        try:
            value = rule.compute(name, time, *[record.samples for record in records], size)
        except InputError as error:
            missing[name] = str(error)
            continue
        yield Found(person + place, *value, "; ".join(dict.fromkeys(words)))


def _record(channels: Channels, name: str, wanted: float) -> tuple[Record, str] | None:
    """A record, or one that can be made from others: one axis out of three, angular acceleration out of velocity."""
    got = channels.get(name, wanted)
    if got is not None:
        return got
    whole, _, axis = name.rpartition(".")
    if axis in ("x", "y", "z"):
        got = channels.get(whole, wanted)
        if got is not None and got[0].samples.ndim == 2:
            return Record(name, got[0].time, got[0].samples[:, "xyz".index(axis)]), got[1]
    elif axis == "angular_acceleration":
        got = channels.get(f"{whole}.angular_velocity", wanted)
        if got is not None and len(got[0].time) > 2:
            from ..signals import differentiate

            samples = differentiate(got[0].time, got[0].samples, assume_units=True)
            return Record(name, got[0].time, samples), f"{got[1]}, from the angular velocity"
    elif axis == "acceleration":
        return channels.get(f"{name}.r", wanted)  # a resultant alone
    return None


def _at(record: Record, time: np.ndarray) -> Record:
    """The record at other times [s], straight between its samples."""
    columns = record.samples if record.samples.ndim == 2 else record.samples[:, None]
    samples = np.column_stack([np.interp(time, record.time, column) for column in columns.T])
    return Record(record.name, time, samples if record.samples.ndim == 2 else samples[:, 0])


# from a value to words


def _finding(name: str, found: Found, size: str, simulated: bool) -> Finding:
    about = criteria()[name]
    row = limit(name, size)
    most = None if row is None else row.value
    standing = str(about["standing"]) if simulated else ""
    chances = risks(name, found.value, SIZES[size]) or risks(name, found.value)
    return Finding(
        criterion=name,
        place=found.place,
        value=found.value,
        unit=str(about["unit"]),
        t1=found.t1,
        t2=found.t2,
        detail=found.detail,
        filter=found.words,
        limit=most,
        limit_population="" if row is None else row.population,
        limit_source="" if row is None else row.source,
        limit_status="" if row is None else row.status,
        risks=chances,
        standing=standing,
        verdict=_verdict(found.value, most, "" if row is None else row.population, standing, str(about["why"])),
    )


def _verdict(value: float, most: float | None, population: str, standing: str, why: str) -> str:
    if most is None:
        words = "no limit is known"
    elif value <= most:
        words = f"{100.0 * value / most:.0f} % of the limit"
    else:
        words = f"{value / most:.3g} times the limit"
    if most is not None and population:
        words += f" ({population})"
    if standing == "not recommended":
        words += f"; not recommended for this model: {why}"
    return words


def _chance(risk: Risk) -> str:
    """Outcome and probability, short."""
    return f"{risk.outcome} {percent(risk.probability)}" if risk.inside else f"{risk.outcome} out of range"


def _shown(value: float, unit: str) -> str:
    digits = f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
    if abs(value) >= 1e6:
        digits = f"{value:.3g}"
    return digits if unit == "-" else f"{digits} {unit}"


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror or error}). Choose another place.") from error
    return text

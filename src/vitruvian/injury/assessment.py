"""The assessment of a run or a test: every criterion that its channels allow, with limit, risk and a verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import data
from .._files import csv_cell, write_text
from ..errors import InputError, nearest
from .channels import Channels, Record, from_result, simultaneous
from .limits import UnknownSizeError, limit, limits
from .neck import load_cell_lever, moment_occipital
from .risk import Risk, percent, risks_of_size
from .rule import RULES, Rule
from .subject import Subject, subject_of_size, subjects

if TYPE_CHECKING:
    from rich.table import Table

    from ..sim.result import Result

#: the dummy of channels about whose person nothing is known
DEFAULT_SIZE = "50M"


@dataclass(frozen=True)
class Finding:
    """One criterion at one place.

    value       in `unit`
    t1, t2      when it is reached: a window, or twice the same moment [s]
    detail      axis, case or the like
    filter      the filter class of the channel, in words
    size        of the dummy whose limit, constants and risk curves were taken; "" if no dummy represents the person
    limit       in `unit`, or None; with the population it was made for, its source and the source's status
    limit_missing  why there is no limit where other people have one: "no limit known for a child of 8"; otherwise ""
    risks       answers of the risk curves, each with its population
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
    size: str
    limit: float | None
    limit_missing: str
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
    """All findings, what could not be computed and why, and remarks. Printed, it is a table.

    size  of the dummies whose values were taken, "" for nobody in the tables; several are joined by a comma
    """

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
        return "\n".join([f"{text.get()}{self.verdict}", *self.remarks])

    def __contains__(self, name: str) -> bool:
        return any(finding.criterion == name for finding in self.findings)

    @property
    def verdict(self) -> str:
        """All findings in one sentence, without those that are not recommended for the model."""
        usable = [finding for finding in self.findings if finding.standing != "not recommended"]
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
        """Return what a reader of the table must see: whose limits, doubts about channels, what is missing and why.

        Criteria of places without any channel are left out if others could be computed.
        """
        reasons: dict[str, list[str]] = {}
        for name, reason in self.missing:
            if not self.findings or not reason.startswith(_NO_CHANNEL):
                reasons.setdefault(reason.rstrip("."), []).append(name)
        return [f"Note: {note}" for note in self.notes] + [
            f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not computed: {reason}."
            for reason, names in reasons.items()
        ]

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
            "size",
            "limit",
            "limit_missing",
            "limit_population",
            "limit_source",
            "limit_status",
            "standing",
            "verdict",
        )
        writer.writerow([*columns, "risk"])
        for finding in self.findings:
            cells = ["" if (value := getattr(finding, name)) is None else value for name in columns]
            cells.append("; ".join(risk.words for risk in finding.risks))
            writer.writerow([csv_cell(cell) if isinstance(cell, str) else cell for cell in cells])
        return _written(out.getvalue(), path)

    def table(self, *, wide: bool = True) -> Table:
        """For a screen: print it with rich.

        wide  False: for 80 columns, without times and limits; a star for what is not recommended for the model

        Letters behind limits and risks refer to the populations under the table.
        """
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, title=Text(self.title), title_justify="left", title_style="bold")
        marks = _Marks()
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
            unknown = "none known" if f.limit_missing else ""
            share = unknown if f.limit is None else f"{100.0 * f.value / f.limit:.0f} %"
            if not wide and f.limit is not None:
                share += marks.of(f.limit_population)
            chances = [risk for risk in f.risks if risk.outcome in ("AIS2+", "AIS3+")]
            name = f"{f.criterion}, {f.place}" if f.criterion in several else f.criterion
            cells: dict[str, Any] = {
                "criterion": name if wide or f.standing != "not recommended" else f"{name} *",
                "value": _shown(f.value, f.unit),
                "when": f"{f.t1:.4f} s" if f.t1 == f.t2 else f"{f.t1:.4f} to {f.t2:.4f} s",
                "limit": "" if f.limit is None else _shown(f.limit, f.unit) + marks.of(f.limit_population),
                "of limit": Text(share, style="bold red" if f.exceeded and f.standing != "not recommended" else ""),
                "risk": "\n".join(
                    _chance(risk) + marks.of(risk.population) for risk in (chances if wide else chances[-1:])
                ),
                "for this model": f.standing,
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

    size       of the dummy whose limits, intercepts and risk curves are taken for everybody: see `table.sizes`
    age        [years], for the risk curves that depend on it
    people     prefix of the channels ("" or "anna.") -> subject, where no size is given; the dummy that the channels
               name, or the 50M, for others
    simulated  True for a run of a human of rigid segments: each criterion then says how far it may be trusted
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
            made, reasons = _applied(rule, name, channels, person, whose)
            findings += [_finding(name, found, whose, simulated) for found in made]
            if made and not of_vehicle:
                judged[person] = subject
            _list_missing(missing, name, person, reasons, anywhere=bool(made))
    known_of = {finding.criterion for finding in findings}
    missing = {k: reason for k, reason in missing.items() if k not in known_of or not reason.startswith(_NO_CHANNEL)}
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
    channels = from_result(result, filters=filters)
    options: dict[str, Any] = {
        "size": size,
        "age": age,
        "people": subjects(result.roster.people),
        "simulated": True,
        "only": only,
    }
    return assess(channels, title=result.title or result.name, **options)


def criteria() -> dict[str, dict[str, Any]]:
    """Every criterion: title, unit, filter class, standing for a human of rigid segments and why."""
    return data.tree("criteria")


# from channels to values


_NO_CHANNEL = "there is no channel "
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Found(NamedTuple):
    """A value with place, times [s] and detail, before limits are put on it; words: how its channels were filtered."""

    place: str
    value: float
    t1: float
    t2: float
    detail: str
    words: str


def _applied(
    rule: Rule, name: str, channels: Channels, person: str, subject: Subject
) -> tuple[list[Found], dict[str, str]]:
    """Compute a criterion of a person where the channels allow it; return the values, and place -> reason of others."""
    found, reasons = [], {}
    for place in rule.places:
        try:
            found.append(_computed(rule, name, place, channels, person, subject))
        except UnknownSizeError:
            reasons[place] = f"no constants known for {subject.words}"
        except InputError as error:
            reasons[place] = str(error)
    return found, reasons


def _computed(rule: Rule, name: str, place: str, channels: Channels, person: str, subject: Subject) -> Found:
    """Compute a criterion of a person at one place, or refuse it with the reason."""
    wanted = float(criteria()[name]["filter"])
    records, words = [], []
    for quantity in rule.quantities:
        full = f"{place}.{quantity}" if "@" not in quantity else quantity.replace("@", ".")
        got = _record(channels, person + full, wanted, subject)
        if got is None:
            axes = [axis for axis in "xyz" if f"{person}{full}.{axis}" in channels.records]
            only = f"{full} has {' and '.join(axes)} only; give x, y and z, or the resultant r"
            raise InputError(only if axes else f"{_NO_CHANNEL}{full}")
        if len(got[0].time) < 2:
            raise InputError(f"{got[0].name} has a single sample")
        records.append(got[0])
        words.append(got[1])
    records, note = simultaneous(records)
    value = rule.compute(name, records[0].time, *[record.samples for record in records], subject.size)
    if note:
        channels.notes.append(note)
    return Found(person + place, *value, "; ".join(dict.fromkeys(words)))


def _list_missing(missing: dict[str, str], name: str, person: str, reasons: dict[str, str], *, anywhere: bool) -> None:
    """List why a criterion of a person could not be computed.

    reasons   by place; one that a user can act on goes before a place without any channel
    anywhere  the criterion was computed at another place, so that the place belongs to the label
    """
    useful = {place: reason for place, reason in reasons.items() if not reason.startswith(_NO_CHANNEL)}
    if anywhere:
        missing.update({f"{name}, {person}{place}": reason for place, reason in useful.items()})
    elif useful:
        missing[f"{name}, {person.removesuffix('.')}" if person else name] = next(iter(useful.values()))
    elif reasons:
        missing.setdefault(name, next(iter(reasons.values())))


def _record(channels: Channels, name: str, wanted: float, subject: Subject) -> tuple[Record, str] | None:
    """Return a record, or one that can be made from others; None if it cannot.

    Made are one axis out of three, angular acceleration out of velocity, and the moment at the occipital condyles out
    of that of the load cell.
    """
    got = channels.get(name, wanted)
    if got is not None:
        return got
    whole, _, axis = name.rpartition(".")
    if name.endswith("occipital_condyles.moment.y") and channels.get(whole, wanted) is None:
        return _at_condyles(channels, name, wanted, subject)
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


def _at_condyles(channels: Channels, name: str, wanted: float, subject: Subject) -> tuple[Record, str] | None:
    """Return My - lever Fx of the upper neck load cell, or None without a moment; refuse it without the force."""
    cell = name.removesuffix("occipital_condyles.moment.y") + "upper_neck"
    moment = _record(channels, f"{cell}.moment.y", wanted, subject)
    if moment is None:
        return None
    force = _record(channels, f"{cell}.force.x", wanted, subject)
    if force is None:
        raise InputError(
            f"{cell}.force.x is missing, without which the moment of the load cell cannot be moved to the occipital "
            "condyles; give it, or the moment there as occipital_condyles.moment.y"
        )
    try:
        lever = load_cell_lever(subject.size)
    except UnknownSizeError as error:
        raise InputError(
            f"no lever of the upper neck load cell known for {subject.words}; give the moment at the condyles as "
            "occipital_condyles.moment.y"
        ) from error
    (my, fx), note = simultaneous([moment[0], force[0]])
    if note:
        channels.notes.append(note)
    samples = moment_occipital(my.samples, fx.samples, lever)
    return Record(name, my.time, samples), f"{moment[1]}, moved {1e3 * lever:g} mm from the load cell to the condyles"


# from a value to words


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
    """Yield what a reader must know of the filters: channels too slow for their class, and criteria that use them."""
    words: dict[str, dict[str, None]] = {}
    for finding in findings:
        if "unfiltered" in finding.filter or "too slow" in finding.filter:
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


def _finding(name: str, found: Found, subject: Subject, simulated: bool) -> Finding:
    about = criteria()[name]
    row = limit(name, subject.size)
    most = None if row is None else row.value
    unknown = f"no limit known for {subject.words}" if row is None and limits(name) else ""
    standing = str(about["standing"]) if simulated else ""
    chances = risks_of_size(name, found.value, subject.size, subject.age)
    return Finding(
        criterion=name,
        place=found.place,
        value=found.value,
        unit=str(about["unit"]),
        t1=found.t1,
        t2=found.t2,
        detail=found.detail,
        filter=found.words,
        size=subject.size,
        limit=most,
        limit_missing=unknown,
        limit_population="" if row is None else row.population,
        limit_source="" if row is None else row.source,
        limit_status="" if row is None else row.status,
        risks=chances,
        standing=standing,
        verdict=_verdict(found.value, row, unknown, standing, str(about["why"])),
    )


def _verdict(value: float, row: data.Row | None, unknown: str, standing: str, why: str) -> str:
    if row is None:
        words = unknown or "no limit is known"
    else:
        over = value > row.value
        words = (
            f"{value / row.value:.3g} times the limit" if over else f"{100.0 * value / row.value:.0f} % of the limit"
        )
        if row.population:
            words += f" ({row.population})"
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
        write_text(path, text, new_folder=False)
    return text

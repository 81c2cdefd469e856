"""The answer of a run in one object: what happened, how bad it is for this person, and how far to trust it.

    from vitruvian import Scenario

    print(Scenario.load("fall-4m").run().answer())

The command line, the report, the studio, notebooks and JSON show this object. Every sentence is made from the run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..sim.audit import sentence
from ..sim.caution import Caution, ranked
from ..sim.rest import Rest, rests
from ..sim.summary import measured
from .assessment import Assessment, shown_value
from .finding import Finding
from .head_contact import HeadContact, contact_words, head_contacts
from .moment import Moment, moments
from .risk import Risk, percent
from .story import story

if TYPE_CHECKING:
    from ..sim.recording import Recording
    from ..sim.result import Result

LISTED = 6  # values that are listed even if they are below their limits
#: criteria of regulations and consumer tests, which come first
USUAL = ("HIC15", "HIC36", "head 3ms", "BrIC", "Nij", "neck tension", "neck compression", "chest 3ms",
         "chest deflection", "VC", "NIC", "femur force")  # fmt: skip
TRUST = ("unchecked", "compared", "validated")
_TERMS = {
    "validated": "measured values of people contain ours",
    "compared": "compared with measurements; some do not contain ours, or they are of dummies",
    "unchecked": "not compared with measurements",
}


@dataclass(frozen=True)
class Value:
    """A criterion of the answer, at the place of a person where it is largest.

    finding   value, limit, risks and trust
    share     of the limit [-]
    risk      of AIS3+, or of the next known outcome; None if no curve is known
    contact   what the head touched meanwhile: "on ground", "without contact"; "" if it is not of a head
    interval  5 and 95 % of the runs of a spread, in the unit of the finding; None if it is not known
    """

    finding: Finding
    share: float
    risk: Risk | None
    contact: str
    interval: tuple[float, float] | None

    @property
    def name(self) -> str:
        """Return the criterion, with its person if the person has a name: "HIC15", "HIC15 of anna"."""
        person = self.finding.place.rpartition(".")[0]
        return f"{self.finding.criterion} of {person}" if person else self.finding.criterion

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        kept = ("criterion", "place", "value", "unit", "t1", "t2", "limit", "limit_population", "trust", "filter")
        return {name: getattr(self.finding, name) for name in kept} | {
            "share_of_limit": self.share,
            "exceeded": self.finding.exceeded,
            "risk": None if self.risk is None else asdict(self.risk),
            "contact": self.contact,
            "interval": None if self.interval is None else list(self.interval),
        }


@dataclass(frozen=True)
class Answer:
    """An answer: what happened, how bad it is and how far to trust it.

    what      sentences on what happened
    verdict   in one sentence; of a run that did not end well why there is none
    values    criteria with a limit for this person, the worst first; empty without a verdict
    trust     the lowest trust of the values that are above their limits, or of all; "" without values
    people    whose limits apply, a sentence for each person
    heads     head -> HIC15 of each of its contacts, the largest first
    moments   everything that happened, by time, each with its rank
    rest      where everything is at the end
    cautions  notes of the run with names as they are spoken, the gravest first
    """

    title: str
    what: tuple[str, ...]
    verdict: str
    values: tuple[Value, ...]
    trust: str
    people: tuple[str, ...]
    heads: dict[str, tuple[HeadContact, ...]]
    moments: tuple[Moment, ...]
    rest: tuple[Rest, ...]
    cautions: tuple[Caution, ...]

    @property
    def listed(self) -> tuple[Value, ...]:
        """Return the values that a reader sees: all above their limits, and the next ones up to `LISTED`."""
        above = sum(value.finding.exceeded for value in self.values)
        return self.values[: max(above, LISTED)]

    @property
    def unlisted(self) -> str:
        """Return a sentence on the values that are not listed; "" if there are none."""
        more = self.values[len(self.listed) :]
        if not more:
            return ""
        below = 100.0 * max(value.share for value in more)
        if len(more) == 1:
            return f"1 more criterion, {more[0].name}, is at {below:.0f} % of its limit."
        return f"{len(more)} more criteria are below {int(below) + 1} % of their limits."

    @property
    def meaning(self) -> str:
        """Return the trust with its meaning: "compared: ..."; "" without values."""
        return f"{self.trust}: {_TERMS[self.trust]}" if self.trust else ""

    @property
    def populations(self) -> dict[str, str]:
        """Return the populations of the listed risks -> their letters."""
        named = dict.fromkeys(value.risk.population for value in self.listed if value.risk is not None)
        return {population: chr(97 + place) for place, population in enumerate(named)}

    def chance(self, value: Value) -> str:
        """Return the risk of a value with the letter of its population; "" if none is known."""
        if value.risk is None:
            return ""
        letter = self.populations[value.risk.population]
        chance = percent(value.risk.probability) if value.risk.inside else "out of range"
        return f"{value.risk.outcome} {chance} ({letter})"

    def headings(self) -> tuple[str, ...]:
        """Return the headings of the table of values."""
        contact = ("contact",) if any(value.contact for value in self.values) else ()
        return ("criterion", "value", "limit", "of limit", "risk", "trust", *contact)

    def rows(self) -> list[list[str]]:
        """Return the cells of the listed values under `headings`."""
        made = []
        for value in self.listed:
            finding = value.finding
            cells = {
                "criterion": value.name,
                "value": shown_value(finding.value, finding.unit),
                "limit": shown_value(finding.limit or 0.0, finding.unit),
                "of limit": f"{100.0 * value.share:.0f} %",
                "risk": self.chance(value),
                "trust": finding.trust,
                "contact": value.contact,
            }
            made.append([cells[heading] for heading in self.headings()])
        return made

    def notes(self) -> list[str]:
        """Return the lines below the table: more values, populations, whose limits, meaning of the trust."""
        found = [self.unlisted] if self.unlisted else []
        ranges = []
        for value in self.values:
            if value.interval is not None:
                low, high = (shown_value(bound, value.finding.unit) for bound in value.interval)
                ranges.append(f"{value.name} {low} to {high}")
        found += [f"In 90 % of the runs of the spread: {', '.join(ranges)}."] if ranges else []
        found += [f"({letter}) {population}" for population, letter in self.populations.items()]
        found += [f"Trust {self.meaning}."] if self.trust else []
        return [*found, *self.people] if self.values else found

    def text(self, width: int = 80) -> str:
        """Return the answer as text of at most a width of characters."""
        lines = [_wrapped(" ".join(self.what), width), "", _wrapped(self.verdict, width)]
        if self.values:
            lines += _table(self.headings(), self.rows(), width)
            lines += [_wrapped(note, width, "  ") for note in self.notes()]
        for head, contacts in self.heads.items():
            of_it = "" if head == "head" else f" of {head}"
            parts = ", ".join(f"{one.value:.0f} {one.words}" for one in contacts)
            lines.append(_wrapped(f"HIC15{of_it} by contact: {parts}.", width))
        lines += [_wrapped(f"{_LABEL[one.grade]}: {one.text}", width) for one in self.cautions]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "what": list(self.what),
            "verdict": self.verdict,
            "above": sum(value.finding.exceeded for value in self.values),
            "judged": len(self.values),
            "trust": self.trust,
            "values": [value.to_dict() for value in self.values],
            "people": list(self.people),
            "HIC15_by_contact": {head: [one._asdict() for one in some] for head, some in self.heads.items()},
            "moments": [moment._asdict() for moment in self.moments],
            "rest": [rest.to_dict() for rest in self.rest],
            "cautions": [caution._asdict() for caution in self.cautions],
        }


_LABEL = {"wrong": "WARNING", "beyond": "Warning", "estimate": "Estimate", "remark": "Note"}


def of_run(
    result: Result, *, assessment: Assessment | None = None, intervals: Mapping[str, tuple[float, float]] | None = None
) -> Answer:
    """Return the answer of a run.

    assessment  all criteria of the run, if they are known
    intervals   criterion, with the prefix of its person -> 5 and 95 % of the runs of a spread, in its unit
    """
    found = result.injury() if assessment is None else assessment
    sound = result.sound
    named = [name for name in measured(sound.recording) if sound.roster.role(name) == "head"]
    heads = {name: made for name in named if (made := head_contacts(sound, name))} if result.fine else {}
    values = _values(sound.recording, found, heads, intervals or result.intervals) if result.fine else ()
    above = [value for value in values if value.finding.exceeded]
    trust = min((v.finding.trust for v in above or values if v.finding.trust), key=TRUST.index, default="")
    names = (*result.recording.bodies, *result.recording.joints)
    notes = [sentence(note, names) for note in result.notes]
    notes += [result.message] if "Only the first" in result.message else []
    people = tuple(note for note in found.notes if note.partition(": ")[2].startswith("Limits") or "Limits, " in note)
    return Answer(
        result.title or result.name,
        story(result),
        _verdict(result, found, values),
        values,
        trust,
        people,
        heads,
        moments(result, found if result.fine else None),
        rests(sound),
        ranked(notes),
    )


def _verdict(result: Result, assessment: Assessment, values: tuple[Value, ...]) -> str:
    """Return the verdict in a sentence that counts what is listed."""
    if not result.fine or not values:
        return assessment.verdict
    above = [value for value in values if value.finding.exceeded]
    if not above:
        worst = max(values, key=lambda value: value.share)
        return (
            f"None of {len(values)} criteria is above its limit; the largest is {worst.name} with "
            f"{100.0 * worst.share:.0f} %."
        )
    names = ", ".join(value.name for value in above)
    are = "criteria is above its limit" if len(above) == 1 else "criteria are above their limits"
    return f"{len(above)} of {len(values)} {are}: {names}."


def _values(
    recording: Recording,
    assessment: Assessment,
    heads: Mapping[str, tuple[HeadContact, ...]],
    intervals: Mapping[str, tuple[float, float]],
) -> tuple[Value, ...]:
    """Return the recommended findings with a limit, each criterion of a person once, at its worst place.

    Those above their limits come first, of these the usual criteria, and then the larger share of the limit.
    """
    worst: dict[str, Finding] = {}
    for finding in assessment.findings:
        key = f"{finding.place.rpartition('.')[0]}.{finding.criterion}".removeprefix(".")
        if finding.limit is not None and finding.recommended and finding.value > getattr(worst.get(key), "value", -1.0):
            worst[key] = finding
    found = []
    for key, finding in worst.items():
        assert finding.limit is not None  # those without were left out
        chances = [risk for risk in finding.risks if risk.outcome == "AIS3+"] or list(finding.risks)
        words = contact_words(recording, finding.place, finding.t1, finding.t2) if finding.place in heads else ""
        risk = chances[0] if chances else None
        found.append(Value(finding, finding.value / finding.limit, risk, words, intervals.get(key)))
    return tuple(sorted(found, key=_order))


def _order(value: Value) -> tuple[bool, bool, float]:
    above = value.finding.exceeded
    return not above, above and value.finding.criterion not in USUAL, -value.share


# text


def _wrapped(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _table(headings: tuple[str, ...], rows: list[list[str]], width: int) -> list[str]:
    """Return the lines of a table; the column of contacts is left out if it is too wide."""
    columns = list(zip(headings, *rows, strict=True))
    kept = len(columns)
    sizes = [max(map(len, column)) for column in columns]
    if headings[-1] == "contact" and sum(sizes) + 2 * kept > width:
        kept -= 1  # HIC by contact is in a line of its own
    right = {"value", "limit", "of limit"}
    lines = [
        "  ".join(
            cell.rjust(sizes[k]) if headings[k] in right else cell.ljust(sizes[k]) for k, cell in enumerate(line[:kept])
        ).rstrip()
        for line in (headings, *(tuple(row) for row in rows))
    ]
    return [f"  {line}" for line in lines]

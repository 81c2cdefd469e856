"""A criterion at one place, judged: value, limit, risks and a verdict in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import data
from .limits import limit, limits
from .risk import Risk, risks_of_size
from .subject import Subject


def criteria() -> dict[str, dict[str, Any]]:
    """Return every criterion: title, unit, filter class, trust for a human of rigid segments and why."""
    return data.tree("criteria")


class Found(NamedTuple):
    """A value with place, times [s] and detail, before limits are put on it; words: how its channels were filtered."""

    place: str
    value: float
    t1: float
    t2: float
    detail: str
    words: str


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
    trust       for a human of rigid segments: validated, compared or unchecked; "" for measured data
    recommended  False if a human of rigid segments lacks what the criterion measures
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
    trust: str
    recommended: bool
    verdict: str

    @property
    def standing(self) -> str:
        """Trust and recommendation in words; "" for measured data."""
        return self.trust + ("" if self.recommended else ", not recommended")

    @property
    def exceeded(self) -> bool:
        """True if there is a limit and the value is above it."""
        return self.limit is not None and self.value > self.limit


def judge(name: str, found: Found, subject: Subject, simulated: bool) -> Finding:
    """Return a value with its limit, its risks and, for a simulated person, its trust."""
    about = criteria()[name]
    row = limit(name, subject.size)
    most = None if row is None else row.value
    unknown = f"no limit known for {subject.words}" if row is None and limits(name) else ""
    recommended = bool(about.get("recommended", True)) or not simulated
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
        trust=str(about["trust"]) if simulated else "",
        recommended=recommended,
        verdict=_verdict(found.value, row, unknown, "" if recommended else str(about["why"])),
    )


def _verdict(value: float, row: data.Row | None, unknown: str, why: str) -> str:
    if row is None:
        words = unknown or "no limit is known"
    else:
        over = value > row.value
        words = (
            f"{value / row.value:.3g} times the limit" if over else f"{100.0 * value / row.value:.0f} % of the limit"
        )
        if row.population:
            words += f" ({row.population})"
    if why:
        words += f"; not recommended for this model: {why}"
    return words

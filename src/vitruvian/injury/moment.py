"""The events of a run by importance: strikes of heads, peaks, contacts, leaving a vehicle, ground, rest. SI units.

Ranks: 1 decides the answer, 2 tells the course of the motion, 3 is a detail. Nothing is left out: a reader who wants
less takes the ranks up to 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..sim.audit import spoken, together
from ..sim.rest import rests
from ..sim.summary import first_contacts, measured
from .head_contact import thing

if TYPE_CHECKING:
    from ..model.roster import Participant, Vehicle
    from ..sim.recording import Recording
    from ..sim.result import Result
    from .assessment import Assessment

LEAVES = 5e-3  # contact with a vehicle that ends later than this before the end of a run may continue [s]
_KINDS = {"release": "released", "failure": "failed", "lock": "locked", "lift": "lifted off", "submarining": "left"}


class Moment(NamedTuple):
    """Something that happened.

    time  [s]
    kind  "head strike", "peak", "first contact", "contact", "leaves vehicle", "on the ground", "rest", "end", ...
    words what happened, without the time
    rank  1 decides the answer, 2 tells the course, 3 is a detail
    body  of the event, or ""
    """

    time: float
    kind: str
    words: str
    rank: int
    body: str


def moments(result: Result, assessment: Assessment | None = None) -> tuple[Moment, ...]:
    """Return everything that happened in a run, in the order of time.

    assessment  of the run: adds the window of the largest HIC15 of each head
    """
    result = result.sound
    found = [*_contacts(result), *_peaks(result), *_leaving(result), *_others(result.recording), *_rests(result)]
    for finding in () if assessment is None else assessment.findings:
        if finding.criterion == "HIC15" and finding.value >= 1.0:
            words = f"HIC15 {finding.value:.0f} of {spoken(finding.place)}, up to {finding.t2:.4f} s"
            found.append(Moment(finding.t1, "peak", words, 1, finding.place))
    return tuple(sorted(found, key=lambda moment: (moment.time, moment.rank)))


def decisive(result: Result) -> list[float]:
    """Return the times that pictures must show [s], the most important first: strikes, peaks, first contact, ground."""
    order = ("head strike", "peak", "first contact", "on the ground", "leaves vehicle", "rest")
    ranked = [moment for moment in moments(result) if moment.rank <= 2 and moment.kind in order]
    return [moment.time for moment in sorted(ranked, key=lambda m: (m.rank, order.index(m.kind), m.time))]


def _contacts(result: Result) -> Iterator[Moment]:
    """Yield the first contact of each body with each thing; of heads as strikes."""
    recording = result.recording
    roster = recording.roster
    seen: set[tuple[str, str]] = set()
    started: set[str] = set()
    for names, label, time, speed in together(first_contacts(recording), roster):
        body = names.replace("left_/right_", "left_")
        other = thing(roster, label)
        owner, role = roster.owner(body), roster.role(body)
        words = f"{spoken(names)} on {_place(roster, label)}, closing at {abs(speed):.2f} m/s"
        at_start = time <= 0.0
        if role == "head" and not at_start:
            kind, rank = "head strike", 1 if (body, other) not in seen else 3
        elif at_start:
            kind, rank = "contact at the start", 3
        elif owner not in started:
            kind, rank = "first contact", 2
        else:
            kind, rank = "contact", 3
        if owner and kind == "contact" and other not in {o for b, o in seen if roster.owner(b) == owner}:
            kind, rank = "on the ground" if _ground(result, other) else "contact", 2
        if not at_start:
            started.add(owner)
            seen.add((body, other))
        yield Moment(time, kind, words, rank, body)


def _ground(result: Result, name: str) -> bool:
    surface = next((s for s in result.roster.surfaces if s.name == name), None)
    return surface is not None and surface.shape == "plane" and not surface.carrier


def _place(roster: object, label: str) -> str:
    """Return the other side of a contact in words: "ground", "vehicle windscreen"."""
    other = thing(roster, label)  # type: ignore[arg-type]
    part = spoken(roster.surface_part(label))  # type: ignore[attr-defined]
    return spoken(other) if part in ("", spoken(other), spoken(label)) else f"{spoken(other)} {part}"


def _peaks(result: Result) -> Iterator[Moment]:
    """Yield the largest acceleration of every head, thorax and sensor."""
    for name in measured(result.recording):
        time, acceleration = result.resultant_g(name)
        usable = np.isfinite(acceleration)
        if not usable.any():
            continue
        at = int(np.argmax(np.where(usable, acceleration, -np.inf)))
        rank = 1 if result.roster.role(name) == "head" else 3
        words = f"largest acceleration of {spoken(name)}, {acceleration[at]:.1f} g"
        yield Moment(float(time[at]), "peak", words, rank, name)


def _leaving(result: Result) -> Iterator[Moment]:
    """Yield when each person leaves each vehicle for the last time."""
    recording = result.recording
    for person in recording.roster.people:
        for vehicle in recording.roster.vehicles:
            last = last_touch(recording, person, vehicle)
            if last is not None:
                words = f"{person.name} leaves {vehicle.name}"
                yield Moment(float(recording.pose_time[last]), "leaves vehicle", words, 2, person.name)


def last_touch(recording: Recording, person: Participant, vehicle: Vehicle) -> int | None:
    """Return the first pose after the last contact with a vehicle; None without contact, or if it may continue."""
    own, front = set(person.segments.values()), recording.roster.labels(*vehicle.surfaces)
    pairs = [k for k, (body, other) in enumerate(recording.pairs) if body in own and other in front]
    touching = np.flatnonzero((recording.contact_depth[:, pairs] > 0.0).any(axis=1))
    if not touching.size:
        return None
    last = int(touching[-1]) + 1
    if last >= len(recording.pose_time) or recording.pose_time[-1] - recording.pose_time[last - 1] < LEAVES:
        return None
    return last


def _others(recording: Recording) -> Iterator[Moment]:
    """Yield releases, failures, and what belts do."""
    for event in recording.events:
        if event.kind in _KINDS:
            rank = 1 if event.kind in ("failure", "submarining") else 3
            words = f"{spoken(event.surface)} {_KINDS[event.kind]} ({spoken(event.body)})"
            yield Moment(event.time, event.kind, words, rank, event.body)


def _rests(result: Result) -> Iterator[Moment]:
    """Yield when everything comes to rest, and the end of the run."""
    for rest in rests(result):
        if rest.since is not None and rest.since > 0.0:
            words = f"{spoken(rest.name)} at rest" + (f", {rest.posture}" if rest.posture else "")
            yield Moment(rest.since, "rest", words, 2, rest.name)
    ended = result.status.replace("_", " ")
    yield Moment(result.recording.end_time, "end", f"the run ends ({ended})", 2, "")

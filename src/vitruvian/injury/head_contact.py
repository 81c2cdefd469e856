"""HIC15 of each contact of a head: on a vehicle, on another surface, on another body, or without any contact.

A head is in contact with a surface from a touch to the separation. The time around it, up to 15 ms on either side and
not into a contact with something else, belongs to that contact. The rest of the run belongs to no contact. HIC15 is
then the largest of the windows that lie inside one of these spans, so the values of all contacts are at most that of
the whole run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..units import STANDARD_GRAVITY
from .channels import Channels, from_result
from .hic import Hic, hic

if TYPE_CHECKING:
    from ..model.roster import Roster
    from ..sim.recording import Recording
    from ..sim.result import Result

HEAD_FILTER = 1000.0  # filter class of the head's acceleration [Hz]
WINDOW = 0.015  # of HIC15 [s]
NOTHING = ""  # what a head touches while it touches nothing

Span = tuple[float, float]


def _hic15(time: np.ndarray, samples: np.ndarray) -> Hic:
    return hic(time, samples, WINDOW, assume_units=True)


Criterion = Callable[[np.ndarray, np.ndarray], Hic]


class HeadContact(NamedTuple):
    """HIC15 of a head during its contact with one thing.

    other   surface, vehicle or body that it touches; "" for no contact
    kind    "vehicle", "surface", "body" or "none"
    value   HIC15 [-], reached from t1 to t2 [s]
    """

    other: str
    kind: str
    value: float
    t1: float
    t2: float

    @property
    def words(self) -> str:
        """Return the contact in words: "on ground", "without contact"."""
        return "without contact" if self.kind == "none" else f"on {self.other.replace('_', ' ')}"


def head_contacts(
    result: Result, head: str, channels: Channels | None = None, criterion: Criterion = _hic15
) -> tuple[HeadContact, ...]:
    """Return HIC15 of each contact of a head, and of the time without one, the largest first.

    head       name of its sensor, which is that of the body
    channels   of the result, if they are known
    criterion  HIC15 of times [s] and components of the acceleration [g]; another implementation may be faster
    """
    recording = result.recording
    channels = from_result(result, cuts=()) if channels is None else channels
    found = channels.get(f"{head}.acceleration", HEAD_FILTER)
    if found is None:
        return ()
    time, samples = found[0].time, found[0].samples / STANDARD_GRAVITY
    made = []
    for other, spans in _spans(recording, head).items():
        best = None
        for start, end in spans:
            inside = (time >= start) & (time <= end)
            if np.count_nonzero(inside) >= 3:
                value = criterion(time[inside], samples[inside])
                best = value if best is None or value.value > best.value else best
        if best is not None:
            made.append(HeadContact(other, _kind(recording.roster, recording, other), *best))
    return tuple(sorted(made, key=lambda one: -one.value))


def contact_words(recording: Recording, head: str, t1: float, t2: float) -> str:
    """Return what a head touches between two times [s]: "on ground", "without contact"."""
    names = [
        name for name, spans in contact_spans(recording, head).items() if any(a <= t2 and b >= t1 for a, b in spans)
    ]
    return f"on {' and '.join(name.replace('_', ' ') for name in names)}" if names else "without contact"


def _kind(roster: Roster, recording: Recording, other: str) -> str:
    if other == NOTHING:
        return "none"
    if other in {vehicle.name for vehicle in roster.vehicles}:
        return "vehicle"
    return "body" if other in recording.bodies else "surface"


def thing(roster: Roster, label: str) -> str:
    """Return the vehicle, surface or body that the other side of a pair or event belongs to."""
    surface = roster.surface(label)
    carried = {surface: vehicle.name for vehicle in roster.vehicles for surface in vehicle.surfaces}
    return carried.get(surface, surface)


def contact_spans(recording: Recording, head: str) -> dict[str, list[Span]]:
    """Return the times between which a body touches each thing [s]: by the poses, and by touches between them."""
    time, roster = recording.pose_time, recording.roster
    step = float(np.median(np.diff(time))) if len(time) > 1 else 0.0
    found: dict[str, list[Span]] = {}
    own = [at for at, pair in enumerate(recording.pairs) if head in pair]
    inside = recording.contact_depth[:, own] > 0.0
    for column in np.flatnonzero(inside.any(axis=0)).tolist():
        body, other = recording.pairs[own[column]]
        name = thing(roster, other if body == head else body)
        touching = np.flatnonzero(inside[:, column])
        for run in np.split(touching, np.flatnonzero(np.diff(touching) > 1) + 1):
            found.setdefault(name, []).append((float(time[run[0]]) - step, float(time[run[-1]]) + step))
    for event in recording.events:
        if event.kind == "touch" and head in (event.body, event.surface):
            name = thing(roster, event.surface if event.body == head else event.body)
            found.setdefault(name, []).append((event.time, event.time + step))
    return {name: _joined(spans) for name, spans in found.items()}


def _spans(recording: Recording, head: str) -> dict[str, list[Span]]:
    """Return the time that belongs to each contact of a head, and to none [s]."""
    end = recording.end_time
    touching = contact_spans(recording, head)
    found: dict[str, list[Span]] = {}
    for name, spans in touching.items():
        others = sorted(span for other, more in touching.items() if other != name for span in more)
        for start, stop in spans:
            before = max((b for a, b in others if a <= start), default=0.0)
            after = min((a for a, b in others if b >= stop), default=end)
            first, last = max(start - WINDOW, min(before, start), 0.0), min(stop + WINDOW, max(after, stop), end)
            found.setdefault(name, []).append((first, last))
        found[name] = _joined(found[name])
    taken = _joined([span for spans in found.values() for span in spans])
    edges = [0.0, *(edge for span in taken for edge in span), end]
    found[NOTHING] = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]
    return found


def _joined(spans: list[Span]) -> list[Span]:
    """Return spans with those that overlap in one."""
    made: list[Span] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made

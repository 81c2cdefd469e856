"""The timeline of report and studio as data for `assets/timeline.js`: events, stored frames and one curve. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..injury.moment import moments
from ..sim.result import Result
from ..sim.summary import measured
from .charts import NOTHING, thinned
from .replay import Block
from .words import spoken

_DETAILS = 1500  # repeated touches and separations that are shown; if there are more, the last mark says so
_SAMPLES = 8000  # of the curve
_WORDS = {
    "touch": "touches {other}",
    "separation": "leaves {other}",
    "fire": "{other} fires",
    "fracture": "fracture, on {other}",
}
_SPANS = ("HIC15", "HIC36")


class Mark(NamedTuple):
    """An event of a timeline.

    time   [s]
    end    of a span [s]; equal to the time for a moment
    words  what happened
    rank   1 decides the answer, 2 tells the course, 3 and 4 are details
    """

    time: float
    end: float
    words: str
    rank: int


def marks(result: Result, prefix: str = "") -> list[Mark]:
    """Return every event of a run in the order of time: ranked moments, windows of HIC, repeated touches."""
    result = result.sound
    found = [Mark(m.time, m.time, m.words, m.rank) for m in moments(result)]
    for finding in result.injury().findings:
        if finding.criterion in _SPANS and finding.value > NOTHING and finding.t2 > finding.t1:
            words = f"{finding.criterion} {finding.value:.0f} of {spoken(finding.place)}, to {1e3 * finding.t2:.1f} ms"
            found.append(Mark(finding.t1, finding.t2, words, 1))
    found += _details(result)
    return sorted(mark._replace(words=prefix + mark.words) for mark in found)


def _details(result: Result) -> list[Mark]:
    """Return the events that no ranked moment tells: repeated touches, separations, airbags, fractures."""
    first: set[tuple[str, str]] = set()
    found = []
    for event in sorted(result.recording.events, key=lambda event: event.time):
        pair = (event.body, event.surface)
        if event.kind not in _WORDS or (event.kind == "touch" and pair not in first):
            first.add(pair)
            continue
        words = _WORDS[event.kind].format(other=spoken(event.surface))
        rank = 1 if event.kind == "fracture" else 2 if event.kind == "fire" else 4
        found.append(Mark(event.time, event.time, f"{spoken(event.body)} {words}", rank))
    kept = [mark for mark in found if mark.rank < 4]
    small = [mark for mark in found if mark.rank == 4]
    if len(small) > _DETAILS:
        last = small[_DETAILS - 1]
        small = [
            *small[: _DETAILS - 1],
            last._replace(words=f"{len(small) - _DETAILS + 1} later touches are not drawn"),
        ]
    return kept + small


def pulse(result: Result) -> tuple[str, np.ndarray, np.ndarray] | None:
    """Return words, times [s] and resultant [g] of the first head, or of another measured body; None if there is none.

    The curve is thinned by least and largest values, so that a pulse of one sample stays visible.
    """
    result = result.sound
    names = sorted(measured(result.recording), key=lambda name: result.roster.role(name) != "head")
    for name in names:
        time, value = thinned(*result.resultant_g(name), _SAMPLES)
        if len(time):
            return f"{spoken(name)} acceleration, largest {np.max(value):.0f} g", time, value
    return None


def packed(results: Sequence[Result], block: Block, labels: Sequence[str] = ()) -> dict[str, Any]:
    """Return the timeline of a replay, whose frames the page has already; the curve is that of the first result."""
    curve = pulse(results[0])
    return {
        "events": rows(results, labels),
        "curve": curve and {"words": curve[0], "x": block.add(curve[1], "f4"), "y": block.add(curve[2], "f4")},
    }


def plain(result: Result) -> dict[str, Any]:
    """Return the timeline of one result as JSON holds it, for a page that has no block of arrays."""
    curve, time = pulse(result), result.sound.recording.pose_time
    return {
        "start": float(time[0]),
        "end": float(time[-1]),
        "events": rows([result]),
        "frames": [round(float(at), 6) for at in time],
        "curve": None
        if curve is None
        else {"words": curve[0], "x": curve[1].round(5).tolist(), "y": curve[2].round(2).tolist()},
    }


def rows(results: Sequence[Result], labels: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the events of all results for the page; with several results each name begins with its label."""
    found = []
    for place, result in enumerate(results):
        label = labels[place] if labels else result.title or result.name or "result"
        found += marks(result, f"{label}: " if len(results) > 1 else "")
    return [
        {"time": mark.time, "words": mark.words, "rank": mark.rank}
        | ({"end": mark.end} if mark.end > mark.time else {})
        for mark in sorted(found)
    ]

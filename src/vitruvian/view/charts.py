"""The curves of a report: accelerations raw and filtered, joint loads, contact forces, energies. SI units inside.

A chart is plain data; times in ms, values in the unit that people speak in. The page draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..injury.assessment import Assessment
from ..injury.channels import Channels, from_result
from ..sim.channel import WORK_CLASSES
from ..sim.result import Result
from ..units import STANDARD_GRAVITY
from .scene import subjects
from .words import capital, spoken

MOST_SAMPLES = 3000  # of a curve: more are drawn by the least and the largest value of each interval
NOTHING = 1.0  # a HIC [-] or an acceleration [g] up to this has no window worth a mark: free fall
_CURVES = 6  # of one chart
_NOTHING = 1e-6  # [N], [N m]: loads below are rounding errors
_CLASSES = {"head": 1000.0, "thorax": 180.0}
_WINDOWS = {"HIC15": "HIC15", "HIC36": "HIC36", "head 3ms": "3 ms", "chest 3ms": "3 ms"}


@dataclass(frozen=True)
class Curve:
    """Times [ms] and values of one line; a faint one lies behind the others, one of another result is dotted."""

    name: str
    time: np.ndarray
    value: np.ndarray
    faint: bool = False
    other: bool = False


@dataclass(frozen=True)
class Window:
    """A span of time of a chart that a criterion was found in [ms]."""

    label: str
    start: float
    end: float


@dataclass(frozen=True)
class Chart:
    """Curves in one unit.

    key   for the page: letters and digits
    note  what a reader must know
    """

    key: str
    title: str
    unit: str
    curves: list[Curve]
    windows: list[Window] = field(default_factory=list)
    note: str = ""


def charts(result: Result, assessment: Assessment | None = None, against: Sequence[Result] = ()) -> list[Chart]:
    """Return every chart for which the result has data, with accelerations of further results for comparison."""
    found = [*_accelerations(result, assessment, against), _contacts(result), *_joints(result), _energy(result)]
    return [chart for chart in found if chart is not None and chart.curves]


def thinned(time: np.ndarray, value: np.ndarray, most: int = MOST_SAMPLES) -> tuple[np.ndarray, np.ndarray]:
    """At most so many samples: of each interval the least and the largest value, so that no peak is lost."""
    fine = np.isfinite(value)
    time, value = time[fine], value[fine]
    if len(time) <= most:
        return time, value
    long = -(-len(time) // max(most // 2 - 1, 1))  # two samples are the ends
    rows = np.pad(value, (0, -len(value) % long), mode="edge").reshape(-1, long)
    first = long * np.arange(len(rows))
    places = np.unique([*(first + rows.argmin(axis=1)), *(first + rows.argmax(axis=1)), 0, len(time) - 1])
    places = places[places < len(time)]
    return time[places], value[places]


def _curve(name: str, time: np.ndarray, value: np.ndarray, *, faint: bool = False) -> Curve:
    return Curve(name, *thinned(1e3 * time, value), faint=faint)


# accelerations


def _accelerations(result: Result, assessment: Assessment | None, against: Sequence[Result]) -> Iterator[Chart]:
    """Heads and thoraxes raw and filtered; sensors where there are none, and bodies where there are no sensors."""
    recording = result.recording
    names = [n for n in dict.fromkeys((*recording.sensors, *recording.bodies)) if result.roster.role(n) in _CLASSES]
    channels = from_result(result)
    others = {label: from_result(other) for label, other in _labelled(against)}
    for place, name in enumerate(
        sorted(names, key=lambda name: (result.roster.role(name) != "head", names.index(name)))
    ):
        chart = _acceleration(f"acceleration{place}", result, channels, name, assessment)
        for label, other in others.items():
            chart.curves.extend(_of_other(label, other, name, _CLASSES[result.roster.role(name)]))
        if name in result.bands:
            time, *edges = result.bands[name]
            for words, edge in zip(("5 % of the spread", "95 % of the spread"), edges, strict=True):
                chart.curves.append(replace(_curve(words, time, edge), other=True))
        yield chart
    if not names:
        measured = recording.sensors or recording.bodies
        curves = [_curve(name, *result.resultant_g(name)) for name in measured[:_CURVES]]
        yield Chart("acceleration", "Accelerations", "g", curves)


def _acceleration(key: str, result: Result, channels: Channels, name: str, assessment: Assessment | None) -> Chart:
    raw = _curve("as sampled", *result.resultant_g(name), faint=True)
    got = channels.get(f"{name}.acceleration", _CLASSES[result.roster.role(name)])
    curves, note = [raw], ""
    if got is not None and got[1].startswith("CFC"):
        record, words = got
        filtered = np.linalg.norm(record.samples, axis=1) / STANDARD_GRAVITY
        curves.append(_curve(words, record.time, filtered))
    elif got is not None:
        curves, note = [Curve(raw.name, raw.time, raw.value)], f"{got[1]}."
    spans: dict[tuple[float, float], list[str]] = {}
    for finding in () if assessment is None else assessment.findings:
        scattered = finding.detail.endswith("pieces")  # 3 ms in several pieces are no window
        if finding.place == name and finding.criterion in _WINDOWS and finding.value > NOTHING and not scattered:
            spans.setdefault((finding.t1, finding.t2), []).append(_WINDOWS[finding.criterion])
    windows = [Window(" = ".join(labels), 1e3 * t1, 1e3 * t2) for (t1, t2), labels in spans.items()]
    return Chart(key, capital(f"{spoken(name)} acceleration, resultant"), "g", curves, windows, note)


def _labelled(results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Results with labels that differ."""
    names = [result.title or result.name or "other" for result in results]
    return [
        (name if names.count(name) == 1 else f"{name} ({place})", result)
        for place, (name, result) in enumerate(zip(names, results, strict=True), 1)
    ]


def _of_other(label: str, channels: Channels, name: str, frequency_class: float) -> Iterator[Curve]:
    """Yield the corresponding acceleration of another result, if it has one."""
    got = channels.get(f"{name}.acceleration", frequency_class)
    if got is not None:
        record, words = got
        made = _curve(f"{label}, {words}", record.time, np.linalg.norm(record.samples, axis=1) / STANDARD_GRAVITY)
        yield replace(made, other=True)


# loads


def _contacts(result: Result) -> Chart | None:
    """The largest forces of bodies on surfaces and other bodies."""
    recording = result.recording
    forces: dict[tuple[str, str], np.ndarray] = {}
    for place, pair in enumerate(recording.pairs):
        forces[pair] = forces.get(pair, 0.0) + np.nan_to_num(recording.contact_force[:, place])
    sizes = {
        f"{spoken(body)} on {spoken(other)}": np.linalg.norm(force, axis=1) for (body, other), force in forces.items()
    }
    return _largest("contact", "Contact forces", "kN", recording.pose_time, sizes, 1e-3)


def _joints(result: Result) -> Iterator[Chart | None]:
    """The largest loads of the joints; of people only, where there are people."""
    recording = result.recording
    whose = subjects(recording)
    joined = [place for place, kind in enumerate(recording.joint_types) if kind != "free" and place in whose]
    for key, title, unit, scale, samples in (
        ("jointforce", "Joint forces", "kN", 1e-3, recording.joint_force),
        ("jointmoment", "Joint moments", "N m", 1.0, recording.joint_moment),
    ):
        sizes = {recording.joints[place]: np.linalg.norm(samples[:, place], axis=1) for place in joined}
        yield _largest(key, title, unit, recording.pose_time, sizes, scale)


def _largest(
    key: str, title: str, unit: str, time: np.ndarray, sizes: dict[str, np.ndarray], scale: float
) -> Chart | None:
    """The curves with the highest peaks."""
    peaks = {name: float(np.nanmax(size, initial=0.0)) for name, size in sizes.items()}
    shown = [name for name in sorted(peaks, key=peaks.__getitem__, reverse=True) if peaks[name] > _NOTHING]
    curves = [_curve(spoken(name), time, scale * sizes[name]) for name in shown[:_CURVES]]
    note = f"The {_CURVES} largest of {len(shown)}." if len(shown) > _CURVES else ""
    return Chart(key, f"{title}, resultants", unit, curves, note=note) if curves else None


def _energy(result: Result) -> Chart | None:
    recording = result.recording
    time = recording.pose_time
    if not len(time):
        return None
    work = {name: recording.work[:, place] for place, name in enumerate(WORK_CLASSES)}
    none = np.zeros(len(time))
    stored = none - sum(value for name, value in work.items() if name.endswith("_elastic"))
    lost = none - sum(value for name, value in work.items() if name.endswith("_dissipated") or name == "friction")
    curves = [
        _curve("kinetic", time, recording.kinetic - recording.kinetic[0]),
        _curve("of gravity", time, recording.potential - recording.potential[0]),
        _curve("stored elastically", time, stored),
        _curve("lost", time, lost),
        _curve("put in from outside", time, work["external"] + work["prescribed"] + work["muscle"]),
        _curve("not accounted for", time, recording.balance),
    ]
    return Chart("energy", "Energies, changes from the start", "J", [c for c in curves if c.value.any()])

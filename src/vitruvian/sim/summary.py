"""The summary of a result: peaks, criteria of heads, first contacts, and how the run ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .recording import Recording
    from .result import Result

#: criteria of the head that the summary may hold, by the names of scenarios and of the assessment
HEAD_CRITERIA = {"HIC15": "HIC15", "HIC36": "HIC36", "3ms": "head 3ms"} | {
    name: name for name in ("SI", "BrIC", "UBrIC", "DAMAGE", "HIP", "GAMBIT", "RIC36", "PRHIC36")
}


def summary(result: Result, peaks: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the rows of `Result.summary` with the peaks of its sensors."""
    recording = result.recording
    simulated = recording.end_time - float(recording.pose_time[0]) if len(recording.pose_time) else 0.0
    heads = any(recording.roster.role(name) == "head" for name in measured(recording))
    return {
        "name": result.name,
        "title": result.title,
        "status": result.status,
        "message": result.message,
        "end_time": recording.end_time,
        "peaks": peaks,
        "missing": dict(result._head_criteria.missing) if heads else {},
        "first_contacts": first_contacts(result.sound.recording),
        "balance_error": recording.balance_error,
        "notes": list(result.notes),
        "method": recording.method,
        "tolerance": recording.tolerance,
        "steps": recording.steps,
        "rejected": recording.rejected,
        "evaluations": recording.evaluations,
        "wall_time": recording.wall_time,
        "real_time_factor": simulated / recording.wall_time if recording.wall_time > 0.0 else None,
    }


def measured(recording: Recording) -> list[str]:
    """Return the sensors, and the heads and thoraxes that carry none, heads first."""
    role = recording.roster.role
    segments = [body for body in recording.bodies if role(body) in ("head", "thorax")]
    names = dict.fromkeys([*segments, *recording.sensors])
    return sorted(names, key=lambda name: (role(name) != "head", role(name) != "thorax"))


def peaks(result: Result) -> dict[str, dict[str, Any]]:
    """Return the peak acceleration [g], its time [s] and the criteria of heads by sensor, before a run diverged."""
    return {name: _peak(result.sound, name) for name in measured(result.recording)}


def _peak(result: Result, name: str) -> dict[str, Any]:
    time, acceleration = result.resultant_g(name)
    usable = np.isfinite(acceleration)
    time, acceleration = time[usable], acceleration[usable]
    if not len(time):
        return {"acceleration_g": None, "time": None}
    at = int(np.argmax(acceleration))
    row: dict[str, Any] = {"acceleration_g": float(acceleration[at]), "time": float(time[at])}
    if result.roster.role(name) == "head":
        found = {f.criterion: f for f in result._head_criteria.findings if f.place == name}
        for criterion in result.criteria:
            if (finding := found.get(HEAD_CRITERIA[criterion])) is not None:
                row[criterion] = {
                    key: getattr(finding, key) for key in ("value", "t1", "t2", "unit", "filter", "trust")
                }
    return row


def first_contacts(recording: Recording) -> list[dict[str, Any]]:
    """Return the first touch of each body with each surface, in order: time [s], closing speed [m/s]."""
    first: dict[tuple[str, str], dict[str, Any]] = {}
    for event in sorted(recording.events, key=lambda event: event.time):
        if event.kind == "touch":
            row = {"body": event.body, "surface": event.surface, "time": event.time, "speed": event.value}
            first.setdefault((event.body, event.surface), row)
    return list(first.values())

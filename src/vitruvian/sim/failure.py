"""Failures of a run as sentences: ligaments and bones of joints, and bones under a contact, beyond their limits."""

from __future__ import annotations

from ..model import System
from .recording import Event, Recording

SIGN = "Failure: "  # at the start of every sentence
KINDS = ("failure", "fracture")  # of events


def failed(recording: Recording, system: System) -> tuple[str, ...]:
    """Return a sentence for each joint and bone that failed, in the order of time.

    As in "Failure: left knee: ligaments torn at 12 ms." or "Failure: head: skull fractured at 12 ms, 11.2 kN."
    A joint that fails in several directions is named once for each injury, with its first time. The springs of a
    slide, as "left_knee_slide", bear the name of its joint.
    """
    first: dict[tuple[str, str], Event] = {}
    for event in sorted(recording.events, key=lambda event: event.time):
        if event.kind in KINDS:
            name = event.surface.removesuffix("_slide") if event.kind == "failure" else event.body
            first.setdefault((name, _injury(event, system)), event)
    return tuple(
        f"{SIGN}{name.replace('_', ' ')}: {injury} at {1e3 * event.time:.0f} ms{_force(event)}."
        for (name, injury), event in first.items()
    )


def _injury(event: Event, system: System) -> str:
    """Return the words for a failure."""
    if event.kind == "fracture":
        bone = system.body(event.body).bone
        return "bone fractured" if bone is None else bone.injury
    resistance = system.joint(event.surface).resistance
    return "failed" if resistance is None else resistance.injury[int(event.value) % 3]


def _force(event: Event) -> str:
    """Return the force of a fracture [kN], or the moment [N m] of a bone that bends, as text."""
    if event.kind != "fracture":
        return ""
    return f", {event.value / 1e3:.1f} kN" if event.surface else f", bending moment {event.value:.0f} N m"

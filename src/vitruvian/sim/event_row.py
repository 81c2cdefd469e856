"""From the rows of events that the kernels write to events with names."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernels import layout
from ..model import System
from ..model.compile import Compiled
from ..model.fracture import FRACTURE
from .recording import Event

_BELT_EVENTS = {
    layout.event_kind.LOCK: "lock",
    layout.event_kind.LEFT: "lift",
    layout.event_kind.SUBMARINE: "submarining",
}


_PAIR_EVENTS = {
    layout.event_kind.TOUCH: "touch",
    layout.event_kind.SEPARATION: "separation",
    layout.event_kind.FRACTURE: "fracture",
}


def segment_of(system: System, body: str) -> str:
    """Return the segment that a body belongs to: what slides on a link, what carries a soft mass; else the body."""
    if not any(body in person.links for person in system.roster.people):
        return body
    carrier = next((joint.parent for joint in system.joints if joint.child == body), None)
    slides = (joint.child for joint in system.joints if joint.parent == body)
    return next(slides, carrier or body)


def event_of(compiled: Compiled, row: Sequence[float]) -> Event:
    """Return the event of a row of the kernels: time [s], kind, item, value."""
    code = int(row[1])
    if code in _PAIR_EVENTS:
        body, surface = compiled.pairs[int(row[2])]
        return Event(float(row[0]), _PAIR_EVENTS[code], body, surface, float(row[3]))
    if code == layout.event_kind.RELEASE:
        loop = compiled.system.loops[int(row[2])]
        return Event(float(row[0]), "release", loop.child, loop.name, float(row[3]))
    if code == layout.event_kind.FAILURE:
        joint = compiled.joints[int(compiled.model.resistance_joint[int(row[2]), 0])]
        segment = segment_of(compiled.system, compiled.system.joint(joint).child)
        return Event(float(row[0]), "failure", segment, joint, float(row[3]))
    if code == layout.event_kind.FIRE:
        bag = compiled.system.airbags[int(row[2])]
        return Event(float(row[0]), "fire", bag.carrier or bag.segments[0], bag.name, float(row[3]))
    if code == layout.event_kind.BREAK:
        joint = compiled.joints[int(compiled.model.resistance_joint[int(row[2]), 0])]
        return Event(float(row[0]), "fracture", joint.removesuffix(FRACTURE), "", float(row[3]))
    kind, belt = compiled.model.waypoint_kind[int(row[2])], layout.waypoint.BELT
    on = int(kind[layout.waypoint.BODY])
    body = compiled.bodies[on] if on < len(compiled.bodies) else compiled.bodies[0]
    name = compiled.system.belts[kind[belt]].name
    return Event(float(row[0]), _BELT_EVENTS[code], segment_of(compiled.system, body), name, float(row[3]))

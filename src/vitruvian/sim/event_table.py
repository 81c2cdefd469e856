"""Events of a run with their names, from the table of the kernels."""

from __future__ import annotations

import numpy as np

from ..kernels import layout, types
from ..model.compile import Compiled
from .bone_load import fractures
from .recording import Event

MAX_EVENTS = 20_000


def events(compiled: Compiled, output: types.Output, moment: np.ndarray) -> list[Event]:
    """Return what happened in a run, and the fractures that bending moments [N m] of bones (N, point) mean."""
    count = min(int(output.cursor[layout.cursor.EVENTS]), MAX_EVENTS)
    found = [_event(compiled, row) for row in output.event[:count]]
    return found + fractures(compiled.system, output.time[: len(moment)], moment)


_BELT_EVENTS = {
    layout.event_kind.LOCK: "lock",
    layout.event_kind.LEFT: "lift",
    layout.event_kind.SUBMARINE: "submarining",
}


def _event(compiled: Compiled, row: np.ndarray) -> Event:
    if row[1] == layout.event_kind.RELEASE:
        loop = compiled.system.loops[int(row[2])]
        return Event(float(row[0]), "release", loop.child, loop.name, float(row[3]))
    if row[1] == layout.event_kind.FAILURE:
        joint = compiled.joints[int(compiled.model.resistance_joint[int(row[2]), 0])]
        return Event(float(row[0]), "failure", compiled.system.joint(joint).child, joint, float(row[3]))
    if row[1] in _BELT_EVENTS:
        kind, belt = compiled.model.waypoint_kind[int(row[2])], layout.waypoint.BELT
        on = int(kind[layout.waypoint.BODY])
        body = compiled.bodies[on] if on < len(compiled.bodies) else compiled.bodies[0]
        return Event(float(row[0]), _BELT_EVENTS[row[1]], body, compiled.system.belts[kind[belt]].name, float(row[3]))
    body, surface = compiled.pairs[int(row[2])]
    return Event(
        float(row[0]), "touch" if row[1] == layout.event_kind.TOUCH else "separation", body, surface, float(row[3])
    )

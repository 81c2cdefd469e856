"""Virtual markers: points of a person, and of what strikes them, as a camera system would follow them.

    left_knee, upper_neck, ...          the joints
    head_front, head_left, head_top     on the surface of every segment, along its own axes from the middle of its shape
    head_centre                         its centre of mass
    vehicle_centre, vehicle_front, ...  of a body that carries surfaces of faces, on the box round them

Three of a segment's markers fix its position and orientation, so that inverse kinematics gets the motion back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError
from ..model.roster import JOINTS
from ..sim.channel import to_body_axes

if TYPE_CHECKING:
    from ..sim.result import Result

_SIDES = {"front": 0, "left": 1, "top": 2}


class Marker(NamedTuple):
    """A point of a body: its name, the number of the body, and the place from its centre of mass in its axes [m]."""

    name: str
    body: int
    place: np.ndarray


def markers(result: Result) -> list[Marker]:
    """The markers of all people and vehicles of a result; refused where there is no person."""
    recording, geometry = result.recording, result.geometry
    people = result.roster.segments(recording.bodies)
    if not people:
        raise InputError(
            f"{result.name or 'the result'} holds no person: markers belong to the segments of people. "
            "Export it as csv, parquet or glb."
        )
    if geometry is None:
        raise InputError("the result holds no geometry for markers; make it with Result(recording, system=...).")
    found = [
        Marker(name, body, geometry.joint_point_child[body])
        for body, name in enumerate(recording.joints)
        if result.roster.joint_role(name) in JOINTS and geometry.joint_parent[body] >= 0
    ]
    for body in people:
        name = recording.bodies[body]
        found.append(Marker(f"{name}_centre", body, np.zeros(3)))
        shape = geometry.outline(body)
        if shape is not None:
            for side, axis in _SIDES.items():
                way = np.eye(3)[axis]
                reach = shape.reach(shape.turn.T @ way)
                found.append(Marker(f"{name}_{side}", body, np.array(shape.offset) + reach * way))
    for body in sorted(set(geometry.triangle_body.tolist()) - {-1}):
        name, corners = recording.bodies[body], geometry.vertex_position[geometry.triangle_vertices]
        mine = corners[geometry.triangle_body == body].reshape(-1, 3)
        low, high = mine.min(axis=0), mine.max(axis=0)
        found.append(Marker(f"{name}_centre", body, np.zeros(3)))
        found += [
            Marker(f"{name}_{side}", body, 0.5 * (low + high + (high - low) * np.eye(3)[axis]))
            for side, axis in _SIDES.items()
        ]
    return found


def paths(result: Result, points: list[Marker]) -> np.ndarray:
    """Where the markers are at every pose, world axes (P, marker, 3) [m]."""
    recording = result.recording
    bodies = [marker.body for marker in points]
    inverse = recording.orientation[:, bodies] * [1.0, -1.0, -1.0, -1.0]
    arm = to_body_axes(inverse, np.broadcast_to([marker.place for marker in points], (*inverse.shape[:2], 3)))
    return recording.position[:, bodies] + arm


def even_rate(time: np.ndarray, what: str) -> float:
    """The rate of even samples [1/s]; refused where they are not even."""
    if len(time) < 2:
        raise InputError(f"{what}: {len(time)} samples are too few for a rate.")
    step = (time[-1] - time[0]) / (len(time) - 1)
    if abs(np.diff(time) - step).max() > 1e-3 * step:
        raise InputError(f"{what}: the samples are not evenly spaced in time; export as csv instead.")
    rate = 1.0 / step
    return float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else float(rate)

"""Where people, vehicles and free bodies are at the end of a run, in which posture, and since when they rest. SI units.

At rest means that the centre of mass of every segment stays slower than `STILL` up to the end of the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .audit import spoken
from .channel import to_body_axes

if TYPE_CHECKING:
    from .recording import Recording
    from .result import Result

STILL = 0.05  # speed below which a body counts as at rest [m/s]
LEAST = 0.05  # time for which it must be that slow [s]
UPRIGHT = float(np.sin(np.radians(45.0)))  # of the trunk's axis over the horizon [-]


@dataclass(frozen=True)
class Rest:
    """A person, a vehicle or a free body at the end of a run.

    name     as in the scenario: "human", "vehicle"
    kind     "person", "vehicle" or "body"
    place    of its centre of mass at the end [m]
    moved    horizontal distance of that place from the one at the start [m]
    posture  of a person at the end: "on the back", "upright", ...; "" for others
    since    time from which on it is at rest [s]; None if it still moves
    fastest  its fastest segment at the end, and the speed of that [m/s]
    """

    name: str
    kind: str
    place: tuple[float, float, float]
    moved: float
    posture: str
    since: float | None
    fastest: str
    speed: float

    @property
    def words(self) -> str:
        """Return place, posture and time as a clause without the name."""
        where = f"{self.moved:.2f} m horizontally from the start"
        how = f", {self.posture}" if self.posture else ""
        if self.since is not None:
            return f"at rest from {self.since:.3f} s on{how}, {where}"
        part = "" if self.fastest == self.name else f" ({spoken(self.fastest)})"
        return f"still moving at {_speed(self.speed)}{part}{how}, {where}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return asdict(self)


def _speed(value: float) -> str:
    return f"{value:.1f} m/s" if value >= 1.0 else f"{value:.2f} m/s"


def rests(result: Result) -> tuple[Rest, ...]:
    """Return where everything is at the end of a run: people first, then vehicles, then bodies without an owner."""
    recording = result.recording
    if not len(recording.pose_time):
        return ()
    return tuple(_rest(result, *group) for group in _groups(recording))


def _groups(recording: Recording) -> Iterator[tuple[str, str, list[int]]]:
    """Yield name, kind and bodies of everything that can come to rest."""
    roster, bodies = recording.roster, recording.bodies
    for person in roster.people:
        yield person.name, "person", [bodies.index(body) for body in person.segments.values()]
    for vehicle in roster.vehicles:
        yield vehicle.name, "vehicle", [bodies.index(vehicle.body)]
    owned = {name for person in roster.people for name in bodies if name.startswith(person.prefix) and person.prefix}
    for at, body in enumerate(bodies):
        alone = not roster.people or (body not in owned and recording.joint_types[at] == "free")
        if alone and not roster.owner(body) and recording.joint_types[at] != "modal":  # a station moves with its bone
            yield body, "body", [at]


def _rest(result: Result, name: str, kind: str, at: list[int]) -> Rest:
    recording = result.recording
    mass = np.ones(len(at)) if result.geometry is None else result.geometry.body_mass[at]
    centre = np.average(recording.position[:, at], axis=1, weights=mass)
    speed = np.linalg.norm(recording.velocity[:, at], axis=2)
    moving = np.flatnonzero(~(speed < STILL).all(axis=1))
    first = int(moving[-1]) + 1 if moving.size else 0
    time = recording.pose_time
    still = first < len(time) and (time[-1] - time[first] >= LEAST or result.status in ("at_rest", "nearly_at_rest"))
    worst = int(np.argmax(speed[-1]))
    x, y, z = (float(part) for part in centre[-1])
    return Rest(
        name,
        kind,
        (x, y, z),
        float(np.hypot(*(centre[-1] - centre[0])[:2])),
        _posture(result, name) if kind == "person" else "",
        float(time[first]) if still else None,
        recording.bodies[at[worst]],
        float(speed[-1, worst]),
    )


def _posture(result: Result, name: str) -> str:
    """Return the posture of a person at the end, by the trunk: its long axis, and which side of it is up."""
    recording = result.recording
    person = next(person for person in recording.roster.people if person.name == name)
    trunk = person.segments.get("thorax") or person.segments["pelvis"]
    turn = recording.orientation[-1:, recording.bodies.index(trunk)]
    forward, left, along = (float(part) for part in to_body_axes(turn, np.array([[0.0, 0.0, 1.0]]))[0])
    if along > UPRIGHT:
        return "trunk upright"
    if along < -UPRIGHT:
        return "trunk upside down"
    if abs(forward) >= abs(left):
        return "on the back" if forward > 0.0 else "on the face"
    return "on the right side" if left > 0.0 else "on the left side"

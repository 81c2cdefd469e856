"""Kinematics of a pedestrian impact or a fall: time, speed and angle of impact, distances. SI units, z up.

Plain functions on arrays and numbers; the times and speeds of a run come from its events and channels.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np

from ..errors import InputError
from ..units import STANDARD_GRAVITY


class HeadImpact(NamedTuple):
    """The head impact on the vehicle.

    value  speed of the head against the vehicle [m/s]
    time   from the first contact of the body to that of the head [s]
    angle  of that velocity to the horizontal, positive downwards [rad]
    """

    value: float
    time: float
    angle: float


class Throw(NamedTuple):
    """How far a body was thrown [m]: horizontally in all, and along and to the left of the direction of travel."""

    value: float
    along: float
    across: float


class FirstContact(NamedTuple):
    """The first touch of a body: place in the order (from 1), speed of closing [m/s], time [s], body and surface."""

    value: float
    time: float
    order: int
    body: str
    surface: str


class Touch(Protocol):
    """Fields that an event must have; the events of a Recording have them."""

    @property
    def kind(self) -> str: ...  # "touch" counts
    @property
    def time(self) -> float: ...  # [s]
    @property
    def body(self) -> str: ...
    @property
    def surface(self) -> str: ...
    @property
    def value(self) -> float: ...  # closing speed [m/s]


def head_impact(
    first_contact: float,
    head_contact: float,
    head_velocity: np.ndarray | tuple[float, float, float],
    vehicle_velocity: np.ndarray | tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> HeadImpact:
    """Head impact time [s], speed [m/s] and angle [rad].

    first_contact, head_contact      times of the first contact of the body and of the head [s]
    head_velocity, vehicle_velocity  just before the head contact, z up (3,) [m/s]
    """
    if head_contact < first_contact:
        raise InputError(
            f"head_impact: the head touches at {head_contact:g} s, before the first contact at {first_contact:g} s."
        )
    relative = np.asarray(head_velocity, dtype=float) - np.asarray(vehicle_velocity, dtype=float)
    across = float(np.hypot(relative[0], relative[1]))
    return HeadImpact(
        float(np.linalg.norm(relative)), head_contact - first_contact, float(np.arctan2(-relative[2], across))
    )


def wrap_around_distance(profile: np.ndarray, point: tuple[float, float]) -> float:
    """Return the length of the tape of `wrap_around_tape` [m], with the same arguments."""
    return float(np.linalg.norm(np.diff(wrap_around_tape(profile, point), axis=0), axis=1).sum())


def wrap_around_tape(profile: np.ndarray, point: tuple[float, float]) -> np.ndarray:
    """Return a tape from the ground under the bumper, drawn tight over the front, to a point of it (n, 2) [m].

    profile  of the vehicle front in its middle plane, from the bumper to the roof (n, 2): rearward, up [m]; the
             ground is at zero height
    point    where the head struck, (rearward, up) [m]; it belongs to the place of the profile that is nearest to it

    Corners of the profile beyond that place do not count, whether they are behind the point or above it.
    """
    outline = np.asarray(profile, dtype=float)
    if outline.ndim != 2 or outline.shape[1] != 2 or not len(outline) or not np.isfinite(outline).all():
        raise InputError(
            f"wrap_around_distance: the profile has the shape {outline.shape}; give (n, 2) finite numbers."
        )
    end = np.asarray(point, dtype=float)
    before = outline[: _corners_before(outline, end)]
    start = np.array([min(float(before[:, 0].min()), float(end[0])), 0.0])
    return np.array(_tape(start, end, before))


def throw_distance(
    start: np.ndarray | tuple[float, float, float],
    rest: np.ndarray | tuple[float, float, float],
    direction: tuple[float, float] = (1.0, 0.0),
) -> Throw:
    """Throw distance [m] from the place of impact to the place of rest, both of the centre of mass.

    direction  of travel of the vehicle in the plane
    """
    way = (np.asarray(rest, dtype=float) - np.asarray(start, dtype=float))[:2]
    length = float(np.hypot(*direction))
    if not length > 0.0:
        raise InputError("throw_distance: the direction is the zero vector; give the direction of travel.")
    ahead = np.asarray(direction, dtype=float) / length
    along, across = float(way @ ahead), float(way @ np.array([-ahead[1], ahead[0]]))
    return Throw(float(np.hypot(*way)), along, across)


def searle_bounds(distance: float, friction: float, drop: float = 0.0) -> tuple[float, float]:
    """Least and largest launch speed [m/s] of a body that was thrown so far and slid to rest.

    distance  from the launch to the place of rest, horizontally [m]
    friction  coefficient mu of body and ground [-]
    drop      of the centre of mass from the launch to the place of rest [m]; 0 as the bounds are mostly quoted

    sqrt(2 mu g (S - mu H) / (1 + mu^2)) and sqrt(2 mu g (S - mu H)): launched at the best angle, tan = mu, and level. A
    body that leaves downwards was faster.
    """
    if not friction > 0.0:
        raise InputError(f"searle_bounds: the friction is {friction}; it must be greater than zero.")
    squared = 2.0 * friction * STANDARD_GRAVITY * max(distance - friction * drop, 0.0)
    return float(np.sqrt(squared / (1.0 + friction**2))), float(np.sqrt(squared))


def launch_speed(distance: float, friction: float, rise: float = 0.0, drop: float = 0.0) -> float:
    """Horizontal launch speed [m/s] of a body that lands without a bounce and slides to rest.

    distance, friction, drop  as in `searle_bounds`
    rise                      vertical speed at the launch, upwards [m/s]

    v = sqrt(2 mu g (S - mu H)) - mu v_z: on landing it loses mu times its vertical speed.
    """
    return searle_bounds(distance, friction, drop)[1] - friction * rise


def first_contacts(events: Iterable[Touch]) -> list[FirstContact]:
    """Return the first contact of each body with each surface, in the order of time, with its speed.

    events  as a Recording has them; see Touch
    """
    seen: dict[tuple[str, str], FirstContact] = {}
    for event in sorted((event for event in events if event.kind == "touch"), key=lambda touch: touch.time):
        pair = (event.body, event.surface)
        if pair not in seen:
            seen[pair] = FirstContact(max(event.value, 0.0), event.time, len(seen) + 1, *pair)
    return list(seen.values())


def _corners_before(outline: np.ndarray, point: np.ndarray) -> int:
    """Return how many corners the profile has up to the place that is nearest to a point, at least one."""
    if len(outline) == 1:
        return 1
    first, way = outline[:-1], np.diff(outline, axis=0)
    along = ((point - first) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-300)
    apart = first + np.clip(along, 0.0, 1.0)[:, None] * way - point
    nearest = int(np.argmin(np.linalg.norm(apart, axis=1)))
    return nearest + 1 + int(along[nearest] > 1.0)


def _tape(a: np.ndarray, b: np.ndarray, corners: np.ndarray) -> list[np.ndarray]:
    """Return the corners of a tight tape from a to b: the convex hull of the corners on its outer, left side."""
    outer = np.array([corner for corner in corners if _turn(a, b, corner) > 1e-12]).reshape(-1, 2)
    if not len(outer):
        return [a, b]
    farthest = max(outer, key=lambda corner: _turn(a, b, corner))
    return [*_tape(a, farthest, outer)[:-1], *_tape(farthest, b, outer)]


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Positive where the way a, b, c turns to the left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

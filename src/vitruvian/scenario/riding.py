"""Bicycles under the people who ride them: fitted to the placed posture, and moving with the rider. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import NamedTuple

import numpy as np

from .. import human, model, world
from ..errors import InputError, nearest
from ..model import Configuration
from ..model.pose import Pose, segment_poses
from ..model.shape import Shape
from ..model.system import Surface
from ..world.bicycle import Grip, Rider
from .assembly import named
from .definition import Row

UP = np.array([0.0, 0.0, 1.0])
#: directions square to x
WAYS = np.array([(0.0, cos(angle), sin(angle)) for angle in np.radians(np.arange(0.0, 360.0, 3.0))])
#: segments that the frame with its bar and pedals touches
TOUCHING = ("pelvis", *(f"{side}_{part}" for part in ("thigh", "shank", "foot", "hand") for side in ("left", "right")))

Riders = dict[str, tuple[Row, human.Human, Configuration]]


class Ridden(NamedTuple):
    """Bicycles: bodies and joints, where they start, and their contacts with the riders."""

    bodies: tuple[model.Body, ...] = ()
    joints: tuple[model.Joint, ...] = ()
    start: Configuration = Configuration()
    contacts: tuple[model.BodyContact, ...] = ()


def bicycles(rows: Sequence[Row], people: Riders, ground: Surface | None) -> Ridden:
    """Return bicycles under their riders; a person rides one bicycle.

    people  name -> row, person and start of those who could ride
    """
    found = Ridden()
    for row in rows:
        if row.rider not in people:
            raise InputError(
                f"{_where(row)}.rider: there is no person {row.rider!r} without a seat or another bicycle."
                f"{nearest(row.rider, list(people))}"
            )
        one = _ridden(row, *people[row.rider], ground)
        people = {name: person for name, person in people.items() if name != row.rider}
        start = found.start.replace(one.start.coordinates, one.start.rates)
        found = Ridden(found.bodies + one.bodies, found.joints + one.joints, start, found.contacts + one.contacts)
    return found


def _ridden(row: Row, own: Row, person: human.Human, start: Configuration, ground: Surface | None) -> Ridden:
    """Return a bicycle under its rider."""
    where = _where(row)
    bicycle = named(where, world.Bicycle, **row.given())
    if own.model != "human17" or own.start.settle:
        raise InputError(f'{where}.rider: {bicycle.rider} must be of model = "human17" and without start.settle.')
    height = _height(where, ground)
    heading = own.start.heading
    turn = np.array([[cos(heading), -sin(heading), 0.0], [sin(heading), cos(heading), 0.0], [0.0, 0.0, 1.0]])
    parts = named(where, bicycle.fitted, _rider(person, start, turn, height))

    origin = turn @ parts.place + height * UP
    velocity = start.rates[f"{person.prefix}root"][:3]
    rolling = float(turn[:, 0] @ np.array(velocity)) / parts.radius
    pose = (*origin.tolist(), cos(0.5 * heading), 0.0, 0.0, sin(0.5 * heading))
    rates = {bicycle.axle(name): (rolling,) for name in bicycle.wheels}
    begun = Configuration({bicycle.root: pose}, {bicycle.root: (*velocity, 0.0, 0.0, 0.0), **rates})
    law = named(where, model.Contact, restitution=0.1, friction=bicycle.friction)
    touching = tuple(person.prefix + name for name in TOUCHING)
    contacts = (
        model.BodyContact(f"{bicycle.name}.rider", touching, (bicycle.name,), law),
        model.BodyContact(f"{bicycle.name}.seat", touching[:1], (bicycle.saddle,), law),
    )
    return Ridden(parts.bodies, parts.joints, begun, contacts)


def _where(row: Row) -> str:
    """Return the path of a bicycle."""
    return "bicycle" if row.name == "bicycle" else f"bicycle.{row.name}"


def _height(where: str, ground: Surface | None) -> float:
    """Return the height of the ground [m]; 0 without one."""
    if ground is None:
        return 0.0
    assert isinstance(ground, model.Plane)
    if ground.normal[2] < 1.0 - 1e-9:
        raise InputError(f"{where}: {ground.name} is not level; a bicycle starts on level ground.")
    return ground.point[2]


def _rider(person: human.Human, start: Configuration, turn: np.ndarray, height: float) -> Rider:
    """Return the places of a rider that a bicycle fits, in the frame of the rider's heading."""
    poses = {
        name: (turn.T @ (place - height * UP), turn.T @ axes)
        for name, (place, axes) in segment_poses(person.system, start).items()
    }

    def below(name: str, *, square: bool = True) -> Grip:
        return _below(person.system.body(person.prefix + name), poses[person.prefix + name], square)

    hands, feet = ((below(f"right_{part}"), below(f"left_{part}")) for part in ("hand", "foot"))
    legs = [name for name in TOUCHING if name.endswith(("thigh", "shank"))]

    def clear(point: np.ndarray) -> float:
        return min(
            _clear(shape, poses[person.prefix + name], point)
            for name in legs
            for shape in person.system.body(person.prefix + name).shapes
        )

    return Rider(below("pelvis", square=False), hands, feet, person.height, clear)


def _clear(shape: Shape, pose: Pose, point: np.ndarray) -> float:
    """Return the distance of a shape from a line along x through a point [m]: the most over planes between them."""
    place, turn = pose
    apart = place + turn @ np.array(shape.offset) - point
    return float((WAYS @ apart - shape.reach(-WAYS @ turn @ shape.turn)).max())


def _below(body: model.Body, pose: Pose, square: bool) -> Grip:
    """Return where a segment is touched from below: at the middle of its last shape, of a foot the forefoot.

    square  to the long axis of this shape instead of straight from below
    """
    (place, turn), shape = pose, body.shapes[-1]
    out = -UP
    if square:
        axis = (turn @ shape.turn)[:, int(np.argmax(shape.half_size))]
        slope = out - (out @ axis) * axis
        if np.linalg.norm(slope) > 0.1:  # a hand that hangs is touched at its end
            out = slope / np.linalg.norm(slope)
    return Grip(place + turn @ np.array(shape.offset) + float(shape.reach((turn @ shape.turn).T @ out)) * out, out)

"""From the rows of a scenario's mechanisms to the elements of a model: bodies, joints, springs, loads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import model, world
from ..errors import InputError, nearest
from ..human.human17 import name_prefix
from ..model import Configuration, System
from ..model.joint import frame_with_z
from ..model.pose import segment_poses
from . import schema
from .definition import Row


def named(where: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The value of a function, whose refusal names the place."""
    try:
        return function(*arguments, **options)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def mechanisms(
    bodies: Sequence[Row], joints: Sequence[Row]
) -> tuple[list[model.Body], list[model.Joint], Configuration]:
    """Bodies, their joints and where they start; a body that hangs on no joint gets a free one."""
    made, start = [joint(row) for row in joints], Configuration()
    hanging = {row.child for row in joints}
    for row in bodies:
        if row.name not in hanging:
            root = model.Joint(f"{row.name}_root", "free", None, row.name)
            begun = row.start or model.BodyStart()
            made.append(root)
            start = start.replace(
                {root.name: (*begun.position, *begun.orientation)},
                {root.name: (*begun.velocity, *begun.angular_velocity)},
            )
        elif row.start is not None:
            raise InputError(f"body.{row.name}.start: the body hangs on a joint; give the start of that joint instead.")
    for given, hung in zip(joints, made, strict=False):
        if given.start is not None:
            start = _started(start, hung, given.start)
    return [body(row) for row in bodies], made, start


def body(row: Row) -> model.Body:
    """A body with its shapes; without an inertia it has that of its one shape."""
    shapes = tuple(
        named(f"body.{row.name}.shapes[{k}]", schema.SHAPES.variants[s.kind][0], **schema.SHAPES.parameters(s))
        for k, s in enumerate(row.shapes)
    )
    inertia = row.inertia
    if inertia is None:
        (shape,) = shapes
        if any(shape.offset) or shape.rotation != (1.0, 0.0, 0.0, 0.0):
            raise InputError(
                f"body.{row.name}.inertia is missing; it can be left out only if the shape is not moved or turned."
            )
        inertia = tuple(shape.inertia(row.mass).tolist())
    tube = None if row.tube is None else named(f"body.{row.name}.tube", model.Tube, **row.tube.given())
    return model.Body(row.name, row.mass, np.array(inertia), shapes, tube=tube)


def joint(row: Row) -> model.Joint:
    """A joint, its z along the axis if one is given."""
    where, given = f"joint.{row.name}", row.given("axis", "start", "parent")
    if row.axis is not None:
        given["frame_parent"] = given["frame_child"] = named(where, frame_with_z, row.axis)
    if row.resistance is not None:
        given["resistance"] = named(f"{where}.resistance", _resistance, row.resistance)
    if row.motion is not None:
        given["motion"] = tuple(named(f"{where}.motion", _function, item) for item in row.motion)
    return model.Joint(parent=row.parent, **given)


def loop(row: Row) -> model.Loop:
    """A joint that closes a loop, its z along the axis if one is given."""
    given = row.given("axis", "parent", "release", "resistance")
    if row.axis is not None:
        given["frame_parent"] = given["frame_child"] = named(f"loop.{row.name}", frame_with_z, row.axis)
    release = None if row.release is None else model.Release(**row.release.given())
    return model.Loop(parent=row.parent, release=release, **given)


def resisting_loops(rows: Sequence[Row], system: System, start: Configuration) -> tuple[System, Configuration]:
    """Return the system in which the loops resist that are to, and its start."""
    for row in rows:
        if row.resistance is not None:
            where = f"loop.{row.name}.resistance"
            law = named(where, _resistance, row.resistance)
            system, start = named(where, model.resisting_loop, system, start, row.name, law)
    return system, start


def _started(start: Configuration, joint: model.Joint, given: Row) -> Configuration:
    """The configuration with the start of one joint."""
    if joint.type in ("free", "spherical"):
        orientation = given.orientation or (1.0, 0.0, 0.0, 0.0)
        spin = given.angular_velocity or (0.0, 0.0, 0.0)
        if joint.type == "spherical":
            return start.replace({joint.name: orientation}, {joint.name: spin})
        position = given.position or (0.0, 0.0, 0.0)
        velocity = given.velocity or (0.0, 0.0, 0.0)
        return start.replace({joint.name: (*position, *orientation)}, {joint.name: (*velocity, *spin)})
    coordinates = {} if given.coordinates is None else {joint.name: given.coordinates}
    rates = {} if given.rates is None else {joint.name: given.rates}
    return start.replace(coordinates, rates)


def _resistance(row: Row, law: str | None = None) -> model.Resistance:
    given = {"law": law or "rotation_vector"} | row.given("curve")
    return model.Resistance(curve=_curves(row.curve), **given)


def _curves(rows: tuple[Row, ...]) -> tuple[model.Curve | None, ...]:
    """Three curves; one without knots is none."""
    found = [model.Curve(**row.given()) if row.angles else None for row in rows]
    return (*found, *(None,) * (3 - len(found)))


def _function(given: Row | float) -> model.Table:
    return model.Table(**given.given()) if isinstance(given, Row) else model.constant(given)


def spring(row: Row) -> model.SpringDamper:
    """A spring between two points."""
    given = row.given("body_a", "body_b")
    if row.actuator is not None:
        given["actuator"] = named(f"spring.{row.name}.actuator", _function, row.actuator)
    return model.SpringDamper(body_a=row.body_a, body_b=row.body_b, **given)


def torsion_spring(row: Row, joints: list[model.Joint]) -> model.TorsionSpring:
    """A torsion spring by the law that its joint has coordinates for."""
    types = {joint.name: joint.type for joint in joints}
    law = "rotation_vector" if types.get(row.joint) == "spherical" else "coordinate"
    if any(joint.name == row.joint and joint.motion is not None for joint in joints):
        raise InputError(
            f"torsion_spring.{row.name}.joint: {row.joint!r} has a prescribed motion, which meets no spring."
        )
    resistance = named(f"torsion_spring.{row.name}.resistance", _resistance, row.resistance, law)
    return model.TorsionSpring(row.name, row.joint, resistance)


def load(row: Row) -> model.Load:
    """An external force or moment."""
    components = tuple(named(f"load.{row.name}.components", _function, item) for item in row.components)
    return model.Load(components=components, **row.given("components"))


def muscle(row: Row) -> model.Muscle:
    """A muscle along its path."""
    where, given = f"muscle.{row.name}", row.given("path", "force", "excitation")
    for name in ("force", "excitation"):
        if getattr(row, name) is not None:
            given[name] = named(f"{where}.{name}", _function, getattr(row, name))
    path = tuple(named(f"{where}.path[{k}]", model.MusclePoint, **place.given()) for k, place in enumerate(row.path))
    return model.Muscle(path=path, **given)


def belts(rows: tuple[Row, ...], people: list[str], system: System, start: Configuration) -> tuple[model.Belt, ...]:
    """Belts along their own waypoints, or along a ready path round a person where it starts."""
    found: list[model.Belt] = []
    poses = segment_poses(system, start)
    for row in rows:
        where = f"belt.{row.name}"
        given = row.given("path", "type", "person", "carrier", "retractor")
        if row.retractor is not None:
            given["retractor"] = named(f"{where}.retractor", _retractor, row.retractor)
        if row.type is None:
            path = tuple(named(where, model.Waypoint, **point.given()) for point in row.path)
            found.append(named(where, model.Belt, path=path, **given))
            continue
        wearer = _person(row, where, people)
        if row.carrier is not None and row.carrier not in poses:
            raise InputError(f"{where}.carrier is {row.carrier!r}; there is no such body.{nearest(row.carrier, poses)}")
        options = {"prefix": name_prefix(wearer), "carrier": row.carrier}
        found += named(where, world.ready_belts, row.type, system, poses, **options, **given)
    return tuple(found)


def airbag(row: Row, people: list[str], system: System) -> model.Airbag:
    """An airbag in front of a person, or of the bodies that it names."""
    where, given = f"airbag.{row.name}", row.given("inflator", "fire", "person")
    if row.inflator is not None:
        given["inflator"] = named(f"{where}.inflator", model.Inflator, **row.inflator.given())
    if row.fire is not None:
        given["fire"] = named(f"{where}.fire", model.Firing, **row.fire.given())
    prefix = "" if row.segments else name_prefix(_person(row, where, people))
    return named(where, world.ready_airbag, system, prefix, **given)


def _person(row: Row, where: str, people: list[str]) -> str:
    """Return the person that a row names, or the only one."""
    if row.person is None and len(people) != 1:
        raise InputError(f"{where}.person is missing; give one of {', '.join(people) or 'the people (none here)'}.")
    found = people[0] if row.person is None else str(row.person)
    if found not in people:
        raise InputError(f"{where}.person is {found!r}; there is no such person.{nearest(found, people)}")
    return found


def _retractor(row: Row) -> model.Retractor:
    pulls = row.pretensioner
    return model.Retractor(
        pretensioner=None if pulls is None else model.Pretensioner(**pulls.given()), **row.given("pretensioner")
    )

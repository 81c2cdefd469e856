"""From the rows of a scenario's mechanisms to the elements of a model: bodies, joints, springs, loads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import model
from ..errors import InputError
from ..model import Configuration
from ..model.joint import frame_with_z
from . import mechanism


def named(where: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The value of a function, whose refusal names the place."""
    try:
        return function(*arguments, **options)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def mechanisms(
    bodies: Sequence[mechanism.Body], joints: Sequence[mechanism.Joint]
) -> tuple[list[model.Body], list[model.Joint], Configuration]:
    """Bodies, their joints and where they start; a body that hangs on no joint gets a free one."""
    made, start = [joint(row) for row in joints], Configuration()
    hanging = {row.child for row in joints}
    for row in bodies:
        if row.name not in hanging:
            root = model.Joint(f"{row.name}_root", "free", None, row.name)
            begun = row.start or mechanism.BodyStart()
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


def body(row: mechanism.Body) -> model.Body:
    """A body with its shapes; without an inertia it has that of its one shape."""
    shapes = tuple(
        named(f"body.{row.name}.shapes[{k}]", getattr(model, s.kind.capitalize()), **s.parameters())
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
    return model.Body(row.name, row.mass, np.array(inertia), shapes)


def joint(row: mechanism.Joint) -> model.Joint:
    """A joint, its z along the axis if one is given."""
    where = f"joint.{row.name}"
    return model.Joint(
        name=row.name,
        type=row.type,
        parent=row.parent,
        child=row.child,
        point_parent=row.point_parent,
        point_child=row.point_child,
        resistance=None if row.resistance is None else named(f"{where}.resistance", _resistance, row.resistance),
        motion=None
        if row.motion is None
        else tuple(named(f"joint.{row.name}.motion", _function, item) for item in row.motion),
        **_frames(row, where),
    )


def loop(row: mechanism.Loop) -> model.Loop:
    """A joint that closes a loop, its z along the axis if one is given."""
    release = row.release or mechanism.Release()
    return model.Loop(
        name=row.name,
        type=row.type,
        parent=row.parent,
        child=row.child,
        point_parent=row.point_parent,
        point_child=row.point_child,
        release_force=release.force,
        release_moment=release.moment,
        release_time=release.time,
        **_frames(row, f"loop.{row.name}"),
    )


def _frames(row: mechanism.Joint | mechanism.Loop, where: str) -> dict[str, Any]:
    """The joint frames that a row gives, or the one whose z is along its axis."""
    frames: dict[str, Any] = {}
    if row.axis is not None:
        frame = named(where, frame_with_z, row.axis)
        frames = {"frame_parent": frame, "frame_child": frame}
    if row.frame_parent is not None:
        frames["frame_parent"] = row.frame_parent
    if row.frame_child is not None:
        frames["frame_child"] = row.frame_child
    return frames


def _started(start: Configuration, joint: model.Joint, given: mechanism.JointStart) -> Configuration:
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


def _resistance(row: mechanism.Resistance, law: str | None = None) -> model.Resistance:
    return model.Resistance(
        law=row.law or law or "rotation_vector",
        limit_minus=row.limit_minus,
        limit_plus=row.limit_plus,
        stiffness=row.stiffness,
        stiffness_minus=row.stiffness_minus,
        stiffness_plus=row.stiffness_plus,
        damping=row.damping,
        rest=row.rest,
        limit_damping=row.limit_damping,
        curve=_curves(row.curve),
        friction=row.friction,
        friction_speed=row.friction_speed,
        friction_fade=row.friction_fade,
    )


def _curves(rows: tuple[mechanism.Curve, ...]) -> tuple[model.Curve | None, ...]:
    """Three curves; one without knots is none."""
    found = [model.Curve(row.angles, row.torques, row.kind) if row.angles else None for row in rows]
    return (*found, *(None,) * (3 - len(found)))


def _function(given: mechanism.TimeTable | float) -> model.Table:
    if isinstance(given, mechanism.TimeTable):
        return model.Table(given.times, given.values, given.kind or "linear", given.start, given.start_rate)
    return model.constant(given)


def spring(row: mechanism.Spring) -> model.SpringDamper:
    """A spring between two points."""
    return model.SpringDamper(
        name=row.name,
        body_a=row.body_a,
        body_b=row.body_b,
        point_a=row.point_a,
        point_b=row.point_b,
        stiffness=row.stiffness,
        rest_length=row.rest_length,
        damping=row.damping,
        actuator=None if row.actuator is None else named(f"spring.{row.name}.actuator", _function, row.actuator),
        tension_only=row.tension_only,
    )


def torsion_spring(row: mechanism.TorsionSpring, joints: list[model.Joint]) -> model.TorsionSpring:
    """A torsion spring by the law that its joint has coordinates for."""
    types = {joint.name: joint.type for joint in joints}
    law = "rotation_vector" if types.get(row.joint) == "spherical" else "coordinate"
    if any(joint.name == row.joint and joint.motion is not None for joint in joints):
        raise InputError(
            f"torsion_spring.{row.name}.joint: {row.joint!r} has a prescribed motion, which meets no spring."
        )
    resistance = named(f"torsion_spring.{row.name}.resistance", _resistance, row.resistance, law)
    return model.TorsionSpring(row.name, row.joint, resistance)


def load(row: mechanism.Load) -> model.Load:
    """An external force or moment."""
    components = tuple(named(f"load.{row.name}.components", _function, item) for item in row.components)
    return model.Load(row.name, row.body, components, row.kind, row.point, row.axes)

"""Place a person in a posture in the scene. SI units, world frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from .. import units
from ..errors import InputError, nearest
from ..model import Configuration, Joint, System
from ..model.field import field_of
from ..model.frame import Quaternion
from ..model.pose import (
    centre_of_mass,
    lowest_distance,
    quaternion_of_vector,
    quaternion_product,
    rotation_matrix,
    segment_poses,
    vector_of_quaternion,
)
from ..model.value import Components, Flag, ListOf, Of, Text
from ..model.velocity import Motion, joined, segment_velocities
from .held import SLIDING, locked
from .human17 import Human
from .mirror import plain_name
from .posture import ZERO, Posture, posture

Vector = tuple[float, float, float]

GROUND = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
STEEPEST = 0.1  # vertical part of a plane's normal below which it is a wall


@dataclass(frozen=True)
class Push:
    """A velocity given to a group of segments, as by a push, a kick or a jump; the joints then make it fit."""

    segments: tuple[str, ...] = field_of(ListOf(Text()), 'names of the segments; "thigh" means both')
    velocity: Sequence[float | str] = field_of(
        Components("velocity"),
        "of their centres of mass, world frame",
        default=(0.0, 0.0, 0.0),
        drag=("m/s", 0, 10, 0.05),
    )
    angular_velocity: Sequence[float | str] | None = field_of(
        Components("angular velocity"),
        "of each of them, world frame; that of the body as one piece unless given",
        default=None,
    )


@dataclass(frozen=True)
class Start:
    """Where and how fast a person starts."""

    clearance: float | str = field_of(
        "length",
        "of the lowest point of the body from the first surface, along its normal",
        default=0.0,
        drag=("m", 0, 20, 0.01),
    )
    position: Sequence[float | str] = field_of(
        Components("length", 2), "x and y of the centre of mass of the pelvis", default=(0.0, 0.0)
    )
    heading: float | str = field_of(
        "angle", "turn to the left about the vertical; 0 looks along x", default=0.0, drag=("deg", -180, 180, 1)
    )
    settle: bool = field_of(Flag(), "whether the ground carries the standing person at the start", default=False)
    velocity: Sequence[float | str] = field_of(
        Components("velocity"), "of the whole body, world frame", default=(0.0, 0.0, 0.0), drag=("m/s", 0, 30, 0.1)
    )
    angular_velocity: Sequence[float | str] = field_of(
        Components("angular velocity"),
        "of the body as one piece about its centre of mass, world frame",
        default=(0.0, 0.0, 0.0),
        drag=("rad/s", 0, 10, 0.05),
    )
    push: Sequence[Push] = field_of(
        Of(Push, several=True),
        "velocities of groups of segments, instead of that of the whole body; what they do to the others follows from "
        "the joints",
        default=(),
    )
    stature: float | str | None = field_of(
        "length",
        "for which velocity, angular_velocity and push are given: for another person velocities are multiplied by the "
        "square root of the ratio of statures, and angular velocities divided by it; the same for all unless given",
        default=None,
        above=0.0,
    )


@dataclass(frozen=True)
class Placement:
    """Start of a person, and the velocities that result from a push.

    configuration  coordinates and rates of the joints
    wanted         segment -> requested velocity [m/s]; empty without a push
    attained       segment -> velocity at the start [m/s]; empty without a push
    pushed         the segments that were pushed, in the order given
    """

    configuration: Configuration
    wanted: Mapping[str, np.ndarray] = field(default_factory=dict)
    attained: Mapping[str, np.ndarray] = field(default_factory=dict)
    pushed: tuple[str, ...] = ()

    @property
    def correction(self) -> dict[str, float]:
        """Segment -> distance between the requested velocity and that at the start [m/s]."""
        return {name: float(np.linalg.norm(self.attained[name] - self.wanted[name])) for name in self.wanted}

    @property
    def note(self) -> str:
        """Return the correction in words; "" without a push."""
        if not self.pushed:
            return ""
        changes = self.correction
        speed = {name: float(np.linalg.norm(vector)) for name, vector in self.attained.items()}
        asked = {name: float(np.linalg.norm(vector)) for name, vector in self.wanted.items()}
        pushed = ", ".join(
            f"{name} {speed[name]:.2f} for {asked[name]:.2f} m/s (off by {changes[name]:.2f})" for name in self.pushed
        )
        others = [name for name in changes if name not in self.pushed]
        dragged = max(others, key=changes.__getitem__, default=None)
        rest = (
            "" if dragged is None else f"; of the others {dragged} is dragged along most, by {changes[dragged]:.2f} m/s"
        )
        return f"The push was made to fit the joints: {pushed}{rest}."


def place(human: Human, stance: str | Mapping[str, Any] | Posture = "standing", **options: Any) -> Configuration:
    """Return coordinates and rates of a person's joints at the start; the options are those of `placement`."""
    return placement(human, stance, **options).configuration


def placement(
    human: Human,
    stance: str | Mapping[str, Any] | Posture = "standing",
    *,
    plane: tuple[Sequence[float], Sequence[float]] = GROUND,
    **start: Any,
) -> Placement:
    """Return coordinates and rates of a person's joints at the start, and the effect of a push.

    stance  a posture, or the name or table of one
    plane   a point of it [m] and its normal; the body is moved up or down until the clearance is right
    start   fields of `Start`: clearance, position, heading, velocity, angular_velocity, push, stature

    A revolute joint takes the part of its rotation that lies along its axis; a planar person must stay in its plane and
    has the heading of its plane.
    """
    asked = _for_stature(Start(**start), human.person.height)
    held = posture(stance)
    system, prefix = human.system, human.prefix
    point, normal = _plane(plane)
    x, y = units.vector(asked.position, "length", "position", 2)
    root = system.joint(f"{prefix}root")
    turn = _heading(root, units.quantity(asked.heading, "angle", "heading"))
    orientation = quaternion_product(turn, quaternion_of_vector(held.orientation))

    # the posture at height zero, then moved to its clearance
    coordinates: dict[str, tuple[float, ...]] = {
        prefix + name: _coordinates(system.joint(prefix + name), vector)
        for name, vector in _held(human, held.rotations, root.type == "planar").items()
    }
    placed = Configuration({**coordinates, root.name: _root_coordinates(root, (x, y, 0.0), orientation)})
    poses = segment_poses(system, placed)
    wanted = units.quantity(asked.clearance, "length", "clearance")
    z = (wanted - lowest_distance(system, poses, point, normal)) / normal[2]
    placed = placed.replace(coordinates={root.name: _root_coordinates(root, (x, y, z), orientation)})

    # rigid motion: the joints are at rest relative to each other
    speed = np.array(units.vector(asked.velocity, "velocity", "velocity"))
    spin = np.array(units.vector(asked.angular_velocity, "angular velocity", "angular_velocity"))
    pelvis = poses[root.child][0]
    speed = speed + np.cross(spin, pelvis - centre_of_mass(system, poses))
    placed = placed.replace(rates={root.name: _root_rates(root, speed, spin)})
    if not asked.push:
        return Placement(placed)
    return _shoved(system, placed, asked.push, prefix)


def _shoved(system: System, placed: Configuration, push: Sequence[Push], prefix: str) -> Placement:
    """Return the start after a push; links and soft masses move with the segment to which they belong."""
    slides = [joint for joint in system.joints if joint.type in SLIDING]
    stiff = system.replace(joints=tuple(locked(joint, None) if joint in slides else joint for joint in system.joints))
    ends = [(str(joint.parent), joint.child)[:: 1 if system.body(joint.child).shapes else -1] for joint in slides]
    belongs = {part: segment for part, segment in ends}
    whole = segment_velocities(system, placed)
    motion = {name: one for name, one in whole.items() if name not in belongs}
    pushed = _pushed(motion, push, prefix)
    lead = {name: motion[segment] for name, segment in belongs.items() if segment in pushed}
    rates = joined(stiff, placed, whole | motion | lead).rates
    placed = placed.replace(rates={name: given for name, given in rates.items() if given})
    attained = segment_velocities(system, placed)
    return Placement(
        placed, {name: v for name, (v, _) in motion.items()}, {name: attained[name][0] for name in motion}, pushed
    )


def _for_stature(start: Start, height: float) -> Start:
    """Return a start whose velocities suit a stature [m]: by Froude's number, as if all lengths were scaled."""
    if start.stature is None:
        return start
    ratio = sqrt(height / units.quantity(start.stature, "length", "stature"))

    def scaled(values: Sequence[float | str] | None, kind: str, name: str, factor: float) -> Any:
        return None if values is None else tuple(factor * part for part in units.vector(values, kind, name))

    def both(item: Start | Push) -> dict[str, Any]:
        spin = scaled(item.angular_velocity, "angular velocity", "angular_velocity", 1.0 / ratio)
        return {"velocity": scaled(item.velocity, "velocity", "velocity", ratio), "angular_velocity": spin}

    return replace(start, push=[replace(push, **both(push)) for push in start.push], **both(start))


def _pushed(wanted: dict[str, Motion], push: Sequence[Push], prefix: str) -> tuple[str, ...]:
    """Set the wanted velocities of the pushed segments in the mapping, and return the names of these segments."""
    done: list[str] = []
    known = [name.removeprefix(prefix) for name in wanted]
    words = list(dict.fromkeys([*known, *(plain_name(name) for name in known)]))
    for place, one in enumerate(push):
        where = f"push[{place}]"
        if not one.segments:
            raise InputError(f"{where}.segments is empty; name the segments that are pushed.")
        speed = np.array(units.vector(one.velocity, "velocity", f"{where}.velocity"))
        for word in one.segments:
            names = [name for name in (word, f"left_{word}", f"right_{word}") if name in known]
            if not names:
                accepted = ", ".join(words)
                raise InputError(f"{where}: there is no segment {word!r}; accepted: {accepted}.{nearest(word, words)}")
            for name in names:
                if prefix + name in done:
                    raise InputError(f"{where}: {name} is pushed twice; name it once.")
                done.append(prefix + name)
                spin = wanted[prefix + name][1]
                if one.angular_velocity is not None:
                    spin = np.array(units.vector(one.angular_velocity, "angular velocity", f"{where}.angular_velocity"))
                wanted[prefix + name] = (speed, spin)
    return tuple(done)


def _coordinates(joint: Joint, vector: Sequence[float]) -> tuple[float, ...]:
    """Return the coordinates of a joint at a rotation vector given in the parent's body frame [rad]."""
    frame = rotation_matrix(joint.frame_parent)
    local = frame.T @ np.array(vector)
    if joint.type == "spherical":
        return quaternion_of_vector(local.tolist())
    return (float(local[2]),)


OFF = 1e-9  # by which a planar person may leave its plane [m, m/s, rad]


def _heading(root: Joint, heading: float) -> Quaternion:
    """Return the rotation to a heading [rad]; for a planar person that of its plane."""
    if root.type == "free":
        return quaternion_of_vector((0.0, 0.0, heading))
    w, x, y, z = root.frame_child
    own = quaternion_product(root.frame_parent, (w, -x, -y, -z))
    if heading and abs(np.dot(own, quaternion_of_vector((0.0, 0.0, heading)))) < 1.0 - OFF:
        raise InputError(f"heading is {heading:g} rad, and the person's plane has another; give it to pedestrian11().")
    return own


def _root_coordinates(root: Joint, position: Vector, orientation: Quaternion) -> tuple[float, ...]:
    """Return the coordinates of a free or planar root joint at a position [m] and an orientation of its child."""
    if root.type == "free":
        return (*position, *orientation)
    frame = rotation_matrix(root.frame_parent)
    along, down, off = (frame.T @ np.array(position)).tolist()
    turn = frame.T @ rotation_matrix(orientation) @ rotation_matrix(root.frame_child)
    _in_plane("position", off)
    _in_plane("posture", float(np.linalg.norm(turn[2] - (0.0, 0.0, 1.0))))
    return along, down, float(np.arctan2(turn[1, 0], turn[0, 0]))


def _root_rates(root: Joint, speed: np.ndarray, spin: np.ndarray) -> tuple[float, ...]:
    """Return rates of a free or planar root joint at a velocity [m/s] and an angular velocity [rad/s] of its child."""
    if root.type == "free":
        return (*speed.tolist(), *spin.tolist())
    frame = rotation_matrix(root.frame_parent)
    along, down, off = (frame.T @ speed).tolist()
    tilt, lean, turn = (frame.T @ spin).tolist()
    _in_plane("velocity", off)
    _in_plane("angular_velocity", tilt)
    _in_plane("angular_velocity", lean)
    return along, down, turn


def _in_plane(what: str, off: float) -> None:
    if abs(off) > OFF:
        raise InputError(f"{what} leaves the plane of the person; a planar person moves along its heading and up only.")


def _held(human: Human, rotations: Mapping[str, Vector], planar: bool) -> Mapping[str, Vector]:
    """Return the rotation vectors of the joints that the model has [rad].

    The occupant of 12 bodies has no wrists and ankles, whose rotations are dropped, and one joint of the back, which
    takes the rotation of the lumbar joint, too.
    """
    if planar:
        return _lumped(rotations)
    if human.individual is None:
        return rotations
    known = {joint.name.removeprefix(human.prefix) for joint in human.system.joints}
    found = {name: vector for name, vector in rotations.items() if name in known}
    if "lumbar" in rotations:
        lower, upper = (quaternion_of_vector(rotations.get(name, ZERO)) for name in ("lumbar", "thoracolumbar"))
        found["thoracolumbar"] = vector_of_quaternion(quaternion_product(lower, upper))
    return found


def _lumped(rotations: Mapping[str, Vector]) -> dict[str, Vector]:
    """Return rotation vectors of the hinges of a planar person [rad]: the mean of both sides of a pair."""
    found: dict[str, np.ndarray] = {}
    for name, vector in rotations.items():
        plain = plain_name(name)
        found[plain] = found.get(plain, np.zeros(3)) + (1.0 if plain == name else 0.5) * np.array(vector)
    return {name: tuple(vector.tolist()) for name, vector in found.items()}


def _plane(plane: tuple[Sequence[float], Sequence[float]]) -> tuple[Vector, Vector]:
    """Return point [m] and unit normal of a plane above which a body can be placed."""
    px, py, pz = units.vector(plane[0], "length", "plane point")
    normal = np.array(units.vector(plane[1], "dimensionless", "plane normal"))
    length = float(np.linalg.norm(normal))
    if length == 0.0 or normal[2] / length < STEEPEST:
        raise InputError(
            f"plane normal is {tuple(normal.tolist())}; expected one that points upwards (a person is placed "
            "above the plane). For a wall or ceiling, place the person above the ground."
        )
    nx, ny, nz = (normal / length).tolist()
    return (px, py, pz), (nx, ny, nz)

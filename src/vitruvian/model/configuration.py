"""Where a system starts: coordinates and rates of its joints, by joint name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import InputError, nearest
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .joint import JOINT_TYPES
from .system import System
from .validation import finite_vector, rotation
from .value import Components, Depends, Rotation


@dataclass(frozen=True)
class BodyStart:
    """Where and how fast a body without a joint starts."""

    position: Vector = field_of(Components("length"), "of the centre of mass", default=ZERO)
    orientation: Quaternion = field_of(Rotation(), "body to world", default=IDENTITY)
    velocity: Vector = field_of(Components("velocity"), "of the centre of mass", default=ZERO, drag=("m/s", 0, 30, 0.1))
    angular_velocity: Vector = field_of(Components("angular velocity"), "world frame", default=ZERO)


@dataclass(frozen=True)
class JointStart:
    """Coordinates and rates with which a joint starts."""

    coordinates: tuple[float, ...] | None = field_of(
        Depends("rad, m", several=True), "angles and displacements", default=None, drag=("deg", -180, 180, 1)
    )
    rates: tuple[float, ...] | None = field_of(
        Depends("rad/s, m/s", several=True), "rates of the coordinates", default=None
    )
    orientation: Quaternion | None = field_of(Rotation(), "spherical and free joints", default=None)
    position: Vector | None = field_of(Components("length"), "free joints", default=None)
    velocity: Vector | None = field_of(Components("velocity"), "free joints", default=None)
    angular_velocity: Vector | None = field_of(
        Components("angular velocity"), "spherical and free joints", default=None
    )


@dataclass(frozen=True)
class Configuration:
    """Coordinates and rates of the joints that are not at zero.

    coordinates  joint -> spherical: unit quaternion of the child in the parent (joint frames); free: x, y, z and a
                 unit quaternion; others: angles [rad] and displacements [m]
    rates        joint -> spherical: relative angular velocity in the parent's joint frame [rad/s]; free: velocity of
                 the centre of mass [m/s] and angular velocity [rad/s], world frame; others: rates of the coordinates
    """

    coordinates: dict[str, tuple[float, ...]] = field(default_factory=dict)
    rates: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def replace(self, coordinates: dict[str, Any] | None = None, rates: dict[str, Any] | None = None) -> Configuration:
        """A copy in which the given joints are changed and the others kept."""
        return Configuration({**self.coordinates, **(coordinates or {})}, {**self.rates, **(rates or {})})

    def without(self, joints: Collection[str]) -> Configuration:
        """A copy that is silent of some joints."""
        kept = (
            {name: value for name, value in given.items() if name not in joints}
            for given in (self.coordinates, self.rates)
        )
        return Configuration(*kept)

    def checked(self, system: System) -> Configuration:
        """Return the configuration with plain numbers; refuse unknown joints, wrong lengths and infinite numbers."""
        names = {joint.name: None for joint in system.joints}
        for kind, given in (("coordinates", self.coordinates), ("rates", self.rates)):
            for name in given:
                if name not in names:
                    raise InputError(f"{kind}: there is no joint {name!r}.{nearest(name, names)}")
                joint = system.joint(name)
                if joint.motion is not None:
                    raise InputError(
                        f"{kind}: joint {name!r} has a prescribed motion; its start follows from the tables."
                    )
        found = (
            {name: _known(check, system.joint(name).type, value, name) for name, value in given.items()}
            for check, given in ((_coordinates, self.coordinates), (_rates, self.rates))
        )
        return Configuration(*found)


def held_at(system: System, start: Configuration) -> System:
    """The system whose fading dry torques (`Resistance.friction_fade`) fade from where the joints start.

    Those that say themselves where they are held stay as they are.
    """
    joints = []
    for joint in system.joints:
        resistance = joint.resistance
        if resistance is not None and resistance.friction_fade > 0.0 and resistance.held is None:
            place = start.coordinates.get(joint.name)
            if place is not None and resistance.law == "coordinate":
                place = (*place, 0.0, 0.0)[:3]
            joint = replace(joint, resistance=replace(resistance, held=place))
        joints.append(joint)
    return system.replace(joints=tuple(joints))


def _known(check: Callable[[str, Any, str], tuple[float, ...]], kind: str, value: Any, name: str) -> tuple[float, ...]:
    """Return what a check returns; postures are checked thousands of times in a study."""
    return _remembered(check, kind, value, name) if isinstance(value, tuple) else check(kind, value, name)


@lru_cache(maxsize=1024)
def _remembered(
    check: Callable[[str, Any, str], tuple[float, ...]], kind: str, value: tuple[float, ...], name: str
) -> tuple[float, ...]:
    return check(kind, value, name)


def _rates(kind: str, value: Any, name: str) -> tuple[float, ...]:
    return finite_vector(np.atleast_1d(value), f"rates of joint {name!r}", JOINT_TYPES[kind][1])


def _coordinates(kind: str, value: Any, name: str) -> tuple[float, ...]:
    where = f"coordinates of joint {name!r}"
    if kind == "spherical":
        return rotation(value, where)
    if kind == "free":
        full = finite_vector(value, where, 7)
        return full[:3] + rotation(full[3:], where)
    return finite_vector(np.atleast_1d(value), where, JOINT_TYPES[kind][1])

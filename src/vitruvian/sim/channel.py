"""The channels of a result: one table with name, dimensions, unit and meaning; nothing else knows them by heart.

World axes and centres of mass unless the name says otherwise (`_local`: axes of the body, the sensor or the load
cell). Accelerations are those of the motion, as a camera would see them: 1 g downwards in free flight, zero at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..units import STANDARD_GRAVITY
from . import angle
from .load_cell import loads, to_body_axes
from .recording import Recording

__all__ = ["CHANNELS", "STORED", "Channel", "displacement_mask", "to_body_axes", "values"]


class Channel(NamedTuple):
    """A quantity that a result offers.

    dims     names of its dimensions
    units    CF attribute `units`
    of       "body", "joint", "loop", "pair", "sensor", "load_cell": what a dotted name selects; "" if there is nothing
    derived  computed when asked for, not stored
    """

    name: str
    dims: tuple[str, ...]
    units: str
    long_name: str
    of: str = ""
    derived: bool = False


def _body(name: str, units: str, long_name: str, *, last: str = "axis", derived: bool = False) -> Channel:
    return Channel(name, ("pose_time", "body", last), units, long_name, "body", derived)


def _joint(name: str, units: str, long_name: str, *, last: str = "axis", derived: bool = False) -> Channel:
    return Channel(name, ("pose_time", "joint", last), units, long_name, "joint", derived)


def _sensor(name: str, units: str, long_name: str, *, derived: bool = False) -> Channel:
    return Channel(name, ("time", "sensor", "axis"), units, long_name, "sensor", derived)


def _load_cell(name: str, units: str, long_name: str, *, derived: bool = False) -> Channel:
    return Channel(name, ("time", "load_cell", "axis"), units, long_name, "load_cell", derived)


def _energy(name: str, long_name: str) -> Channel:
    return Channel(name, ("pose_time",), "J", long_name)


_TABLE = (
    _body("position", "m", "position of the centre of mass"),
    _body("orientation", "1", "orientation, unit quaternion from body to world axes", last="quaternion"),
    _body("velocity", "m/s", "velocity of the centre of mass"),
    _body("velocity_local", "m/s", "velocity of the centre of mass, body axes", derived=True),
    _body("angular_velocity", "rad/s", "angular velocity"),
    _body("angular_velocity_local", "rad/s", "angular velocity, body axes", derived=True),
    _body("acceleration", "m/s2", "acceleration of the centre of mass"),
    _body("acceleration_local", "m/s2", "acceleration of the centre of mass, body axes", derived=True),
    _body("acceleration_g", "g", "acceleration of the centre of mass, in standard gravities", derived=True),
    _body(
        "acceleration_g_local",
        "g",
        "acceleration of the centre of mass, in standard gravities, body axes",
        derived=True,
    ),
    _body("angular_acceleration", "rad/s2", "angular acceleration"),
    _body("angular_acceleration_local", "rad/s2", "angular acceleration, body axes", derived=True),
    _joint(
        "joint_rotation", "rad", "joint angles, or rotation vector of the child in the joint frame", last="coordinate"
    ),
    _joint("joint_displacement", "m", "joint displacements", last="coordinate"),
    _joint("joint_angle", "rad", "flexion, abduction and rotation of a person's joint", last="movement", derived=True),
    _joint(
        "joint_elevation",
        "rad",
        "plane of elevation, elevation and rotation of a shoulder",
        last="raising",
        derived=True,
    ),
    _joint("joint_torque", "N m", "torque of the joint resistance on the child"),
    _joint("joint_force", "N", "reaction force of the joint on the child"),
    _joint("joint_moment", "N m", "moment of the joint on the child at the joint, resistance included"),
    Channel("joint_energy", ("pose_time", "joint"), "J", "energy stored in the joint resistance", "joint"),
    Channel("joint_loss", ("pose_time", "joint"), "J", "energy lost in the joint resistance so far", "joint"),
    Channel("contact_force", ("pose_time", "pair", "axis"), "N", "contact force on the body of the pair", "pair"),
    Channel("contact_point", ("pose_time", "pair", "axis"), "m", "point of contact, not a number for a gap", "pair"),
    Channel("contact_depth", ("pose_time", "pair"), "m", "depth of contact, zero for a gap", "pair"),
    Channel("loop_force", ("pose_time", "loop", "axis"), "N", "reaction force of the loop on the child", "loop"),
    Channel("loop_moment", ("pose_time", "loop", "axis"), "N m", "moment of the loop on the child", "loop"),
    Channel(
        "loop_power", ("pose_time", "loop"), "W", "power of the loop on both bodies, zero but for its error", "loop"
    ),
    Channel("work", ("pose_time", "work_class"), "J", "work done on the bodies so far, by class of load"),
    _energy("kinetic", "kinetic energy"),
    _energy("potential", "potential energy of gravity, zero at the origin"),
    _energy("balance", "kinetic energy less its start value less all work; zero if energy is accounted for"),
    _sensor("sensor_acceleration", "m/s2", "acceleration at the sensor"),
    _sensor("sensor_acceleration_local", "m/s2", "acceleration at the sensor, sensor axes"),
    _sensor("sensor_acceleration_g", "g", "acceleration at the sensor, in standard gravities", derived=True),
    _sensor(
        "sensor_acceleration_g_local",
        "g",
        "acceleration at the sensor, in standard gravities, sensor axes",
        derived=True,
    ),
    _sensor("sensor_angular_velocity_local", "rad/s", "angular velocity at the sensor, sensor axes"),
    _sensor("sensor_angular_acceleration_local", "rad/s2", "angular acceleration at the sensor, sensor axes"),
    _load_cell("joint_force_world", "N", "force of the joint on the child, mean over the sampling interval"),
    _load_cell("joint_moment_world", "N m", "moment of the joint on the child at the joint, mean over the interval"),
    _load_cell("joint_force_local", "N", "joint_force_world in segment axes and signs of SAE J1733", derived=True),
    _load_cell("joint_moment_local", "N m", "joint_moment_world in segment axes and signs of SAE J1733", derived=True),
    Channel("attitude", ("time", "body", "quaternion"), "1", "orientation at the rate of the sensors", "body"),
)

CHANNELS: dict[str, Channel] = {channel.name: channel for channel in _TABLE}
STORED = tuple(channel for channel in _TABLE if not channel.derived)

#: coordinates of each joint type that are displacements [m]; all others are angles [rad]
_DISPLACEMENTS = {"cylindrical": (1,), "prismatic": (0,), "planar": (0, 1)}


def displacement_mask(joint_types: tuple[str, ...]) -> np.ndarray:
    """True where a joint's coordinate is a displacement (joint, 3)."""
    mask = np.zeros((len(joint_types), 3), dtype=bool)
    for joint, kind in enumerate(joint_types):
        mask[joint, list(_DISPLACEMENTS.get(kind, ()))] = True
    return mask


def values(recording: Recording, name: str) -> np.ndarray:
    """The samples of any channel, stored or derived, in its unit and with its dimensions."""
    if name == "joint_rotation":
        return np.where(displacement_mask(recording.joint_types), 0.0, recording.joint_rotation)
    if name == "joint_displacement":
        return np.where(displacement_mask(recording.joint_types), recording.joint_rotation, 0.0)
    if name == "joint_angle":
        return angle.clinical(recording.joint_rotation, recording.joints, recording.joint_types)
    if name == "joint_elevation":
        return angle.elevation(recording.joint_rotation, recording.joints, recording.joint_types)
    if not CHANNELS[name].derived:
        return np.asarray(getattr(recording, name))
    if name in ("joint_force_local", "joint_moment_local"):
        found = np.full(recording.joint_force_world.shape, np.nan)
        for place, joint in enumerate(recording.load_cells):
            if (load := loads(recording, joint)) is not None:
                found[:, place] = load.force if name == "joint_force_local" else load.moment
        return found
    if name.startswith("sensor_"):  # the recording holds the sensors' own axes
        return np.asarray(getattr(recording, name.replace("_g", "", 1))) / STANDARD_GRAVITY
    if name.endswith("_local"):
        return to_body_axes(recording.orientation, values(recording, name.removesuffix("_local")))
    return recording.acceleration / STANDARD_GRAVITY

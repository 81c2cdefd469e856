"""The channels of a result: each is declared here, in one row, and nowhere else.

A row has the name, the dimensions, the unit and the meaning of a channel, and where its numbers come from: `sample`
takes them from the output of the kernels, `derive` computes them from a recording. Recording, file, checks of a file,
tables and documentation follow from the rows.

World axes and centres of mass unless the name says otherwise (`_local`: axes of the body, the sensor or the load
cell). Accelerations are those of the motion, as a camera would see them: 1 g downwards in free flight, zero at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..kernels.layout import out_row, pose, scalar, work_class
from ..units import STANDARD_GRAVITY
from . import angle, bone_stress
from .angle import displacement_mask
from .dimension import DIMENSIONS, WORK_CLASSES, dimension_sizes
from .load_cell import loads, to_body_axes
from .samples import Samples

if TYPE_CHECKING:
    from .recording import Recording

__all__ = ["CHANNELS", "DIMENSIONS", "SAMPLED", "STORED", "WORK_CLASSES", "Channel", "Samples"]
__all__ += ["dimension_sizes", "displacement_mask", "labels", "to_body_axes", "values"]


class Channel(NamedTuple):
    """A quantity that a result offers.

    dims     names of its dimensions; the first is its clock
    units    CF attribute `units`
    of       what a dotted name selects: "body", "joint", "pair", "loop", "webbing", "airbag", "dip", "muscle",
             "sensor", "load_cell", "point"; "" for none
    sample   from the output of the kernels to what the recording keeps; None if it keeps nothing
    derive   from a recording to what the channel shows; None if that is what the recording keeps
    stored   True if it is in the file
    """

    name: str
    dims: tuple[str, ...]
    units: str
    long_name: str
    of: str = ""
    sample: Callable[[Samples], np.ndarray] | None = None
    derive: Callable[[Recording], np.ndarray] | None = None
    stored: bool = True

    @property
    def derived(self) -> bool:
        """Whether it is computed when asked for, not stored."""
        return not self.stored


# where the numbers come from

Sample = Callable[[Samples], np.ndarray]


def _part(array: str, first: int, count: int = 3) -> Sample:
    """Take some columns of the last axis of an array of the output."""
    return lambda samples: getattr(samples, array)[..., first : first + count]


def _column(array: str, column: int) -> Sample:
    return lambda samples: getattr(samples, array)[..., column]


def _whole(array: str) -> Sample:
    return lambda samples: getattr(samples, array)


def _nodes(samples: Samples) -> np.ndarray:
    nodes = samples.webbing[..., out_row.STRAND_NODE :]
    return nodes.reshape(*nodes.shape[:-1], out_row.NODES, 3)


def _course(samples: Samples) -> np.ndarray:
    return samples.course.reshape(*samples.course.shape[:-1], out_row.NODES, 3)


def _rotation(recording: Recording) -> np.ndarray:
    return np.where(displacement_mask(recording.joint_types), 0.0, recording.joint_rotation)


def _displacement(recording: Recording) -> np.ndarray:
    return np.where(displacement_mask(recording.joint_types), recording.joint_rotation, 0.0)


def _clinical(recording: Recording) -> np.ndarray:
    return angle.clinical(recording.joint_rotation, recording.joint_roles, recording.joint_types)


def _elevation(recording: Recording) -> np.ndarray:
    return angle.elevation(recording.joint_rotation, recording.joint_roles, recording.joint_types)


def _turned(name: str) -> Callable[[Recording], np.ndarray]:
    """Another channel of the bodies in body axes."""
    return lambda recording: to_body_axes(recording.orientation, values(recording, name))


def _in_g(name: str) -> Callable[[Recording], np.ndarray]:
    """An acceleration in standard gravities."""
    return lambda recording: getattr(recording, name) / STANDARD_GRAVITY


def _mounted(quantity: str) -> Callable[[Recording], np.ndarray]:
    """The force or moment of every load cell in its own axes and signs; not a number where these are not known."""

    def found(recording: Recording) -> np.ndarray:
        array = np.full(recording.joint_force_world.shape, np.nan)
        for place, joint in enumerate(recording.load_cells):
            if (load := loads(recording, joint)) is not None:
                array[:, place] = getattr(load, quantity)
        return array

    return found


# the table

_BODY, _JOINT, _PAIR, _LOOP, _WEB = (("pose_time", item) for item in ("body", "joint", "pair", "loop", "webbing"))
_BODY_AXIS, _JOINT_AXIS, _PAIR_AXIS, _LOOP_AXIS = ((*dims, "axis") for dims in (_BODY, _JOINT, _PAIR, _LOOP))
_MUSCLE, _PLACE = ("pose_time", "muscle"), ("pose_time", "muscle_point", "node", "axis")
_BAG, _DIP_AXIS = ("pose_time", "airbag"), ("pose_time", "dip", "axis")
_SENSOR, _CELL = (("time", item, "axis") for item in ("sensor", "load_cell"))
_POINT = ("time", "point")


def _sampled(
    name: str, dims: tuple[str, ...], units: str, long_name: str, sample: Sample, show: Callable | None = None
) -> Channel:
    """A channel that the kernels sample; `show` makes of what the recording keeps what the channel shows."""
    return Channel(name, dims, units, long_name, _item(dims), sample, show)


def _derived(name: str, dims: tuple[str, ...], units: str, long_name: str, derive: Callable) -> Channel:
    """A channel that is computed from others when it is asked for."""
    return Channel(name, dims, units, long_name, _item(dims), None, derive, stored=False)


def _item(dims: tuple[str, ...]) -> str:
    """Return the dimension of the items that a dotted name selects."""
    return next((dim for dim in dims[1:] if not DIMENSIONS[dim].labels), "")


_TABLE = (
    _sampled("position", _BODY_AXIS, "m", "position of the centre of mass", _part("pose", pose.POSITION)),
    _sampled(
        "orientation",
        (*_BODY, "quaternion"),
        "1",
        "orientation, unit quaternion from body to world axes",
        _part("pose", pose.ORIENTATION, 4),
    ),
    _sampled("velocity", _BODY_AXIS, "m/s", "velocity of the centre of mass", _part("pose", pose.VELOCITY)),
    _derived("velocity_local", _BODY_AXIS, "m/s", "velocity of the centre of mass, body axes", _turned("velocity")),
    _sampled("angular_velocity", _BODY_AXIS, "rad/s", "angular velocity", _part("pose", pose.SPIN)),
    _derived("angular_velocity_local", _BODY_AXIS, "rad/s", "angular velocity, body axes", _turned("angular_velocity")),
    _sampled("acceleration", _BODY_AXIS, "m/s2", "acceleration of the centre of mass", _part("acceleration", 0)),
    _derived(
        "acceleration_local",
        _BODY_AXIS,
        "m/s2",
        "acceleration of the centre of mass, body axes",
        _turned("acceleration"),
    ),
    _derived(
        "acceleration_g",
        _BODY_AXIS,
        "g",
        "acceleration of the centre of mass, in standard gravities",
        _in_g("acceleration"),
    ),
    _derived(
        "acceleration_g_local",
        _BODY_AXIS,
        "g",
        "acceleration of the centre of mass, in standard gravities, body axes",
        _turned("acceleration_g"),
    ),
    _sampled("angular_acceleration", _BODY_AXIS, "rad/s2", "angular acceleration", _part("acceleration", 3)),
    _derived(
        "angular_acceleration_local",
        _BODY_AXIS,
        "rad/s2",
        "angular acceleration, body axes",
        _turned("angular_acceleration"),
    ),
    _sampled(
        "joint_rotation",
        (*_JOINT, "coordinate"),
        "rad",
        "joint angles, or rotation vector of the child in the joint frame",
        _whole("coordinate"),
        _rotation,
    ),
    Channel("joint_displacement", (*_JOINT, "coordinate"), "m", "joint displacements", "joint", derive=_displacement),
    _derived(
        "joint_angle", (*_JOINT, "movement"), "rad", "flexion, abduction and rotation of a person's joint", _clinical
    ),
    _derived(
        "joint_elevation",
        (*_JOINT, "raising"),
        "rad",
        "plane of elevation, elevation and rotation of a shoulder",
        _elevation,
    ),
    _sampled("joint_torque", _JOINT_AXIS, "N m", "torque of the joint resistance on the child", _part("joint", 0)),
    _sampled("joint_force", _JOINT_AXIS, "N", "reaction force of the joint on the child", _part("joint", 3)),
    _sampled(
        "joint_moment",
        _JOINT_AXIS,
        "N m",
        "moment of the joint on the child at the joint, resistance included",
        _part("joint", 6),
    ),
    _sampled("joint_energy", _JOINT, "J", "energy stored in the joint resistance", _column("joint_energy", 0)),
    _sampled("joint_loss", _JOINT, "J", "energy lost in the joint resistance so far", _column("joint_energy", 1)),
    _sampled("contact_force", _PAIR_AXIS, "N", "contact force on the body of the pair", _part("contact", 0)),
    _sampled("contact_point", _PAIR_AXIS, "m", "point of contact, not a number for a gap", _whole("point")),
    _sampled("contact_depth", _PAIR, "m", "depth of contact, zero for a gap", _whole("depth")),
    _sampled("loop_force", _LOOP_AXIS, "N", "reaction force of the loop on the child", _part("loop", 0)),
    _sampled("loop_moment", _LOOP_AXIS, "N m", "moment of the loop on the child at its joint point", _part("loop", 3)),
    _sampled("loop_power", _LOOP, "W", "power of the loop on both bodies, zero but for its error", _column("loop", 6)),
    _sampled("belt_force", _WEB, "N", "tension of the free span after the waypoint", _column("webbing", 0)),
    _sampled(
        "belt_elongation", _WEB, "m", "elongation of that section of webbing; negative: slack", _column("webbing", 1)
    ),
    _sampled("belt_payout", _WEB, "m", "webbing that the reel at the waypoint has paid out", _column("webbing", 2)),
    _sampled("belt_path", (*_WEB, "node", "axis"), "m", "where webbing meets, passes and leaves the waypoint", _nodes),
    _sampled("muscle_force", _MUSCLE, "N", "force of the muscle along its path", _column("muscle", 0)),
    _sampled("muscle_length", _MUSCLE, "m", "length of the path of the muscle", _column("muscle", 1)),
    _sampled(
        "muscle_velocity", _MUSCLE, "m/s", "rate of this length, positive while it lengthens", _column("muscle", 2)
    ),
    _sampled(
        "muscle_activation", _MUSCLE, "1", "activation of the muscle; 0 for a force by a table", _column("muscle", 3)
    ),
    _sampled(
        "fibre_length",
        _MUSCLE,
        "m",
        "length of the fibres of the muscle; 0 for a force by a table",
        _column("muscle", 4),
    ),
    _sampled("muscle_power", _MUSCLE, "W", "power of the muscle on the bodies", _column("muscle", 5)),
    _sampled("muscle_path", _PLACE, "m", "where the muscle meets, passes and leaves a place of its path", _course),
    _sampled("airbag_pressure", _BAG, "Pa", "pressure of the airbag above ambient", _column("airbag", 0)),
    _sampled("airbag_volume", _BAG, "m3", "volume of the gas in the airbag", _column("airbag", 1)),
    _sampled("airbag_inflow", _BAG, "kg/s", "mass flow of the inflator", _column("airbag", 2)),
    _sampled("airbag_vent_flow", _BAG, "kg/s", "mass flow out of the vent", _column("airbag", 3)),
    _sampled("airbag_size", _BAG, "1", "length of the airbag over that of the full one", _column("airbag", 4)),
    _sampled("airbag_force", _DIP_AXIS, "N", "force of the airbag on the segment", _whole("dip")),
    _sampled(
        "work",
        ("pose_time", "work_class"),
        "J",
        "work done on the bodies so far, by class of load",
        _part("scalar", 0, work_class.COUNT),
    ),
    _sampled("kinetic", ("pose_time",), "J", "kinetic energy", _column("scalar", scalar.KINETIC)),
    _sampled(
        "potential",
        ("pose_time",),
        "J",
        "potential energy of gravity, zero at the origin",
        _column("scalar", scalar.POTENTIAL),
    ),
    _sampled(
        "balance",
        ("pose_time",),
        "J",
        "kinetic energy less its start value less all work; zero if energy is accounted for",
        _column("scalar", scalar.IMBALANCE),
    ),
    _sampled("sensor_acceleration", _SENSOR, "m/s2", "acceleration at the sensor", _part("sensor", 0)),
    _sampled(
        "sensor_acceleration_local", _SENSOR, "m/s2", "acceleration at the sensor, sensor axes", _part("sensor", 3)
    ),
    _derived(
        "sensor_acceleration_g",
        _SENSOR,
        "g",
        "acceleration at the sensor, in standard gravities",
        _in_g("sensor_acceleration"),
    ),
    _derived(
        "sensor_acceleration_g_local",
        _SENSOR,
        "g",
        "acceleration at the sensor, in standard gravities, sensor axes",
        _in_g("sensor_acceleration_local"),
    ),
    _sampled(
        "sensor_angular_velocity_local",
        _SENSOR,
        "rad/s",
        "angular velocity at the sensor, sensor axes",
        _part("sensor", 6),
    ),
    _sampled(
        "sensor_angular_acceleration_local",
        _SENSOR,
        "rad/s2",
        "angular acceleration at the sensor, sensor axes",
        _part("sensor", 9),
    ),
    _sampled(
        "joint_force_world",
        _CELL,
        "N",
        "force of the joint on the child, mean over the sampling interval",
        _part("load_cell", 0),
    ),
    _sampled(
        "joint_moment_world",
        _CELL,
        "N m",
        "moment of the joint on the child at the joint, mean over the interval",
        _part("load_cell", 3),
    ),
    _derived(
        "joint_force_local", _CELL, "N", "joint_force_world in segment axes and signs of SAE J1733", _mounted("force")
    ),
    _derived(
        "joint_moment_local",
        _CELL,
        "N m",
        "joint_moment_world in segment axes and signs of SAE J1733",
        _mounted("moment"),
    ),
    _sampled("strain", _POINT, "1", "strain along the bone at its surface, tension positive", _column("bone", 0)),
    _sampled("stress", _POINT, "Pa", "stress along the bone at its surface, tension positive", _column("bone", 1)),
    _sampled(
        "bending_moment", _POINT, "N m", "bending moment that stretches this side of the bone", _column("bone", 2)
    ),
    _sampled(
        "shear_stress",
        _POINT,
        "Pa",
        "shear stress at the surface of the bone, along its circumference, right-handed about the bone",
        _column("bone", 3),
    ),
    _sampled(
        "deflection",
        _POINT,
        "m",
        "deflection of the axis of the bone towards this side, from the line between its ends",
        _column("bone", 4),
    ),
    *(
        _derived(name, (*_POINT, *more), units, long_name, derive)
        for name, more, units, long_name, derive in bone_stress.DERIVED
    ),
    _sampled(
        "attitude", ("time", "body", "quaternion"), "1", "orientation at the rate of the sensors", _whole("attitude")
    ),
)

CHANNELS: dict[str, Channel] = {channel.name: channel for channel in _TABLE}
STORED = tuple(channel for channel in _TABLE if channel.stored)
SAMPLED = tuple(channel for channel in _TABLE if channel.sample is not None)


def values(recording: Recording, name: str) -> np.ndarray:
    """Return the samples of any channel, stored or derived, in its unit and with its dimensions."""
    derive = CHANNELS[name].derive
    return recording.channels[name] if derive is None else derive(recording)


def labels(recording: Recording, dimension: str) -> tuple[str, ...]:
    """Return the labels of a dimension that is not a clock."""
    own = {
        "body": recording.bodies,
        "joint": recording.joints,
        "pair": recording.pair_labels,
        "loop": recording.loops,
        "webbing": recording.webbing,
        "muscle": recording.muscles,
        "muscle_point": recording.muscle_points,
        "airbag": recording.airbags,
        "dip": recording.dips,
        "sensor": recording.sensors,
        "load_cell": recording.load_cells,
        "point": recording.points,
    }
    return own[dimension] if dimension in own else DIMENSIONS[dimension].labels

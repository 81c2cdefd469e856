"""Dimensions of the channels of a result, with their labels where these are the same for all runs."""

from __future__ import annotations

from typing import NamedTuple

from . import angle

#: the classes of the energy audit, in the order of the kernels' work array [J]; work done on the bodies by each load
WORK_CLASSES = (
    "gravity",
    "contact_elastic",
    "contact_dissipated",
    "friction",
    "joint_elastic",
    "joint_dissipated",
    "spring_elastic",
    "spring_dissipated",
    "external",
    "prescribed",
    "muscle",
    "belt_elastic",
    "belt_dissipated",
    "airbag_elastic",
    "airbag_dissipated",
    "mode_elastic",
    "mode_dissipated",
)


class Dimension(NamedTuple):
    """A dimension of channels: its meaning, and its labels if these are the same for all runs."""

    long_name: str
    labels: tuple[str, ...] = ()


#: the first two are clocks, the next twelve have the labels of a recording
DIMENSIONS = {
    "time": Dimension("time of the sensor samples"),
    "pose_time": Dimension("time of the pose samples"),
    "body": Dimension("body"),
    "joint": Dimension("joint"),
    "pair": Dimension("body and surface that may touch"),
    "sensor": Dimension("sensor"),
    "loop": Dimension("joint that closes a loop"),
    "webbing": Dimension("waypoint of a belt, and the span of webbing after it"),
    "airbag": Dimension("airbag"),
    "dip": Dimension("airbag and segment that may dip into it"),
    "muscle": Dimension("muscle"),
    "muscle_point": Dimension("place of the path of a muscle"),
    "load_cell": Dimension("joint whose loads are sampled at the full rate"),
    "point": Dimension("point of a bone that bends: per cent of its length from the inner joint, and side"),
    "axis": Dimension("axis: x forward, y left, z up", tuple("xyz")),
    "quaternion": Dimension("component of a quaternion, scalar first", tuple("wxyz")),
    "coordinate": Dimension("joint coordinate", tuple("012")),
    "principal": Dimension("principal value", ("max", "min")),
    "tensor": Dimension("component of a symmetric tensor", ("xx", "yy", "zz", "xy", "yz", "xz")),
    "work_class": Dimension("class of load", WORK_CLASSES),
    "movement": Dimension("angle of a joint in clinical words", angle.ANGLES),
    "raising": Dimension("angle of a raised arm", angle.ELEVATION),
    "node": Dimension("point of webbing or a muscle at a place of its path", ("entry", "guide", "exit")),
}


def dimension_sizes(counts: dict[str, int]) -> dict[str, int]:
    """Return the length of every dimension: those that differ from run to run as given, and the others."""
    return counts | {name: len(dim.labels) for name, dim in DIMENSIONS.items() if dim.labels}

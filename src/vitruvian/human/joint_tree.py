"""The joint tree of the 17-segment body: joint points, resistance, both sides and sensors. SI units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from .. import data
from ..model import Body, Ellipsoid, Joint, Resistance, Sensor, System, frame_with_z
from ..model.tissue import Tissue
from ..units import STANDARD_GRAVITY
from .dimensions import Dimensions
from .flexibility import REFERENCE_AGE
from .mass import count
from .mirror import mirrored_name, mirrored_point, mirrored_resistance, plain_name
from .muscle import failing, passive_muscles
from .region import regional, relation
from .resistance import HEIGHT_REFERENCE, aged, hardened, hinge_resistance, joint_resistance, printed, ranged, table_of

Vector = tuple[float, float, float]

SENSORS = ("head", "thorax", "pelvis")  # at the centre of mass of the segment
SPINE_SENSORS = {"T1": "lower_neck", "T12": "thoracolumbar"}  # on the thorax, at that joint
AXES: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class JointOptions:
    """How the joints of a person are modelled.

    hinges       elbow, knee and ankle as "spherical" joints with narrow limits, or "revolute"
    joints       set of joint resistances (human.resistance), or None for joints that turn freely
    flexibility  joint limits as in the "reference", or scaled by "age" and sex
    ranges       joint -> movement -> measured end of the range [rad]
    failure      whether ligaments tear and bones break beyond their limits
    """

    hinges: str = "spherical"
    joints: str | None = "recommended"
    flexibility: str = "reference"
    ranges: Mapping[str, Mapping[str, float]] | None = None
    failure: bool = False


def assembled(
    sized: Dimensions, options: JointOptions, prefix: str, tissue: Mapping[str, Tissue | None] = MappingProxyType({})
) -> System:
    """Return bodies, joints and sensors of a person of these dimensions; `prefix` precedes all names.

    tissue  segment or further region -> its tissue; None is linear
    """
    tree = data.tree("human17")
    rows: list[dict[str, Any]] = tree["joint"]
    weights = holding_torques(rows, sized)
    built = [_joint(row, sized, options, weights[row["name"]]) for row in rows]
    limbs = list(both_sides(built, options.joints == "thesis"))
    if options.hinges == "revolute":
        axis = {row["child"]: row["hinge"] for row in rows if "hinge" in row}
        limbs = [
            hinged(joint, axis[plain_name(joint.child)]) if plain_name(joint.child) in axis else joint
            for joint in limbs
        ]
    return System(
        bodies=tuple(
            Body(
                prefix + body, m, sized.moments[segment], shapes, regions=relation(segment, len(shapes)), outline=whole
            )
            for segment, m in sized.masses.items()
            for whole in (_ellipsoid(segment, sized, tissue.get(segment)),)
            for shapes in (regional(whole, segment, tissue),)
            for body in sides(segment)
        ),
        joints=(
            Joint(f"{prefix}root", "free", None, prefix + tree["root"]),
            *(prefixed(joint, prefix) for joint in limbs),
        ),
        sensors=sensors({joint.name: joint for joint in built}, prefix),
        tendons=passive_muscles(options.joints, sized.mass, prefix),
    )


def sensors(joints: Mapping[str, Joint], prefix: str) -> tuple[Sensor, ...]:
    """Return the sensors of head, thorax and pelvis, and those at the ends of the thoracic spine."""
    spine = {
        sensor: joints[name].point_parent if joints[name].parent == "thorax" else joints[name].point_child
        for sensor, name in SPINE_SENSORS.items()
    }
    return (
        *(Sensor(prefix + segment, prefix + segment) for segment in SENSORS),
        *(Sensor(prefix + sensor, f"{prefix}thorax", point) for sensor, point in spine.items()),
    )


def _ellipsoid(segment: str, sized: Dimensions, tissue: Tissue | None) -> Ellipsoid:
    stiffness = data.values("tissue")[segment]["stiffness"]
    return Ellipsoid(sized.semi_axes[segment], stiffness=stiffness, tissue=tissue)


def _joint(row: dict[str, Any], sized: Dimensions, options: JointOptions, weight: float) -> Joint:
    """Return a midline or right joint; `weight` is the torque of the weight distal to it [N m]."""
    name, parent, child = row["name"], row["parent"], row["child"]
    place = _place(name, child, sized, options.joints)
    side = "right_" if row.get("paired") else ""
    return Joint(
        name=side + name,
        type="spherical",
        parent=(side if count(parent) == 2 else "") + parent,
        child=side + child,
        point_parent=tuple((place - sized.centre[parent]).tolist()),
        point_child=tuple((place - sized.centre[child]).tolist()),
        resistance=_resistance(row, sized, options, weight),
    )


def _place(name: str, child: str, sized: Dimensions, joints: str | None) -> np.ndarray:
    """Return the place of a joint [m]; those of the neck lie behind the centres of mass where the joint set says so."""
    place, row = np.array(sized.place[name]), data.values(table_of(joints))[name]
    taller = sized.height / HEIGHT_REFERENCE
    place[0] -= row.get("behind", 0.0) * taller
    if "below" in row:
        place[2] = sized.centre[child][2] - row["below"] * taller
    return place


def _resistance(row: dict[str, Any], sized: Dimensions, options: JointOptions, weight: float) -> Resistance | None:
    """Return the resistance of a midline or right joint with its limits by age and as measured."""
    if options.joints is None:
        return None
    name = row["name"]
    found = joint_resistance(name, sized.height, sized.mass, row["law"], options.joints, weight=weight)
    if options.flexibility == "age":
        age = REFERENCE_AGE if sized.age is None else sized.age
        found = aged(found, name, age, sized.sex, table_of(options.joints))
    ranges = (options.ranges or {}).get(name)
    found = ranged(found, name, ranges) if ranges else found
    found = hardened(found, name, sized.mass, table_of(options.joints))
    return failing(found, name, table_of(options.joints)) if options.failure else found


def hinged(joint: Joint, axis: str) -> Joint:
    """Return a joint as a revolute joint; its angle turns about an axis of the body by the right-hand rule."""
    frame = frame_with_z(AXES[axis])
    resistance = joint.resistance and hinge_resistance(joint.resistance, axis)
    return replace(joint, type="revolute", frame_parent=frame, frame_child=frame, resistance=resistance)


def holding_torques(tree: list[dict[str, Any]], sized: Dimensions) -> dict[str, float]:
    """Return the torque of the weight distal to each joint, the body stretched out horizontally [N m]."""

    def beyond(segment: str) -> Iterator[str]:
        yield segment
        for row in tree:
            if row["parent"] == segment:
                yield from beyond(row["child"])

    found = {}
    for row in tree:
        place, single = np.array(sized.place[row["name"]]), row.get("paired", False)
        moment = np.zeros(3)
        for segment in beyond(row["child"]):
            number = 1 if single else count(segment)
            moment += number * sized.masses[segment] * (np.array(sized.centre[segment]) - place)
        found[row["name"]] = STANDARD_GRAVITY * abs(float(moment[2]))
    return found


def both_sides(joints: list[Joint], as_printed: bool) -> Iterator[Joint]:
    """Yield midline joints once, paired joints left and right; left limits from the printed table if `as_printed`."""
    for joint in joints:
        if joint.name.startswith("right_"):
            left = _mirrored(joint)
            if as_printed and left.resistance is not None:
                left = replace(left, resistance=printed(left.name, left.resistance))
            yield left
        yield joint


def _mirrored(joint: Joint) -> Joint:
    """Return the left joint of a right one."""
    return replace(
        joint,
        name=mirrored_name(joint.name),
        parent=joint.parent and mirrored_name(joint.parent),
        child=mirrored_name(joint.child),
        point_parent=mirrored_point(joint.point_parent),
        point_child=mirrored_point(joint.point_child),
        resistance=joint.resistance and mirrored_resistance(joint.resistance),
    )


def prefixed(joint: Joint, prefix: str) -> Joint:
    """Return a joint whose own name, parent and child have a prefix."""
    return replace(joint, name=prefix + joint.name, parent=prefix + (joint.parent or ""), child=prefix + joint.child)


def sides(segment: str) -> tuple[str, ...]:
    """Return the names of the bodies of a segment: left and right, or the midline one."""
    return (f"left_{segment}", f"right_{segment}") if count(segment) == 2 else (segment,)

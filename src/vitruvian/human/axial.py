"""Joints that give way along the body, and knees that give way across it: slides with springs and dampers. SI units.

A ball joint carries any force without giving way, so a landing on straight legs would reach the head as a blow, and a
ram that shears a knee would meet the thigh at once. At each joint of data/axial.csv a link is put between the joint and
its child, and the child slides on the link along its own z axis, at the knee along its x and y axes too. The link has a
small part of the mass and inertia of the child, at its centre, so that the person balances as the rigid one.

Stiffness follows the cross-section over the length, mass/height^2, displacements the height, and so the force of
failure the cross-section, mass/height. People who fall on their feet break heels, legs and a vertebra (lowenstein1989).
Across the knee the play of the ligaments is soft, and the cruciate ligaments are stretched beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from .. import data
from ..model import Body, Joint, Resistance, System
from .dimensions import Dimensions
from .mirror import plain_name
from .resistance import hinge_resistance
from .tissue import REFERENCE

AXIAL = ("rigid", "compliant")
LINK = 0.05  # mass and inertia of a link over that of the segment that slides on it [-]
HARDER = 10.0  # stiffness beyond the range over that inside [-]
INJURY = {"lumbar": "vertebra fractured", "knee": "leg fractured"}
TORN = "ligaments torn"

Three = tuple[float, float, float]


def compliant(system: System, sized: Dimensions, prefix: str, *, fails: bool = False) -> System:
    """Return a person with links and slides at the joints of the table.

    fails  whether slides fail in compression, and the ligaments of the knee where it is sheared
    """
    known = data.values("axial")
    bodies, joints = {body.name: body for body in system.bodies}, []
    for joint in system.joints:
        plain = plain_name(joint.name.removeprefix(prefix))
        row = known.get(plain)
        if row is None:
            joints.append(joint)
            continue
        child, name = bodies[joint.child], f"{joint.name}_link"
        bodies[child.name] = replace(child, mass=(1.0 - LINK) * child.mass, inertia=(1.0 - LINK) * child.inertia)
        bodies[name] = Body(name, LINK * child.mass, LINK * child.inertia)
        spring = _spring(row, sized)
        if fails:
            spring = _failing(spring, row, sized, INJURY[plain], joint.point_child[2] > 0.0)
        joints.append(replace(joint, child=name))
        slide = Joint(f"{joint.name}_slide", "translational", name, child.name, joint.point_child, joint.point_child)
        if "shear_stiffness" not in row:
            slide, spring = replace(slide, type="prismatic"), hinge_resistance(spring, "z")
        joints.append(replace(slide, resistance=spring))
    return system.replace(bodies=tuple(bodies.values()), joints=tuple(joints))


def _sizes(sized: Dimensions) -> tuple[float, float]:
    """Return stiffness and lengths of a person over those of the man of the table [-]."""
    height, mass = REFERENCE
    return sized.mass / mass * (height / sized.height) ** 2, sized.height / height


def _spring(row: Mapping[str, float], sized: Dimensions) -> Resistance:
    """Return the resistance of a slide across (x, y) and along (z) a segment."""
    thick, long = _sizes(sized)

    def three(across: str, along: float) -> Three:
        return (row.get(across, 0.0) * thick, row.get(across, 0.0) * thick, along * thick)

    end, play = row["range"] * long, row.get("shear_play", inf) * long
    beyond = three("shear_stiffness", HARDER * row["stiffness"])
    dampers = three("shear_damping", row["damping"])
    return Resistance(
        law="coordinate",
        stiffness=three("shear_inside", row["stiffness"]),
        damping=(dampers[0] * long, dampers[1] * long, dampers[2] * long),
        limit_minus=(-play, -play, -end),
        limit_plus=(play, play, end),
        stiffness_minus=beyond,
        stiffness_plus=beyond,
    )


def _failing(spring: Resistance, row: Mapping[str, float], sized: Dimensions, injury: str, below: bool) -> Resistance:
    """Return the spring of a slide that fails in compression, and across; `below`: its child hangs."""
    thick, long = _sizes(sized)
    force, end = row["failure_force"] * thick * long, spring.limit_plus[2]
    most = end + (force - spring.stiffness[2] * end) / spring.stiffness_plus[2]
    back, forward, side = (row.get(f"shear_failure_{way}", inf) * long for way in ("back", "forward", "side"))
    across, along = row.get("shear_width", 1.0) * long, row["failure_width"] * long
    share = row.get("shear_share", 0.0)
    return replace(
        spring,
        fail_minus=(-back, -side, -inf if below else -most),
        fail_plus=(forward, side, most if below else inf),
        fail_width=(across, across, along),
        fail_share=(share, share, row["failure_share"]),
        injury=(TORN, TORN, injury),
    )

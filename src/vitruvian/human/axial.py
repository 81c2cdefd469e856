"""A body that gives way along its axis: slides with springs and dampers in the spine and in the legs. SI units.

A ball joint carries any force along the body without giving way, so a landing on straight legs would reach the head as
a blow. At each joint of data/axial.csv a link is put between the joint and its child, and the child slides on it along
its own z axis. The link has a small part of the mass and inertia of the child, at its centre, so that the person
balances as the rigid one. Stiffness follows the cross-section over the length, mass/height^2, force of failure the
cross-section, mass/height: people who fall on their feet break heels, legs, and a vertebra (lowenstein1989).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import data
from ..model import Body, Joint, Resistance, System
from .dimensions import Dimensions
from .mirror import plain_name
from .tissue import REFERENCE

AXIAL = ("rigid", "compliant")
LINK = 0.05  # mass and inertia of a link over that of the segment that slides on it [-]
HARDER = 10.0  # stiffness beyond the range over that inside [-]
INJURY = {"lumbar": "vertebra fractured", "knee": "leg fractured"}


def compliant(system: System, sized: Dimensions, prefix: str, *, fails: bool = False) -> System:
    """Return a person with links and slides at the joints of the table; slides may fail in compression."""
    height, mass = REFERENCE
    thick = sized.mass / mass * (height / sized.height) ** 2
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
        k, c = row["stiffness"] * thick, row["damping"] * thick * sized.height / height
        end = row["range"] * sized.height / height
        spring = Resistance(
            law="coordinate",
            stiffness=(k, 0.0, 0.0),
            damping=(c, 0.0, 0.0),
            limit_minus=(-end, -np.inf, -np.inf),
            limit_plus=(end, np.inf, np.inf),
            stiffness_minus=(HARDER * k, 0.0, 0.0),
            stiffness_plus=(HARDER * k, 0.0, 0.0),
        )
        if fails:
            force = row["failure_force"] * thick * sized.height / height
            spring = _failing(spring, force, joint.point_child[2] > 0.0)
            width = row["failure_width"] * sized.height / height
            spring = replace(spring, fail_width=width, fail_share=row["failure_share"], injury=INJURY[plain])
        joints.append(replace(joint, child=name))
        slide = Joint(f"{joint.name}_slide", "prismatic", name, child.name, joint.point_child, joint.point_child)
        joints.append(replace(slide, resistance=spring))
    return system.replace(bodies=tuple(bodies.values()), joints=tuple(joints))


def _failing(spring: Resistance, force: float, below: bool) -> Resistance:
    """Return the spring of a slide that fails where it is compressed with a force [N]; `below`: its child hangs."""
    end, k, harder = spring.limit_plus[0], spring.stiffness[0], spring.stiffness_plus[0]
    most = end + (force - k * end) / harder
    if below:
        return replace(spring, fail_plus=(most, np.inf, np.inf))
    return replace(spring, fail_minus=(-most, -np.inf, -np.inf))

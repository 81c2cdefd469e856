"""Factors on the numbers of the data tables, for what a scenario has no key: tissue, joints.

    factor.tissue.head      stiffness of the tissue of a segment, left and right, by its name in the table `tissue`
    factor.tissue.all       of all segments, in addition
    factor.joint.stiffness  elastic resistance of all joints of people, inside and beyond their limits
    factor.joint.damping    viscous resistance of all joints of people

A factor of 1 changes nothing. Factors are dotted paths of a study like those of a scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .. import data
from ..errors import InputError, nearest, shown
from ..model import Body, Joint, System

PREFIX = "factor."


def known() -> tuple[str, ...]:
    """Return all paths of factors."""
    segments = (*data.values("tissue"), "all")
    return (*(f"{PREFIX}tissue.{name}" for name in segments), f"{PREFIX}joint.stiffness", f"{PREFIX}joint.damping")


def is_factor(path: str) -> bool:
    """Return True if a path is a factor and not a path of a scenario."""
    return path.startswith(PREFIX)


def checked(path: str, value: object) -> float:
    """Return the value of a factor; refuse an unknown path or a value that is not above zero."""
    if path not in known():
        raise InputError(f"there is no {path}; accepted: {', '.join(known())}.{nearest(path, known())}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise InputError(f"{path} is {shown(value)}; expected a factor above zero.")
    return float(value)


def scaled(system: System, factors: Mapping[str, float]) -> System:
    """Return a system with the stiffness of tissue and the resistance of joints of its people multiplied by factors."""
    if not factors:
        return system
    segment = {body: role for person in system.roster.people for role, body in person.segments.items()}
    joints = {joint for person in system.roster.people for joint in person.joints.values()}
    tissue = {path.rpartition(".")[2]: value for path, value in factors.items() if ".tissue." in path}
    stiffer, damped = (factors.get(f"{PREFIX}joint.{name}", 1.0) for name in ("stiffness", "damping"))
    return system.replace(
        bodies=tuple(_softer(body, segment.get(body.name), tissue) for body in system.bodies),
        joints=tuple(_resisting(j, stiffer, damped) if j.name in joints else j for j in system.joints),
    )


def _softer(body: Body, role: str | None, tissue: Mapping[str, float]) -> Body:
    """Return a body with the stiffness of its shapes multiplied by the factor of its segment."""
    if role is None:
        return body
    name = role.removeprefix("left_").removeprefix("right_")
    by = tissue.get(name, 1.0) * tissue.get("all", 1.0)
    if by == 1.0:
        return body
    return replace(body, shapes=tuple(replace(shape, stiffness=by * shape.stiffness) for shape in body.shapes))


def _resisting(joint: Joint, stiffer: float, damped: float) -> Joint:
    """Return a joint with its elastic and viscous resistance multiplied by factors."""
    own = joint.resistance
    if own is None or (stiffer == 1.0 and damped == 1.0):
        return joint

    def times(by: float, values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(by * value for value in values)

    stronger = replace(
        own,
        stiffness=times(stiffer, own.stiffness),
        stiffness_minus=times(stiffer, own.stiffness_minus),
        stiffness_plus=times(stiffer, own.stiffness_plus),
        damping=times(damped, own.damping),
        # relative to the torque of the limit, which grows with the stiffness
        limit_damping=times(damped / stiffer, own.limit_damping),
    )
    return replace(joint, resistance=stronger)

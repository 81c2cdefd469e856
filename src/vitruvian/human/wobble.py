"""Wobbling masses: muscle, fat and viscera that move on the bone. SI units.

A segment is split into a bone, which keeps shapes, joints and sensors, and a soft mass on three springs at the common
centre of mass; each has its share of mass and inertia. With the share f of the segment's mass m, frequency and damping
ratio of the soft mass on a bone at rest,

    k = f m (2 pi frequency)^2,   c = 2 ratio f m (2 pi frequency),

and ten times the stiffness beyond the travel. After Gruber et al. 1998 and Pain and Challis 2006, who show that rigid
segments overestimate the loads of landings; our numbers are estimates (table `wobble`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import pi

from .. import data
from ..model import Body, Joint, Resistance, System
from .mirror import plain_name

SUFFIX = "_soft"
BEYOND = 10.0  # stiffness beyond the travel over that inside [-]


def wobbling(system: System, prefix: str = "") -> System:
    """Return the system of a person whose soft masses move; `prefix` precedes the names of the segments."""
    table = data.values("wobble")
    split = {
        body.name: table[plain]
        for body in system.bodies
        if (plain := plain_name(body.name.removeprefix(prefix))) in table
    }
    soft = tuple(_soft(body, split[body.name]) for body in system.bodies if body.name in split)
    bones = (
        replace(body, mass=(1.0 - share) * body.mass, inertia=(1.0 - share) * body.inertia)
        if (share := split.get(body.name, {}).get("fraction", 0.0))
        else body
        for body in system.bodies
    )
    return system.replace(
        bodies=(*bones, *(body for body, _ in soft)), joints=(*system.joints, *(joint for _, joint in soft))
    )


def _soft(body: Body, numbers: Mapping[str, float]) -> tuple[Body, Joint]:
    """Return the soft mass of a segment and the joint on which it moves."""
    share, rate, ratio, travel = (numbers[name] for name in ("fraction", "frequency", "damping_ratio", "travel"))
    mass, omega = share * body.mass, 2.0 * pi * rate
    stiffness = mass * omega**2
    law = Resistance(
        "coordinate",
        stiffness=_thrice(stiffness),
        damping=_thrice(2.0 * ratio * mass * omega),
        limit_minus=_thrice(-travel),
        limit_plus=_thrice(travel),
        stiffness_minus=_thrice(BEYOND * stiffness),
        stiffness_plus=_thrice(BEYOND * stiffness),
    )
    name = body.name + SUFFIX
    return Body(name, mass, share * body.inertia, ()), Joint(name, "translational", body.name, name, resistance=law)


def _thrice(value: float) -> tuple[float, float, float]:
    return (value, value, value)

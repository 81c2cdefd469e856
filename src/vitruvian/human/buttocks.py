"""Flesh below the hips of a person who sits. SI units.

A pelvis and two thighs that are one ellipsoid each meet a seat only at the middle of the thighs, because the ellipsoids
taper towards the hip. Then nothing carries the trunk and a person at rest leans back until the pelvis touches.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model import Ellipsoid
from .human17 import Human


def with_buttocks(person: Human) -> Human:
    """Return a person whose pelvis has a second ellipsoid about the hip joints, as thick as the thighs (estimated).

    Cylindrical thighs, as of an occupant12, do not need it, and a planar person does not sit.
    """
    system, prefix = person.system, person.prefix
    if f"{prefix}left_thigh" not in {body.name for body in system.bodies}:
        return person
    pelvis, thigh = (system.body(f"{prefix}{name}") for name in ("pelvis", "left_thigh"))
    shape, limb = pelvis.shapes[0], thigh.shapes[0]
    if not isinstance(shape, Ellipsoid) or not isinstance(limb, Ellipsoid):
        return person
    hips = np.array([system.joint(f"{prefix}{side}_hip").point_parent for side in ("left", "right")])
    x, y, z = hips.mean(axis=0).tolist()
    thick = limb.semi_axes[0]
    flesh = replace(shape, semi_axes=(thick, shape.semi_axes[1], thick), offset=(x, y, z))
    seat = replace(pelvis, shapes=(*pelvis.shapes, flesh))
    bodies = tuple(seat if body is pelvis else body for body in system.bodies)
    return replace(person, system=system.replace(bodies=bodies))

"""Shapes of a person who sits: flesh below the hips, and knees. SI units.

A pelvis and two thighs that are one ellipsoid each meet a seat only at the middle of the thighs, because the ellipsoids
taper towards the hip. Then nothing carries the trunk and a person at rest leans back until the pelvis touches.

They taper towards the knee, too: the ellipsoid of the thigh ends at the knee joint, and a knee bolster would meet the
shanks below it. Knee cap and condyles lie in front of the joint, on the thigh.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model import Body, Ellipsoid, Sphere
from .human17 import Human


def shaped_to_sit(person: Human) -> Human:
    """Return a person with buttocks and knees (sizes estimated).

    The pelvis has a second ellipsoid about the hip joints, as thick as the thighs. Each thigh has a sphere about the
    knee joint, as thick as the shank and with its tissue: thin over bone.

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
    made = {pelvis.name: replace(pelvis, shapes=(*pelvis.shapes, flesh))}
    made |= {f"{prefix}{side}_thigh": _with_knee(person, side) for side in ("left", "right")}
    bodies = tuple(made.get(body.name, body) for body in system.bodies)
    return replace(person, system=system.replace(bodies=bodies))


def _with_knee(person: Human, side: str) -> Body:
    """Return the thigh of a side, left or right, with its knee."""
    system, prefix = person.system, person.prefix
    thigh, shank = (system.body(f"{prefix}{side}_{name}") for name in ("thigh", "shank"))
    place, limb = system.joint(f"{prefix}{side}_knee").point_parent, shank.shapes[0]
    knee = Sphere(limb.half_size[0], offset=place, stiffness=limb.stiffness, material=limb.material, tissue=limb.tissue)
    return replace(thigh, shapes=(*thigh.shapes, knee))

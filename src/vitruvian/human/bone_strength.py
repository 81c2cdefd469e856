"""Bones of a person that break under a contact. SI units.

The limits are in data/bone_strength.csv, with source, status and range, for a man of 175 cm and 77 kg. Forces follow
the square of the half-width of the segment (the same stress), deflections the half-width; the skull of a child has the
modulus of its age. `slow_force` limits the force without damping, which is that of a static test. Women and children
break earlier by their size; age is not taken into account otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from .. import data
from ..model import Body, Bone, System
from ..model.tissue import depth_of
from .dimensions import Dimensions
from .mirror import plain_name
from .tissue import bone_by_age, relative_size

INJURY = {
    "head": "skull fractured",
    "thorax": "ribs fractured",
    "foot": "calcaneus fractured",
    "hand": "radius fractured",
}
FORCES = np.geomspace(1.0, 1e6, 2001)  # at which the force of a deflection is looked for [N]


def breaking(system: System, sized: Dimensions, prefix: str) -> System:
    """Return the system of a person whose bones break under contacts; `prefix` precedes all names."""
    table = data.values("bone_strength")
    bodies = []
    for body in system.bodies:
        segment = plain_name(body.name.removeprefix(prefix))
        bodies.append(replace(body, bone=_bone(body, segment, sized)) if segment in table and body.shapes else body)
    return system.replace(bodies=tuple(bodies))


def _bone(body: Body, segment: str, sized: Dimensions) -> Bone | None:
    """Return the bone of a segment, or None if the table has no limit of a contact for it."""
    row, scale = data.values("bone_strength")[segment], relative_size(segment, sized)
    if segment not in INJURY:
        return None
    stronger = scale**2 * (bone_by_age(sized.age) if segment == "head" else 1.0)
    elastic = row["slow_force"] * stronger if "slow_force" in row else inf
    if "deflection" in row:
        elastic = float(np.interp(row["deflection"] * scale, depth_of(body.shapes[0].soft)(FORCES), FORCES))
    return Bone(
        force=row["force"] * stronger if "force" in row else inf,
        elastic=elastic,
        width=row["width"] * scale,
        least=row["least"],
        injury=INJURY[segment],
    )

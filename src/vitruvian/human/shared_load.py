"""Neighbouring segments that press on the same surface share the load. SI units.

Ellipsoids of neighbours overlap and cover the same flesh, which would count twice (`kernels.common_load`). The shares
are in data/common_tissue.csv, by the joint between the segments, with source, status and range.
"""

from __future__ import annotations

from .. import data
from ..model import CommonTissue, System
from .mirror import plain_name


def sharing(system: System, prefix: str) -> System:
    """Return the system of a person whose neighbouring segments have tissue in common; `prefix` precedes all names."""
    known = data.values("common_tissue")
    found = tuple(
        CommonTissue(joint.name, joint.parent, joint.child, known[plain]["share"])
        for joint in system.joints
        if joint.parent is not None and (plain := plain_name(joint.name.removeprefix(prefix))) in known
    )
    return system.replace(common_tissues=found)

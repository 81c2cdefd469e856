"""New numbers in the arrays of a compiled system, without compiling it again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import InputError
from ..kernels import layout
from .compile import Compiled
from .table import Table, with_area


def with_motion(compiled: Compiled, joint: str, motion: tuple[Table, ...]) -> Compiled:
    """Return a compiled system with another prescribed motion of one joint; everything else is shared.

    joint   name of a joint with a prescribed motion
    motion  one table a coordinate, of the kinds and numbers of knots of the present ones
    """
    system = compiled.system
    row = compiled.joints.index(joint)
    first = int(compiled.model.joint[row, layout.joint.MOVED])
    old = system.joint(joint).motion
    if first < 0 or old is None:
        raise InputError(f"joint {joint!r} has no prescribed motion that could be changed.")
    if [len(table.times) for table in old] != [len(table.times) for table in motion]:
        raise InputError(f"joint {joint!r}: the new motion must have as many knots as the present one.")
    values, begin = compiled.model.table.copy(), compiled.model.table_start
    times = []
    for number, table in enumerate(motion, start=first):
        knots, pieces = table.polynomials()
        values[begin[number] : begin[number + 1]] = with_area(
            np.column_stack([np.concatenate([knots[:1], knots]), pieces])
        )
        times.append(knots)
    kept = np.setdiff1d(compiled.model.schedule, np.concatenate([table.times for table in old]))
    schedule = np.unique(np.concatenate([kept, *times]))
    joints = tuple(replace(item, motion=motion) if item.name == joint else item for item in system.joints)
    model = compiled.model._replace(table=values, schedule=schedule)
    return replace(compiled, system=system.replace(joints=joints), model=model)

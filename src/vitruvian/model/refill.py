"""New numbers in the arrays of a compiled system, without compiling it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .compile import Compiled
from .contact_candidate import CURVES
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


@dataclass(frozen=True)
class Laws:
    """Contact laws of a compiled system with a row of their own for every body and surface, to be filled again.

    compiled  arrays in which no two pairs of different bodies or surfaces share a row or curve
    rows      pair -> row of `model.law`
    first     row -> first table of its curves
    pairs     row -> a pair that it belongs to
    """

    compiled: Compiled
    rows: np.ndarray
    first: tuple[int, ...]
    pairs: tuple[int, ...]

    @classmethod
    def of(cls, compiled: Compiled) -> Laws:
        """Return the laws of a compiled system."""
        model = compiled.model
        known: dict[tuple[Any, ...], tuple[int, int]] = {}
        kinds, values, first = [], [], []
        tables: list[np.ndarray] = []
        rows = np.zeros(len(compiled.pairs), np.int64)
        for pair, meeting in enumerate(compiled.meetings):
            key = (*(body for body, _ in meeting.soft), compiled.pairs[pair][1], meeting)
            if key not in known:
                known[key] = len(known), pair
                ints, floats, curves = meeting.row()
                kinds.append(ints)
                values.append(floats)
                first.append(len(model.table_start) - 1 + len(tables))
                tables += [with_area(curve) for curve in curves]
            rows[pair] = known[key][0]
        kind = np.array(kinds, np.int64).reshape(-1, layout.law_kind.COUNT)
        for column in CURVES:
            used = kind[:, column] >= 0
            kind[used, column] += np.array(first, np.int64)[used]
        candidate = model.candidate.copy()
        candidate[:, layout.candidate.LAW] = rows
        ends = model.table_start[-1] + np.cumsum([len(table) for table in tables], dtype=np.int64)
        changed = model._replace(
            candidate=candidate,
            law_kind=kind,
            law=np.array(values, dtype=float).reshape(-1, layout.law.COUNT),
            table=np.concatenate([model.table, *tables]),
            table_start=np.concatenate([model.table_start, ends]),
        )
        return cls(replace(compiled, model=changed), rows, tuple(first), tuple(pair for _, pair in known.values()))

    def filled(self, model: types.Model, factors: Mapping[str, float], friction: Mapping[str, float]) -> types.Model:
        """Return arrays with other numbers in the laws; those of `model` are shared where nothing changes.

        factors   body -> factor on the stiffness of its tissue [-]
        friction  name of a surface or body that is met -> coefficient of friction [-]
        """
        law, table, start = model.law.copy(), model.table, model.table_start
        for row, (pair, first) in enumerate(zip(self.pairs, self.first, strict=True)):
            meeting, other = self.compiled.meetings[pair], self.compiled.pairs[pair][1]
            if any(factors.get(body, 1.0) != 1.0 for body, _ in meeting.soft):
                _, law[row], curves = meeting.row(factors)
                table = table.copy() if curves and table is model.table else table
                for number, curve in enumerate(curves, start=first):
                    if len(curve) != start[number + 1] - start[number]:
                        raise UnfillableError(f"the curve of {self.compiled.pairs[pair]} has another number of rows.")
                    table[start[number] : start[number + 1]] = with_area(curve)
            if other in friction:
                law[row, layout.law.MU] = friction[other]
        return model._replace(law=law, table=table)


class UnfillableError(ValueError):
    """Numbers that need other arrays than those of the compiled system."""

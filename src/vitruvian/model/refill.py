"""New numbers in the arrays of a compiled system, without compiling it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .compile import Compiled
from .contact_candidate import CURVES
from .law_fill import BodyLaws, Row, pressed
from .table import Table, with_areas
from .tissue import joined_soft


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
        pieces = np.column_stack([np.concatenate([knots[:1], knots]), pieces])
        values[begin[number] : begin[number + 1]] = with_areas([pieces])
        times.append(knots)
    schedule = compiled.model.schedule
    if [table.times for table in old] != [table.times for table in motion]:
        kept = np.setdiff1d(schedule, np.concatenate([table.times for table in old]))
        schedule = np.unique(np.concatenate([kept, *times]))
    model = compiled.model._replace(table=values, schedule=schedule)
    return replace(compiled, system=system.moved(joint, motion), model=model)


@dataclass(frozen=True)
class Laws:
    """Contact laws of a compiled system with a row of their own for every body and surface, to be filled again.

    compiled  arrays in which no two pairs of different bodies or surfaces share a row or curve
    pairs     row of `model.law` -> a pair that it belongs to
    met       name of a surface or body that is met -> rows
    bodies    body and its laws on surfaces, for each of its tissues
    between   rows of bodies that both give way
    """

    compiled: Compiled
    pairs: tuple[int, ...]
    met: dict[str, np.ndarray]
    bodies: tuple[tuple[str, BodyLaws], ...]
    between: tuple[Row, ...]

    @classmethod
    def of(cls, compiled: Compiled) -> Laws:
        """Return the laws of a compiled system."""
        model = compiled.model
        known: dict[tuple[Any, ...], int] = {}
        pairs: list[int] = []
        rows: list[Row] = []
        kinds, values = [], []
        tables: list[np.ndarray] = []
        law = np.zeros(len(compiled.pairs), np.int64)
        end = int(model.table_start[-1])
        for pair, meeting in enumerate(compiled.meetings):
            key = (*(body for body, _ in meeting.soft), compiled.pairs[pair][1], meeting)
            law[pair] = known.setdefault(key, len(known))
            if law[pair] < len(pairs):
                continue
            ints, floats, curves = meeting.row()
            ends = np.cumsum([end, *map(len, curves)]).tolist()
            pairs.append(pair)
            kinds.append([*ints, len(model.table_start) - 1 + len(tables)])
            values.append(floats)
            rows.append(Row(len(rows), meeting, tuple(map(slice, ends, ends[1:]))))
            tables += curves
            end = ends[-1]
        kind = np.array(kinds, np.int64).reshape(-1, layout.law_kind.COUNT + 1)
        for column in CURVES:
            used = kind[:, column] >= 0
            kind[used, column] += kind[used, -1]
        candidate = model.candidate.copy()
        candidate[:, layout.candidate.LAW] = law
        ends = model.table_start[-1] + np.cumsum([len(table) for table in tables], dtype=np.int64)
        changed = model._replace(
            candidate=candidate,
            law_kind=np.ascontiguousarray(kind[:, :-1]),
            law=np.array(values, dtype=float).reshape(-1, layout.law.COUNT),
            table=np.concatenate([model.table, with_areas(tables)]),
            table_start=np.concatenate([model.table_start, ends]),
        )
        met, own = defaultdict(list), defaultdict(list)
        for row, pair in zip(rows, pairs, strict=True):
            met[compiled.pairs[pair][1]].append(row.number)
            if len(row.meeting.soft) == 1:
                own[row.meeting.soft[0]].append(row)
        return cls(
            replace(compiled, model=changed),
            tuple(pairs),
            {name: np.array(some) for name, some in met.items()},
            tuple((body, BodyLaws.of(soft, some)) for (body, soft), some in own.items()),
            tuple(row for row in rows if len(row.meeting.soft) > 1),
        )

    def filled(self, model: types.Model, factors: Mapping[str, float], friction: Mapping[str, float]) -> types.Model:
        """Return arrays with other numbers in the laws; those of `model` are shared where nothing changes.

        factors   body -> factor on the stiffness of its tissue [-]
        friction  name of a surface or body that is met -> coefficient of friction [-]
        """
        by = {body: factor for body, factor in factors.items() if factor != 1.0}
        model = model._replace(law=model.law.copy(), table=model.table.copy() if by else model.table)
        for body, laws in self.bodies:
            if body in by:
                laws.fill(by[body], model)
        stiffened = cache(pressed)
        for row in self.between if by else ():
            if any(body in by for body, _ in row.meeting.soft):
                softs = [stiffened(soft, by.get(body, 1.0)) for body, soft in row.meeting.soft]
                row.fill(joined_soft(softs), model)
        for name, coefficient in friction.items():
            if name in self.met:
                model.law[self.met[name], layout.law.MU] = coefficient
        return model

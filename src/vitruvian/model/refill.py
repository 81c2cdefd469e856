"""New numbers in the arrays of a compiled system, without compiling it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .compile import Compiled
from .contact import forces_of, law_row
from .contact_candidate import CURVES
from .table import Table, with_areas
from .tissue import Soft, joined_soft, pressed, stiffer

#: what `law_row` returns: integers, numbers and curves of a law
LawRow = tuple[tuple[int, ...], tuple[float, ...], list[np.ndarray]]


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
                tables += curves
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
            table=np.concatenate([model.table, with_areas(tables)]),
            table_start=np.concatenate([model.table_start, ends]),
        )
        return cls(replace(compiled, model=changed), rows, tuple(first), tuple(pair for _, pair in known.values()))

    def filled(self, model: types.Model, factors: Mapping[str, float], friction: Mapping[str, float]) -> types.Model:
        """Return arrays with other numbers in the laws; those of `model` are shared where nothing changes.

        factors   body -> factor on the stiffness of its tissue [-]
        friction  name of a surface or body that is met -> coefficient of friction [-]
        """
        law, table, start = model.law.copy(), model.table, model.table_start
        changed, where = [], []
        for row, (_, floats, curves) in self._stiffer(factors).items():
            law[row] = floats
            for number, curve in enumerate(curves, start=self.first[row]):
                if len(curve) != start[number + 1] - start[number]:
                    pair = self.compiled.pairs[self.pairs[row]]
                    raise UnfillableError(f"the curve of {pair} has another number of rows.")
                changed.append(curve)
                where.append(np.arange(start[number], start[number + 1]))
        if changed:
            table = table.copy()
            table[np.concatenate(where)] = with_areas(changed)
        for row, at in enumerate(self.pairs if friction else ()):
            other = self.compiled.pairs[at][1]
            if other in friction:
                law[row, layout.law.MU] = friction[other]
        return model._replace(law=law, table=table)

    def _stiffer(self, factors: Mapping[str, float]) -> dict[int, LawRow]:
        """Return row -> numbers of the laws of the bodies whose tissue is stiffer by a factor."""
        by = {body: factor for body, factor in factors.items() if factor != 1.0}
        made: dict[tuple[Soft, float], Soft] = {}
        softs: dict[int, tuple[Soft, ...]] = {}
        forces: dict[int, tuple[Soft, dict[int, np.ndarray]]] = {}
        for row, pair in enumerate(self.pairs if by else ()):
            meeting = self.compiled.meetings[pair]
            if not any(body in by for body, _ in meeting.soft):
                continue
            keys = [(soft, by.get(body, 1.0)) for body, soft in meeting.soft]
            softs[row] = tuple(made[key] if key in made else made.setdefault(key, stiffer(*key)) for key in keys)
            for (_, factor), soft in zip(keys, softs[row], strict=True):
                if factor != 1.0:  # the others belong to all threads
                    forces.setdefault(id(soft), (soft, {}))[1].update((id(f), f) for f in forces_of(meeting.contact))
        found: dict[int, LawRow] = {}
        known: dict[tuple[int | float, ...], LawRow] = {}
        with pressed((soft, tuple(some.values())) for soft, some in forces.values()):
            for row, some in softs.items():
                meeting = self.compiled.meetings[self.pairs[row]]
                key = (id(meeting.contact), meeting.radius, *map(id, some))
                if key not in known:  # a left and a right foot have one
                    known[key] = law_row.__wrapped__(meeting.contact, joined_soft(some), meeting.radius)
                found[row] = known[key]
        return found


class UnfillableError(ValueError):
    """Numbers that need other arrays than those of the compiled system."""

"""The compiled structure of a scenario, into which the numbers of a case are filled.

Building a scenario checks it, makes a person out of tables, places it and compiles everything: 30 to 150 ms. Most
cases of a study change a few numbers only. A template does the work once and then writes these numbers into the arrays:

    factor.*                          columns of joint resistance, rows of contact laws (`study.factor`)
    surface.NAME.contact.friction     rows of contact laws
    vehicle.NAME.speed, lateral       of a vehicle on rails that does not brake: its motion and its joint
    human.NAME.start.*                coordinates and velocities; with them the torques of muscles that hold the
                                      posture, and where the front of a vehicle begins

`Template.of` compares two filled cases with their full builds, bit for bit. It returns None if they differ or if
another path varies, and every case is then built on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import VitruvianError
from ..human import Holding
from ..kernels import layout, types
from ..model.compile import Compiled, compile_system, initial_state
from ..model.configuration import Configuration
from ..model.contact_candidate import CURVES
from ..model.law_fill import UnfillableError
from ..model.refill import Laws, with_motion
from ..model.roster import Roster
from ..scenario import Scenario
from ..scenario.overlap import refuse_starts
from ..scenario.path import tokens
from ..world import origin
from . import factor

if TYPE_CHECKING:
    from ..model.system import System
    from ..scenario.build import Built, Standing
    from ..scenario.definition import Row

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Template:
    """A scenario, compiled, with the places of the numbers that vary."""

    base: Scenario
    built: Built
    laws: Laws
    resistances: factor.Resistances
    state: types.State
    paths: frozenset[str]
    holdings: tuple[Held | None, ...]
    others: System

    @classmethod
    def of(cls, base: Scenario, probes: Sequence[Values], slim: Callable[[Compiled], Compiled]) -> Template | None:
        """Return the template of a scenario if it gives the same arrays as a full build for all probes.

        slim  leaves out what is not recorded (`sim.runner.lean`)
        """
        if not probes or not all(_fills(base, path) for path in probes[0]):
            return None
        try:
            built = base._built()
            compiled = slim(compile_system(built.system))
            vehicles = {vehicle.name for vehicle in built.vehicles}
            others = built.system.replace(
                bodies=tuple(body for body in built.system.bodies if body.name not in vehicles),
                joints=tuple(joint for joint in built.system.joints if joint.child not in vehicles),
                **{name: () for name in ("surfaces", "contacts", "loads", "sensors", "tones", "tendons")},
                common_tissues=(), roster=Roster(),
            )  # fmt: skip
            made = cls(
                base,
                built,
                Laws.of(compiled),
                factor.Resistances.of(compiled),
                initial_state(compiled, built.start),
                frozenset(probes[0]),
                tuple(Held.of(standing) if standing.tone else None for standing in built.people),
                others,
            )
            return made if all(_same(made.filled(values), full(base, values, slim)) for values in probes) else None
        except (VitruvianError, UnfillableError):
            return None

    def filled(self, values: Values) -> tuple[Compiled, types.State]:
        """Return the compiled system and the state at the start of a case; refuse paths that were not compared."""
        if self.paths != values.keys():
            raise UnfillableError(f"the template was made for {', '.join(sorted(self.paths))}")
        compiled, rest = self.laws.compiled, {p: v for p, v in values.items() if not factor.is_factor(p)}
        factors = {path: factor.checked(path, value) for path, value in values.items() if factor.is_factor(path)}
        friction = {tokens(p)[1] if p.count(".") > 2 else self._surface(): float(v)
                    for p, v in rest.items() if p.endswith(".contact.friction")}  # fmt: skip
        if any(not value >= 0.0 for value in friction.values()):
            raise UnfillableError("a coefficient of friction is negative")
        model = self.laws.filled(compiled.model, factor.tissue_of(compiled.system, factors), friction)
        compiled = replace(compiled, model=self.resistances.filled(model, factors))
        if not any(path.startswith(("vehicle", "human")) for path in rest):
            return compiled, _copied(self.state)
        table = self._changed(rest)
        moved = any(path.startswith("human") for path in rest)
        start = self._begun(table) if moved else self.built.start
        if moved and any(holding is not None for holding in self.holdings):
            compiled = self._held(compiled, start, friction)
        if self.built.vehicles:
            elsewhere = moved or any(path.endswith("lateral") for path in rest)
            compiled = self._driven(compiled, table, start if elsewhere else None)
        if not moved:
            return compiled, _copied(self.state)
        state = initial_state(compiled, start)
        refuse_starts(compiled, state, self.built.seats)
        return compiled, state

    def _surface(self) -> str:
        """Return the name of the only surface."""
        return str(self.base.table.surface[0].name)

    def _changed(self, values: Values) -> Row:
        """Return the table of the scenario with other numbers of people and vehicles."""
        table = self.base.table
        for path, value in values.items():
            names = tokens(path)
            if names[0] not in ("human", "vehicle"):
                continue
            rows = list(getattr(table, names[0]))
            place = _row_of(rows, names[1:])
            if names[0] == "vehicle":
                rows[place] = rows[place].replace(**{names[-1]: float(value)})
            else:
                rows[place] = rows[place].replace(
                    start=_with(rows[place].start, names[names.index("start") + 1 :], value)
                )
            table = table.replace(**{names[0]: tuple(rows)})
        return table

    def _begun(self, table: Row) -> Configuration:
        """Return the start of everything with people who start as a table has them."""
        begun = Configuration(self.built.start.coordinates, self.built.start.rates)
        for row, standing in zip(table.human, self.built.people, strict=True):
            own = standing.begun(row, self.built.system.surfaces)
            begun = begun.replace(own.coordinates, own.rates)
        return begun

    def _held(self, compiled: Compiled, start: Configuration, friction: Mapping[str, float]) -> Compiled:
        """Return a compiled system whose muscles hold the posture at a start."""
        rows = compiled.model.tone.copy()
        first = 0
        for holding in self.holdings:
            if holding is not None:
                torques = holding.torques(start, friction)
                rows[first : first + len(torques), layout.tone.TORQUE : layout.tone.TORQUE + 3] = torques
                first += len(torques)
        return replace(compiled, model=compiled.model._replace(tone=rows))

    def _driven(self, compiled: Compiled, table: Row, start: Configuration | None) -> Compiled:
        """Return a compiled system with other vehicles, whose fronts are at their gaps before the people of a start.

        start  None if all people and vehicles are where they were
        """
        from ..model.table import ramp
        from ..scenario.driving import starts_of

        link = compiled.model.link.copy()
        positions = [vehicle.position for vehicle in self.built.vehicles]
        if start is not None:
            positions = starts_of(table, [vehicle.front for vehicle in self.built.vehicles], self.others, start)
        for row, vehicle, position in zip(table.vehicle, self.built.vehicles, positions, strict=True):
            if not row.speed >= 0.0:
                raise UnfillableError("a speed is negative")
            if vehicle.joint.motion is None or row.brake is not None:
                raise UnfillableError("a vehicle is not on rails, or brakes")
            place = compiled.joints.index(vehicle.joint.name)
            link[place, layout.link.POINT_PARENT : layout.link.POINT_PARENT + 3] = origin(row.heading, row.lateral)
            motion = (ramp(position, row.speed), *vehicle.joint.motion[1:])
            compiled = with_motion(compiled, vehicle.joint.name, motion)
        return replace(compiled, model=compiled.model._replace(link=link))


@dataclass(frozen=True)
class Held:
    """Inverse dynamics of a person who holds a posture, with laws of contact that can be filled."""

    holding: Holding
    laws: tuple[Laws, Laws]

    @classmethod
    def of(cls, standing: Standing) -> Held:
        """Return the inverse dynamics of a person with tone."""
        assert standing.tone is not None and standing.alone is not None
        holding = Holding.of(standing.alone, standing.start, tuple(held.joint for held in standing.tone.joints))
        laws = Laws.of(holding.piece), Laws.of(holding.whole)
        return cls(replace(holding, piece=laws[0].compiled, whole=laws[1].compiled), laws)

    def torques(self, start: Configuration, friction: Mapping[str, float]) -> list[tuple[float, float, float]]:
        """Return the torques [N m] that hold the posture at a start, in the order of the rows of the tone."""
        own = {joint.name for joint in self.holding.system.joints}
        alone = Configuration(
            *({k: v for k, v in part.items() if k in own} for part in (start.coordinates, start.rates))
        )
        holding = self.holding
        if friction:
            piece, whole = (
                replace(laws.compiled, model=laws.filled(laws.compiled.model, {}, friction)) for laws in self.laws
            )
            holding = replace(holding, piece=piece, whole=whole)
        return list(holding.torques(alone).values())


def _row_of(rows: Sequence[Row], names: Sequence[str]) -> int:
    """Return which of some tables the rest of a path names; the only one needs no name."""
    return next((place for place, row in enumerate(rows) if names and row.name == names[0]), 0)


def _with(start: Row, names: Sequence[str], value: Any) -> Row:
    """Return a start with another number at a key, or at a component of a key."""
    if len(names) == 1:
        return start.replace(**{names[0]: value})
    parts = list(getattr(start, names[0]))
    parts[int(names[1])] = float(value)
    return start.replace(**{names[0]: tuple(parts)})


def full(base: Scenario, values: Values, slim: Callable[[Compiled], Compiled]) -> tuple[Compiled, types.State]:
    """Return the compiled system and the state at the start of a case, built from the scenario."""
    factors = {path: factor.checked(path, value) for path, value in values.items() if factor.is_factor(path)}
    changes = {path: value for path, value in values.items() if path not in factors}
    scenario = base.replace(changes) if changes else base
    built = scenario._built()
    with scenario._labelled():
        compiled = factor.applied(slim(compile_system(built.system)), factors)
        state = initial_state(compiled, built.start)
        refuse_starts(compiled, state, built.seats)
        return compiled, state


def _fills(base: Scenario, path: str) -> bool:
    """Return True if a template knows where the value of a path goes."""
    if factor.is_factor(path):
        return True
    names, table = tokens(path), base.table
    if names[0] == "surface" and path.endswith(".contact.friction"):
        return len(names) == 4 or (len(names) == 3 and len(table.surface) == 1)
    driven = all(not np.isfinite(row.mass) and row.brake is None for row in table.vehicle)
    if names[0] == "vehicle" and names[-1] in ("speed", "lateral") and len(names) <= 3:
        return driven and (len(names) == 2 or any(row.name == names[1] for row in table.vehicle))
    if names[0] == "human" and "start" in names and names[-1] not in ("settle", "stature"):
        free = all(row.self_contact is False and not row.start.push for row in table.human)
        return free and driven and not (table.belt or table.seat or table.airbag or table.bicycle)
    return False


def _same(one: tuple[Compiled, types.State], other: tuple[Compiled, types.State]) -> bool:
    """Return True if two systems and states are the same numbers, whatever rows of laws they share."""
    (first, state), (second, start) = one, other
    kept = [name for name in types.Model._fields if name not in _LAWS]
    return (
        all(np.array_equal(a, b) for a, b in zip(state.now, start.now, strict=True))
        and all(np.array_equal(getattr(first.model, k), getattr(second.model, k), equal_nan=True) for k in kept)
        and all(_law(first, c) == _law(second, c) for c in range(len(first.pairs)))
        and _motion(first) == _motion(second)
    )


_LAWS = ("candidate", "law", "law_kind", "table", "table_start")


def _law(compiled: Compiled, pair: int) -> tuple[bytes, ...]:
    """Return all numbers of the law of a pair."""
    model = compiled.model
    row = model.candidate[pair, layout.candidate.LAW]
    tables = [int(model.law_kind[row, column]) for column in CURVES]
    curves = [model.table[model.table_start[k] : model.table_start[k + 1]].tobytes() for k in tables if k >= 0]
    kinds = [int(code) for k, code in enumerate(model.law_kind[row]) if k not in CURVES]
    others = np.delete(model.candidate[pair], layout.candidate.LAW).tobytes()
    return (model.law[row].tobytes(), bytes(str(kinds), "ascii"), others, *curves)


def _motion(compiled: Compiled) -> list[bytes]:
    """Return the tables of all prescribed motions."""
    model, found = compiled.model, []
    for name, first in zip(compiled.joints, model.joint[:, layout.joint.MOVED].tolist(), strict=True):
        for k in range(first, first + len(compiled.system.joint(name).motion or ())):
            found.append(model.table[model.table_start[k] : model.table_start[k + 1]].tobytes())
    return found


def _copied(state: types.State) -> types.State:
    """Return a state that a run may use up."""
    copies = [array.copy() for array in state[1:]]
    return types.State(types.Smooth(*(array.copy() for array in state.now)), *copies)

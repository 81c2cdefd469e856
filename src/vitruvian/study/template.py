"""The compiled structure of a scenario, into which the numbers of a case are filled.

Building a scenario checks it, makes a person out of tables, places it and compiles everything: 30 to 150 ms. Most
cases of a study change a few numbers only. A template does the work once and then writes these numbers into the arrays:

    factor.*                          columns of joint resistance, rows of contact laws (`study.factor`)
    surface.NAME.contact.friction     rows of contact laws
    vehicle.NAME.speed                of a vehicle on rails that does not brake: its motion
    human.NAME.start.*                of a person in the air: coordinates and velocities

`Template.of` compares two filled cases with their full builds, bit for bit. It returns None if they differ or if
another path varies, and every case is then built on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import VitruvianError
from ..kernels import layout, types
from ..model.compile import Compiled, compile_system, initial_state
from ..model.configuration import Configuration
from ..model.contact_candidate import CURVES
from ..model.refill import Laws, UnfillableError, with_motion
from ..scenario import Scenario
from ..scenario.path import tokens
from . import factor

if TYPE_CHECKING:
    from ..scenario.build import Built

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
            made = cls(
                base,
                built,
                Laws.of(compiled),
                factor.Resistances.of(compiled),
                initial_state(compiled, built.start),
                frozenset(probes[0]),
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
        for path, value in rest.items():
            if path.startswith("vehicle"):
                compiled = self._driven(compiled, path, float(value))
        start = {path: value for path, value in rest.items() if ".start." in path}
        return compiled, self._started(compiled, start) if start else _copied(self.state)

    def _surface(self) -> str:
        """Return the name of the only surface."""
        return str(self.base.table.surface[0].name)

    def _driven(self, compiled: Compiled, path: str, speed: float) -> Compiled:
        """Return a compiled system in which a vehicle on rails has another speed [m/s]."""
        from ..model.table import ramp

        names = tokens(path)
        vehicle = next(v for v in self.built.vehicles if len(names) == 2 or v.name == names[1])
        if not speed >= 0.0:
            raise UnfillableError("a speed is negative")
        assert vehicle.joint.motion is not None  # `_fills` has looked
        motion = (ramp(vehicle.position, speed), *vehicle.joint.motion[1:])
        return with_motion(compiled, vehicle.joint.name, motion)

    def _started(self, compiled: Compiled, start: Values) -> types.State:
        """Return the state at another start of people."""
        from ..scenario.build import placed

        scenario = self.base.replace(start)
        begun = Configuration(self.built.start.coordinates, self.built.start.rates)
        for row, standing in zip(scenario.table.human, self.built.people, strict=True):
            surfaces = self.built.system.surfaces
            own = placed(standing.person, row, surfaces).configuration
            begun = begun.replace(own.coordinates, own.rates)
        return initial_state(compiled, begun.checked(self.built.system))


def full(base: Scenario, values: Values, slim: Callable[[Compiled], Compiled]) -> tuple[Compiled, types.State]:
    """Return the compiled system and the state at the start of a case, built from the scenario."""
    factors = {path: factor.checked(path, value) for path, value in values.items() if factor.is_factor(path)}
    changes = {path: value for path, value in values.items() if path not in factors}
    scenario = base.replace(changes) if changes else base
    built = scenario._built()
    with scenario._labelled():
        compiled = factor.applied(slim(compile_system(built.system)), factors)
        return compiled, initial_state(compiled, built.start)


def _fills(base: Scenario, path: str) -> bool:
    """Return True if a template knows where the value of a path goes."""
    if factor.is_factor(path):
        return True
    names, table = tokens(path), base.table
    if names[0] == "surface" and path.endswith(".contact.friction"):
        return len(names) == 4 or (len(names) == 3 and len(table.surface) == 1)
    if names[0] == "vehicle" and names[-1] == "speed" and len(names) <= 3:
        row = next((row for row in table.vehicle if len(names) == 2 or row.name == names[1]), None)
        return row is not None and not np.isfinite(row.mass) and row.brake is None
    if names[0] == "human" and "start" in names and names[-1] != "settle":
        free = all(not row.start.settle and row.tone == "limp" and row.self_contact is False for row in table.human)
        return free and not (table.vehicle or table.belt or table.seat)
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

"""A scenario: read, changed, built, run, and written out again."""

from __future__ import annotations

import copy
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..data import parse_toml, refuse_deep
from ..errors import InputError, SimulationError
from . import path as dotted_path
from . import reader
from .definition import Row
from .title import retitled, same, worth_telling

if TYPE_CHECKING:
    from ..model import Configuration, System
    from ..model.compile import Compiled
    from ..sim.result import Result
    from .build import Built

Progress = Callable[[float, float], bool | None]

BRAKING = 7.0  # deceleration of a vehicle whose impact is followed to rest [m/s2]
#: a list of plain values, one a line, as tomli_w writes it
_LIST = re.compile(r"\[\n((?: +[-+\w.]+,\n)+) *\]")
#: tables and keys that may change when a run continues from its end
_CHANGEABLE = ("solver", "output", "title", "description", "name")


class Scenario:
    """A description of a simulation, checked.

        Scenario.load("fall-4m").replace({"human.height": "165 cm"}).run()

    data    as it was written, with changes
    table   the same checked and in SI
    name    short name, which names the output folder
    label   stands before errors: the file or the name
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        name: str = "scenario",
        label: str | None = None,
        folder: str | Path = ".",
    ) -> None:
        self.label = label or name
        refuse_deep(data, self.label)
        self.data: dict[str, Any] = copy.deepcopy(dict(data))
        self.folder = Path(folder)
        self.table: Row = reader.checked(self.data, self.label, self.folder)
        self.name = self.table.name or name

    # reading

    @classmethod
    def load(cls, name_or_file: str | Path, changes: Mapping[str, Any] | None = None) -> Scenario:
        """A ready scenario by its name, or one from a TOML file.

        changes  dotted path -> value, as in {"human.height": "165 cm"}
        """
        source = reader.find(name_or_file)
        data = parse_toml(source.text, source.label)
        about: dict[str, Any] = {"name": source.name, "label": source.label, "folder": source.folder}
        if not changes:
            return cls(data, **about)
        changed = cls(_changed(data, changes, source.label), **about)
        try:
            return changed._told(cls(data, **about), changes)
        except InputError:  # it was not whole before
            return changed

    @classmethod
    def from_toml(cls, text: str, *, name: str = "scenario", label: str | None = None) -> Scenario:
        """A scenario from TOML text."""
        return cls(parse_toml(text, label or name), name=name, label=label)

    def replace(self, changes: Mapping[str, Any]) -> Scenario:
        """A copy in which the values at some dotted paths are others."""
        data = _changed(self.data, changes, self.label)
        return Scenario(data, name=self.name, label=self.label, folder=self.folder)._told(self, changes)

    def to_rest(self) -> Scenario:
        """A copy that runs until everything is at rest; vehicles that have no brake get one of `BRAKING`."""
        solver = {key: value for key, value in self.data.get("solver", {}).items() if key != "duration"}
        changes: dict[str, Any] = {"solver": {**solver, "stop": "at rest"}}
        for place, row in enumerate(self.table.vehicle):
            path = "vehicle" if isinstance(self.data["vehicle"], Mapping) else f"vehicle[{place}]"
            if row.brake is None and row.speed > 0.0:
                changes[f"{path}.brake"] = {"deceleration": BRAKING}
        return self.replace(changes)

    def _told(self, before: Scenario, changes: Mapping[str, Any]) -> Scenario:
        """Say in the title how the changes differ from the scenario before; return the scenario.

        The title and the description of the scenario before may be wrong then: the name takes the place of the title,
        and the description is left out, unless they are given anew.
        """
        told = worth_telling(changes)
        if not self.title or not told:
            return self
        then, now = _plain(before.resolved()), _plain(self.resolved())
        pairs = ((path, dotted_path.look_up(then, path), dotted_path.look_up(now, path)) for path in told)
        other = {path: told[path] for path, one, another in pairs if not same(one, another)}
        if other:
            self.data["title"] = retitled(self.name, self.title, other)
            self.data["description"] = changes.get("description", "")
            self.table = self.table.replace(title=self.data["title"], description=self.data["description"])
        return self

    # what it says

    @property
    def title(self) -> str:
        """One line on what is simulated."""
        return self.table.title

    @property
    def description(self) -> str:
        """A paragraph on it."""
        return self.table.description

    def resolved(self) -> dict[str, Any]:
        """The data with every default written out and every quantity in SI."""
        table = self.table.written()
        people = table["human"]
        if len(people) == 1 and people[0]["name"] == "human":
            table["human"] = people[0]
        kept = {key: value for key, value in table.items() if value not in ((), "")}
        return {"schema": kept.pop("schema"), "name": self.name, **{k: v for k, v in kept.items() if k != "name"}}

    def to_toml(self) -> str:
        """The resolved scenario as TOML text, which reads back to the same scenario."""
        import tomli_w

        head = f"# Written by vitruvian {__version__}: defaults filled in, SI units.\n\n"
        text = tomli_w.dumps(self.resolved(), multiline_strings=True)
        short = _LIST.sub(lambda found: "[" + ", ".join(found[1].replace(",", " ").split()) + "]", text)
        return head + (short if tomllib.loads(short) == tomllib.loads(text) else text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.resolved() == other.resolved()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        return f"<Scenario {self.name}: {self.title}>"

    # doing it

    def build(self) -> tuple[System, Configuration]:
        """The system and where it starts."""
        return self._built()[:2]

    def _built(self) -> Built:
        """Return the model, and the people and vehicles from which it was made."""
        from .build import build

        with self._labelled():
            return build(self.table)

    def check(self) -> System:
        """Return the system, and refuse whatever `run` refuses, without running it.

        Kernels are compiled only for a system with people, whose start is checked, or with loops, belts or muscles,
        which are closed and laid as a run does.
        """
        from ..model.belt_table import lay_belts
        from ..model.compile import compile_system, initial_state, make_work
        from ..model.loop import close_loops
        from ..model.muscle_table import lay_muscles
        from ..sim.simulate import prepared
        from ..sim.solver import Solver

        built = self._built()
        system, start = built.system, built.start
        options = self._settings()
        timing = {name: options.pop(name) for name in ("duration", "stop", "rate", "pose_rate")}
        with self._labelled():
            people = bool(system.roster.people)
            compiled, _ = prepared(compile_system(system, rest=people), solver=Solver(**options), **timing)
            if people:
                self._refuse_start(built, compiled)
            if system.loops or system.belts or system.muscles:
                state, work = initial_state(compiled, start), make_work(compiled)
                close_loops(compiled, state, work)
                lay_belts(compiled, state, work)
                lay_muscles(compiled, state, work)
        return system

    @staticmethod
    def _refuse_start(built: Built, compiled: Compiled) -> tuple[str, ...]:
        """Refuse people who start deep inside what they may touch; return notes on other bodies that do."""
        from ..model.compile import initial_state
        from .overlap import refuse_starts

        return refuse_starts(compiled, initial_state(compiled, built.start), built.seats)

    def _settings(self) -> dict[str, Any]:
        """The options of `vitruvian.sim.simulate`."""
        solver, output = self.table.solver, self.table.output
        given = solver.given() | {"stop": solver.stop}
        return given | {"rate": output.rate, "pose_rate": output.pose_rate}

    @contextmanager
    def _labelled(self) -> Iterator[None]:
        """Put the file or name of the scenario before errors."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self.label}: {error}") from error

    def run(self, progress: Progress | None = None, *, resume: Result | None = None, check: bool = True) -> Result:
        """Simulate.

        progress  called with the simulated time and its end [s], a few times a second; returning True cancels
        resume    the result of an earlier run of the same system, to continue from its end; the new result holds both
        check     raise SimulationError if the run does not end well, instead of returning a result that says so
        """
        from ..model.compile import compile_system
        from ..sim.join import join
        from ..sim.result import Result
        from ..sim.simulate import simulate
        from .notes import notes

        built = self._built()
        system, start = built.system, built.start
        solver = self.table.solver
        assert solver.duration is not None  # the schema gives one
        duration = solver.duration if resume is None else self._remaining(resume, solver.duration)
        with self._labelled():
            compiled = compile_system(system)
            deep = self._refuse_start(built, compiled) if resume is None else ()
            recording = simulate(
                compiled,
                start,
                resume=None if resume is None else resume.recording.final,
                progress=progress,
                **self._settings() | {"duration": duration},
            )
        if resume is not None:
            recording = join(resume.recording, recording)
        result = Result(
            recording,
            system=system,
            name=self.name,
            title=self.title,
            description=self.description,
            scenario=self.to_toml(),
            criteria=self.table.output.criteria,
            notes=(*deep, *notes(self.table, built, recording)),
        )
        if check and not result.fine:
            try:
                result.raise_for_status()
            except SimulationError as error:
                error.result = result  # type: ignore[attr-defined]
                raise
        return result

    def _remaining(self, earlier: Result, duration: float) -> float:
        """Return the rest of the duration after an earlier run [s]."""
        end = earlier.recording.end_time
        if not earlier.recording.final:
            raise InputError(f"{self.label}: the result holds no final state to continue from.")
        before = tomllib.loads(earlier.scenario) if earlier.scenario else {}
        now = self.resolved()
        for key in {*before, *now} - set(_CHANGEABLE):
            if before and before.get(key) != _plain(now.get(key)):
                raise InputError(
                    f"{self.label}: {key} has changed since the run that is to continue; only solver and output may."
                )
        for key, rate in before.get("output", {}).items():
            if key in ("rate", "pose_rate") and rate != now["output"][key]:
                raise InputError(
                    f"{self.label}: output.{key} was {rate:g} Hz in the run that is to continue, and is "
                    f"{now['output'][key]:g} Hz now; both parts must be sampled alike."
                )
        if duration <= end * (1.0 + 1e-9):
            raise InputError(
                f"{self.label}: solver.duration is {duration:g} s and the run is at {end:g} s already. "
                f'Say how far it is to go: --set solver.duration="{2.0 * end:g} s"'
            )
        rest = duration - end
        while end + rest < duration:  # rounding: the last sample is at the duration itself
            rest = math.nextafter(rest, math.inf)
        return rest


def _changed(data: Mapping[str, Any], changes: Mapping[str, Any], label: str) -> dict[str, Any]:
    """A copy of the data with the values at some paths replaced."""
    copied = copy.deepcopy(dict(data))
    try:
        dotted_path.give_way(copied, changes)
        for path, value in changes.items():
            dotted_path.assign(copied, path, copy.deepcopy(value))
    except InputError as error:
        raise InputError(f"{label}: {error}") from None
    return copied


def _plain(value: Any) -> Any:
    """Return the value as TOML reads it back: lists instead of tuples."""
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value

"""A study: many cases of one scenario, on the threads of this machine.

    from vitruvian.study import Study

    study = Study("fall-4m", {"human.start.clearance": ["1 m", "4 m"]}, cases=100)
    rows = study.run()          # a pandas DataFrame, one row a case

The kernels release the interpreter, so that threads run in parallel. Rows do not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import locked
from ..errors import InputError, nearest, optional, shown
from ..scenario import Scenario
from .case import CRITERIA, Cases, Row, changed, columns, simulated
from .cluster import parts
from .design import METHODS, count, unit_design, values_at
from .folder import PART, Folder, versions
from .variable import PERSON, People, Value, Variable, read_variables, refuse_unknown_word, together

if TYPE_CHECKING:
    import pandas

    from ..sim.result import Result

AHEAD = 8  # cases per thread that wait for their turn
#: called after every case with the number of cases that are done, the number of all, and the number that failed
Progress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class Study:
    """A scenario, what varies, and how cases are chosen.

    scenario  a Scenario, the name of a ready one, or a file
    variation dotted path -> [low, high], {"log": [low, high]}, {"values": [...]}, {"normal": [mean, sd]},
              {"csv": "file.csv"}; "human" -> {"population": "us"}
    method    grid, list, latin-hypercube, sobol or random (`study.design`)
    cases     of one repetition; grids and lists give their own number
    seed      of all draws
    repeat    how often the plan is made, each time with other draws
    steps     levels of a range in a grid
    keep      results that are kept as Zarr: "none", "all", "worst 10" (largest first criterion) or "every 100"
    criteria  injury criteria of every person
    folder    in which files are searched
    """

    scenario: Scenario | str | Path
    variation: Mapping[str, Any] = field(default_factory=dict)
    method: str = "latin-hypercube"
    cases: int | None = None
    seed: int = 0
    repeat: int = 1
    steps: int = 5
    keep: str = "none"
    criteria: tuple[str, ...] = CRITERIA
    folder: Path = Path()
    name: str = "study"

    def __post_init__(self) -> None:
        refuse_unknown_word(self.method, METHODS, f"{self.name}: study.method")
        for key, least in (("cases", 1), ("seed", 0), ("repeat", 1), ("steps", 2)):
            value = getattr(self, key)
            if key == "cases" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(
                    f"{self.name}: study.{key} is {shown(value)}; expected a whole number, at least {least}."
                )
        object.__setattr__(self, "criteria", tuple(self.criteria))
        self._refuse_unknown_criteria()
        _kept(self.keep, 0, self.name)

    def _refuse_unknown_criteria(self) -> None:
        from ..injury.finding import criteria

        for name in self.criteria:
            refuse_unknown_word(name, tuple(criteria()), f"{self.name}: study.criteria")

    def vary(self, variation: Mapping[str, Any]) -> Study:
        """Return the study with further variations: Study("fall-4m").vary({"human.height": [1.6, 1.9]})."""
        return replace(self, variation=together(self.variation, variation, self.name))

    # the plan

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Variables of the study, checked: every path was tried with the values that the user wrote."""
        found = read_variables(self.variation, self.name, self.folder)
        for variable in found:
            for values in variable.samples():
                self._try(dict(zip(variable.paths, values, strict=True)), isinstance(variable, People))
        return found

    def _try(self, values: dict[str, Value], person: bool) -> None:
        """Refuse values that a scenario does not take: wrong paths, units or words."""
        base = self._loaded
        if person:
            base = _without_person(base, [next(iter(values)).rpartition(".")[0]])
        try:
            changed(base, values)
        except InputError as error:
            raise InputError(f"{self.name}: study.vary: {error}") from None

    @property
    def paths_of_variables(self) -> tuple[str, ...]:
        """All dotted paths that vary."""
        return tuple(path for variable in self.variables for path in variable.paths)

    def scenario_of(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the scenario of the study with some values changed."""
        return self._loaded.replace(changes)

    @cached_property
    def _loaded(self) -> Scenario:
        if isinstance(self.scenario, Scenario):
            return self.scenario
        file = self.folder / self.scenario
        return Scenario.load(file if file.is_file() and str(self.scenario).endswith(".toml") else self.scenario)

    @cached_property
    def base(self) -> Scenario:
        """The scenario from which all cases are made; without a title, and without people that are drawn."""
        people = [v.paths[0].rpartition(".")[0] for v in self.variables if isinstance(v, People)]
        base = _without_person(self._loaded, people)
        return Scenario({**base.data, "title": "", "description": ""}, name=base.name, folder=base.folder)

    @cached_property
    def size(self) -> int:
        """Number of cases."""
        with _named(self.name):
            return self.repeat * count(self.variables, self.method, self.cases, self.steps)

    @cached_property
    def unit(self) -> np.ndarray:
        """A number between 0 and 1 for every dimension of every case, (cases, dimensions)."""
        with _named(self.name):
            return unit_design(self.variables, self.method, self.cases, self.seed, repeat=self.repeat, steps=self.steps)

    def inputs(self, case: int) -> dict[str, Value]:
        """Return path -> value of a case, in SI."""
        if not 0 <= case < self.size:
            raise InputError(f"{self.name} has the cases 0 to {self.size - 1}; there is no case {case}.")
        found = values_at(self.variables, self.unit[case : case + 1])
        return {path: values[0] for path, values in found.items()}

    @cached_property
    def runs(self) -> Cases:
        """The simulator of all cases, which fills a template where the variables allow it."""
        return Cases(self.base, self.criteria, [self.inputs(case) for case in self.probes])

    @property
    def probes(self) -> list[int]:
        """Cases with which the template is compared: the first, the middle and the last one."""
        return sorted({0, self.size // 2, self.size - 1})

    @cached_property
    def columns(self) -> dict[str, type]:
        """Columns of a row and their types: case, repetition, inputs, outcomes."""
        kinds: dict[str, type] = {"case": int, "repetition": int}
        for variable in self.variables:
            example = variable.at(np.full((1, variable.dimensions), 0.5))[0]
            kinds |= dict(zip(variable.paths, map(type, example), strict=True))
        return kinds | columns(self.base, self.criteria)

    def definition(self) -> str:
        """Return the study as TOML text, with the whole scenario in SI; the same text means the same rows."""
        import tomli_w

        study = {
            "method": self.method,
            **({} if self.cases is None else {"cases": self.cases}),
            "seed": self.seed,
            "repeat": self.repeat,
            "steps": self.steps,
            "keep": self.keep,
            "criteria": list(self.criteria),
            "vary": _listed(dict(self.variation)),
        }
        name = self.scenario.name if isinstance(self.scenario, Scenario) else str(self.scenario)
        return (
            tomli_w.dumps({"scenario": name, "study": study})
            + "\n"
            + "".join(f"# {line}".rstrip() + "\n" for line in self._loaded.to_toml().splitlines())
        )

    # one case

    def case(self, case: int) -> Scenario:
        """Return the scenario of a case; factors of the model are not part of it (`result` applies them)."""
        return changed(self.base, self.inputs(case))[0]

    def result(self, case: int) -> Result:
        """Simulate a case again and return its whole result."""
        title = f"{self._loaded.title or self._loaded.name}, case {case}"
        return simulated(self.base, self.inputs(case), title=title)

    def row(self, case: int) -> Row:
        """Simulate a case and return its row."""
        inputs = self.inputs(case)
        return self.labelled(case, inputs, self.runs.row(inputs))

    def labelled(self, case: int, inputs: Mapping[str, Value], outcomes: Row) -> Row:
        """Return the row of a case: number, repetition, inputs and outcomes."""
        return {"case": case, "repetition": case // (self.size // self.repeat), **inputs, **outcomes}

    # all cases

    def run(
        self,
        out: str | Path | None = None,
        *,
        resume: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
        client: Any = None,
    ) -> pandas.DataFrame:
        """Simulate all cases and return a row for each, in order.

        out       folder that receives the rows in parts of 50; rows are in memory only unless given
        resume    continue what is in the folder
        threads   that run in parallel; as many as there are processors unless given
        progress  called after every case, on a cluster after every part
        client    of a Dask cluster that runs the cases (`study.cluster`); this machine's threads unless given
        """
        if out is None:
            from .folder import table

            if client is None:
                rows = list(self.rows(range(self.size), threads=threads, progress=progress))
            else:
                found = parts(self, [self._part(part) for part in range(self.parts)], client)
                rows = [row for _, some in sorted(found, key=lambda one: one[0].start) for row in some]
            return table(rows, self.columns).to_pandas()
        folder = Folder(out)
        definition = self.definition()
        _ = self.unit.shape  # refuses what is wrong before anything is written
        if self.keep != "none":
            optional("zarr", "study", "traces (study.keep)")
        with locked(folder.path):
            folder.prepare(definition, {**versions(), "seed": self.seed, "cases": self.size}, resume=resume)
            if client is None:
                self._fill(folder, threads, progress)
            else:
                self._fill_from(folder, client, progress)
            self._keep(folder)
        return folder.read()

    @property
    def parts(self) -> int:
        """Number of parts of 50 cases."""
        return -(-self.size // PART)

    def _part(self, part: int) -> range:
        """Return the cases of a part."""
        return range(part * PART, min((part + 1) * PART, self.size))

    def _fill_from(self, folder: Folder, client: Any, progress: Progress | None) -> None:
        """Compute the parts that are missing on a cluster, and write each as it arrives."""
        there = folder.done()
        missing = [self._part(part) for part in range(self.parts) if part not in there]
        done, failed = self.size - sum(map(len, missing)), 0
        for cases, rows in parts(self, missing, client):
            folder.write(cases.start // PART, rows, self.columns)
            done, failed = done + len(rows), failed + sum(bool(row["reason"]) for row in rows)
            if progress is not None:
                progress(done, self.size, failed)

    def _fill(self, folder: Folder, threads: int | None, progress: Progress | None) -> None:
        """Compute and write the parts that are missing."""
        done = folder.done()
        cases = [case for part in range(self.parts) if part not in done for case in self._part(part)]
        before = self.size - len(cases)
        shown_progress = None if progress is None else (lambda n, _, bad: progress(before + n, self.size, bad))
        rows: list[Row] = []
        for row in self.rows(cases, threads=threads, progress=shown_progress):
            rows.append(row)
            if row["case"] == self.size - 1 or (row["case"] + 1) % PART == 0:
                folder.write(row["case"] // PART, rows, self.columns)
                rows = []

    def rows(
        self, cases: range | list[int], *, threads: int | None = None, progress: Progress | None = None
    ) -> Iterator[Row]:
        """Simulate some cases on threads and yield their rows in order; memory does not grow with their number."""
        if len(cases) == 0:
            return
        self._warm()
        workers = threads or os.cpu_count() or 1
        failed = 0
        waiting: deque[Future[Row]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                for n, case in enumerate(chain(cases, repeat(None, AHEAD * workers))):
                    if case is not None:
                        waiting.append(pool.submit(self.row, case))
                    if waiting and n >= AHEAD * workers - 1:
                        row = waiting.popleft().result()
                        failed += bool(row["reason"])
                        if progress is not None:
                            progress(n - AHEAD * workers + 2, len(cases), failed)
                        yield row
            finally:
                pool.shutdown(cancel_futures=True)

    def _warm(self) -> None:
        """Fill the caches of plan and kernels on this thread, so that threads only read them."""
        _ = self.columns, self.unit
        self.runs.warm(self.inputs(0))

    def evaluate(
        self, inputs: Sequence[Mapping[str, Value]], *, threads: int | None = None, progress: Progress | None = None
    ) -> list[Row]:
        """Simulate any values of the paths of the study on threads, and return their outcomes in order."""
        self._warm()
        found: list[Row] = []
        with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            for row in pool.map(self.runs.row, inputs):
                found.append(row)
                if progress is not None:
                    progress(len(found), len(inputs), sum(bool(one["reason"]) for one in found))
        return found

    def _keep(self, folder: Folder) -> None:
        """Write the results that are to be kept; they are simulated again from their rows."""
        kind, number = _kept(self.keep, self.size, self.name)
        if kind == "none":
            return
        rows = folder.read()
        usable = rows[rows["status"] != "rejected"]
        chosen = list(usable["case"])
        if kind == "every":
            chosen = [case for case in chosen if case % number == 0]
        elif kind == "worst":
            column = next((c for c in rows.columns if self.criteria and c.endswith(self.criteria[0])), None)
            if column is None:
                raise InputError(f'{self.name}: study.keep is "{self.keep}", but the study has no criterion.')
            chosen = list(usable.nlargest(number, column)["case"])
        for case in chosen:
            folder.write_trace(int(case), self.result)


def _kept(keep: Any, size: int, name: str) -> tuple[str, int]:
    """Return the kind and number of `keep`; refuse other words."""
    words = keep.split() if isinstance(keep, str) else []
    if words in (["none"], ["all"]):
        return words[0], size
    if len(words) == 2 and words[0] in ("worst", "every") and words[1].isdigit() and int(words[1]) > 0:
        return words[0], int(words[1])
    raise InputError(f'{name}: study.keep is {shown(keep)}; accepted: "none", "all", "worst 10", "every 100".')


def _without_person(base: Scenario, paths: list[str]) -> Scenario:
    """Return a scenario whose people at these paths have sex, age, height and mass, and nothing else that says who."""
    from ..human import WHO
    from ..scenario.path import look_up

    for path in paths:
        table = look_up(base.data, path)
        if not isinstance(table, dict):
            names = [row.name for row in base.table.human]
            raise InputError(
                f"{path} is not a person of {base.label}; there are: {', '.join(names)}.{nearest(path, names)}"
            )
        kept = {key: value for key, value in table.items() if key not in WHO}
        who = dict(zip(PERSON, ("male", 40.0, 1.76, 80.0), strict=True))
        base = base.replace({path: {**who, **kept}})
    return base


def _listed(value: Any) -> Any:
    """Return lists instead of tuples, for TOML."""
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Put the name of the study before errors."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error) if str(error).startswith(f"{name}: ") else f"{name}: {error}") from None

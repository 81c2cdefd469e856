"""Many runs of one structure: buffers are made once, and only what is asked for is recorded.

    runner = Runner(compiled, sensors=("head",), **settings)
    recording = runner.run(compiled, state)     # valid until the next run

The recordings have the same bits as those of `simulate`, but no loads of joints and contacts and no attitudes unless
asked for, and fewer sensors. A runner belongs to one thread.
"""

from __future__ import annotations

import time as clock
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np

from ..kernels import layout, types
from ..model.belt_table import lay_belts
from ..model.compile import Compiled, make_work
from ..model.loop import close_loops
from ..model.muscle_table import lay_muscles
from .conservation import checked
from .recording import Recording
from .simulate import CHUNK, make_output, names_of, prepared, recorded
from .solver import Solver


def lean(compiled: Compiled, sensors: Collection[str]) -> Compiled:
    """Return a compiled system with some of its sensors only."""
    kept = [k for k, sensor in enumerate(compiled.system.sensors) if sensor.name in sensors]
    model = compiled.model._replace(sensor_body=compiled.model.sensor_body[kept], sensor=compiled.model.sensor[kept])
    system = compiled.system.replace(sensors=tuple(compiled.system.sensors[k] for k in kept))
    return replace(compiled, model=model, system=system)


class Runner:
    """Buffers of one thread for runs of systems with the same structure.

    compiled  a system of the structure, with the sensors that are recorded (`lean`)
    cells     True to record load cells, loads and attitudes, from which section loads follow
    options   of `simulate`: duration, rate, pose_rate, stop, and fields of `Solver`
    """

    def __init__(self, compiled: Compiled, *, cells: bool = False, **options: Any) -> None:
        timing = {name: options.pop(name) for name in ("duration", "rate", "pose_rate", "stop")}
        self.cells, self.solver = cells, Solver(**options)
        _, self.settings = prepared(compiled, solver=self.solver, **timing)
        self.settings = self.settings._replace(end=timing["duration"])
        full = make_output(compiled, 0.0, timing["duration"], timing["rate"], timing["pose_rate"])
        self.output = full if cells else _without_loads(full, len(compiled.system.sensors))
        self.known: tuple[tuple[object, ...], dict[str, Any]] = ((), {})

    def run(self, compiled: Compiled, state: types.State) -> Recording:
        """Run a system from a state at time zero; the state is used up."""
        work = make_work(compiled)
        closing = close_loops(compiled, state, work)
        lay_belts(compiled, state, work)
        lay_muscles(compiled, state, work)
        started = clock.perf_counter()
        self.advance(compiled, work, state)
        wall = clock.perf_counter() - started
        names = self._names(compiled)
        found = recorded(compiled, work, state, self.output, self.settings, self.solver.method, wall, names)
        if closing.sentence:
            found = replace(found, message=found.message + closing.sentence)
        return checked(found, compiled.system)

    def _names(self, compiled: Compiled) -> dict[str, Any]:
        """Return the names of a recording; those of the last run if its structure is the same."""
        system = compiled.system
        parts = (system.bodies, system.surfaces, system.sensors, system.roster)
        if len(self.known[0]) != len(parts) or any(a is not b for a, b in zip(parts, self.known[0], strict=True)):
            self.known = parts, names_of(compiled) | ({} if self.cells else {"load_cells": ()})
        return self.known[1]

    def advance(self, compiled: Compiled, work: types.Work, state: types.State) -> None:
        """Advance a state to its end: the compiled part of a run. An interrupt is seen between chunks of steps."""
        from ..kernels import loop

        _reset(self.output, work)
        state.tally[layout.tally.PHASE] = layout.phase.NEW_RUN
        state.tally[layout.tally.STATUS] = layout.status.RUNNING
        while loop.advance(compiled.model, work, state, self.output, self.settings, CHUNK) == layout.status.RUNNING:
            pass


def _without_loads(output: types.Output, sensors: int) -> types.Output:
    """Return an output without load cells, attitudes and loads at the poses."""
    n, columns = len(output.time), layout.out_row.BODY * sensors
    return output._replace(
        loads=np.zeros((len(output.pose_time), 0)),
        load_cell=np.zeros((n, 0), np.float32),
        attitude=np.zeros((n, 0, 4), np.float32),
        **{name: getattr(output, name)[:columns].copy() for name in ("column", "level", "slope", "sum", "sample")},
    )


def _reset(output: types.Output, work: types.Work) -> None:
    """Prepare an output for the next run; samples need no reset, because a run reads only those it has written."""
    for name, array in output._asdict().items():
        if name in ("cursor", "level", "slope", "sum", "sample", "edge") or name.startswith(("row_", "wait_")):
            array[...] = 0
    output.body[...] = work.body

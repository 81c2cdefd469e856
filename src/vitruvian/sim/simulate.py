"""Run a system: compile, advance in chunks, hand back a recording."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InputError, nearest
from ..kernels import layout, types
from ..model.airbag import dips
from ..model.belt_table import lay_belts, spans
from ..model.bone import whole_bones
from ..model.compile import Compiled, compile_system, initial_state, make_work, out_size
from ..model.configuration import Configuration
from ..model.flexible import whole_shafts
from ..model.loop import close_loops
from ..model.muscle_table import lay_muscles, places
from ..model.roster import Roster
from ..model.system import System
from . import bone_load, memory
from .channel import SAMPLED
from .conservation import checked
from .event_row import segment_of
from .event_table import MAX_EVENTS, events
from .recording import Recording
from .samples import sampled
from .solver import Solver
from .status import STATUS

_LESS = "Lower output.rate or output.pose_rate, or simulate less."
SHORTEST = 1e-11  # a run from the start [s]; in less the loop takes no step and records nothing
CHUNK = 2000  # steps between two calls of `progress`

Progress = Callable[[float, float], "bool | None"]


def simulate(
    system: System | Compiled,
    start: Configuration | Mapping[str, Any] | None = None,
    *,
    duration: float,
    solver: Solver | None = None,
    rate: float = 10_000.0,
    pose_rate: float = 1_000.0,
    stop: str | None = None,
    resume: dict[str, np.ndarray] | None = None,
    progress: Progress | None = None,
    **solver_options: Any,
) -> Recording:
    """Run a system for a duration [s] and record what happens.

    start      coordinates and rates of the joints, or coordinates alone by joint; zero where it is silent
    solver     how to integrate; or its fields as keywords: method="rk4", step=1e-5
    rate       samples of the sensors and load cells per second [Hz]; pose_rate: of poses, loads and energies [Hz]
    stop       None, "at rest" or "<body> contact": what ends the run before its time
    resume     `final` of an earlier recording of the same system, to continue from
    progress   called with the time and the end [s] a few times a second; returning True cancels the run

    A run that does not end well is not an error here: see `status` and `message` of the recording.
    """
    from ..kernels import loop

    solver = solver or Solver(**solver_options)
    compiled, settings = prepared(system, duration=duration, rate=rate, pose_rate=pose_rate, stop=stop, solver=solver)
    if resume is None and duration < SHORTEST:
        raise InputError(f"duration is {duration:g} s, which is too short for a step; give {SHORTEST:g} s or more.")
    if isinstance(start, Mapping):
        start = Configuration(dict(start))
    state = initial_state(compiled, start) if resume is None else _resumed(compiled, resume)
    work = make_work(compiled)
    closing = close_loops(compiled, state if resume is None else _resumed(compiled, resume), work)
    if resume is None:
        lay_belts(compiled, state, work)
        lay_muscles(compiled, state, work)
    begin = float(state.clock[layout.clock.TIME])
    end = begin + duration
    settings = settings._replace(end=end)
    with _samples_that_fit():
        output = make_output(compiled, begin, end, rate, pose_rate)

    loop.advance(compiled.model, work, state, output, settings, 0)  # loads or compiles the kernels
    started = clock.perf_counter()
    state.tally[layout.tally.PHASE] = layout.phase.NEW_RUN
    state.tally[layout.tally.STATUS] = layout.status.RUNNING
    last_call = started
    while loop.advance(compiled.model, work, state, output, settings, CHUNK) == layout.status.RUNNING:
        if progress is not None and clock.perf_counter() - last_call > 0.1:
            last_call = clock.perf_counter()
            if progress(float(state.clock[layout.clock.TIME]), end):
                state.tally[layout.tally.STATUS] = layout.status.CANCELLED
                loop.advance(compiled.model, work, state, output, settings, 1)  # settles and samples the last step
                break
    wall = clock.perf_counter() - started
    recording = recorded(compiled, work, state, output, settings, solver.method, wall)
    return checked(replace(recording, message=recording.message + closing.sentence), compiled.system)


@contextmanager
def _samples_that_fit() -> Iterator[None]:
    """Report a lack of memory as wrong input, with what to change."""
    try:
        yield
    except MemoryError as error:
        raise InputError(f"the samples do not fit into memory. {_LESS}") from error


def output_size(compiled: Compiled, begin: float, end: float, rate: float, pose_rate: float) -> float:
    """Return the memory that the samples between two times [s] take [byte], without taking it.

    Linear in the numbers of samples, so three small outputs give it.
    """

    def size(rate: float, pose_rate: float) -> int:
        return sum(array.nbytes for array in make_output(compiled, 0.0, 1.0, rate, pose_rate))

    few, faster, more_poses = size(1.0, 1.0), size(11.0, 1.0), size(1.0, 11.0)
    return few + 0.1 * (end - begin) * (rate * (faster - few) + pose_rate * (more_poses - few))


def prepared(
    system: System | Compiled, *, duration: float, rate: float, pose_rate: float, stop: str | None, solver: Solver
) -> tuple[Compiled, types.Settings]:
    """Return the compiled system and the settings of a run, or refuse what `simulate` refuses, without simulating."""
    if not 0.0 < duration < np.inf:
        raise InputError(f"duration is {duration} s; it must be greater than zero.")
    for name, value in (("rate", rate), ("pose_rate", pose_rate)):
        if not 0.0 < value <= 1e7:
            raise InputError(f"output {name} is {value} Hz; accepted up to 10 MHz.")
    compiled = system if isinstance(system, Compiled) else compile_system(system)
    what = f"{duration:g} s at {rate:g} and {pose_rate:g} samples per second"
    with _samples_that_fit():
        memory.refuse_beyond(output_size(compiled, 0.0, duration, rate, pose_rate), what, _LESS)
    return compiled, solver.settings(duration, stop == "at rest", _stop_body(compiled, stop))


def make_output(compiled: Compiled, begin: float, end: float, rate: float, pose_rate: float) -> types.Output:
    """Return arrays for the samples between two times [s], at whole multiples of the sampling intervals.

    A run that continues repeats the sensor sample whose interval the first part could not fill; `join` drops it where
    the first part has it.
    """
    n, c, m = len(compiled.bodies), len(compiled.pairs), len(compiled.system.sensors)
    cells = _load_cells(compiled)
    of_sensors = layout.out_row.BODY * compiled.model.sensor_body[:, :1] + np.arange(layout.out_row.BODY)
    of_cells = (
        layout.out_row.JOINT * cells[:, None] + layout.out_row.BODY * n + layout.out_row.JOINT_REACTION + np.arange(6)
    )
    column = np.concatenate([of_sensors.ravel(), of_cells.ravel()]).astype(np.int64)
    n_out = out_size(compiled)

    def times(per_second: float, after: float) -> np.ndarray:
        """From the first sample later than `after` [intervals from zero] to the end."""
        first = int(np.floor(after + 1e-6)) + 1
        last = int(np.floor(end * per_second * (1.0 + 1e-12) + 1e-9))
        return np.minimum(np.arange(first, last + 1) / per_second, end)

    fresh = begin == 0.0
    pose = times(pose_rate, -1.0 if fresh else begin * pose_rate)
    fast = times(rate, -1.0 if fresh else begin * rate - 0.5)
    p, f = len(pose), len(fast)
    return types.Output(
        pose_time=pose,
        pose=np.zeros((p, n, layout.pose.COUNT)),
        loads=np.zeros((p, n_out)),
        depth=np.zeros((p, c)),
        joint_energy=np.zeros((p, n, 2)),
        point=np.full((p, c, 3), np.nan),
        scalar=np.zeros((p, layout.scalar.COUNT)),
        time=fast,
        sensor=np.zeros((f, m, 12)),
        load_cell=np.zeros((f, 6 * len(cells)), np.float32),
        attitude=np.zeros((f, n, 4), np.float32),
        event=np.zeros((MAX_EVENTS, 4)),
        cursor=np.zeros(layout.cursor.COUNT, np.int64),
        column=column,
        level=np.zeros(len(column)),
        slope=np.zeros(len(column)),
        sum=np.zeros(len(column)),
        sample=np.zeros(len(column)),
        edge=np.zeros(1),
        body=make_work(compiled).body,
        row_q=np.zeros((3, compiled.n_q)),
        row_v=np.zeros(compiled.n_v),
        wait_q=np.zeros((2, compiled.n_q)),
        wait_v=np.zeros((2, compiled.n_v)),
        wait_pair=np.zeros((2, c, 5)),
        wait_scalar=np.zeros((2, layout.scalar.WAIT_COUNT)),
        wait_loss=np.zeros((2, n)),
        wait_sound=np.ones((3, len(compiled.model.resistance), 6)),
        wait_sensor=np.zeros((3, n, 7)),
        wait_mean=np.zeros((2, n_out)),
    )


def _load_cells(compiled: Compiled) -> np.ndarray:
    """Return the numbers of the bodies whose joints carry loads: all but free ones."""
    joints = [compiled.system.joint(name) for name in compiled.joints]
    return np.array([i for i, joint in enumerate(joints) if joint.type != "free"], np.int64)


def _stop_body(compiled: Compiled, stop: str | None) -> int:
    """Number of the body whose contact ends the run, or -1."""
    if stop is None or stop == "at rest":
        return -1
    name = stop.removesuffix(" contact")
    if not stop.endswith(" contact") or name not in compiled.bodies:
        raise InputError(
            f'solver.stop is {stop!r}; accepted: "at rest" or "<segment> contact".' + nearest(name, compiled.bodies)
        )
    return compiled.bodies.index(name)


def _resumed(compiled: Compiled, final: dict[str, np.ndarray]) -> types.State:
    """Return the state at the end of an earlier run; refuse one that is incomplete or of another model."""
    names = (
        "q",
        "v",
        "work",
        "touching",
        "memory",
        "clock",
        "tally",
        "closed",
        "tone",
        "sound",
        "web",
        "bone",
        "gas",
        "shaft",
    )
    if not compiled.system.loops:  # versions without loops did not keep it
        final = {"closed": np.zeros(0, np.int64), **final}
    final = {"sound": np.ones((len(compiled.model.resistance), 6)), **final}  # versions without failure kept none
    final = {"bone": whole_bones(len(compiled.model.bone)), "shaft": whole_shafts(compiled.model), **final}
    if not compiled.system.belts:  # nor versions without belts
        final = {"web": np.zeros((0, layout.web.COUNT)), **final}
    if not compiled.system.airbags:  # nor versions without airbags
        final = {"gas": np.zeros((0, layout.gas.COUNT)), **final}
    missing = [name for name in names if name not in final]
    if missing:
        raise InputError(f"the earlier run holds no state to continue from ({', '.join(missing)}); run it again.")
    state = initial_state(compiled)
    parts = {"q": state.now.q, "v": state.now.v, "work": state.now.work, **state._asdict()}
    if np.shape(final["work"]) == (layout.work_class.COUNT,):  # of a version that did not keep the losses of each joint
        final = {**final, "work": np.concatenate([final["work"], np.zeros(len(compiled.bodies))])}
    classes = layout.work_class
    for before in (classes.BELT_ELASTIC, classes.AIRBAG_ELASTIC, classes.MODE_ELASTIC):  # versions without them
        if np.shape(final["work"]) == (before + len(compiled.bodies),):
            final = {**final, "work": np.insert(final["work"], before, (0.0, 0.0))}
    if np.shape(final["clock"]) == (layout.clock.SLOW_SINCE,):  # of a version that did not know "nearly at rest"
        final = {**final, "clock": np.append(final["clock"], (final["clock"][layout.clock.TIME], np.inf))}
    for name in names:
        if np.shape(final[name]) != parts[name].shape:
            raise InputError(f"the earlier run had another model: its {name} has the shape {np.shape(final[name])}.")
        if name not in ("clock", "tone", "gas") and not np.isfinite(final[name]).all():
            raise InputError(f"the state of the earlier run is not finite ({name}); it cannot continue.")
        parts[name][:] = final[name]
    if not 0 <= state.tally[layout.tally.CULPRIT] < len(compiled.bodies):
        raise InputError("the state of the earlier run is damaged (tally); run it again.")
    return state


def _final(compiled: Compiled, state: types.State) -> dict[str, np.ndarray]:
    """Return the state at the end of a run, from which another may continue."""
    return {
        "q": state.now.q.copy(),
        "v": state.now.v.copy(),
        "work": state.now.work.copy(),
        **{name: array.copy() for name, array in state._asdict().items() if name != "now"},
        "pair_size": compiled.pair_size,
        "pair_limit": compiled.pair_limit,
        "pair_group": compiled.model.candidate[:, layout.candidate.GROUP].astype(float),
    }


def recorded(
    compiled: Compiled,
    work: types.Work,
    state: types.State,
    output: types.Output,
    settings: types.Settings,
    method: str,
    wall: float,
    names: Mapping[str, Any] | None = None,
) -> Recording:
    """Samples cut to what was reached, with names; `names` are those of `names_of` if they are known."""
    p, f = int(output.cursor[layout.cursor.POSE]), int(output.cursor[layout.cursor.SENSOR])
    samples = sampled(compiled, output, p, f, _bone(compiled, output, p, f))
    status = STATUS[int(state.tally[layout.tally.STATUS])]
    error = _balance_error(float(state.clock[layout.clock.KINETIC_START]), output.scalar[:p])
    return Recording(
        channels={channel.name: channel.sample(samples) for channel in SAMPLED if channel.sample is not None},
        pose_time=output.pose_time[:p],
        time=output.time[:f],
        events=events(compiled, output, samples.bone[..., 2]),
        status=status.name,
        message=_message(compiled, work, state, settings, int(output.cursor[layout.cursor.EVENTS]), error),
        end_time=float(state.clock[layout.clock.TIME]),
        balance_error=error,
        steps=int(state.tally[layout.tally.STEPS]),
        rejected=int(state.tally[layout.tally.REJECTED]),
        evaluations=int(state.tally[layout.tally.EVALUATIONS]),
        wall_time=wall,
        method=method,
        tolerance=settings.tolerance if settings.adaptive else 0.0,
        final=_final(compiled, state),
        **(names_of(compiled) if names is None else names),
    )


def names_of(compiled: Compiled) -> dict[str, Any]:
    """Return the fields of a recording that the structure fixes: names of all items, roster, points of bones."""
    system = compiled.system
    return {
        "bodies": compiled.bodies,
        "joints": compiled.joints,
        "joint_types": tuple(system.joint(name).type for name in compiled.joints),
        "pairs": compiled.pairs,
        "sensors": tuple(sensor.name for sensor in system.sensors),
        "sensor_filters": tuple(sensor.filter for sensor in system.sensors),
        "parents": tuple(system.joint(name).parent or "" for name in compiled.joints),
        "load_cells": tuple(compiled.joints[i] for i in _load_cells(compiled)),
        "roster": Roster.of(system),
        "loops": tuple(loop.name for loop in system.loops),
        "webbing": spans(system.belts),
        "points": bone_load.points(system),
        "point_axes": bone_load.point_axes(system),
        **bone_load.point_material(system),
        "airbags": tuple(bag.name for bag in system.airbags),
        "dips": dips(system.airbags),
        "muscles": tuple(muscle.name for muscle in system.muscles),
        "muscle_points": places(system.muscles),
    }


def _bone(compiled: Compiled, output: types.Output, p: int, f: int) -> np.ndarray:
    """Loads at the points of the bones that bend (N, point, 5), in the order of `bone_load.BoneLoads`."""
    place, turn = layout.pose.POSITION, layout.pose.ORIENTATION
    motion = bone_load.Motion(
        output.pose_time[:p],
        output.pose[:p, :, place : place + 3],
        output.pose[:p, :, turn : turn + 4],
        output.time[:f],
        output.load_cell[:f].reshape(f, output.load_cell.shape[1] // 6, 6),
        output.attitude[:f],
    )
    if not bone_load.bones(compiled.system):
        return np.zeros((f, 0, len(bone_load.BoneLoads._fields)))
    cells = tuple(compiled.joints[i] for i in _load_cells(compiled))
    return np.stack(bone_load.bone_loads(compiled.system, cells, motion), axis=-1)


def _balance_error(kinetic: float, scalar: np.ndarray) -> float:
    """Largest energy balance over the energy put in [-]: kinetic at the start [J], and the changes of the others."""
    if not len(scalar):
        return 0.0
    potential = scalar[:, layout.scalar.POTENTIAL]
    given = [layout.work_class.EXTERNAL, layout.work_class.PRESCRIBED, layout.work_class.MUSCLE]
    external = abs(scalar[:, given]).sum(axis=1)
    put_in = kinetic + float(np.ptp(potential)) + float(external.max())
    return float(abs(scalar[:, layout.scalar.IMBALANCE]).max() / put_in) if put_in > 0.0 else 0.0


def _message(
    compiled: Compiled, work: types.Work, state: types.State, settings: types.Settings, events: int, error: float
) -> str:
    """How the run ended, in a sentence: with time, body and energy balance error [-] if not well."""
    code = int(state.tally[layout.tally.STATUS])
    status = STATUS[code]
    message = status.sentence
    if settings.stop_at_rest and status.fine:
        culprit = int(state.tally[layout.tally.CULPRIT])
        speed = float(np.linalg.norm(work.body[culprit, layout.body.VELOCITY : layout.body.VELOCITY + 3]))
        still = "" if code == layout.status.AT_REST else "still "
        fastest = segment_of(compiled.system, compiled.bodies[culprit])
        message += f" The fastest body, {fastest!r}, {still}moves at {1e3 * speed:.2g} mm/s."
    if events > MAX_EVENTS:
        message += f" Only the first {MAX_EVENTS} of {events} events were kept."
    if status.fine:
        return message
    body, time = compiled.bodies[int(state.tally[layout.tally.CULPRIT])], float(state.clock[layout.clock.TIME])
    if code == layout.status.PASSED_THROUGH:
        rows = [c for c, (name, _) in enumerate(compiled.pairs) if name == body]
        deepest = max(rows, key=lambda c: work.pair[c, layout.pair.DEPTH])
        inside = f"{work.pair[deepest, layout.pair.DEPTH]:.3g} m inside {compiled.pairs[deepest][1]!r}"
        return f"At {time:.6g} s, body {body!r} is {inside}. {message}"
    body = segment_of(compiled.system, body)
    return f"At {time:.6g} s, body {body!r}, energy balance error {100 * error:.3g} %: {message}"

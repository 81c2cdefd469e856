"""Speed on this machine, optionally compared with other engines on the same body. SI units, times in us and ms.

Times are the best of several rounds in which all candidates take turns: other work on the machine only ever adds.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from ..._jit import cache_is_cold
from ...human import human, place
from ...kernels import layout, loop, types
from ...model import Configuration, System
from ...model.compile import Compiled, compile_system, initial_state, make_work
from ...sim.simulate import simulate
from ..evidence import Check
from ..example_system import moving
from ..kernels import measure
from . import (
    closed_loops,
    convex_pairs,
    criteria,
    ellipsoid_tests,
    flexible_bodies,
    formulation_cost,
    page,
    pedestrian_impact,
    planar_impact,
    ready_scenarios,
    studio_answer,
    study_cases,
    triangles,
)
from . import peers as engines

ROUNDS = 7
EVALUATIONS = 2000  # in one timing of an evaluation
AIM_RIGHT_HAND_SIDE = 4.0  # [us]
AIM_PINOCCHIO, AIM_MUJOCO = 1.0 / 3.0, 1.0 / 5.0  # of their time for an evaluation
AIM_FALL = 0.6  # of MuJoCo's time for one fall
AIM_BATCH = 3.5  # falls in a batch over those of MuJoCo's rollout in the same time
BATCH, THREADS = 16, 2  # falls of a batch, and threads that run them
MUJOCO_STEP = 1e-3  # [s]

Progress = Callable[[str, int, int], None]
Timed = Callable[[], float]

#: what else is measured: rows of so many rounds
PARTS: dict[str, Callable[..., list[Check]]] = {
    "shapes": convex_pairs.rows,
    "detection": ellipsoid_tests.rows,
    "facets": triangles.rows,
    "injury": criteria.rows,
    "report": page.rows,
    "studio": studio_answer.rows,
    "formulations": formulation_cost.rows,
    "pedestrian": pedestrian_impact.rows,
    "planar pedestrian": planar_impact.rows,
    "studies": study_cases.rows,
    "flexible bodies": flexible_bodies.rows,
    "closed loops": closed_loops.rows,
}


def run(peers: bool = False, progress: Progress | None = None, *, rounds: int | None = None) -> list[Check]:
    """Return rows with a time or a ratio each; if there is an aim, the verdict shows whether it is met.

    peers     compare with Pinocchio and MuJoCo in the same run; needs the extra "peers"
    progress  called with the current measurement, the number of finished ones and the number of all
    rounds    the best of which counts; None: the default of each part
    """
    rows = engine(peers, progress, rounds or ROUNDS)
    for number, (name, part) in enumerate(PARTS.items()):
        if progress is not None:
            progress(name, number, len(PARTS))
        rows += part() if rounds is None else part(rounds)
    return rows + ready_scenarios.rows(rounds or ready_scenarios.ROUNDS, progress)


def engine(peers: bool = False, progress: Progress | None = None, rounds: int = ROUNDS) -> list[Check]:
    """Return the times of an evaluation and a fall, optionally compared with other engines."""
    if peers:
        engines.load_mujoco("bench --peers")
        engines.load_pinocchio("bench --peers")
    rows = _compiling()
    system, start = falling()
    timed: dict[str, Timed] = {
        "bare": _bare(),
        "full": _full(0.0),
        "step": _full(1e-4),
        "fall": lambda: fall_time(system, start),
        "fall unrecorded": lambda: fall_time(system, start, rate=10.0, pose_rate=10.0),
    }
    if peers:
        timed |= {"pinocchio": _pinocchio(), "mujoco": _mujoco(), "mujoco fall": _mujoco_fall(system, start)}
        timed |= {"batch": _batch(), "mujoco batch": _mujoco_batch(system, start)}
    best = _best(timed, progress, rounds)
    return rows + _evaluation_rows(best, peers) + _fall_rows(best, peers)


def _evaluation_rows(best: dict[str, float], peers: bool) -> list[Check]:
    """Return the rows of one evaluation from the best times [s]."""
    bare, full, step = (best[name] for name in ("bare", "full", "step"))
    loads = "kinematics and accelerations, no loads but weight"
    rows = [
        Check.measured("forward dynamics of 17 bodies", 1e6 * bare, "us", loads),
        Check.at_most(
            "full right-hand side", AIM_RIGHT_HAND_SIDE, 1e6 * full, "us", "16 joint torques, ground contact"
        ),
        Check.measured(
            "the same for an implicit step", 1e6 * step, "us", "the default method takes several of these a step"
        ),
    ]
    if peers:
        rows += [
            Check.measured("Pinocchio aba", 1e6 * best["pinocchio"], "us", "same body, from Python"),
            Check.measured("MuJoCo mj_forward", 1e6 * best["mujoco"], "us", "same body, contact off, from Python"),
            Check.at_most("ours / Pinocchio", AIM_PINOCCHIO, bare / best["pinocchio"], "-", "forward dynamics"),
            Check.at_most("ours / MuJoCo", AIM_MUJOCO, bare / best["mujoco"], "-", "forward dynamics"),
        ]
    return rows


def _fall_rows(best: dict[str, float], peers: bool) -> list[Check]:
    """Return the rows of the 4 m fall from the best times [s]."""
    fall, unrecorded = best["fall"], best["fall unrecorded"]
    rows = [
        Check.measured("fall-4m at the default tolerance", 1e3 * fall, "ms", "1.5 s, previous body, recorded"),
        Check.measured("the same, hardly recorded", 1e3 * unrecorded, "ms", "sensors and poses at 10 Hz"),
        Check.measured("times faster than real time", 1.5 / fall, "-", "fall-4m"),
    ]
    if peers:
        theirs, samples = best["mujoco fall"], "15,001 sensor and 1,501 pose samples"
        rows += [
            Check.measured(
                "MuJoCo, same fall", 1e3 * theirs, "ms", "its own soft contact and joint springs, 1 ms steps"
            ),
            Check.at_most("ours / MuJoCo, fall", AIM_FALL, unrecorded / theirs, "-", "neither records"),
            Check.at_most("the same, ours recorded", 1.0, fall / theirs, "-", samples),
            Check.at_least(
                "batch of falls, ours over MuJoCo's rollout", AIM_BATCH, best["mujoco batch"] / best["batch"], "-",
                f"{BATCH} falls on {THREADS} threads; ours with the criteria of a study",
            ),
        ]  # fmt: skip
    return rows


def _compiling() -> list[Check]:
    """Compile the kernels; return the row of the compile time if the cache was empty."""
    cold = cache_is_cold(loop.advance)
    started = perf_counter()
    system, start = falling()
    simulate(system, start, duration=0.01)
    if not cold:
        return []
    return [
        Check.at_most("compiling, once per machine", 40.0, perf_counter() - started, "s", "first run with a cold cache")
    ]


def _best(timed: dict[str, Timed], progress: Progress | None, rounds: int) -> dict[str, float]:
    """Return the least time of each measurement [s]; rounds alternate between the measurements."""
    best = dict.fromkeys(timed, float("inf"))
    for number in range(rounds):
        for name, measured in timed.items():
            if progress is not None:
                progress(name, number, rounds)
            best[name] = min(best[name], measured())
    return best


# --- ours


def falling() -> tuple[Compiled, Configuration]:
    """Return the compiled 4 m fall and its start, with the previous body, the only one that MuJoCo can represent."""
    from ...scenario import Scenario

    system, start = Scenario.load("fall-4m", {"human.body": "previous"}).build()
    return compile_system(system), start


def fall_time(system: Compiled, start: Configuration, *, rate: float = 10_000.0, pose_rate: float = 1_000.0) -> float:
    """Return the wall time of the 4 m fall [s] with sensors and poses recorded at given rates [Hz]."""
    return simulate(system, start, duration=1.5, rate=rate, pose_rate=pose_rate).wall_time


def _arrays(system: System, start: Configuration) -> tuple[types.Model, types.Work, types.State]:
    compiled = compile_system(system)
    return compiled.model, make_work(compiled), initial_state(compiled, start)


def _bare() -> Timed:
    """Return the timer of one bare evaluation [s]: a person in the air without joint torques."""
    system = human(1.8, 80.0, joints=None).system
    model, work, state = _arrays(system, moving(system))

    def measured() -> float:
        started = perf_counter()
        measure.forward_dynamics(model, work, state.memory, state.now.q, state.now.v, EVALUATIONS)
        return (perf_counter() - started) / EVALUATIONS

    measured()
    return measured


def _full(step: float) -> Timed:
    """Return the timer of one full evaluation [s], explicit or for an implicit step [s]: both feet in contact."""
    from ...world import surface

    person = human(1.8, 80.0)
    system = person.system.replace(surfaces=(surface.plane("ground", "concrete"),))
    model, work, state = _arrays(system, place(person, "standing", clearance=-0.003, velocity=(0.3, 0.0, -0.5)))

    def measured() -> float:
        started = perf_counter()
        measure.right_hand_side(model, work, state.memory, state.now.q, state.now.v, step, EVALUATIONS)
        return (perf_counter() - started) / EVALUATIONS

    measured()
    pressed = model.candidate[work.pair[:, layout.pair.DEPTH] > 0.0, layout.candidate.SHAPE_A]
    assert len(set(model.shape_kind[pressed, layout.shape_kind.CARRIER])) == 2, "both feet touch the ground"
    return measured


def _batch() -> Timed:
    """Return the timer of a study of falls with the previous body on two threads [s]."""
    from ...scenario import Scenario
    from ...study.spread import spread_study

    study = spread_study(Scenario.load("fall-4m", {"human.body": "previous"}), BATCH)
    study._warm()

    def measured() -> float:
        started = perf_counter()
        for _row in study.rows(range(BATCH), threads=THREADS):
            pass
        return perf_counter() - started

    return measured


# --- theirs


def _repeated(call: Callable[[], Any]) -> Timed:
    def measured() -> float:
        started = perf_counter()
        for _ in range(EVALUATIONS):
            call()
        return (perf_counter() - started) / EVALUATIONS

    measured()
    return measured


def _pinocchio() -> Timed:
    """Return the timer of Pinocchio's articulated body algorithm on the same body [s]."""
    system = human(1.8, 80.0, joints=None).system
    theirs = engines.Pinocchio(system)
    q, v = theirs.state(moving(system))
    torque = np.zeros(theirs.model.nv)
    aba, model, data = theirs.pin.aba, theirs.model, theirs.data
    return _repeated(lambda: aba(model, data, q, v, torque))


def _mujoco() -> Timed:
    """Return the timer of MuJoCo's mj_forward on the same body without contact [s]."""
    system = human(1.8, 80.0, joints=None).system
    theirs = engines.Mujoco(system)
    theirs.place(moving(system))
    forward, model, data = theirs.mujoco.mj_forward, theirs.model, theirs.data
    return _repeated(lambda: forward(model, data))


def _mujoco_fall(compiled: Compiled, start: Configuration) -> Timed:
    """Return the timer of the 4 m fall with MuJoCo's soft contact and joint springs at steps of 1 ms [s]."""
    theirs = engines.Mujoco(compiled.system, contact=True, resistance=True, step=MUJOCO_STEP)
    steps = round(1.5 / MUJOCO_STEP)

    def measured() -> float:
        theirs.place(start)
        started = perf_counter()
        theirs.mujoco.mj_step(theirs.model, theirs.data, nstep=steps)
        return perf_counter() - started

    measured()
    return measured


def _mujoco_batch(compiled: Compiled, start: Configuration) -> Timed:
    """Return the timer of as many falls as `_batch` by MuJoCo's rollout, which records every state [s]."""
    theirs = engines.Mujoco(compiled.system, contact=True, resistance=True, step=MUJOCO_STEP)
    theirs.place(start)
    mujoco = theirs.mujoco
    whole = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros((BATCH, mujoco.mj_stateSize(theirs.model, whole)))
    for row in state:
        mujoco.mj_getState(theirs.model, theirs.data, row, whole)
    from mujoco import rollout

    scratch = [mujoco.MjData(theirs.model) for _ in range(THREADS)]
    pool = rollout.Rollout(nthread=THREADS)

    def measured() -> float:
        started = perf_counter()
        pool.rollout([theirs.model] * BATCH, scratch, state, nstep=round(1.5 / MUJOCO_STEP))
        return perf_counter() - started

    return measured

"""Cost of joints that close loops: ratios of the processor time of equal steps. One core, kernels compiled."""

from __future__ import annotations

from dataclasses import replace
from time import thread_time

from ...human import human, place
from ...model import Configuration, Loop, System
from ...model.compile import Compiled, compile_system
from ...scenario import Scenario
from ...sim.simulate import simulate
from ..evidence import Check

ROUNDS = 7
AIM = 1.15  # a step with one loop over one without
SCENARIO = "sled-frontal-driver"
DURATION, STEP = 0.08, 2e-4  # [s]


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Compare steps with and without loops: between the hands of a flying person, and of a driver with the wheel."""
    flying, start = _flying()
    ball, rigid = (_grip(kind) for kind in ("spherical", "rigid"))
    driver, seated = Scenario.load(SCENARIO).build()
    hands = tuple(replace(loop, release=None) for loop in driver.loops if isinstance(loop, Loop))
    return [
        _row("ball joint between the hands in the air", flying, start, (ball,), rounds),
        _row("rigid joint between the hands in the air", flying, start, (rigid,), rounds),
        _row("one hand on the wheel", driver, seated, hands[:1], rounds, f"{SCENARIO}, three-point belt and airbag"),
        _row("both hands on the wheel", driver, seated, hands, rounds, "two joints; no aim"),
    ]


def _row(
    name: str, system: System, start: Configuration, loops: tuple[Loop, ...], rounds: int, note: str = ""
) -> Check:
    """Return the row of the ratio of the best times, measured in turns."""
    without, with_loops = compile_system(system.replace(loops=())), compile_system(system.replace(loops=loops))
    times = [[_time(compiled, start) for compiled in (without, with_loops)] for _ in range(rounds + 1)][1:]
    bare, tied = (min(time) for time in zip(*times, strict=True))
    name, note = f"step with a loop over one without, {name}", note or f"{1e6 * STEP / DURATION * bare:.1f} us without"
    if len(loops) > 1:
        return Check.measured(name, tied / bare, "-", note)
    return Check.at_most(name, AIM, tied / bare, "-", note)


def _time(compiled: Compiled, start: Configuration) -> float:
    """Return the processor time of steps of equal length, hardly recorded [s]."""
    begin = thread_time()
    simulate(compiled, start, duration=DURATION, adaptive=False, step=STEP, rate=10.0, pose_rate=10.0)
    return thread_time() - begin


def _flying() -> tuple[System, Configuration]:
    person = human(1.8, 80.0)
    return person.system, place(person, "standing", clearance=2.0, velocity=(1.0, 0.0, 0.0))


def _grip(kind: str) -> Loop:
    return Loop("grip", kind, "left_hand", "right_hand", (0.0, -0.3, 0.0), (0.0, 0.3, 0.0))

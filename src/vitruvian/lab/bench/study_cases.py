"""How fast are studies? Cost of a case next to its kernel, cases per second, threads, `--spread`. Kernels compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter, process_time
from typing import Any

from ...model.compile import make_work
from ...scenario import Scenario
from ...study.spread import SpreadStudy, spread, spread_study
from ..evidence import Check

AIM_SPREAD = 3.0  # [s] of 64 cases on two cores
AIM_OVERHEAD = 0.3  # [ms] a case
AIM_THREADS = 1.85  # two threads over one
MANY = 10_000  # cases, whose time is projected from SOME
#: scenario -> aim of MANY cases on two threads [s]
IMPACTS = {"pedestrian-2d": 60.0, "pedestrian-side-left": 160.0}
SOME = 64
CASES = 5  # of a round in which the overhead is measured


def rows(rounds: int = 3) -> list[Check]:
    """Measure overhead, rate and spread."""
    found = []
    for name, aim in IMPACTS.items():
        study = spread_study(Scenario.load(name), SOME)
        study._warm()
        found += [_overhead(name, study, rounds), *_rate(name, study, aim)]
    study = spread_study(Scenario.load("fall-4m"), SOME)
    study._warm()
    return [*found, _overhead("fall-4m", study, rounds), _spread()]


def _overhead(name: str, study: SpreadStudy, rounds: int) -> Check:
    """Return the processor time of a case without that of its kernel, on one thread: the median of different cases.

    A case that runs twice would find its contact laws in memory, which no case of a study does.
    """

    def timed(call: Callable[[], object]) -> float:
        begun = process_time()
        call()
        return process_time() - begun

    def kernel(values: Mapping[str, Any]) -> float:
        compiled, fresh, options = study.runs.made(values)
        runner, work = study.runs.runner(compiled, options), make_work(compiled)
        return timed(lambda: runner.advance(compiled, work, fresh))

    found = []
    for case in range(CASES * rounds):
        values, others = study.inputs(2 * case % SOME), study.inputs((2 * case + 1) % SOME)
        whole = timed(lambda values=values: study.runs.row(values))  # type: ignore[misc]
        filled = timed(lambda values=others: study.runs.made(values))  # type: ignore[misc]
        alone = kernel(values)
        found.append((whole - alone, filled, alone))
    overhead, filling, alone = (1e3 * median(column) for column in zip(*found, strict=True))
    note = f"filling {filling:.2g} ms of it, kernel {alone:.3g} ms next to it"
    return Check.at_most(f"{name}: overhead of a case", AIM_OVERHEAD, overhead, "ms", note)


def _rate(name: str, study: SpreadStudy, aim: float) -> list[Check]:
    """Return the time of many cases on two threads, and how much faster two threads are than one."""
    best = {}
    for threads in (1, 2):
        begun = perf_counter()
        for _row in study.rows(range(SOME), threads=threads):
            pass
        best[threads] = perf_counter() - begun
    note = f"projected from {SOME} cases; {'filled' if study.runs.template else 'every case built'}"
    return [
        Check.at_most(f"{name}: {MANY} cases on two threads", aim, best[2] * MANY / SOME, "s", note),
        Check.at_least(f"{name}: two threads over one", AIM_THREADS, best[1] / best[2], "-", f"{SOME} cases"),
    ]


def _spread() -> Check:
    begun = perf_counter()
    spread("fall-4m", SOME, 0, threads=2)
    return Check.at_most("--spread of fall-4m", AIM_SPREAD, perf_counter() - begun, "s", "64 cases and 8 twins")

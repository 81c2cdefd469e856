"""How fast is a pedestrian impact? One in 3D, a grid of them on all cores, and the command. Kernels compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, time

from ...model.compile import compile_system
from ...scenario import Scenario
from ...scenario.grid import BASE, pedestrian_grid
from ...sim.simulate import simulate
from ..evidence import Check

ROUNDS = 7
AIM_RUN = 60.0  # [ms]
AIM_GRID = 6.0  # [s] on two cores
AIM_ANSWER = 3.0  # [s], from the shell
FRONTS = ("small-car", "sedan", "suv", "van")
SPEEDS = (20, 30, 35, 40, 45, 50, 60)  # [km/h]
PEOPLE = ("50M", "5F", "95M", "6YO")
COMMAND = ("--car", "sedan", "--speed", "40 km/h", "--sex", "female", "--age", "35", "--percentile", "5")
#: arguments of the command
ASKED = {"in the plane": COMMAND, "in 3D": (*COMMAND, "--three-d")}


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure the wall time of an impact of 0.3 s, of a grid with its scenarios, and of the command."""
    answers = (row for name, words in ASKED.items() for row in _answer(name, words, min(rounds, 3)))
    return [_impact(rounds), _grid(), *answers]


def _impact(rounds: int) -> Check:
    scenario = Scenario.load(BASE)
    system, start = scenario.build()
    compiled, solver = compile_system(system), scenario.table.solver
    assert solver.duration is not None
    runs = [simulate(compiled, start, duration=solver.duration, tolerance=solver.tolerance) for _ in range(rounds)]
    best = 1e3 * min(run.wall_time for run in runs)
    note = f"{solver.duration:g} s, {runs[0].steps} steps, {runs[0].evaluations} evaluations"
    return Check.at_most(f"{BASE}, 3D", AIM_RUN, best, "ms", note)


def _grid() -> Check:
    started = perf_counter()
    people = {name: {"preset": name} for name in PEOPLE}
    struck = pedestrian_grid(FRONTS, [f"{speed} km/h" for speed in SPEEDS], people, threads=2)
    wall = perf_counter() - started
    name = f"{len(FRONTS)} cars x {len(SPEEDS)} speeds x {len(PEOPLE)} people, 3D"
    note = f"{len(struck)} impacts on two threads, people and cars built too"
    return Check.at_most(name, AIM_GRID, wall, "s", note)


def _answer(name: str, words: tuple[str, ...], rounds: int) -> list[Check]:
    """Return the waiting times [s] of `vitruvian pedestrian`: first line, picture, end; the best of several rounds."""
    best = [float("inf")] * 3
    for _ in range(rounds):
        with TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "vitruvian", "pedestrian", *words, "--out", folder]
            started = time()
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asked:
                assert asked.stdout is not None
                asked.stdout.readline()
                line = time()
                asked.stdout.read()
            if asked.wait():
                raise RuntimeError(f"{' '.join(command)} ended with {asked.returncode}")
            moments = (line, Path(folder, "motion.png").stat().st_mtime, time())
        best = [min(least, moment - started) for least, moment in zip(best, moments, strict=True)]
    what = f"vitruvian pedestrian {name}"
    return [
        Check.measured(f"{what}: the line", best[0], "s", "from the shell, kernels compiled"),
        Check.at_most(f"{what}: the picture", AIM_ANSWER, best[1], "s", "motion.png is written"),
        Check.measured(f"{what}: all files", best[2], "s", "result.nc, scenario.toml and outcome.json too"),
    ]

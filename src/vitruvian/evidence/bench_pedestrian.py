"""How fast is a pedestrian impact? One in 3D, and a grid of them on all cores. Kernels compiled."""

from __future__ import annotations

from time import perf_counter

from ..model.compile import compile_system
from ..scenario import Scenario
from ..scenario.grid import BASE, pedestrian_grid
from ..sim.simulate import simulate
from .check import Check

ROUNDS = 7
AIM_RUN = 60.0  # [ms]
AIM_GRID = 6.0  # [s] on two cores
FRONTS = ("small-car", "sedan", "suv", "van")
SPEEDS = (20, 30, 35, 40, 45, 50, 60)  # [km/h]
PEOPLE = ("50M", "5F", "95M", "6YO")


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Wall time of an impact of 0.3 s, the best of some rounds, and of the grid, its scenarios built and all."""
    return [_impact(rounds), _grid()]


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

"""How long does the planar pedestrian take? One core, kernels compiled."""

from __future__ import annotations

from ...model.compile import compile_system
from ...scenario import Scenario
from ...sim.simulate import simulate
from ..evidence import Check

ROUNDS = 7
AIM = 20.0  # [ms]
SCENARIO = "pedestrian-2d-5f-30"


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure the wall time of 0.3 s, compiled into arrays once and recorded at the rates of the scenario."""
    found = []
    for rule in ("lines", "surface"):
        scenario = Scenario.load(SCENARIO).replace({"vehicle.rule": rule})
        system, start = scenario.build()
        compiled, solver = compile_system(system), scenario.table.solver
        assert solver.duration is not None and solver.tolerance is not None
        runs = [simulate(compiled, start, duration=solver.duration, tolerance=solver.tolerance) for _ in range(rounds)]
        wall = 1e3 * min(run.wall_time for run in runs)
        note = f"{SCENARIO}, {runs[0].steps} steps, {runs[0].evaluations} evaluations"
        found.append(Check.at_most(f"planar pedestrian for 0.3 s, {rule}", AIM, wall, "ms", note))
    return found

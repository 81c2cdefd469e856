"""How many times faster than real time are the ready scenarios with people in them? One core, kernels compiled."""

from __future__ import annotations

from collections.abc import Callable

from ...scenario import Scenario, library
from ..evidence import Check

ROUNDS = 3
AIM = 1.0  # real time over wall time [-], at least
AIMS = {"sled-15kmh": 4.0}  # of scenarios that have their own


def rows(rounds: int = ROUNDS, progress: Callable[[str, int, int], None] | None = None) -> list[Check]:
    """Measure simulated time over wall time of each scenario, recorded at the rates of the scenario."""
    people = {name: scenario for name in library() if (scenario := Scenario.load(name)).table.human}
    found = []
    for number, (name, scenario) in enumerate(people.items()):
        if progress is not None:
            progress(name, number, len(people))
        runs = [scenario.run(check=False).recording for _ in range(rounds)]
        wall = min(run.wall_time for run in runs)
        factor = runs[0].end_time / wall
        note = f"{runs[0].end_time:g} s in {1e3 * wall:.0f} ms"
        found.append(Check.at_least(f"{name}, times real time", AIMS.get(name, AIM), factor, "-", note))
    return found

"""Throw random people at random fronts and report every finding of the audit.

    python tools/throw_people.py                 1,000 people, seed 0
    python tools/throw_people.py 50 --seed 7     fewer, other people
    python tools/throw_people.py 1 --first 417   one of them again

Each case follows from the seed and its number alone. People hold their posture until they are struck (tone
"standing"), as in the ready scenarios and in `vitruvian pedestrian`. Exit code 1 if a run has a finding of `sim.audit`,
a force that changes its direction at once among them, or ends otherwise than it should. Up to 90 km/h no person may
pass through a front; above, a run may end as `passed_through`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from vitruvian import Scenario
from vitruvian.sim.audit import faults, flips

BASES = ("pedestrian-side-left", "pedestrian-front", "pedestrian-behind")
FRONTS = ("small-car", "sedan", "suv", "van", "bus", "tram")
SLOW, FAST = 25.0, 55.0  # [m/s]: no person passes through below the first; the fastest vehicle


def case(seed: int, number: int) -> tuple[str, dict[str, Any]]:
    """Return the ready scenario and the changes of a case: who, heading, vehicle, speed."""
    rng = np.random.default_rng((seed, number))
    fast = rng.random() < 0.2
    changes = {
        "human": {
            "sex": str(rng.choice(["female", "male"])),
            "age": round(float(rng.uniform(3.0, 89.0)), 1),
            "percentile": round(float(rng.uniform(3.0, 97.0)), 1),
            "posture": str(rng.choice(["walking", "standing"])),
            "tone": "standing",
            "start": {"heading": float(rng.uniform(-np.pi, np.pi)), "settle": True},
        },
        "vehicle.front": str(rng.choice(FRONTS)),
        "vehicle.speed": float(rng.uniform(SLOW, FAST) if fast else rng.uniform(3.0, SLOW)),
    }
    return str(rng.choice(BASES)), changes


def findings(seed: int, number: int) -> tuple[str, ...]:
    """Run a case and return a sentence for everything that is wrong with it."""
    base, changes = case(seed, number)
    scenario = Scenario.load(base, changes)
    result = scenario.run(check=False)
    wrong = faults(result.recording, scenario.build()[0].common_tissues) + flips(result.recording)
    allowed = result.status == "passed_through" and changes["vehicle.speed"] > SLOW
    if not (result.fine or allowed):
        wrong = (*wrong, f"{result.status}: {result.recording.message}")
    return wrong


def main() -> int:
    """Run the cases asked for and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    given = parser.parse_args()
    began, bad = time.perf_counter(), 0
    for number in range(given.first, given.first + given.count):
        found = findings(given.seed, number)
        bad += bool(found)
        for sentence in found:
            print(f"case {number} {case(given.seed, number)}: {sentence}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{given.count} people, {bad} with a finding, {seconds:.0f} s")
    return min(bad, 1)


if __name__ == "__main__":
    raise SystemExit(main())

"""Strike people at speeds 1 km/h apart and report where HIC15 leaves the trend of its neighbours.

    python tools/neighbouring_speeds.py                        four cars, four people, 20 to 80 km/h: 976 runs
    python tools/neighbouring_speeds.py --fronts van --people 5F --slowest 30 --fastest 40

A speed is off the trend if HIC15 differs by more than 10 % from the mean of the speeds 1 km/h below and above. Between
these the runs are repeated in steps of 0.1 km/h, half as long again, so that their end cuts no impact. A jump differs
there from the mean of its neighbours by more than a third of what it did before; a bend or a steep smooth curve differs
by a tenth or a hundredth. Each finding names what the head met. Exit code 1 if there is a jump while the head meets the
same parts.
"""

from __future__ import annotations

import argparse
import time
from itertools import product

import numpy as np

from vitruvian.scenario.grid import Struck, pedestrian_grid

FRONTS = ("small-car", "sedan", "suv", "van")
PEOPLE = ("5F", "50M", "95M", "6YO")
OFF = 0.1  # share of HIC15 by which a speed may be off the mean of its neighbours [-]
FINE, JUMP = 10, 1.0 / 3.0  # steps in 1 km/h, and the share of the difference that a jump keeps in such a step [-]
LOW = 10.0  # HIC15 below which differences do not count [-]


def off_trend(rows: list[Struck]) -> np.ndarray:
    """Return by how much HIC15 of the inner rows differs from the mean of both neighbours, over that mean [-]."""
    found = np.array([row.HIC15 for row in rows])
    mean = 0.5 * (found[:-2] + found[2:])
    return np.abs(found[1:-1] - mean) / np.maximum(mean, LOW)


def struck(front: str, person: str, speeds: np.ndarray, duration: float = 0.3) -> list[Struck]:
    """Return the impacts of a person at speeds [km/h], each for a duration [s]."""
    who, changes = {person: {"preset": person}}, {"solver.duration": duration}
    return pedestrian_grid([front], [f"{v} km/h" for v in speeds], who, changes=changes, threads=1)


def main() -> int:
    """Run the speeds asked for and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fronts", nargs="+", default=FRONTS)
    parser.add_argument("--people", nargs="+", default=PEOPLE)
    parser.add_argument("--slowest", type=int, default=20, help="[km/h]")
    parser.add_argument("--fastest", type=int, default=80, help="[km/h]")
    given = parser.parse_args()
    speeds = np.arange(given.slowest, given.fastest + 1)
    began, runs, points, jumps = time.perf_counter(), 0, 0, 0
    for front, person in product(given.fronts, given.people):
        rows = struck(front, person, speeds)
        runs += len(rows)
        for row in rows:
            if row.status not in ("finished", "stopped"):
                print(f"{person}, {front}, {3.6 * row.speed:.0f} km/h: {row.status}", flush=True)
        for k in np.flatnonzero(off_trend(rows) > OFF) + 1:
            points += 1
            near = rows[k - 1 : k + 2]
            fine = struck(front, person, np.linspace(speeds[k - 1], speeds[k + 1], 2 * FINE + 1), 0.45)
            left = off_trend(fine)
            worst = int(np.argmax(left))
            jump = left[worst] > JUMP * off_trend(near)[0]
            parts = [row.part or "no part" for row in fine[worst : worst + 3]]
            jumps += bool(jump and len(set(parts)) == 1)
            print(
                f"{person}, {front}, {speeds[k]} km/h: HIC15 {', '.join(f'{row.HIC15:.0f}' for row in near)}, head on "
                f"{', '.join(row.part or 'no part' for row in near)}; {'JUMP' if jump else 'smooth'}: in steps of 0.1 "
                f"km/h off by at most {100 * left[worst]:.1f} %, at {3.6 * fine[worst + 1].speed:.1f} km/h, "
                f"{', '.join(f'{row.HIC15:.0f}' for row in fine[worst : worst + 3])} on {', '.join(parts)}",
                flush=True,
            )
    seconds = time.perf_counter() - began
    print(f"{runs} runs, {points} off the trend of their neighbours, {jumps} jumps on the same part, {seconds:.0f} s")
    return min(jumps, 1)


if __name__ == "__main__":
    raise SystemExit(main())

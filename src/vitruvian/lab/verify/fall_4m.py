"""The 4 m fall: its energy, and what the tolerance and the method change. SI units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...injury import hic
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ...units import STANDARD_GRAVITY
from ..evidence import Check

SCENARIO = "fall-4m"
RATE = 1e5  # [Hz]; a head pulse lasts 1 ms, and at 10 kHz its HIC depends by 1.5 % on where the samples fall
AROUND = 0.03  # of the signal on both sides of its peak that is searched for the HIC [s]


@dataclass(frozen=True)
class Fall:
    """Numbers of a fall that are compared.

    hic15     of the head [-]
    peak      acceleration of the head [g]
    position  of every segment at the end (n, 3) [m]
    balance   energy balance error [-]
    """

    hic15: float
    peak: float
    position: np.ndarray
    balance: float
    recording: Recording


@cache
def fall(scenario: str = SCENARIO, **options: Any) -> Fall:
    """Run a ready scenario with the default solver or with some of its options changed."""
    from ...scenario import Scenario

    ready = Scenario.load(scenario)
    system, start = ready.build()
    duration = ready.table.solver.duration
    assert duration is not None
    run = simulate(system, start, duration=duration, rate=RATE, **options)
    head = np.linalg.norm(run.sensor_acceleration[:, run.sensors.index("head")], axis=1) / STANDARD_GRAVITY
    near = abs(run.time - run.time[head.argmax()]) < AROUND
    return Fall(
        hic(run.time[near], head[near]).value, float(head.max()), run.position[-1].copy(), run.balance_error, run
    )


def apart(one: Fall, other: Fall) -> float:
    """Return the largest distance of a segment at the end of two falls [m]."""
    return float(np.linalg.norm(one.position - other.position, axis=1).max())


def energy() -> list[Check]:
    """The 4 m fall at the default tolerance accounts for its energy: kinetic energy less all work, over the total."""
    return [Check.close("energy balance of fall-4m", 0.0, fall().balance, 1e-3, "-", "default method and tolerance")]


#: both far below the default
FINE = {"tolerance": 1e-7, "contact_step": 1e-5}
FINE_EXPLICIT = {"method": "dormand-prince", "tolerance": 1e-9}


def methods_meet() -> list[Check]:
    """Both adaptive methods at very small steps give one fall, and the default steps come close to it."""
    fine, explicit, default = fall(**FINE), fall(**FINE_EXPLICIT), fall()
    note = "implicit and dormand-prince at very small steps"
    rows = [
        Check.close("fall-4m, two methods: HIC15", explicit.hic15, fine.hic15, 0.01 * explicit.hic15, "-", note),
        Check.close(
            "fall-4m, two methods: peak of the head", explicit.peak, fine.peak, 0.03 * explicit.peak, "g", note
        ),
        Check.close("fall-4m, two methods: end posture", 0.0, apart(fine, explicit), 5e-3, "m", note),
    ]
    note = "default steps and very small ones"
    return [
        *rows,
        Check.close("fall-4m, default tolerance: HIC15", fine.hic15, default.hic15, 0.01 * fine.hic15, "-", note),
        Check.close(
            "fall-4m, default tolerance: peak of the head", fine.peak, default.peak, 0.03 * fine.peak, "g", note
        ),
        Check.close("fall-4m, default tolerance: end posture", 0.0, apart(fine, default), 5e-3, "m", note),
    ]


def table(
    scenario: str = SCENARIO, tolerances: tuple[float, ...] = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5)
) -> list[dict[str, float]]:
    """Return the numbers of each tolerance of the default method and their distance from very small steps."""
    fine = fall(scenario, **FINE)
    rows = []
    for tolerance in tolerances:
        one = fall(scenario, tolerance=tolerance)
        rows.append(
            {
                "tolerance": tolerance,
                "hic15": one.hic15,
                "hic15_error": one.hic15 / fine.hic15 - 1.0,
                "peak": one.peak,
                "peak_error": one.peak / fine.peak - 1.0,
                "posture_error": apart(one, fine),
                "balance_error": one.balance,
                "steps": float(one.recording.steps),
                "wall_time": one.recording.wall_time,
            }
        )
    return rows

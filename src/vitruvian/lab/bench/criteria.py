"""How fast are the injury criteria? Times on this machine, the best of several rounds. In ms."""

from __future__ import annotations

import numpy as np

from ...injury import hic
from ...scenario import Scenario
from ..evidence import Check, least_time

ROUNDS = 7
AIM_HIC = 10.0  # [ms], 100,000 samples
AIM_ASSESSMENT = 50.0  # [ms], 0.3 s at 10 kHz


def rows(rounds: int = ROUNDS) -> list[Check]:
    """Measure HIC15 of 100,000 samples (a pulse in noise, the worst case) and the assessment of a run of 0.3 s."""
    time = np.arange(100_000) * 1e-4
    noise = np.abs(np.random.default_rng(1).normal(size=100_000))
    pulse = 120.0 * np.exp(-(((time - 5.0) / 0.004) ** 2)) + noise
    steady = np.full(100_000, 60.0)
    run = Scenario.load("fall-4m", {"human.start.clearance": 0.1, "solver.duration": 0.3}).run()
    return [
        Check.at_most(
            "HIC15 of 100,000 samples",
            AIM_HIC,
            1e3 * least_time(lambda: hic(time, pulse), rounds),
            "ms",
            "a pulse of 120 g in noise",
        ),
        Check.measured(
            "HIC15 of a constant",
            1e3 * least_time(lambda: hic(time, steady), rounds),
            "ms",
            "100,000 equal windows: the worst",
        ),
        Check.at_most(
            "assessment of 0.3 s at 10 kHz",
            AIM_ASSESSMENT,
            1e3 * least_time(run.injury, rounds),
            "ms",
            "every criterion, filters included",
        ),
    ]

"""Criteria of many runs: the compiled loops have the bits of the definitions in `signals` and `injury`."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.injury.assessment import assess
from vitruvian.injury.channels import from_result
from vitruvian.injury.clip import clip
from vitruvian.injury.subject import subjects
from vitruvian.injury.window import exhaustive
from vitruvian.kernels import criterion as kernel
from vitruvian.signals import cfc
from vitruvian.study import quick


def signals():
    """Yield times and accelerations: pulses on noise, long and short, with a quiet start."""
    random = np.random.default_rng(0)
    for n in (3001, 700, 300):
        time = np.arange(n) / 1e4
        samples = random.normal(size=(n, 3)) * np.where(time > 0.3 * time[-1], 20.0, 0.02)[:, None]
        for _ in range(4):
            place, width = random.uniform(0.0, time[-1]), random.uniform(0.001, 0.02)
            samples += 1500.0 * random.normal(size=3) * np.exp(-(((time - place) / width) ** 2))[:, None]
        yield time, samples


@pytest.mark.needs_jit
@pytest.mark.parametrize("frequency_class", [60.0, 180.0, 1000.0])
def test_filtered_samples_windows_and_levels_have_the_bits_of_numpy(frequency_class):
    for time, samples in signals():
        rate = 1.0 / ((time[-1] - time[0]) / (len(time) - 1))
        found = quick._lowpass(np.ascontiguousarray(samples.T), frequency_class, rate)
        wanted = cfc(time, samples, frequency_class, assume_units=True)
        assert np.array_equal(found.T, wanted)
        size, sums = np.empty(len(time)), np.empty(len(time))
        kernel.resultant(*found, 9.80665, size)
        assert np.array_equal(size, np.linalg.norm(wanted / 9.80665, axis=1))
        kernel.integral(time, size, sums)
        for window in (0.015, 0.036):
            assert kernel.best_window(time, size, sums, window) == exhaustive(time, size, window).value
        for one in (size, np.round(size)):  # rounded: many equal samples
            assert quick.level(time, one) == clip(time, one, assume_units=True).value


@pytest.mark.needs_jit
def test_values_of_a_run_are_those_of_the_assessment_and_other_criteria_are_left_to_it():
    result = Scenario.load("fall-1cm", {"solver.duration": 0.06, "human.start.clearance": "5 mm"}).run()
    people, names = subjects(result.roster.people), tuple(sorted(quick.KNOWN))
    found = quick.values(result.recording, people, names)
    wanted = assess(from_result(result), people=people, simulated=True, only=names)
    assert found is not None and {f.criterion for f in wanted.findings} == set(names)
    for finding in wanted.findings:
        assert found.row[finding.criterion] == finding.value
        for risk in finding.risks:
            assert found.row[f"{finding.criterion} {risk.outcome}"] == risk.probability
    assert quick.values(result.recording, people, ("Nij",)) is None
    short = result.recording.replace(**result.recording.picked({"time": slice(200), "pose_time": slice(20)}))
    assert quick.values(short, people, names) is None

"""Calibration: known parameters are recovered from noisy curves, and those that the data do not determine are named."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.study import Study, calibrate, fit
from vitruvian.study.variable import Range

TIME = np.linspace(0.0, 3.0, 120)


def oscillator(values):
    """Free vibration of a damped oscillator [m]: frequency w [rad/s], damping d [1/s], amplitude a times b [m]."""
    w, d = values["w"], values["d"]
    return values.get("a", 1.0) * values.get("b", 1.0) * np.exp(-d * TIME) * np.cos(w * TIME)


def test_intervals_cover_the_truth():
    """Of 20 noisy curves the 95 % intervals of two parameters cover the truth about 95 times in 100."""
    ranges = (Range(("w",), 4.0, 6.0), Range(("d",), 0.1, 2.0))
    truth = {"w": 5.0, "d": 0.7}
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(20):
        found = fit(oscillator, ranges, oscillator(truth) + random.normal(0.0, 0.05, len(TIME)), starts=1)
        inside += sum(one.low <= truth[one.path] <= one.high for one in found.parameters)
        assert not any(one.undetermined for one in found.parameters) and found.scatter < 0.07
    assert 0.86 <= inside / 40 <= 1.0


def test_parameters_that_the_data_do_not_determine_are_named():
    """Only the product of a and b is in the data; c is in no data at all."""
    ends = {"w": (4.0, 6.0), "d": (0.1, 2.0), "a": (0.5, 2.0), "b": (0.5, 2.0), "c": (0.0, 1.0)}
    ranges = tuple(Range((name,), *both) for name, both in ends.items())
    noise = np.random.default_rng(2).normal(0.0, 0.01, len(TIME))
    found = {one.path: one for one in fit(oscillator, ranges, oscillator({"w": 5.0, "d": 0.7}) + noise).parameters}
    assert [path for path, one in found.items() if one.undetermined] == ["a", "b", "c"]
    assert found["w"].low <= 5.0 <= found["w"].high


@pytest.mark.needs_jit
def test_the_restitution_of_a_ball_is_recovered():
    ball = Scenario.load("bouncing-ball", {"solver.duration": 0.9, "output.pose_rate": 100})
    study = Study(ball, {"surface.floor.contact.restitution": [0.3, 0.95]}, cases=1)

    def height(result):
        return result.recording.position[:, 0, 2]

    truth = ball.replace({"surface.floor.contact.restitution": 0.62}).run()
    noisy = height(truth) + np.random.default_rng(0).normal(0.0, 0.005, len(truth.recording.pose_time))
    found = calibrate(study, height, noisy, starts=2).parameters[0]
    assert found.low <= 0.62 <= found.high and found.high - found.low < 0.02 and not found.undetermined


def test_refusals():
    with pytest.raises(InputError, match="needs ranges"):
        fit(oscillator, (), np.zeros(5))
    with pytest.raises(InputError, match="more than 1"):
        fit(oscillator, (Range(("w",), 4.0, 6.0),), np.zeros(1))
    with pytest.raises(InputError, match="sample alike"):
        fit(lambda values: np.zeros(3), (Range(("w",), 4.0, 6.0),), np.zeros(9))

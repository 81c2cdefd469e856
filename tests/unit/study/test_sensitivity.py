"""Sensitivity indices against closed forms: the Ishigami function and a linear one."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.study import Study, indices_of, sensitivity

A, B = 7.0, 0.1


def ishigami(unit: np.ndarray) -> np.ndarray:
    x = np.pi * (2.0 * unit - 1.0)
    return np.sin(x[:, 0]) + A * np.sin(x[:, 1]) ** 2 + B * x[:, 2] ** 4 * np.sin(x[:, 0])


def test_sobol_indices_of_the_ishigami_function():
    """Closed forms of the shares: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2."""
    pi4 = np.pi**4
    whole = A**2 / 8 + B * pi4 / 5 + B**2 * pi4**2 / 18 + 0.5
    first = {"x": 0.5 * (1 + B * pi4 / 5) ** 2 / whole, "y": A**2 / 8 / whole, "z": 0.0}
    mixed = B**2 * pi4**2 * (1 / 18 - 1 / 50) / whole
    total = {"x": first["x"] + mixed, "y": first["y"], "z": mixed}
    found = indices_of(ishigami, ["x", "y", "z"], method="sobol", runs=2048)
    assert found.runs == 2048 * 5 and found.missing == 0
    for index in found.indices:
        assert abs(index.main - first[index.path]) < max(index.interval, 0.01)
        assert abs(index.whole - total[index.path]) < max(index.interval_whole, 0.01)


def test_morris_finds_the_slopes_of_a_linear_function():
    """Of a linear function mu* is the slope, and sigma is zero."""
    found = indices_of(lambda unit: unit @ [3.0, -1.0, 0.0], ["a", "b", "c"], method="morris", runs=6)
    assert [index.path for index in found.indices] == ["a", "b", "c"]
    assert np.allclose([index.main for index in found.indices], [3.0, 1.0, 0.0])
    assert np.allclose([index.whole for index in found.indices], 0.0, atol=1e-12)
    assert found.runs == 6 * 4


def test_refusals():
    with pytest.raises(InputError, match="at least two"):
        indices_of(ishigami, ["x"])
    with pytest.raises(InputError, match='Did you mean "sobol"'):
        indices_of(ishigami, ["x", "y", "z"], method="sobl")
    with pytest.raises(InputError, match="accepted"):
        sensitivity(Study("fall-4m", {"human.mass": [70, 90]}, cases=2), "HIC16")


@pytest.mark.needs_jit
def test_inputs_of_a_study():
    """A heavier ball on the same spring is stopped more softly; the place from which it starts sideways has no part."""
    ball = {"body.ball.mass": [0.4, 0.8], "body.ball.start.position[0]": [-1.0, 1.0]}
    study = Study(Scenario.load("bouncing-ball", {"solver.duration": 0.5}), ball, cases=2)
    found = sensitivity(study, "ball peak [g]", method="morris", runs=2)
    heavy, aside = found.indices
    assert found.runs == 6 and heavy.path == "body.ball.mass" and heavy.main > 100.0 * aside.main

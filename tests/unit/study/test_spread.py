"""Intervals: medians and quantiles of the cases, drivers by rank correlation, chaos by twins, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.model.compile import compile_system
from vitruvian.study import spread
from vitruvian.study.factor import scaled
from vitruvian.study.spread import drivers_of, limits, spread_study


def test_a_factor_changes_tissue_and_joints_and_nothing_else():
    system, _ = Scenario.load("fall-4m").build()
    factors = {"factor.tissue.head": 3.0, "factor.tissue.all": 2.0, "factor.joint.stiffness": 4.0}
    other = scaled(system, factors)
    assert other.body("head").shapes[0].stiffness == 6.0 * system.body("head").shapes[0].stiffness
    assert other.body("left_foot").shapes[0].stiffness == 2.0 * system.body("left_foot").shapes[0].stiffness
    knee, before = other.joint("left_knee").resistance, system.joint("left_knee").resistance
    assert knee.stiffness_plus == tuple(4.0 * k for k in before.stiffness_plus) and knee.damping == before.damping
    # the damping beyond a limit is relative to its torque, so that it stays what it was
    assert np.allclose(np.multiply(knee.limit_damping, knee.stiffness_plus),
                       np.multiply(before.limit_damping, before.stiffness_plus))  # fmt: skip
    same = compile_system(scaled(system, dict.fromkeys(factors, 1.0))).model
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(same, compile_system(system).model, strict=True)
               if isinstance(a, np.ndarray))  # fmt: skip


def test_ranges_surround_the_values_of_the_scenario():
    study = spread_study(Scenario.load("pedestrian-side-left"))
    ranges = {variable.paths[0]: variable for variable in study.variables}
    speed = ranges["vehicle.speed"]
    assert np.allclose((speed.low, speed.high), np.multiply(40.0 / 3.6, limits("vehicle.speed")))
    assert limits("factor.tissue.head") == (0.5, 6.0)
    planar = spread_study(Scenario.load("pedestrian-2d"))
    assert not any("heading" in path or "lateral" in path for path in planar.paths)
    with pytest.raises(InputError, match="no person"):
        spread_study(Scenario.load("bouncing-ball"))


def test_drivers_are_found_by_rank_and_noise_is_not():
    random = np.random.default_rng(1)
    x, y, z = random.random((3, 200))
    found = drivers_of(np.exp(5.0 * x) - 2.0 * y, {"x": x, "y": y, "z": z})
    assert [driver.path for driver in found][:1] == ["x"] and "z" not in [driver.path for driver in found]
    assert found[0].correlation > 0.9


def test_the_interval_covers_a_held_back_truth():
    """Of 400 synthetic truths, drawn as the cases are, 86 to 94 % lie inside the 5-95 % quantiles of 64 cases."""
    random = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        outcome = np.exp(random.normal(size=65)) + random.random(65)
        low, high = np.quantile(outcome[1:], [0.05, 0.95])
        inside += low <= outcome[0] <= high
    assert 0.86 <= inside / 400 <= 0.94


@pytest.mark.needs_jit
def test_spread_of_a_short_fall():
    """The feet touch, the head does not; the same seed gives the same bits on one and two threads."""
    scenario = Scenario.load("fall-1cm", {"solver.duration": 0.06, "human.start.clearance": "5 mm"})
    found, again = (spread(scenario, cases=12, seed=2, threads=n) for n in (1, 2))
    assert found.to_dict() == again.to_dict()
    head = found["head 3ms"]
    assert 0.0 < head.low <= head.median <= head.high and head.share == 1.0
    assert {driver.path for driver in head.drivers} <= set(found.inputs)
    assert found.rows["contacts"].str.startswith("left_foot").all() and "head_contact_time" not in str(found)
    with pytest.raises(InputError, match="no outcome"):
        found["head_contact_time"]

"""Wobbling masses: the body keeps its mass and inertia, and the soft masses swing as their table says."""

from __future__ import annotations

from math import exp, pi, sqrt

import numpy as np
import pytest

from vitruvian import Scenario, data
from vitruvian.human import human
from vitruvian.model import System
from vitruvian.sim.simulate import simulate


def test_mass_and_inertia_are_shared_between_bone_and_soft_mass():
    rigid, soft = human(1.8, 80.0).system, human(1.8, 80.0, wobble=True).system
    assert soft.mass == pytest.approx(rigid.mass)
    assert len(soft.bodies) == len(rigid.bodies) + 11
    whole, bone, wobbling = rigid.body("left_thigh"), soft.body("left_thigh"), soft.body("left_thigh_soft")
    assert wobbling.mass == pytest.approx(0.75 * whole.mass)
    assert bone.inertia + wobbling.inertia == pytest.approx(whole.inertia)
    assert soft.roster.people[0].segments.keys() == rigid.roster.people[0].segments.keys()


def test_a_soft_mass_swings_with_its_frequency_and_damping():
    """On a bone at rest: x = exp(-ratio w t) with the damped frequency, from the closed form of an oscillator."""
    person = human(1.8, 80.0, wobble=True).system
    joint, body = person.joint("left_shank_soft"), person.body("left_shank_soft")
    alone = System((body,), (joint.__class__(**{**joint.__dict__, "parent": None}),), gravity=(0.0, 0.0, 0.0))
    run = simulate(alone, {joint.name: (0.01, 0.0, -0.005)}, duration=0.2, tolerance=1e-6)
    numbers = data.values("wobble")["shank"]
    omega, ratio = 2.0 * pi * numbers["frequency"], numbers["damping_ratio"]
    damped = omega * sqrt(1.0 - ratio**2)
    shape = np.array(
        [
            exp(-ratio * omega * t) * (np.cos(damped * t) + ratio * omega / damped * np.sin(damped * t))
            for t in run.pose_time
        ]
    )
    assert run.position[:, 0, 0] == pytest.approx(0.01 * shape, abs=2e-6)
    assert run.position[:, 0, 2] == pytest.approx(-0.005 * shape, abs=2e-6)


def test_a_fall_with_wobbling_masses_keeps_the_energy_balance():
    result = Scenario.load("fall-standing-backward", {"human.wobble": True, "solver.duration": "0.7 s"}).run()
    assert result.fine
    assert result.recording.balance_error < 1e-3

"""The search for an exercise with a wanted strain: parameters, the search itself, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.scenario import Scenario
from vitruvian.study.exercise_optimum import (
    SHANK,
    THIGH,
    Plan,
    _leg,
    exercise_of,
    optimize_exercise,
    read_plan,
    tried,
    violation,
)  # fmt: skip
from vitruvian.study.optimum import Limit


def test_the_foot_is_flat_below_the_hip():
    for flexion in np.radians([5.0, 40.0, 70.0, 110.0]):
        hip, knee, ankle = _leg(flexion)
        assert hip + ankle == pytest.approx(knee) == pytest.approx(flexion)
        assert THIGH * np.sin(hip) == pytest.approx(SHANK * np.sin(ankle))
    assert np.degrees(_leg(np.radians(70.0))) == pytest.approx([33.05, 70.0, 36.95], abs=0.01)  # of `squat`


@pytest.mark.parametrize("name", ["squat", "hop"])
def test_without_changes_it_is_the_ready_exercise(name):
    ours, ready = exercise_of(name, {}).build()[0], Scenario.load(name).build()[0]
    for joint in ("hip", "knee", "ankle"):
        one, other = (system.joint(joint).motion[0] for system in (ours, ready))
        assert one.times == pytest.approx(other.times)
        assert one.values == pytest.approx(other.values, abs=1e-4)
    heavier = exercise_of(name, {"load": 10.0}).build()[0]
    assert heavier.mass == pytest.approx(ready.mass + 10.0)


def test_the_search_finds_the_wanted_strain_and_the_largest():
    plan = Plan("squat", {"depth": (np.radians(40.0), np.radians(90.0))}, 150e-6, designs=14, search="nelder-mead")
    found = optimize_exercise(plan)
    assert found.best.strain == pytest.approx(150e-6, rel=0.02)
    grid = [tried(plan, {"depth": depth}) for depth in np.radians([40.0, 65.0, 90.0])]
    assert all(one.strain < other.strain for one, other in pairwise(grid))  # deeper strains more
    most = optimize_exercise(replace(plan, strain=None))
    assert most.best.strain > 0.97 * grid[-1].strain
    limited = replace(plan, strain=None, limits=(Limit("bending", most=0.8 * grid[-1].outcomes["bending"]),))
    best = optimize_exercise(limited)
    assert best.satisfied and best.best.strain < 0.9 * most.best.strain
    assert violation(limited, grid[-1]) == pytest.approx(0.25)
    assert "microstrain" in str(best) and best.to_dict()["satisfied"]


def test_the_ready_goals_can_be_read():
    assert read_plan("squat-for-strain").strain is None
    assert read_plan("hop-to-strain").strain == pytest.approx(500e-6)


GOOD = 'exercise = "squat"\n[goal]\nstrain = "largest"\n[over]\ndepth = ["40 deg", "90 deg"]\n'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"squat"', '"lunge"', "accepted: squat, hop"),
        ('"largest"', '"smallest"', "goal.strain"),
        ('"largest"', "-1", "goal.strain"),
        ("[goal]", "[aim]", "no key 'aim'"),
        ("depth", "height", "accepted: depth, time, load"),
        ('["40 deg", "90 deg"]', '["90 deg", "40 deg"]', "the lower end first"),
        ('["40 deg", "90 deg"]', '["40 deg", "200 deg"]', "expected a range within"),
        ('["40 deg", "90 deg"]', '["40 kg", "90 kg"]', "depth"),
        ('["40 deg", "90 deg"]', "3", "expected .lowest, highest."),
        ("[goal]", 'designs = 2\n[goal]', "at least 4"),
        ("[goal]", '[limits]\nHIC15 = { most = 1 }\n[goal]', "limits"),
        ("[goal]", "[goal", "goal"),
    ],
)  # fmt: skip
def test_bad_files_are_refused(tmp_path, old, new, words):
    path = tmp_path / "goal.toml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(InputError, match=words):
        read_plan(path)
    with pytest.raises(InputError, match="no ready exercise goal"):
        read_plan("squat-for-strane")

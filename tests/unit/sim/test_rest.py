"""A run that stops at rest: what moves afterwards is bounded by the speed that it reports."""

from __future__ import annotations

import re

import numpy as np
import pytest

from vitruvian import Scenario
from vitruvian.errors import InputError
from vitruvian.human import human
from vitruvian.model import Body, Configuration, Joint, System
from vitruvian.sim.simulate import simulate

AFTER = 2.0  # [s]
FALLS = (
    "fall-4m",
    "fall-14m-rearward",
    "fall-bed-child",
    "fall-ladder-3m",
    "fall-lying-5m-prone",
    "fall-lying-5m-supine",
    "fall-standing-backward",
    "fall-standing-forward",
    "fall-standing-sideways",
    "slip",
    "pedestrian-throw",
)


@pytest.mark.needs_jit
@pytest.mark.parametrize("name", FALLS)
def test_what_moves_after_a_stop_at_rest_is_bounded_by_the_reported_speed(name):
    """Item 7b: the man of fall-4m was "at rest" at 3.3 s and then toppled by 640 mm."""
    scenario = Scenario.load(name)
    system, start = scenario.build()
    options = {"rate": 1e3, "pose_rate": 200.0, "tolerance": scenario.table.solver.tolerance}
    run = simulate(system, start, duration=20.0, stop="at rest", **options)
    after = simulate(system, duration=AFTER, resume=run.final, **options)
    assert run.status in ("at_rest", "nearly_at_rest")
    said = re.search(r"The fastest body, '(\w+)', (still )?moves at (\S+) mm/s", run.message)
    assert said is not None
    speed = 1e-3 * float(said[3])
    moved = np.linalg.norm(after.position - run.position[-1], axis=2).max()  # [m]
    if run.status == "at_rest":
        assert speed < 0.003 and moved < 0.006
    else:
        assert moved < 1.3 * max(speed, 0.003) * AFTER


@pytest.mark.needs_jit
def test_a_limb_that_moves_is_not_hidden_by_a_heavy_trunk():
    """Item 7b: a body of 1 kg that turns at 0.1 m/s beside one of 1000 kg has an RMS speed by mass of 3 mm/s."""
    system = System(
        (Body("trunk", 1000.0, np.full(3, 100.0)), Body("limb", 1.0, np.full(3, 0.01))),
        (Joint("held", "free", None, "trunk"), Joint("flying", "free", None, "limb")),
        gravity=(0.0, 0.0, 0.0),
    )
    start = Configuration({}, {"flying": (0.1, 0.0, 0.0, 0.0, 0.0, 0.0)})
    run = simulate(system, start, duration=3.0, stop="at rest", pose_rate=100.0, rate=100.0)
    assert run.status == "finished"
    assert "The fastest body, 'limb', still moves at 1e+02 mm/s" in run.message


@pytest.mark.needs_jit
@pytest.mark.parametrize("moving", ["left_knee_link", "left_shank", "pelvis_soft", "pelvis"])
def test_the_fastest_body_is_a_segment(moving):
    """Links of springs and soft masses are named as the segment that they belong to."""
    system = human(1.8, 80, wobble=True).system.replace(gravity=(0.0, 0.0, 0.0))
    joint = next(joint for joint in system.joints if joint.child == moving)
    rates = {"spherical": (0.0, 1.0, 0.0), "translational": (0.0, 0.0, 9.0), "prismatic": (9.0,), "free": (1.0,) * 6}
    start = Configuration({}, {joint.name: rates[joint.type]})
    run = simulate(system, start, duration=1e-3, stop="at rest", pose_rate=1e4)
    named = re.search(r"The fastest body, '(\w+)'", run.message)
    assert named is not None and named[1] in system.roster.people[0].segments.values()


def test_a_duration_too_short_for_a_step_is_refused():
    """The run was "finished", recorded nothing and was said not to have ended well."""
    system = System((Body("top", 1.0, np.full(3, 0.01)),), (Joint("free", "free", None, "top"),))
    with pytest.raises(InputError, match="duration is 1e-12 s, which is too short for a step"):
        simulate(system, duration=1e-12)
    assert len(simulate(system, duration=1e-11).pose_time) == 1


@pytest.mark.needs_jit
def test_a_body_that_spins_on_the_spot_is_not_at_rest():
    system = System((Body("top", 1.0, np.full(3, 0.01)),), (Joint("free", "free", None, "top"),), gravity=(0, 0, 0))
    start = Configuration({}, {"free": (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)})
    assert simulate(system, start, duration=3.0, stop="at rest").status == "finished"
    assert simulate(system, duration=3.0, stop="at rest").status == "at_rest"

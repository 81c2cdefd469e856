"""The same run gives the same bits: again, beside others on threads, and in two parts."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from vitruvian.scenario import Scenario
from vitruvian.sim import simulate

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def fall():
    return Scenario.load("fall-4m", {"human.start.clearance": 0.3}).build()


def run(fall, **more):
    system, start = fall
    return simulate(system, start, **{"duration": 0.5, "rate": 2000.0, **more})


def same(one, other):
    names = ("position", "orientation", "velocity", "joint_force", "contact_force", "work", "sensor_acceleration")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_again(fall):
    assert same(run(fall), run(fall))


def test_on_threads(fall):
    alone = run(fall)
    with ThreadPoolExecutor(4) as pool:
        assert all(same(alone, other) for other in pool.map(lambda _: run(fall), range(8)))


def test_in_two_parts(fall):
    """What follows a stop is what would have followed without it, but for the step that ends at the stop."""
    whole, first = run(fall), run(fall, duration=0.3)
    second = run(fall, duration=0.2, resume=first.final)
    assert second.end_time == pytest.approx(whole.end_time, abs=1e-12)
    assert second.pose_time[0] > first.pose_time[-1]
    assert abs(second.position[-1] - whole.position[-1]).max() < 1e-4
    assert abs(second.final["work"] - whole.final["work"]).max() < 1e-3 * abs(whole.final["work"]).max()

"""Reels of belts in whole runs against closed forms: load limiter, film spool and pretensioner."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.model import (
    Belt,
    Body,
    Configuration,
    Joint,
    Pretensioner,
    Retractor,
    System,
    Table,
    Waypoint,
    frame_with_z,
)
from vitruvian.model.belt import WEBBING
from vitruvian.sim.recording import Recording
from vitruvian.sim.simulate import simulate

LENGTH, MASS = 1.0, 30.0  # [m], [kg]
STIFFNESS = WEBBING[1][1] / WEBBING[1][0]  # force over strain [N]


def pulled(
    retractor: Retractor, *, speed: float = 0.0, way: Table | None = None, slack: float = 0.0, damping: float = 0.0
) -> Recording:
    """Run a mass on a rail at the end of straight webbing, thrown at a speed [m/s] or moved by a table."""
    frame = frame_with_z((1.0, 0.0, 0.0))
    rail = Joint("rail", "prismatic", None, "mass", frame_parent=frame, frame_child=frame, motion=way and (way,))
    path = (Waypoint(anchor=(-LENGTH, 0.0, 0.0)), Waypoint(anchor=(0.0, 0.0, 0.0), body="mass"))
    belt = Belt("belt", path, damping=damping, slack=slack, retractor=retractor)
    system = System((Body("mass", MASS, np.ones(3)),), (rail,), belts=(belt,), gravity=(0.0, 0.0, 0.0))
    start = None if way else Configuration(rates={"rail": (speed,)})
    return simulate(system, start, duration=0.1, pose_rate=10_000.0)


@pytest.mark.parametrize(("speed", "limit"), [(4.0, 3000.0), (2.0, 1500.0)])
def test_a_load_limiter_takes_the_energy_of_a_mass_by_its_payout(speed: float, limit: float) -> None:
    run = pulled(Retractor(limit=limit), speed=speed)
    assert run.belt_force[:, 0].max() == pytest.approx(limit, rel=1e-3)
    payout = run.belt_payout[-1, 0]
    strain = limit / STIFFNESS
    # webbing that is paid out is stretched: `payout` is its length without force
    passed, stretch = payout * (1.0 + strain), LENGTH * strain
    energy = limit * passed + 0.5 * limit * strain * LENGTH
    assert energy == pytest.approx(0.5 * MASS * speed**2, rel=0.01)
    assert run.position[:, 0, 0].max() == pytest.approx(passed + stretch, rel=0.01)


@pytest.mark.parametrize("speed", [2.0, 11.0])
def test_damped_webbing_does_not_exceed_the_limit(speed: float) -> None:
    run = pulled(Retractor(limit=3000.0), speed=speed, damping=0.002)
    assert run.belt_force[:, 0].max() == pytest.approx(3000.0, rel=0.02)


def test_a_film_spool_gives_its_length_up_to_its_force() -> None:
    film, force = 0.04, 1000.0
    run = pulled(Retractor(film=film, film_force=force), way=Table((0.0, 0.1), (0.0, 0.06)))
    payout, tension = run.belt_payout[:, 0], run.belt_force[:, 0]
    assert payout.max() == pytest.approx(film, rel=0.01)  # a step passes the end of the film by up to 1 %
    loose = payout < 0.97 * film  # samples show the mean of a step
    np.testing.assert_allclose(tension[loose], force / film * payout[loose], rtol=1e-3, atol=0.1)
    assert np.all(np.diff(payout) >= -1e-9)
    end = STIFFNESS * (0.06 - payout[-1]) / (LENGTH + payout[-1])
    assert tension[-1] == pytest.approx(end, rel=0.01)  # the mean of the last step


@pytest.mark.parametrize("slack", [0.05, 0.075])
def test_a_pretensioner_pulls_until_it_is_done_or_stalls(slack: float) -> None:
    device = Pretensioner(time=0.01, pull_in=0.08, force=2000.0)
    run = pulled(Retractor(pretensioner=device), way=Table((0.0, 0.1), (0.0, 0.0)), slack=slack)
    before = run.pose_time < 0.01
    assert abs(run.belt_force[before]).max() == 0.0
    pulled_in, tension = -run.belt_payout[-1, 0], run.belt_force[-1, 0]
    rest = LENGTH + slack - pulled_in
    assert tension == pytest.approx(STIFFNESS * (LENGTH - rest) / rest, rel=1e-3)
    if slack == 0.05:  # stalls at its force
        assert tension == pytest.approx(2000.0, rel=1e-3)
    else:  # has pulled in all
        assert pulled_in == pytest.approx(0.08, rel=1e-6)

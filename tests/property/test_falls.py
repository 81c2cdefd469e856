"""Any person, thrown in any posture at a floor and a wall, falls to the end with its energy accounted for."""

import dataclasses

import numpy as np
import pytest

from vitruvian.data import surface
from vitruvian.human import human, place, posture, postures
from vitruvian.model import Contact, Plane
from vitruvian.sim import simulate

CONCRETE = Contact(**surface("concrete"))
FLOOR = Plane("ground", contact=CONCRETE)
WALL = Plane("wall", point=(2.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0), contact=CONCRETE)


@pytest.mark.needs_jit
@pytest.mark.parametrize("seed", range(12))
def test_random_fall(seed):
    rng = np.random.default_rng(seed)
    height = rng.uniform(1.5, 2.05)
    person = human(height, rng.uniform(18.0, 35.0) * height**2, hinges="revolute" if seed % 4 == 0 else "spherical")
    stance = dataclasses.replace(posture(str(rng.choice(postures()))), orientation=tuple(1.5 * rng.normal(size=3)))
    start = place(
        person,
        stance,
        clearance=float(10.0 * rng.random() ** 2),
        velocity=tuple(3.0 * rng.normal(size=3)),
        angular_velocity=tuple(3.0 * rng.normal(size=3)),
    )
    run = simulate(person.system.replace(surfaces=(FLOOR, WALL)), start, duration=2.5, rate=1000.0, pose_rate=200.0)
    assert run.status == "finished", run.message
    assert run.balance_error < 1e-3
    assert np.linalg.norm(run.velocity[-1], axis=1).max() < np.linalg.norm(run.velocity, axis=2).max()

"""What a recording says of joints whose motion is given."""

from __future__ import annotations

import numpy as np
import pytest

from vitruvian.model import Body, Configuration, Contact, Joint, Plane, Sphere, System, Table
from vitruvian.sim.result import Result
from vitruvian.sim.simulate import simulate

TIMES = (0.0, 0.1, 0.25, 0.4)


def test_a_table_is_what_it_says_at_its_knots_and_goes_on_as_it_should() -> None:
    values = (0.0, 1.0, -0.5, 2.0)
    for kind in ("position", "linear", "step"):
        assert Table(TIMES, values, kind).at(np.array(TIMES)) == pytest.approx(values)
    assert Table(TIMES, values, "linear").at(np.array([-1.0, 0.05, 1.0])) == pytest.approx([0.0, 0.5, 2.0])
    fall = Table((0.0, 1.0), (-9.81, -9.81), "acceleration", 5.0, 2.0)
    time = np.linspace(0.0, 1.0, 7)
    assert fall.at(time) == pytest.approx(5.0 + 2.0 * time - 0.5 * 9.81 * time**2)


@pytest.mark.needs_jit
def test_driven_joints_are_recorded_with_their_coordinates() -> None:
    way = Table(TIMES, (0.0, 0.3, 0.2, 0.9), "position")
    turn = Table(TIMES, (0.0, 0.5, 1.2, 0.4), "position")
    system = System(
        bodies=(Body("cart", 10.0, (1.0, 1.0, 1.0)), Body("arm", 1.0, (0.1, 0.1, 0.1))),
        joints=(
            Joint("rail", "prismatic", None, "cart", motion=(way,)),
            Joint("hinge", "revolute", "cart", "arm", motion=(turn,)),
        ),
    )
    run = simulate(system, duration=0.4)
    result = Result(run, system=system)
    along = result["rail.joint_displacement"].values[:, 0]
    assert along == pytest.approx(run.position[:, 0, 2], abs=1e-12)  # the axis of a joint is z of its frame
    assert np.ptp(along) > 0.8
    angle = result["hinge.joint_rotation"].values[:, 0]
    w, z = run.orientation[:, 1, 0], run.orientation[:, 1, 3]
    assert angle == pytest.approx(2.0 * np.arctan2(z, w), abs=1e-12)
    assert angle.max() > 1.1


@pytest.mark.needs_jit
def test_a_fixed_body_stops_a_free_one_that_carries_the_surface() -> None:
    """A free plate that meets a fixed ball rebounds as a free ball of its mass does from a fixed plate; the force was
    recorded and the plate flew on."""
    law, inertia = Contact(stiffness=1e5, restitution=0.6, friction=0.0), np.full(3, 0.02)
    plate, ball = Body("plate", 2.0, inertia), Body("ball", 2.0, inertia, (Sphere(0.1),))
    rail = Joint("rail", "free", None, "plate")
    face = Plane("face", contact=law, carrier="plate")
    fixed = System((ball, plate), (Joint("held", "rigid", None, "ball"), rail), (face,), gravity=(0.0, 0.0, 0.0))
    start = Configuration({"rail": (0.0, 0.0, -0.15, 1.0, 0.0, 0.0, 0.0)}, {"rail": (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)})
    one = simulate(fixed, start, duration=0.2, tolerance=1e-6)
    flying = System(
        (ball,), (Joint("rail", "free", None, "ball"),), (Plane("face", contact=law),), gravity=(0.0, 0.0, 0.0)
    )
    start = Configuration({"rail": (0.0, 0.0, 0.15, 1.0, 0.0, 0.0, 0.0)}, {"rail": (0.0, 0.0, -1.0, 0.0, 0.0, 0.0)})
    other = simulate(flying, start, duration=0.2, tolerance=1e-6)
    assert one.velocity[-1, 1, 2] == pytest.approx(-other.velocity[-1, 0, 2], rel=1e-3)
    assert one.balance_error < 1e-5

"""Velocities of bodies from the rates of joints, and the rates that fit given velocities."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.human import human, place
from vitruvian.model import Body, Configuration, Joint, System, constant
from vitruvian.model.pose import centre_of_mass, quaternion_of_vector, quaternion_product, segment_poses
from vitruvian.model.velocity import joined, segment_velocities

PERSON = human(1.75, 70)


def moved(system: System, start: Configuration, time: float) -> Configuration:
    """The configuration after a short time at constant rates, to first order."""
    coordinates = {}
    for joint in system.joints:
        rates = np.array(start.rates.get(joint.name, (0.0,) * joint.dof)) * time
        here = start.coordinates.get(joint.name)
        if joint.type == "free":
            assert here is not None
            turned = quaternion_product(quaternion_of_vector(rates[3:]), here[3:])
            coordinates[joint.name] = (*(np.array(here[:3]) + rates[:3]), *turned)
        elif joint.type == "spherical":
            coordinates[joint.name] = quaternion_product(quaternion_of_vector(rates), here or (1.0, 0.0, 0.0, 0.0))
        elif joint.dof:
            coordinates[joint.name] = tuple(np.array(here or (0.0,) * joint.dof) + rates)
    return start.replace(coordinates)


def random_start(system: System, seed: int) -> Configuration:
    random = np.random.default_rng(seed)
    coordinates, rates = {}, {}
    for joint in system.joints:
        rates[joint.name] = tuple(random.normal(size=joint.dof))
        turn = quaternion_of_vector(random.normal(size=3))
        if joint.type == "free":
            coordinates[joint.name] = (*random.normal(size=3), *turn)
        elif joint.type == "spherical":
            coordinates[joint.name] = turn
        else:
            coordinates[joint.name] = tuple(random.normal(size=joint.dof))
    return Configuration(coordinates, rates)


def of_all_types() -> System:
    """A chain with one joint of every type."""
    kinds = (
        "free",
        "spherical",
        "revolute",
        "universal",
        "cylindrical",
        "prismatic",
        "planar",
        "rigid",
        "translational",
    )
    bodies = [Body(kind, 1.0 + place, (0.02, 0.03, 0.04)) for place, kind in enumerate(kinds)]
    frame = quaternion_of_vector((0.3, -0.5, 0.8))
    joints = [Joint("free", "free", None, "free")]
    for parent, kind in pairwise(kinds):
        joints.append(
            Joint(
                kind, kind, parent, kind, (0.1, 0.2, -0.3), (-0.2, 0.1, 0.3), frame, quaternion_of_vector((1, 0, 0.4))
            )
        )
    return System(tuple(bodies), tuple(joints))


@pytest.mark.parametrize("system", [PERSON.system, human(1.75, 70, hinges="revolute").system, of_all_types()])
def test_velocities_are_those_of_the_motion(system: System) -> None:
    """Central differences of the poses."""
    start = random_start(system, 3)
    h = 1e-6
    after, before = (segment_poses(system, moved(system, start, time)) for time in (h, -h))
    for body, (velocity, spin) in segment_velocities(system, start).items():
        np.testing.assert_allclose((after[body][0] - before[body][0]) / (2 * h), velocity, atol=1e-7)
        rate = (after[body][1] - before[body][1]) / (2 * h) @ segment_poses(system, start)[body][1].T
        np.testing.assert_allclose([rate[2, 1], rate[0, 2], rate[1, 0]], spin, atol=1e-7)


def momenta(system: System, start: Configuration, motion: dict) -> tuple[np.ndarray, np.ndarray, float]:
    """Momentum, angular momentum about the centre of mass, kinetic energy."""
    poses = segment_poses(system, start)
    centre = centre_of_mass(system, poses)
    linear, angular, energy = np.zeros(3), np.zeros(3), 0.0
    for body in system.bodies:
        (position, turn), (v, w) = poses[body.name], motion[body.name]
        spin = turn @ body.inertia @ turn.T @ w
        linear += body.mass * v
        angular += spin + body.mass * np.cross(position - centre, v)
        energy += 0.5 * (body.mass * v @ v + w @ spin)
    return linear, angular, energy


@pytest.mark.parametrize("seed", range(4))
def test_the_joints_keep_momentum_and_take_energy(seed: int) -> None:
    """Joints that catch free bodies act between them: momenta stay; the energy lost is that of the difference."""
    system = PERSON.system
    start = random_start(system, seed)
    random = np.random.default_rng(seed)
    wanted = {body.name: (random.normal(size=3), random.normal(size=3)) for body in system.bodies}
    attained = segment_velocities(system, joined(system, start, wanted))
    linear, angular, energy = momenta(system, start, wanted)
    linear_after, angular_after, energy_after = momenta(system, start, attained)
    np.testing.assert_allclose(linear_after, linear, atol=1e-10)
    np.testing.assert_allclose(angular_after, angular, atol=1e-10)
    difference = {name: tuple(a - b for a, b in zip(attained[name], wanted[name], strict=True)) for name in wanted}
    lost = momenta(system, start, difference)[2]
    assert lost > 1.0  # [J]; the two motions are far apart
    assert energy - energy_after == pytest.approx(lost, rel=1e-10)


def test_velocities_that_fit_are_kept() -> None:
    start = random_start(PERSON.system, 7)
    fitting = segment_velocities(PERSON.system, start)
    again = joined(PERSON.system, start.replace(rates={"root": (0.0,) * 6}), fitting)
    for joint, rates in start.rates.items():
        np.testing.assert_allclose(again.rates[joint], rates, atol=1e-9)


def test_velocities_agree_with_the_kernels() -> None:
    """The engine's own kinematics at the start of a run."""
    from vitruvian.kernels import kinematics, layout
    from vitruvian.model.compile import compile_system, initial_state, make_work

    system = PERSON.system
    start = place(PERSON, "walking", velocity=(1.0, 2.0, 3.0), angular_velocity=(0.1, -0.4, 0.7))
    compiled = compile_system(system)
    work, state = make_work(compiled), initial_state(compiled, start)
    kinematics.forward(compiled.model, work.body, state.now.q, state.now.v, 0.0)
    for place_, name in enumerate(system.order):
        velocity, spin = segment_velocities(system, start)[name]
        np.testing.assert_allclose(
            work.body[place_, layout.body.VELOCITY : layout.body.VELOCITY + 3], velocity, atol=1e-12
        )
        np.testing.assert_allclose(work.body[place_, layout.body.SPIN : layout.body.SPIN + 3], spin, atol=1e-12)


def test_a_prescribed_joint_is_refused() -> None:
    body = Body("a", 1.0, (1.0, 1.0, 1.0))
    system = System((body,), (Joint("driven", "prismatic", None, "a", motion=(constant(0.0),)),))
    with pytest.raises(InputError, match="prescribed"):
        segment_velocities(system, Configuration())

"""What must not matter: where the world's axes point, left or right, the order of bodies, the direction of time."""

import numpy as np
import pytest

from vitruvian.human import human
from vitruvian.human.mirror import mirrored_name
from vitruvian.lab import example_system
from vitruvian.model import Configuration, System
from vitruvian.model.compile import compile_system
from vitruvian.model.pose import quaternion_product, rotation_matrix
from vitruvian.sim.simulate import simulate

pytestmark = pytest.mark.needs_jit

MIRROR = np.array([1.0, -1.0, 1.0])  # y is to the left


@pytest.mark.parametrize("seed", range(3))
def test_turning_the_whole_world_turns_the_answer(seed):
    rng = np.random.default_rng(seed)
    system = human(1.8, 80.0).system
    start = example_system.random_configuration(system, rng, speed=1.0)
    turn = example_system.unit_quaternion(rng)
    matrix = rotation_matrix(turn)
    root, rates = np.array(start.coordinates["root"]), np.array(start.rates["root"])
    turned = start.replace(
        {"root": (*(matrix @ root[:3]), *quaternion_product(turn, tuple(root[3:])))},
        {"root": (*(matrix @ rates[:3]), *(matrix @ rates[3:]))},
    )
    there = system.replace(gravity=tuple(matrix @ np.array(system.gravity)))
    one, other = (
        example_system.evaluate(compile_system(system), start),
        example_system.evaluate(compile_system(there), turned),
    )
    size = abs(one.acceleration).max()
    np.testing.assert_allclose(one.acceleration @ matrix.T, other.acceleration, rtol=0, atol=1e-10 * size)
    np.testing.assert_allclose(
        one.joint_force @ matrix.T, other.joint_force, rtol=0, atol=1e-10 * abs(one.joint_force).max()
    )


def test_mirror_image_moves_as_the_mirror_image():
    rng = np.random.default_rng(4)
    system = human(1.8, 80.0).system
    start = example_system.random_configuration(system, rng, speed=1.0)

    def mirrored(kind, value):
        value = np.array(value)
        if kind == "free":  # position or velocity, then a quaternion or an angular velocity
            tail = value[3:] * (np.array([1.0, -1.0, 1.0, -1.0]) if len(value) == 7 else -MIRROR)
            return (*(value[:3] * MIRROR), *tail)
        if kind == "prismatic":  # along the body, which lies in the plane of the mirror
            return tuple(value)
        if kind == "translational":  # along the axes of the segment
            return tuple(value * MIRROR)
        return tuple(value * (np.array([1.0, -1.0, 1.0, -1.0]) if len(value) == 4 else -MIRROR))

    kinds = {joint.name: joint.type for joint in system.joints}
    other = Configuration(
        {mirrored_name(name): mirrored(kinds[name], value) for name, value in start.coordinates.items()},
        {mirrored_name(name): mirrored(kinds[name], value) for name, value in start.rates.items()},
    )
    compiled = compile_system(system)
    here, there = example_system.evaluate(compiled, start), example_system.evaluate(compiled, other)
    rows = [compiled.bodies.index(mirrored_name(name)) for name in compiled.bodies]
    size = abs(here.acceleration).max()
    np.testing.assert_allclose(here.position * MIRROR, there.position[rows], rtol=0, atol=1e-12)
    np.testing.assert_allclose(here.acceleration * MIRROR, there.acceleration[rows], rtol=0, atol=1e-9 * size)


def test_order_of_bodies_and_joints_does_not_matter():
    rng = np.random.default_rng(5)
    system = example_system.every_joint()
    start = example_system.random_configuration(system, rng)
    shuffled = System(
        tuple(system.bodies[i] for i in rng.permutation(len(system.bodies))),
        tuple(system.joints[i] for i in rng.permutation(len(system.joints))),
    )
    one, other = compile_system(system), compile_system(shuffled)
    first, second = example_system.evaluate(one, start), example_system.evaluate(other, start)
    rows = [other.bodies.index(name) for name in one.bodies]
    size = abs(first.acceleration).max()
    np.testing.assert_allclose(first.acceleration, second.acceleration[rows], rtol=0, atol=1e-11 * size)


@pytest.mark.parametrize("method", ["rk4", "dormand-prince"])
def test_time_runs_backwards_where_nothing_is_lost(method):
    # 0.5 s forward, velocities turned round, 0.5 s again: back at the start
    rng = np.random.default_rng(6)
    system = human(1.8, 80.0, joints=None).system
    compiled = compile_system(system)
    start = example_system.random_configuration(system, rng, speed=1.0)
    options = {"method": method, "adaptive": False, "step": 1e-3}
    forward = simulate(compiled, start, duration=0.5, **options)
    final = {name: value.copy() for name, value in forward.final.items()}
    final["v"] *= -1.0
    back = simulate(compiled, duration=0.5, resume=final, **options)
    off = abs(back.final["q"] - simulate(compiled, start, duration=1e-9, **options).final["q"]).max()
    assert off < 1e-6


def test_two_people_far_apart_do_not_know_of_each_other():
    anna, bert = human(1.7, 60.0, name="anna").system, human(1.9, 90.0, name="bert").system
    rng = np.random.default_rng(7)
    starts = [example_system.random_configuration(system, rng) for system in (anna, bert)]
    both = example_system.evaluate(
        compile_system(anna.merged(bert)), starts[0].replace(starts[1].coordinates, starts[1].rates)
    )
    alone = [example_system.evaluate(compile_system(s), start) for s, start in zip((anna, bert), starts, strict=True)]
    np.testing.assert_allclose(both.acceleration, np.concatenate([one.acceleration for one in alone]), rtol=1e-12)


def test_the_same_run_twice_gives_the_same_bits():
    system = human(1.8, 80.0).system
    start = example_system.random_configuration(system, np.random.default_rng(8), speed=1.0)
    one, other = (simulate(system, start, duration=0.05) for _ in range(2))
    assert (one.position == other.position).all()
    assert one.joint_force.tobytes() == other.joint_force.tobytes()


def test_a_run_in_two_parts_is_the_same_run():
    system = example_system.loaded(example_system.every_joint())
    start = example_system.random_configuration(system, np.random.default_rng(9), speed=0.5)
    options = {"method": "implicit", "adaptive": False, "step": 1e-4}
    whole = simulate(system, start, duration=0.04, **options)
    first = simulate(system, start, duration=0.02, **options)
    second = simulate(system, duration=0.02, resume=first.final, **options)
    np.testing.assert_allclose(second.final["q"], whole.final["q"], rtol=0, atol=1e-9)

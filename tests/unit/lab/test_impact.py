"""Discrete impact of free bodies, of trees, and of several contacts at once."""

import numpy as np
import pytest

from vitruvian.errors import InputError
from vitruvian.lab.example_system import every_joint, inertia, random_configuration
from vitruvian.lab.impact import Moving, Touch, free, impact, impacts, process, simultaneous, tree
from vitruvian.lab.impact.impulse import response
from vitruvian.lab.impact.process import stroke
from vitruvian.lab.verify.discrete_impact import double_pendulum
from vitruvian.model import Body, Configuration, Joint, System, constant

UP = (0.0, 0.0, 1.0)


def ball(name="ball", position=(0.0, 0.0, 0.1), velocity=(0.0, 0.0, -1.0), mass=1.0):
    return Moving(Body(name, mass, np.ones(3) * 4e-3 * mass), position, velocity)


def test_a_ball_returns_with_its_restitution():
    found = impact([ball()], Touch("ball", (0.0, 0.0, 0.0), UP), restitution=0.3)
    assert found.velocity["ball"] == pytest.approx([0.0, 0.0, 0.3])
    assert found.impulse[0] == pytest.approx([0.0, 0.0, 1.3])
    assert found.energy_loss == pytest.approx(0.5 * (1.0 - 0.09))
    assert found.note == ""
    assert found.configuration is None


def test_bodies_that_part_get_no_impulse_and_are_told_so():
    touch = Touch("ball", (0.0, 0.0, 0.0), UP)
    for law in process.LAWS:
        found = impact([ball(velocity=(1.0, 0.0, 0.5))], touch, restitution=0.5, friction=0.5, law=law)
        assert not found.impulse.any()
        assert found.note == "the bodies part at 0.5 m/s: no impulse"
        assert found.energy_loss == 0.0
    resting = impacts([ball(velocity=(1.0, 0.0, 0.0))], [touch], restitution=0.5)
    assert resting.note == "the bodies touch without closing: no impulse"


def test_a_moving_wall():
    touch = Touch("ball", (0.0, 0.0, 0.0), UP, velocity=(0.0, 0.0, 2.0))
    found = impact([ball(velocity=(0.0, 0.0, 0.0))], touch, restitution=0.5)
    assert found.velocity["ball"][2] == pytest.approx(3.0)


def test_action_and_reaction():
    pair = [ball("a", (0.0, 0.0, 0.1), (1.0, 0.2, -1.0)), ball("b", (0.0, 0.0, -0.1), (0.0, 0.0, 0.5), mass=3.0)]
    one = impact(pair, Touch("a", (0.0, 0.0, 0.0), UP, other="b"), restitution=0.5, friction=0.2)
    other = impact(pair, Touch("b", (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), other="a"), restitution=0.5, friction=0.2)
    assert one.impulse == pytest.approx(-other.impulse)
    assert one.velocity["b"] == pytest.approx(other.velocity["b"])
    assert one.momentum_change["a"] == pytest.approx(-one.momentum_change["b"])


# --- trees


def test_a_free_body_as_a_tree_is_the_free_body():
    rng = np.random.default_rng(1)
    body = Body("block", 2.0, inertia(rng))
    quaternion = (0.8, 0.2, -0.4, np.sqrt(1.0 - 0.64 - 0.04 - 0.16))
    moving = Moving(body, (0.1, 0.2, 0.3), (1.0, -0.5, -2.0), (1.0, 2.0, 3.0), quaternion)
    system = System((body,), (Joint("root", "free", None, "block"),))
    start = Configuration({"root": (*moving.position, *quaternion)}, {"root": (*moving.velocity, *moving.spin)})
    touch = Touch("block", (0.2, 0.1, 0.0), (0.1, 0.0, 1.0))
    free = impact([moving], touch, restitution=0.4, friction=0.3)
    whole = impact(tree(system, start), touch, restitution=0.4, friction=0.3)
    assert whole.impulse == pytest.approx(free.impulse, abs=1e-12)
    assert whole.spin["block"] == pytest.approx(free.spin["block"], abs=1e-12)
    assert whole.configuration.rates["root"] == pytest.approx((*free.velocity["block"], *free.spin["block"]), abs=1e-12)


def test_inverse_inertia_of_a_tree_is_symmetric_and_its_energy_adds_up():
    rng = np.random.default_rng(2)
    system = every_joint()
    mechanism = tree(system, random_configuration(system, rng))
    touches = [
        Touch("a5", tuple(mechanism.position[5] + 0.1), (0.2, 0.1, 1.0)),
        Touch("a7", tuple(mechanism.position[7] - 0.1), (0.0, 1.0, 0.3), other="b2"),
    ]
    found = response(mechanism, touches)
    assert np.linalg.eigvalsh(found.inverse)[0] > 0.0
    p = rng.normal(size=6)
    change = found.body @ p
    before = mechanism.kinetic_energy(mechanism.velocity, mechanism.spin)
    after = mechanism.kinetic_energy(mechanism.velocity + change[:, :3], mechanism.spin + change[:, 3:])
    # work of the impulses: p.(u + W p/2)
    assert after - before == pytest.approx(p @ (found.velocity + 0.5 * found.inverse @ p), rel=1e-11)


def test_the_configuration_after_has_the_velocities_after():
    rng = np.random.default_rng(3)
    system = every_joint()
    mechanism = tree(system, random_configuration(system, rng))
    touch = Touch("a7", tuple(mechanism.position[7] - 0.1), (0.0, 1.0, 0.3), other="b2")
    found = impact(mechanism, touch, restitution=0.5, friction=0.3)
    assert found.impulse.any()
    again = tree(system, found.configuration)
    for i, name in enumerate(mechanism.names):
        assert again.velocity[i] == pytest.approx(found.velocity[name], abs=1e-11)
        assert again.spin[i] == pytest.approx(found.spin[name], abs=1e-11)


def test_a_driven_joint_does_not_give_way():
    """A rod on a hinge that is driven at a constant rate meets a ball: the ball alone changes its velocity."""
    along_y = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
    driven = Joint("hinge", "prismatic", None, "hammer", motion=(constant(0.0),))
    hinged = Joint("flap", "revolute", "hammer", "door", (0.0, 0.0, 0.0), (0.0, 0.0, 0.5), along_y, along_y)
    body = Body("hammer", 1.0, np.ones(3))
    door = Body("door", 2.0, np.array([1.0, 1.0, 0.5]))
    target = Body("ball", 1.0, np.ones(3))
    system = System((body, door, target), (driven, hinged, Joint("root", "free", None, "ball")))
    start = Configuration({"root": (0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0)}, {"root": (0.0, 0.0, -2.0, 0.0, 0.0, 0.0)})
    found = impact(tree(system, start), Touch("ball", (0.0, 0.0, 0.1), UP, other="hammer"), restitution=0.5)
    assert found.velocity["hammer"] == pytest.approx([0.0, 0.0, 0.0])
    assert found.velocity["ball"] == pytest.approx([0.0, 0.0, 1.0])
    falling = (0.0, 0.0, 1.0)
    with pytest.raises(InputError, match="touch 0 of 'hammer' closes, but its joints let nothing give way"):
        wall = Touch("hammer", (0.0, 0.0, 0.0), falling, velocity=(0.0, 0.0, 3.0))
        impact(tree(system, start), wall, restitution=0.5)


def test_joint_impulses_of_the_pendulum():
    """The hinge takes what the contact gives and the rods do not keep."""
    mechanism, touch = double_pendulum()
    found = impact(mechanism, touch, restitution=0.5, friction=0.5)
    total = sum(found.momentum_change.values())
    assert found.impulse[0] + found.joint_impulse["top"] == pytest.approx(total, abs=1e-13)
    assert found.joint_impulse["middle"] + found.impulse[0] == pytest.approx(found.momentum_change["lower"], abs=1e-13)


# --- several contacts


def test_one_contact_at_once_is_the_single_impact_with_newtons_law():
    rng = np.random.default_rng(4)
    for _ in range(40):
        half = rng.normal(size=(3, 3))
        inverse = half @ half.T + 0.1 * np.eye(3)
        velocity = np.array([-abs(rng.normal()) - 0.1, *rng.normal(size=2)])
        e, mu = rng.uniform(), rng.uniform(0.0, 1.2)
        single = stroke(inverse, velocity, e, mu, "newton")
        found = simultaneous.newton(inverse, velocity, np.array([e]), np.array([mu]))
        assert found.impulse == pytest.approx(single.impulse, abs=1e-8)


@pytest.mark.parametrize("mu", [0.0, 0.3, 0.8])
def test_many_contacts_keep_the_conditions(mu):
    rng = np.random.default_rng(5)
    for _ in range(10):
        m = int(rng.integers(2, 6))
        half = rng.normal(size=(3 * m, 3 * m + 2))
        inverse = half @ half.T / m
        velocity = rng.normal(size=3 * m)
        e = np.full(m, 0.4)
        found = simultaneous.newton(inverse, velocity, e, np.full(m, mu))
        p = found.impulse.reshape(m, 3)
        after = (velocity + inverse @ found.impulse).reshape(m, 3)
        gap = after[:, 0] + 0.4 * velocity[0::3]
        assert (gap > -1e-8).all()
        assert p[:, 0] @ abs(gap) < 1e-8
        for push, end in zip(p, after, strict=True):
            assert np.linalg.norm(push[1:]) <= mu * push[0] + 1e-8
            speed = np.linalg.norm(end[1:])
            if mu and speed > 1e-6:
                assert push[1:] == pytest.approx(-mu * push[0] * end[1:] / speed, abs=1e-6)


def test_a_block_on_more_feet_than_needed():
    """Four corners hold a box: the impulses are not unique (W has no inverse), the motion is."""
    body = Moving(Body("box", 2.0, np.ones(3) * 0.1), (0.0, 0.0, 0.1), (0.0, 0.0, -1.0))
    corners = [Touch("box", (x, y, 0.0), UP) for x in (-0.2, 0.2) for y in (-0.3, 0.3)]
    found = impacts([body], corners, restitution=0.5)
    assert found.velocity["box"] == pytest.approx([0.0, 0.0, 0.5], abs=1e-12)
    assert found.spin["box"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert found.impulse[:, 2].sum() == pytest.approx(3.0)
    rough = impacts([body], corners, restitution=0.5, friction=0.5)
    assert rough.velocity["box"] == pytest.approx([0.0, 0.0, 0.5], abs=1e-8)


def test_a_sliding_block_is_slowed_by_mu_times_the_normal_impulse():
    body = Moving(Body("box", 2.0, np.ones(3) * 1e3), (0.0, 0.0, 0.1), (3.0, 0.0, -1.0))
    corners = [Touch("box", (x, y, 0.0), UP) for x in (-0.2, 0.2) for y in (-0.3, 0.3)]
    found = impacts([body], corners, restitution=0.0, friction=0.25)
    assert found.velocity["box"][0] == pytest.approx(3.0 - 0.25 * 1.0, abs=1e-4)


def test_poisson_at_once_lets_nothing_close_again():
    rng = np.random.default_rng(6)
    for _ in range(10):
        half = rng.normal(size=(12, 14))
        inverse, velocity = half @ half.T, rng.normal(size=12)
        e = np.full(4, 0.6)
        found = simultaneous.poisson(inverse, velocity, e, np.zeros(4))
        after = velocity + inverse @ found.impulse
        assert (after[0::3] > -1e-9).all()
        assert (found.impulse[0::3] >= -1e-12).all()
        assert found.impulse @ (velocity + after) / 2.0 <= 1e-10


# --- what is refused


def test_bad_input():
    touch = Touch("ball", (0.0, 0.0, 0.0), UP)
    with pytest.raises(InputError, match=r"restitution is 1.5; accepted 0 \(plastic\) to 1"):
        impact([ball()], touch, restitution=1.5)
    with pytest.raises(InputError, match=r"restitution\[1\] is -1"):
        impacts([ball()], [touch, touch], restitution=[0.5, -1.0])
    with pytest.raises(InputError, match="2 coefficients for 1 touches"):
        impacts([ball()], [touch], restitution=[0.5, 0.5])
    with pytest.raises(InputError, match="accepted: newton, poisson"):
        impacts([ball()], [touch], restitution=0.5, law="stronge")
    with pytest.raises(InputError, match="without friction"):
        impacts([ball()], [touch], restitution=0.5, friction=0.2, law="poisson")
    with pytest.raises(InputError, match="zero vector"):
        Touch("ball", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="every number must be finite"):
        Touch("ball", (0.0, 0.0, float("nan")), UP)
    with pytest.raises(InputError, match="every number must be finite"):
        ball(velocity=(0.0, float("inf"), 0.0))
    with pytest.raises(InputError, match="same one"):
        Touch("ball", (0.0, 0.0, 0.0), UP, other="ball")
    with pytest.raises(InputError, match="that of a wall"):
        Touch("ball", (0.0, 0.0, 0.0), UP, other="box", velocity=(1.0, 0.0, 0.0))
    with pytest.raises(InputError, match='Did you mean "ball"'):
        impact([ball()], Touch("bal", (0.0, 0.0, 0.0), UP), restitution=0.5)
    with pytest.raises(InputError, match="names must be unique"):
        free([ball(), ball()])
    with pytest.raises(InputError, match="no body"):
        free([])
    with pytest.raises(InputError, match="no touch"):
        impacts([ball()], [], restitution=0.5)

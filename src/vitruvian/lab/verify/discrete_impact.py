"""Discrete impact: closed forms, comparison of the laws of restitution, and balances. SI units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...model import Body, Configuration, Joint, System
from ...model.pose import rotation_matrix, segment_poses
from ..evidence import Check
from ..example_system import every_joint, inertia, random_configuration, unit_quaternion, vector
from ..impact import Impact, Mechanism, Moving, Touch, impact, impacts, tree
from ..impact.process import LAWS, stroke

UP = (0.0, 0.0, 1.0)
ABOUT_Y = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)  # z of a joint frame along y


# --- two spheres


def spheres() -> list[Check]:
    """Balls: v_a' = v_a - (1 + e) m_b/(m_a + m_b) (v_a - v_b) along the line of centres; one slides or rolls."""
    line = np.array([0.6, 0.0, 0.8])
    e, masses, speed = 0.7, (1.5, 0.4), (3.0, -1.0)
    balls = [
        Moving(Body(name, mass, np.ones(3) * 0.4 * mass * 0.01), tuple(0.1 * sign * line), tuple(v * line))
        for name, mass, sign, v in zip("ab", masses, (-1.0, 1.0), speed, strict=True)
    ]
    touch = Touch("b", (0.0, 0.0, 0.0), tuple(line), other="a")
    closing = speed[0] - speed[1]
    after = speed[0] - (1.0 + e) * masses[1] / sum(masses) * closing
    lost = 0.5 * (1.0 - e * e) * masses[0] * masses[1] / sum(masses) * closing**2
    rows = []
    for law in LAWS:
        found = impact(balls, touch, restitution=e, friction=0.5, law=law)
        off = float(abs(found.velocity["a"] - after * line).max())
        rows.append(
            Check.close(f"two balls, {law}: velocity of the heavier", 0.0, off, 1e-14, "m/s", "off closed form")
        )
        rows.append(Check.close(f"two balls, {law}: energy lost", lost, found.energy_loss, 1e-13, "J"))

    # a ball that slides or rolls off a wall: tangential impulse min(mu (1 + e) v_n, 2/7 v_t) m
    for mu, label in ((0.1, "slides"), (0.9, "rolls")):
        ball = Moving(Body("ball", 2.0, np.ones(3) * 0.4 * 2.0 * 0.01), (0.0, 0.0, 0.1), (2.0, 0.0, -1.0))
        expected = 2.0 - min(mu * (1.0 + e) * 1.0, 2.0 / 7.0 * 2.0)
        for law in LAWS:
            found = impact([ball], Touch("ball", (0.0, 0.0, 0.0), UP), restitution=e, friction=mu, law=law)
            got = float(found.velocity["ball"][0])
            rows.append(Check.close(f"ball that {label} off the ground, {law}", expected, got, 1e-12, "m/s"))
    return rows


# --- a rod at an angle


def rod(angle: float, slide: float, speed: float = 1.0) -> tuple[list[Moving], Touch]:
    """Return a slender rod (1 kg, 1 m) at an angle from the ground [rad] whose end strikes it, sliding at x [m/s]."""
    body = Body("rod", 1.0, np.array([1.0 / 12.0, 1.0 / 12.0, 1e-6]))
    quaternion = (np.cos(0.25 * np.pi - 0.5 * angle), 0.0, np.sin(0.25 * np.pi - 0.5 * angle), 0.0)
    centre = 0.5 * np.array([np.cos(angle), 0.0, np.sin(angle)])
    return [Moving(body, tuple(centre), (slide, 0.0, -speed), orientation=quaternion)], Touch("rod", (0.0,) * 3, UP)


def rod_impulse(angle: float, slide: float, speed: float, e: float, mu: float, law: str) -> tuple[float, float]:
    """Return the closed-form impulses of the rod [N s], normal and tangential, if slip stops in compression and sticks.

    W_nn = 1 + 3 c2, W_tt = 1 + 3 s2, W_nt = -3 s c, with s, c of the angle. Slip stops at p_1, compression ends at p_c.
    """
    s, c = np.sin(angle), np.cos(angle)
    nn, tt, nt = 1.0 + 3.0 * c * c, 1.0 + 3.0 * s * s, -3.0 * s * c
    if law == "newton":
        return tuple(np.linalg.solve([[nn, nt], [nt, tt]], [(1.0 + e) * speed, -slide]).tolist())
    sign = np.sign(slide)
    first = -slide / (nt - mu * sign * tt)
    slipping, sticking = nn - mu * sign * nt, nn - nt * nt / tt
    at_stop = -speed + slipping * first
    end = first - at_stop / sticking
    if law == "poisson":
        last = (1.0 + e) * end
    else:
        absorbed = 0.5 * (speed - at_stop) * first + 0.5 * at_stop**2 / sticking
        last = end + e * np.sqrt(2.0 * absorbed / sticking)
    return last, -mu * sign * first - nt / tt * (last - first)


def striking_rod() -> list[Check]:
    """A rod that strikes the ground with its end at 60 degrees: the three laws differ, each by its closed form."""
    angle, e = np.radians(60.0), 0.6
    rows = []
    # dropped without sliding: it sticks if mu > 3 s c/(1 + 3 s2), all laws agree
    s, c = np.sin(angle), np.cos(angle)
    for mu, label, impulse in (
        (0.6, "sticks", (1.0 + e) * (1.0 + 3.0 * s * s) / 4.0),
        (0.2, "slips", (1.0 + e) / (1.0 + 3.0 * c * c - 0.2 * 3.0 * s * c)),
    ):
        for law in LAWS:
            bodies, touch = rod(angle, 0.0)
            got = impact(bodies, touch, restitution=e, friction=mu, law=law).impulse[0, 2]
            rows.append(Check.close(f"dropped rod that {label}, {law}", impulse, got, 1e-12, "N s", "normal impulse"))
    # sliding against the lean: slip stops on the way
    for law in LAWS:
        bodies, touch = rod(angle, 0.4)
        found = impact(bodies, touch, restitution=e, friction=0.6, law=law)
        normal, tangent = rod_impulse(angle, 0.4, 1.0, e, 0.6, law)
        name = f"rod whose slip stops, {law}"
        rows.append(Check.close(f"{name}: normal impulse", normal, found.impulse[0, 2], 1e-12, "N s"))
        rows.append(Check.close(f"{name}: tangential impulse", tangent, found.impulse[0, 0], 1e-12, "N s"))
    return rows


# --- Kane's pendulum


def double_pendulum() -> tuple[Mechanism, Touch]:
    """Return two rods (1 kg, 1 m) at 20 and 30 degrees, -0.1 and -0.2 rad/s, whose tip hits the ground."""
    moments = np.array([1.0 / 12.0, 1.0 / 12.0, 1e-3])
    joints = (
        Joint("top", "revolute", None, "upper", (0.0, 0.0, 0.0), (0.0, 0.0, 0.5), ABOUT_Y, ABOUT_Y),
        Joint("middle", "revolute", "upper", "lower", (0.0, 0.0, -0.5), (0.0, 0.0, 0.5), ABOUT_Y, ABOUT_Y),
    )
    system = System((Body("upper", 1.0, moments), Body("lower", 1.0, moments)), joints)
    start = Configuration(
        {"top": (-np.radians(20.0),), "middle": (-np.radians(10.0),)}, {"top": (0.1,), "middle": (0.1,)}
    )
    centre, turn = segment_poses(system, start)["lower"]
    return tree(system, start), Touch("lower", tuple(centre + turn @ np.array([0.0, 0.0, -0.5])), UP)


def _pendulum_by_hand() -> tuple[np.ndarray, np.ndarray, float]:
    """Return the inverse inertia of the tip [1/kg], its velocity [m/s] and the energy [J] by Lagrange's equations."""
    one, two, rates = np.radians(20.0), np.radians(30.0), np.array([-0.1, -0.2])
    mass = np.array([[4.0 / 3.0, 0.5 * np.cos(one - two)], [0.5 * np.cos(one - two), 1.0 / 3.0]])
    tip = np.array([[np.sin(one), np.sin(two)], [np.cos(one), np.cos(two)]])  # z and x of the tip by the rates
    return tip @ np.linalg.solve(mass, tip.T), tip @ rates, float(0.5 * rates @ mass @ rates)


def kane_pendulum() -> list[Check]:
    """Kane's double pendulum, e 0.5, mu 0.5: with Newton's law it gains energy; Poisson's and Stronge's lose some."""
    mechanism, touch = double_pendulum()
    inverse, velocity, energy = _pendulum_by_hand()
    e = mu = 0.5
    found = {law: impact(mechanism, touch, restitution=e, friction=mu, law=law) for law in LAWS}
    # closed form of Newton's law: the tip sticks at the end
    impulse = np.linalg.solve(inverse, np.array([-e * velocity[0], 0.0]) - velocity)
    assert abs(impulse[1]) < mu * impulse[0]
    gained = float(impulse @ (velocity + 0.5 * inverse @ impulse))
    newton = found["newton"]
    rows = [
        Check.close("Kane's pendulum: energy before", energy, newton.energy_before, 1e-14, "J", "Lagrange's equations"),
        Check.close("Kane's pendulum, newton: energy gained", gained, -newton.energy_loss, 1e-13, "J", newton.note),
    ]
    for law in ("poisson", "stronge"):
        lost = found[law].energy_loss
        note = f"{lost:.6f} J of {energy:.6f} J lost; {', then '.join(found[law].stroke.slip)}"  # type: ignore[union-attr]
        rows.append(Check.at_least(f"Kane's pendulum, {law}: energy lost", 0.0, lost, "J", note))
    return rows


# --- laws that hold always


def energy(cases: int = 100) -> list[Check]:
    """Random impacts in space with friction: Stronge's law never adds energy and keeps its work ratio."""
    rng = np.random.default_rng(5)
    most, ratio = dict.fromkeys(LAWS, -np.inf), 0.0
    gains = 0
    for _ in range(cases):
        half = rng.normal(size=(3, 3))
        inverse = half @ half.T + 0.05 * np.eye(3)
        velocity = rng.normal(size=3)
        velocity[0] = -abs(velocity[0])
        e, mu = float(rng.uniform()), float(rng.uniform(0.0, 1.5))
        before = 0.5 * float(velocity @ np.linalg.solve(inverse, velocity))  # of the relative motion
        for law in LAWS:
            done = stroke(inverse, velocity, e, mu, law)
            change = float(done.impulse @ (velocity + done.velocity)) / 2.0 / before
            most[law] = max(most[law], change)
            gains += law == "newton" and change > 1e-12
            if law == "stronge":
                ratio = max(ratio, abs(done.work_restitution + e * e * done.work_compression) / before)
    rows = [
        Check.at_most(
            f"{cases} random impacts, {law}: largest change of energy",
            0.0,
            most[law],
            note="of the energy of the relative motion",
            tolerance=1e-12,
        )
        for law in ("poisson", "stronge")
    ]
    note = f"Newton's law added energy in {gains}, at most {most['newton']:.2g} of it"
    rows.append(Check.close(f"{cases} random impacts, stronge: work of restitution", 0.0, ratio, 1e-9, "-", note))
    return rows


def cradle(balls: int = 5) -> list[Check]:
    """Newton's cradle, elastic, one ball against the rest at rest: all contacts at once, and one after the other.

    Solved at once with Newton's law, the first ball returns with (2/n - 1) v and the others leave together with 2v/n:
    energy is conserved, but a real cradle behaves differently. One after the other, only the last ball leaves, with v.
    """
    bodies = [
        Moving(Body(f"ball{k}", 1.0, np.ones(3) * 1e-3), (0.1 * k, 0.0, 0.0), (1.0 if k == 0 else 0.0, 0.0, 0.0))
        for k in range(balls)
    ]
    touches = [
        Touch(f"ball{k + 1}", (0.1 * k + 0.05, 0.0, 0.0), (1.0, 0.0, 0.0), other=f"ball{k}") for k in range(balls - 1)
    ]
    rows = []
    for law in ("newton", "poisson"):
        found = impacts(bodies, touches, restitution=1.0, law=law)
        speeds = np.array([found.velocity[f"ball{k}"][0] for k in range(balls)])
        rows.append(Check.close(f"cradle of {balls} at once, {law}: energy lost", 0.0, found.energy_loss, 1e-13, "J"))
        if law == "newton":
            expected = np.array([2.0 / balls - 1.0, *[2.0 / balls] * (balls - 1)])
            off = float(abs(speeds - expected).max())
            rows.append(
                Check.close(f"cradle of {balls} at once: velocities", 0.0, off, 1e-13, "m/s", "off closed form")
            )
        else:
            off = float(abs(speeds.sum() - 1.0))
            rows.append(Check.close(f"cradle of {balls} at once, {law}: momentum", 0.0, off, 1e-13, "N s"))
    for touch in touches:
        found = impact(bodies, touch, restitution=1.0)
        bodies = [replace(m, velocity=tuple(found.velocity[m.body.name])) for m in bodies]
    last = np.array([m.velocity[0] for m in bodies])
    off = float(abs(last - np.eye(balls)[-1]).max())
    rows.append(
        Check.close(f"cradle of {balls} in turn: velocities", 0.0, off, 1e-13, "m/s", "the last ball alone leaves")
    )
    return rows


def balance() -> list[Check]:
    """Momentum and angular momentum of two colliding bodies stay; in a tree every body obeys Newton and Euler."""
    rng = np.random.default_rng(9)
    linear, angular, apart = 0.0, 0.0, 0.0
    for _ in range(20):
        pair = [
            Moving(Body(name, float(rng.uniform(0.5, 3.0)), inertia(rng)), vector(rng, 0.3), vector(rng, 2.0),
                   vector(rng, 3.0), unit_quaternion(rng))  # type: ignore[arg-type]
            for name in "ab"
        ]  # fmt: skip
        found = impact(pair, Touch("a", vector(rng, 0.2), vector(rng, 1.0), other="b"), restitution=0.5, friction=0.4)
        linear = max(linear, float(abs(np.sum(list(found.momentum_change.values()), axis=0)).max()))
        turned = np.zeros(3)
        for m in pair:
            turn = rotation_matrix(m.orientation)
            turned += np.cross(m.position, found.momentum_change[m.body.name])
            turned += turn @ m.body.inertia @ turn.T @ (found.spin[m.body.name] - np.array(m.spin))
        angular = max(angular, float(abs(turned).max()))
    for _ in range(10):
        system = every_joint()
        mechanism = tree(system, random_configuration(system, rng))
        point = mechanism.position[5] + 0.1
        found = impact(
            mechanism, Touch("a5", tuple(point), vector(rng, 1.0), other="b5"), restitution=0.5, friction=0.3
        )
        apart = max(apart, _unbalanced(system, mechanism, found, point))
    return [
        Check.close("two colliding bodies: momentum", 0.0, linear, 1e-12, "N s", "20 random pairs with friction"),
        Check.close("two colliding bodies: angular momentum", 0.0, angular, 1e-12, "N m s"),
        Check.close("impulses of every body of two trees", 0.0, apart, 1e-12, "-", "of the largest; all joint types"),
    ]


def _unbalanced(system: System, mechanism: Mechanism, found: Impact, point: np.ndarray) -> float:
    """Return the largest |sum of impulses - change of momentum| over the largest impulse, moments likewise [-]."""
    if not found.impulse.any():
        return 0.0
    start = mechanism.start
    assert start is not None
    poses = segment_poses(*start)
    worst = 0.0
    for i, name in enumerate(mechanism.names):
        forces = mechanism.mass[i] * (found.velocity[name] - mechanism.velocity[i])
        moments = mechanism.inertia[i] @ (found.spin[name] - mechanism.spin[i])
        for joint in system.joints:
            sign = 1.0 if joint.child == name else -1.0 if joint.parent == name else 0.0
            if sign:
                centre, turn = poses[joint.child]
                at = centre if joint.type == "free" else centre + turn @ np.array(joint.point_child)
                push = sign * found.joint_impulse[joint.name]
                forces = forces - push
                moments = moments - sign * found.joint_moment[joint.name] - np.cross(at - mechanism.position[i], push)
        for body, sign in (("a5", 1.0), ("b5", -1.0)):
            if body == name:
                forces = forces - sign * found.impulse[0]
                moments = moments - np.cross(point - mechanism.position[i], sign * found.impulse[0])
        worst = max(worst, float(abs(forces).max()), float(abs(moments).max()))
    return worst / float(abs(found.impulse).max())

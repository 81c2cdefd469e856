"""Conserved quantities: momenta, energy, and the directions that a joint locks. SI units."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from ...human import human
from ...model import Configuration, Joint, Resistance, System, Table
from ...model.pose import rotation_matrix
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from ..example_system import HANGING, ends, every_joint, loaded, random_body, random_configuration, random_joint
from .order import ORDERS, SHORTFALL

ZERO = (0.0, 0.0, 0.0)


def flying_human(seed: int = 3, speed: float = 3.0) -> tuple[System, Configuration]:
    """Return a person without joint torque and gravity, all joints turning at random [rad/s]."""
    rng = np.random.default_rng(seed)
    system = human(1.8, 80.0, joints=None).system.replace(gravity=ZERO)
    rates = {joint.name: tuple(rng.normal(scale=speed, size=joint.dof).tolist()) for joint in system.joints}
    return system, Configuration(rates=rates)


def momenta(system: System, run: Recording, row: int) -> tuple[np.ndarray, np.ndarray, float, float, float]:
    """Return momentum [N s], angular momentum about the centre of mass [N m s] and kinetic energy [J] of a sample.

    They are plain sums; sum |m_i v_i| and sum |L_i| follow.
    """
    bodies = [system.body(name) for name in run.bodies]
    mass = np.array([body.mass for body in bodies])
    centre, drift = mass @ run.position[row] / mass.sum(), mass @ run.velocity[row] / mass.sum()
    momentum, turning, kinetic, size, turning_size = np.zeros(3), np.zeros(3), 0.0, 0.0, 0.0
    for i, body in enumerate(bodies):
        turn = rotation_matrix(run.orientation[row, i])
        spin, velocity = run.angular_velocity[row, i], run.velocity[row, i]
        own = turn @ body.inertia @ turn.T @ spin
        part = own + body.mass * np.cross(run.position[row, i] - centre, velocity - drift)
        momentum, turning = momentum + body.mass * velocity, turning + part
        kinetic += 0.5 * body.mass * velocity @ velocity + 0.5 * spin @ own
        size += body.mass * float(np.linalg.norm(velocity))
        turning_size += float(np.linalg.norm(part))
    return momentum, turning, float(kinetic), size, turning_size


def drifts(system: System, start: Configuration, duration: float = 1.0, **options: Any) -> np.ndarray:
    """Return the relative change of momentum, angular momentum and energy from start to end [-]."""
    run = ends(system, start, duration, **options)
    first, last = momenta(system, run, 0), momenta(system, run, -1)
    return np.array(
        [
            np.linalg.norm(last[0] - first[0]) / first[3],
            np.linalg.norm(last[1] - first[1]) / first[4],
            abs(last[2] - first[2]) / first[2],
        ]
    )


def free_flight() -> list[Check]:
    """The free-flying person keeps momentum, angular momentum and energy for 1 s."""
    system, start = flying_human()
    tight = drifts(system, start, method="dormand-prince", tolerance=1e-11, max_step=0.01)
    names = ("momentum", "angular momentum", "energy")
    rows = [
        Check.close(f"free-flying person: {name}", 0.0, drift, 1e-9, "-", "dormand-prince at 1e-11, relative, 1 s")
        for name, drift in zip(names, tight, strict=True)
    ]
    for method, (order, step) in ORDERS.items():
        step = min(step, 4e-3)
        coarse = drifts(system, start, method=method, adaptive=False, step=step)
        fine = drifts(system, start, method=method, adaptive=False, step=0.5 * step)
        for name, first, second in zip(names, coarse, fine, strict=True):
            label = f"free-flying person, {method}: order of {name}"
            note = f"{first:.3g} and {second:.3g} at {step:g} s and half of it"
            if max(first, second) < 1e-13:
                rows.append(Check.close(label, 0.0, max(first, second), 1e-13, "-", "kept to rounding"))
            else:
                rows.append(Check.at_least(label, order, log2(first / second), "-", note, tolerance=SHORTFALL))
    return rows


def locked() -> list[Check]:
    """Locked directions stay locked for 10 s: gaps of joint points [m] and angles [rad], from the recorded poses."""
    rows = []
    for kind in HANGING:
        rng = np.random.default_rng(5)
        joint = random_joint(kind, "base", "hung", rng)
        if kind in ("prismatic", "cylindrical", "planar", "translational"):  # held, or it slides away
            joint = Joint(
                **{**joint.__dict__, "resistance": Resistance("coordinate", stiffness=(50.0, 50.0, 50.0))}  # type: ignore[arg-type]
            )
        bodies = (random_body("base", rng), random_body("hung", rng))
        system = System(bodies, (Joint("root", "free", None, "base"), joint), gravity=ZERO)
        rates = {"root": (0.0, 0.0, 0.0, *rng.normal(scale=3.0, size=3).tolist())}
        if joint.dof:
            rates[joint.name] = tuple(rng.normal(scale=2.0, size=joint.dof).tolist())
        run = simulate(system, Configuration(rates=rates), duration=10.0, pose_rate=10.0, rate=10.0)
        worst = max(_gap(joint, run, row) for row in range(len(run.pose_time)))
        rows.append(
            Check.close(f"locked directions, {kind}", 0.0, worst, 1e-12, "-", "10 s, default method; m and rad")
        )
    return rows


def _gap(joint: Joint, run: Recording, row: int) -> float:
    """Return the opening of a joint in its locked directions [m, rad]."""
    parent, child = rotation_matrix(run.orientation[row, 0]), rotation_matrix(run.orientation[row, 1])
    shift = run.position[row, 1] + child @ np.array(joint.point_child)
    shift = shift - run.position[row, 0] - parent @ np.array(joint.point_parent)
    first, second = parent @ rotation_matrix(joint.frame_parent), child @ rotation_matrix(joint.frame_child)
    turn, shift = first.T @ second, first.T @ shift
    skew = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    parallel = turn[:2, 2]  # z of the child seen from the parent
    locked = {
        "spherical": (shift,),
        "revolute": (shift, parallel),
        "universal": (shift, turn[0, 1:2]),  # x of the parent stays across y of the child
        "cylindrical": (shift[:2], parallel),
        "prismatic": (shift[:2], skew),
        "planar": (shift[2:], parallel),
        "translational": (skew,),
        "rigid": (shift, skew),
    }
    return max(float(abs(part).max()) for part in locked[joint.type])


def energy_audit() -> list[Check]:
    """Kinetic energy less all work vanishes with the steps: all joint types, loads, drives, joint torque."""
    rng = np.random.default_rng(29)
    tree = loaded(every_joint()).replace(surfaces=())
    drive = tuple(Table((0.0, 0.5, 1.0), values, "position") for values in ((0.0, 0.4, 0.2), (0.1, 0.0, 0.3)))
    driven = tree.replace(
        joints=tuple(
            Joint(**{**joint.__dict__, "motion": drive}) if joint.type in ("universal", "cylindrical") else joint
            for joint in tree.joints
        )
    )
    resisting = human(1.8, 80.0).system
    moving = {"springs, loads, all joint types": tree, "driven joints": driven, "person with joint torque": resisting}
    rows = []
    for name, system in moving.items():
        start = random_configuration(system, rng, speed=1.0)
        if system is resisting:  # in the middle of the ranges of the joints
            start = Configuration(rates=start.rates)
        run = ends(system, start, 0.5, method="dormand-prince", tolerance=1e-10, max_step=2e-3)
        note = "dormand-prince at 1e-10, relative to the energy put in"
        rows.append(Check.close(f"energy audit: {name}", 0.0, run.balance_error, 1e-7, "-", note))
    return rows

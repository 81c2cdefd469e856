"""A ram at 40 km/h against the side of a leg whose thigh is held: shear force and bending moment of the knee at damage.

Targets A12 and A13. Mass of the ram and 50 mm of rigid foam on its face are recalled. Such a foam does not press like a
spring: it crushes at a constant stress until it is dense. Its stress is that of the data sheets of extruded polystyrene
of some 33 kg/m3; the area is the height of the face, an estimate, times the width of the leg that it meets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...model import Body, BodyContact, Configuration, Contact, Joint, Sphere, System, frame_with_z
from ...sim import simulate
from . import body, joint_tests
from .target import Compared, compared

MASS = 6.25  # of the ram [kg], recalled
SPEED = 40.0 / 3.6  # [m/s]
RADIUS = 0.06  # of its face [m], estimated
FACE = 0.10  # height of its face [m], estimated
FOAM = 0.05  # thickness of its foam [m], recalled
CRUSH = 0.3e6  # stress at which the foam crushes [Pa], recalled
YIELD, DENSE = 0.03, 0.7  # strain at which it begins to crush, and at which it is dense [-], estimated
PROXIMAL, DISTAL = 0.08, 0.05  # of the ram below the knee, and above the ankle [m], estimated
DURATION = 0.025  # [s]


@dataclass(frozen=True)
class Struck:
    """Largest shear force of the knee [N] and moment of the ram about the knee [N m], up to damage.

    angle  sideways, of the knee [rad]; time of damage [s], NaN if the knee holds
    """

    shear: float
    moment: float
    angle: float
    damage: float


def struck(below: float, failure_angle: float) -> Struck:
    """Strike the leg of the body of the tests at a distance below the knee [m]; it fails at an angle [rad]."""
    system = joint_tests._part(
        joint_tests.specimen(body.joints(), failure=body.fails()), ("right_thigh", "right_shank", "right_foot")
    )
    knee = system.joint("right_knee")
    shank = system.body("right_shank")
    top = np.array(knee.point_parent) - np.array(system.joint("fixed").point_child)
    width = shank.shapes[0].half_size[1]
    place = (float(top[0]), float(top[1]) - width - RADIUS - 5e-3, float(top[2]) - below)
    frame = frame_with_z((0.0, 1.0, 0.0))
    ram = Body("ram", MASS, np.full(3, 0.1), (Sphere(RADIUS),))
    guide = Joint("guide", "prismatic", None, "ram", point_parent=place, frame_parent=frame, frame_child=frame)
    system = system.replace(
        bodies=(*system.bodies, ram),
        joints=(*system.joints, guide),
        contacts=(BodyContact("ram", ("ram",), ("right_shank",), foam(_width(system, below))),),
        gravity=(0.0, 0.0, 0.0),
    )
    run = simulate(system, Configuration(rates={"guide": (SPEED,)}), duration=DURATION, pose_rate=2e4)
    angle = abs(run.joint_rotation[:, run.joints.index("right_knee"), 0])
    torn = np.flatnonzero(angle >= failure_angle)
    until = int(torn[0]) + 1 if torn.size else len(angle)
    force = abs(run.joint_force[:until, run.joints.index("right_knee"), 1])
    push = MASS * abs(np.gradient(run.velocity[:until, run.bodies.index("ram"), 1], run.pose_time[:until]))
    damage = float(run.pose_time[until - 1]) if torn.size else float("nan")
    return Struck(float(force.max()), below * float(push.max()), float(angle[until - 1]), damage)


def foam(width: float) -> Contact:
    """Return the contact of the foam on the face of the ram with a leg of a width [m]."""
    plateau = CRUSH * FACE * width
    curve = ((0.0, 0.0), (YIELD * FOAM, plateau), (DENSE * FOAM, 1.2 * plateau), (FOAM, 10.0 * plateau))
    return Contact(law="curve", curve=curve, unloading_stiffness=20e6, friction=0.3)


def _width(system: System, below: float) -> float:
    """Return the width of the shank [m] at a distance below the knee [m]."""
    shape = system.body("right_shank").shapes[0]
    height = float(system.joint("right_knee").point_child[2]) - below - float(shape.offset[2])
    return 2.0 * shape.half_size[0] * float(np.sqrt(max(0.0, 1.0 - (height / shape.half_size[2]) ** 2)))


def ram_rows(failure_angle: float) -> Iterable[Compared]:
    """Return shear and bending of the knee at damage; `failure_angle` [rad] is that of the test of pure bending."""
    system = joint_tests.specimen(body.joints())
    length = float(system.joint("right_knee").point_child[2] - system.joint("right_ankle").point_parent[2])
    shear, bending = struck(PROXIMAL, failure_angle), struck(length - DISTAL, failure_angle)
    yield compared("A12", 1e-3 * shear.shear, f"{_when(shear)}; the knee has no shear failure; padding estimated")
    yield compared("A13", bending.moment, f"{_when(bending)}; padding of the ram estimated")


def _when(test: Struck) -> str:
    return f"bent to failure after {1e3 * test.damage:.1f} ms" if test.damage == test.damage else "not bent to failure"

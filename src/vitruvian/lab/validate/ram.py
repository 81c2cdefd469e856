"""A ram at 40 km/h against the side of a leg whose thigh is held: shear force and bending moment of the knee at damage.

Targets A12 and A13. Mass of the ram and 50 mm of rigid foam on its face are recalled. Such a foam does not press like a
spring: it crushes at a constant stress until it is dense. Its stress is that of the data sheets of extruded polystyrene
of some 33 kg/m3; the area is the height of the face, an estimate, times the width of the leg that it meets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isnan, nan

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

    angle   sideways, of the knee [rad]
    slide   sideways, of the tibia under the femur [m]; 0 where the knee has no slide
    borne   moment that the knee itself bears sideways at that time [N m]
    damage  time [s], NaN if the knee holds
    cause   "bent" or "sheared" to failure
    """

    shear: float
    moment: float
    angle: float
    slide: float
    borne: float
    damage: float
    cause: str


def struck(below: float, failure_angle: float) -> Struck:
    """Strike the leg of the body of the tests at a distance below the knee [m]; it fails at an angle [rad]."""
    system = joint_tests._part(
        joint_tests.specimen(body.joints(), failure=body.fails(), axial=body.options()["axial"]),
        ("right_thigh", "right_knee_link", "right_shank", "right_foot"),
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
    bent = np.flatnonzero(angle >= failure_angle)
    slide = np.zeros(len(angle))
    sheared = [event.time for event in run.events if (event.kind, event.surface) == ("failure", joint_tests.SLIDE)]
    if joint_tests.SLIDE in run.joints:
        slide = abs(run.joint_rotation[:, run.joints.index(joint_tests.SLIDE), 1])
    times = {"bent": run.pose_time[bent[0]] if bent.size else inf, "sheared": min(sheared, default=inf)}
    cause = min(times, key=times.__getitem__)
    until = min(len(angle), int(np.searchsorted(run.pose_time, times[cause])) + 1)
    force = abs(run.joint_force[:until, run.joints.index("right_knee"), 1])
    push = MASS * abs(np.gradient(run.velocity[:until, run.bodies.index("ram"), 1], run.pose_time[:until]))
    damage = float(times[cause]) if times[cause] < inf else nan
    most, borne = float(slide[:until].max()), float(abs(run.joint_torque[until - 1, run.joints.index("right_knee"), 0]))
    return Struck(float(force.max()), below * float(push.max()), float(angle[until - 1]), most, borne, damage, cause)


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
    yield compared("A12", 1e-3 * shear.shear, f"{_when(shear)}; padding estimated")
    note = f"largest moment of the ram about the knee, which itself bears {bending.borne:.0f} N m at damage"
    yield compared("A13", bending.moment, f"{_when(bending)}; {note}; the padding, estimated, sets the push")


def _when(test: Struck) -> str:
    if isnan(test.damage):
        return f"no failure: {np.degrees(test.angle):.1f} deg and {1e3 * test.slide:.1f} mm sideways"
    angle, slide = np.degrees(test.angle), 1e3 * test.slide
    return f"{test.cause} to failure after {1e3 * test.damage:.1f} ms, at {angle:.1f} deg and {slide:.1f} mm"

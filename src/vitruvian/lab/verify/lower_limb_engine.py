"""The heel raise in the engine: against the laboratory in the rigid limit, and over the size of the step. SI units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...model import System
from ...model.frame import Vector
from ...scenario import Scenario
from ...sim.recording import Recording
from ...sim.simulate import simulate
from ..evidence import Check
from ..flexible.lower_limb import SHANK, THIGH, Limb

STEPS = (1e-2, 1e-3, 1e-4, 1e-5)  # sizes of the step in section 4.2 of the source [s]


def laboratory() -> list[Check]:
    """The heel raise in the engine moves as in the laboratory with rigid bones, over the whole cycle of 2 s."""
    limb = Limb(modes=())
    system, start = Scenario.load("heel-raise").build()
    run = simulate(_weighed(system, limb), start, duration=2.0, pose_rate=100.0, tolerance=1e-6)
    lift = limb.lifting_force()
    wanted = limb.given["muscle"]["excess"] * lift
    pull = float(run.muscle_force.sum(axis=1).max())
    _, motion = limb.run(lift, run.pose_time, 1e-6)
    foot = run.joints.index("toe")
    off = float(abs(-run.joint_rotation[:, foot, 0] - motion.q[:, 2]).max())
    hip = run.bodies.index("upper_body")
    height = float(abs(run.position[:, hip, 2] - motion.q[:, -2]).max())
    most = float(abs(motion.q[:, 2]).max())
    return [
        Check.close("total muscle force of the hold by static balance", wanted, pull, 1e-2, "N"),
        Check.close("angle of the foot, engine less laboratory, 2 s", 0.0, off, 2e-4, "rad", f"of {most:.3f} rad"),
        Check.close("height of the hip, engine less laboratory, 2 s", 0.0, height, 2e-5, "m"),
    ]


def _weighed(system: System, limb: Limb) -> System:
    """Return the system with the masses of the laboratory's bones, whose finite elements move the centres by 0.1 mm."""
    for name, number in (("shank", SHANK), ("thigh", THIGH)):
        bone = limb.bodies[number].body
        centre = bone.moment / bone.mass
        inertia = float(bone.second[0, 0] + bone.second[1, 1] - bone.mass * (centre @ centre))
        upper = next(j.point_parent[2] for j in system.joints if j.parent == name)
        moved = np.array([0.0, 0.0, upper - centre[0]])  # of the centre, in the frame of the old one
        system = _shifted(system, name, moved, inertia)
    return system


def _shifted(system: System, name: str, moved: np.ndarray, inertia: float) -> System:
    """Return the system with the centre of mass of a body moved [m], and its moment of inertia about y [kg m2]."""

    def point(at: Any) -> Vector:
        x, y, z = (np.array(at) - moved).tolist()
        return x, y, z

    body = system.body(name)
    tensor = np.diag([inertia, inertia, float(body.inertia[2, 2])])
    bodies = tuple(replace(b, inertia=tensor, shapes=()) if b.name == name else b for b in system.bodies)
    joints = []
    for joint in system.joints:
        if joint.child == name:
            joint = replace(joint, point_child=point(joint.point_child))
        if joint.parent == name:
            joint = replace(joint, point_parent=point(joint.point_parent))
        joints.append(joint)
    muscles = tuple(
        replace(m, path=tuple(replace(p, point=point(p.point)) if p.carrier == name else p for p in m.path))
        for m in system.muscles
    )
    return system.replace(bodies=bodies, joints=tuple(joints), muscles=muscles)


def steps() -> list[Check]:
    """The landing of the heel raise does not depend on the size of the step, from 0.1 ms on."""
    system, start = Scenario.load("heel-raise").build()

    def run(step: float) -> Recording:
        return simulate(system, start, duration=2.0, pose_rate=1000.0, adaptive=False, step=step)

    peaks = {step: float(run(step).contact_force[:, :, 2].sum(axis=1).max()) for step in STEPS}
    best = peaks[STEPS[-1]]
    rows = [Check.measured(f"largest force on the heel, step {step:g} s", peak, "N") for step, peak in peaks.items()]
    rows.append(Check.close("largest force on the heel, 0.1 ms against 10 us", best, peaks[1e-4], 0.01 * best, "N"))
    return rows

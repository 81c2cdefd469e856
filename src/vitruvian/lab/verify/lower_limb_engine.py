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
    """The motion of the heel raise converges with the size of the step; the spike of the landing needs short ones.

    The peak is that of the force over steps, sampled at 20 kHz: the damping of Table 4.2 is complete after 0.1 mm.
    """
    system, start = Scenario.load("heel-raise").build()

    def run(step: float) -> Recording:
        return simulate(system, start, duration=2.0, pose_rate=20_000.0, adaptive=False, step=step)

    rows, best, foot = [], run(STEPS[-1]), list(system.order).index("foot")
    for step in STEPS:
        found = best if step == STEPS[-1] else run(step)
        peak = float(found.contact_force[:, :, 2].sum(axis=1).max())
        turned = found.joint_rotation[:, foot, 0] - best.joint_rotation[:, foot, 0]
        rows.append(Check.measured(f"largest force on the heel, step {step:g} s", peak, "N"))
        if step > STEPS[-1]:
            rows.append(
                Check.measured(f"angle of the foot, step {step:g} s less 10 us", float(abs(turned).max()), "rad")
            )
        if step == 1e-4:
            rows.append(
                Check.close("angle of the foot, 0.1 ms against 10 us", 0.0, float(abs(turned).max()), 1e-4, "rad")
            )
    return rows


def bone() -> list[Check]:
    """The shank of the engine's heel raise is strained as in the laboratory: rising, on the toes, and at heel strike.

    The laboratory recovers strain from the modes, the engine from the equilibrium of sections.
    """
    limb = Limb(modes=(0, 1, 2))
    scene = Scenario.load("heel-raise")
    shank = next(body for body in scene.data["body"] if body["name"] == "shank")
    shank["tube"] = {"outer": "37 mm", "inner": "27 mm", "young": "17 GPa"}
    system, start = Scenario(scene.data, name=scene.name).build()
    run = simulate(system, start, duration=2.0, rate=20_000.0, pose_rate=100.0, tolerance=1e-4)
    times = np.linspace(0.0, 1.0, 101)
    _, motion = limb.run(limb.lifting_force(), times, 1e-4)
    rows = []
    for side, gauge in (("front", "anterior"), ("back", "posterior")):
        ours = 1e6 * run.channels["strain"][:, run.points.index(f"shank.50-{side}")]
        theirs = 1e6 * limb.strains(motion.q)[gauge]
        rising = float(abs(np.interp(times[20:], run.time, ours) - theirs[20:]).max())
        rows.append(
            Check.close(
                f"{gauge} strain on the toes, 0.8 s",
                float(theirs[80]),
                float(np.interp(0.8, run.time, ours)),
                2.0,
                "1e-6",
            )
        )
        rows.append(Check.at_most(f"{gauge} strain, largest difference from 0.2 to 1 s", 3.0, rising, "1e-6"))
        rows.append(Check.measured(f"{gauge} strain at heel strike", float(ours.min()), "1e-6"))
    return rows

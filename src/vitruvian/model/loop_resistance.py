"""Resistance of a joint that closes a loop. SI units.

The child is cut into two bodies with the same centre of mass. A small share of its mass and inertia hangs on the parent
by the joint of the loop, as a joint of the tree with every law of resistance; a rigid loop welds it to the rest. Welded
parts move as the whole body does, so the share does not change the motion. When the loop is released, the small share
stays on the parent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import InputError
from .configuration import Configuration
from .joint import Joint, Resistance
from .loop import Loop
from .pose import Pose, quaternion_of_matrix, rotation_matrix, segment_poses
from .system import System
from .velocity import joint_axes, segment_velocities

SHARE = 0.01  # of the child's mass and inertia that hangs on the joint [-]


def resisting_loop(
    system: System, start: Configuration, name: str, resistance: Resistance
) -> tuple[System, Configuration]:
    """Return a system whose loop `name` resists, and its start.

    The loop keeps its name and its release. Its angles, energy and loss are those of the new joint `<name>_joint`,
    whose child is the new body `<name>_end`.
    """
    loop = next((loop for loop in system.loops if loop.name == name), None)
    if not isinstance(loop, Loop):
        raise InputError(f"there is no loop {name!r}; accepted: {', '.join(loop.name for loop in system.loops)}.")
    if loop.type == "rigid":
        raise InputError(f"loop {name!r}: a rigid loop resists nothing; leave resistance out.")
    whole, poses = system.body(loop.child), segment_poses(system, start)
    end = replace(whole, name=f"{name}_end", mass=SHARE * whole.mass, inertia=SHARE * whole.inertia, shapes=())
    rest = replace(whole, mass=(1.0 - SHARE) * whole.mass, inertia=(1.0 - SHARE) * whole.inertia)
    frames = (loop.point_parent, loop.point_child, loop.frame_parent, loop.frame_child)
    joint = Joint(f"{name}_joint", loop.type, loop.parent, end.name, *frames, resistance)
    weld = Loop(name, "rigid", end.name, loop.child, release=loop.release)
    coordinates = _coordinates(joint, poses, loop.child)
    rates = _rates(joint, system, start, poses, loop.child, coordinates)
    made = system.replace(
        bodies=(*(rest if body is whole else body for body in system.bodies), end),
        joints=(*system.joints, joint),
        loops=tuple(weld if other is loop else other for other in system.loops),
    )
    return made, start.replace({joint.name: coordinates}, {joint.name: rates})


def _coordinates(joint: Joint, poses: dict[str, Pose], child: str) -> tuple[float, ...]:
    """Return the coordinates of a joint whose child is where another body is."""
    origin, parent = (np.zeros(3), np.eye(3)) if joint.parent is None else poses[joint.parent]
    place, turn = poses[child]
    frame = parent @ rotation_matrix(joint.frame_parent)
    relative = frame.T @ turn @ rotation_matrix(joint.frame_child)
    gap = frame.T @ (place + turn @ np.array(joint.point_child) - origin - parent @ np.array(joint.point_parent))
    x, y, z = gap.tolist()
    angle = float(np.arctan2(relative[1, 0] - relative[0, 1], relative[0, 0] + relative[1, 1]))
    if joint.type == "spherical":
        return quaternion_of_matrix(relative)
    if joint.type == "universal":
        return float(np.arctan2(relative[2, 1], relative[1, 1])), float(np.arctan2(relative[0, 2], relative[0, 0]))
    return {
        "revolute": (angle,),
        "cylindrical": (angle, z),
        "prismatic": (z,),
        "translational": (x, y, z),
        "planar": (x, y, angle),
    }[joint.type]


def _rates(
    joint: Joint,
    system: System,
    start: Configuration,
    poses: dict[str, Pose],
    child: str,
    coordinates: tuple[float, ...],
) -> tuple[float, ...]:
    """Return the rates of a joint whose child moves as another body; zero in a system with prescribed joints, whose
    loops are closed at the start all the same."""
    axes, slides = joint_axes(joint, coordinates)
    if any(other.motion is not None for other in system.joints):
        return (0.0,) * joint.dof
    motion = segment_velocities(system, start)
    place, turn = poses[child]
    point = place + turn @ np.array(joint.point_child)
    velocity, spin = motion[child]
    velocity = velocity + np.cross(spin, point - place)
    frame = rotation_matrix(joint.frame_parent)
    if joint.parent is not None:
        origin, parent = poses[joint.parent]
        carried, turning = motion[joint.parent]
        velocity, spin = velocity - carried - np.cross(turning, point - origin), spin - turning
        frame = parent @ frame
    wanted = np.concatenate([frame.T @ spin, frame.T @ velocity])
    return tuple(np.linalg.lstsq(np.vstack([axes, slides]), wanted, rcond=None)[0].tolist())

"""How fast the bodies of a system are, from the rates of its joints; and the rates that come closest to given speeds.

The velocities of a body are linear in the rates: (v, w) = J u, v of the centre of mass and w the angular velocity,
world axes. Plain numpy, for building. SI units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import InputError
from .configuration import Configuration
from .joint import Joint
from .pose import rotation_matrix, segment_poses
from .system import System

#: velocity of the centre of mass [m/s] and angular velocity [rad/s], world axes
Motion = tuple[np.ndarray, np.ndarray]


def segment_velocities(system: System, configuration: Configuration) -> dict[str, Motion]:
    """Body name -> velocity of its centre of mass [m/s] and angular velocity [rad/s]; no joint may be prescribed."""
    maps, places = _maps(system, configuration)
    rates = np.zeros(sum(joint.dof for joint in system.joints))
    for name, given in configuration.checked(system).rates.items():
        rates[places[name]] = given
    return {body: (jacobian[:3] @ rates, jacobian[3:] @ rates) for body, jacobian in maps.items()}


def joined(system: System, configuration: Configuration, wanted: Mapping[str, Motion]) -> Configuration:
    """The configuration with the rates whose velocities come closest to those wanted of every body.

    Each body is first given its wanted velocity as if it were free; then the joints catch it, with impulses that do no
    work on what the joints allow. What is left minimises the kinetic energy of the difference,

        sum of m |v - v_wanted|^2 / 2 + (w - w_wanted)' I (w - w_wanted) / 2,

    so momentum and angular momentum of the whole are those of the wanted velocities, and no energy is gained.
    """
    maps, places = _maps(system, configuration)
    poses = segment_poses(system, configuration)
    size = sum(joint.dof for joint in system.joints)
    mass, momentum = np.zeros((size, size)), np.zeros(size)
    for body in system.bodies:
        jacobian, turn = maps[body.name], poses[body.name][1]
        inertia = np.zeros((6, 6))
        inertia[:3, :3] = body.mass * np.eye(3)
        inertia[3:, 3:] = turn @ body.inertia @ turn.T
        mass += jacobian.T @ inertia @ jacobian
        momentum += jacobian.T @ inertia @ np.concatenate(wanted[body.name])
    rates = np.linalg.solve(mass, momentum)
    return configuration.replace(rates={name: tuple(rates[place].tolist()) for name, place in places.items()})


def _maps(system: System, configuration: Configuration) -> tuple[dict[str, np.ndarray], dict[str, slice]]:
    """Body name -> the matrix J (6, n), and joint name -> the place of its rates."""
    given = configuration.checked(system).coordinates
    poses = segment_poses(system, configuration)
    size = sum(joint.dof for joint in system.joints)
    joint_by_child = {joint.child: joint for joint in system.joints}
    maps: dict[str, np.ndarray] = {}
    places: dict[str, slice] = {}
    first = 0
    for name in system.order:
        joint = joint_by_child[name]
        if joint.motion is not None:
            raise InputError(f"joint {joint.name!r} has a prescribed motion; its velocity is not free to choose.")
        own = places[joint.name] = slice(first, first + joint.dof)
        first += joint.dof
        position, turn = poses[name]
        if joint.type == "free":
            maps[name] = np.zeros((6, size))
            maps[name][:, own] = np.eye(6)
            continue
        # carried by the parent to the joint point of the child, then turned and shifted by the joint's own rates
        point = position + turn @ np.array(joint.point_child)
        if joint.parent is None:
            origin, parent, carried = np.zeros(3), np.eye(3), np.zeros((6, size))
        else:
            (origin, parent), carried = poses[joint.parent], maps[joint.parent].copy()
        carried[:3] -= _cross(point - origin) @ carried[3:]
        axes, slides = joint_axes(joint, given.get(joint.name))
        frame = parent @ rotation_matrix(joint.frame_parent)
        carried[3:, own] += frame @ axes
        carried[:3, own] += frame @ slides
        carried[:3] -= _cross(position - point) @ carried[3:]
        maps[name] = carried
    return maps, places


def joint_axes(joint: Joint, coordinates: Sequence[float] | None) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and velocity of the child's joint frame for a unit rate each (3, dof), parent's joint frame."""
    x, y, z = np.eye(3)
    none = np.zeros(3)
    turned = y
    if joint.type == "universal" and coordinates is not None:
        turned = np.array([0.0, np.cos(coordinates[0]), np.sin(coordinates[0])])
    pairs = {
        "spherical": ((x, none), (y, none), (z, none)),
        "revolute": ((z, none),),
        "universal": ((x, none), (turned, none)),
        "cylindrical": ((z, none), (none, z)),
        "prismatic": ((none, z),),
        "planar": ((none, x), (none, y), (z, none)),
        "translational": ((none, x), (none, y), (none, z)),
        "rigid": (),
    }[joint.type]
    turning, sliding = (np.array([pair[kind] for pair in pairs]).reshape(-1, 3).T for kind in (0, 1))
    return turning, sliding


def _cross(a: np.ndarray) -> np.ndarray:
    """The matrix of a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])

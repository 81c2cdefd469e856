"""Puts a person in a posture into the scene. SI units, world frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .. import units
from ..errors import InputError
from ..model import Configuration, Joint
from ..model.pose import (
    centre_of_mass,
    lowest_distance,
    quaternion_of_vector,
    quaternion_product,
    rotation_matrix,
    segment_poses,
)
from .build import Human
from .posture import Posture, posture

Vector = tuple[float, float, float]

GROUND = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
STEEPEST = 0.1  # vertical part of a plane's normal below which it is a wall


def place(
    human: Human,
    stance: str | Mapping[str, Any] | Posture = "standing",
    *,
    clearance: float | str = 0.0,
    position: Sequence[float | str] = (0.0, 0.0),
    heading: float | str = 0.0,
    velocity: Sequence[float | str] = (0.0, 0.0, 0.0),
    angular_velocity: Sequence[float | str] = (0.0, 0.0, 0.0),
    plane: tuple[Sequence[float], Sequence[float]] = GROUND,
) -> Configuration:
    """Coordinates and rates of a person's joints at the start.

    stance            a posture, or the name or table of one
    clearance         of the lowest point of the body from the plane, along its normal [m]
    position          x and y of the pelvis' centre of mass [m]
    heading           to the left, about the vertical [rad]; 0 looks along x
    velocity          of the whole-body centre of mass, world frame [m/s]; without rotation, that of every segment
    angular_velocity  of the body as one piece about its centre of mass, world frame [rad/s]
    plane             a point of it [m] and its normal; the body is moved up or down until the clearance is right

    A revolute joint takes the part of its rotation that lies along its axis.
    """
    held = posture(stance)
    system, prefix = human.system, human.prefix
    point, normal = _plane(plane)
    x, y = units.vector(position, "length", "position", 2)
    turn = quaternion_of_vector((0.0, 0.0, units.quantity(heading, "angle", "heading")))
    orientation = quaternion_product(turn, quaternion_of_vector(held.orientation))

    # the posture somewhere, then moved to its height
    coordinates: dict[str, tuple[float, ...]] = {
        prefix + name: _coordinates(system.joint(prefix + name), vector) for name, vector in held.rotations.items()
    }
    root = f"{prefix}root"
    start = Configuration({**coordinates, root: (x, y, 0.0, *orientation)})
    poses = segment_poses(system, start)
    wanted = units.quantity(clearance, "length", "clearance")
    z = (wanted - lowest_distance(system, poses, point, normal)) / normal[2]
    start = start.replace(coordinates={root: (x, y, z, *orientation)})

    # rigid motion: the joints are at rest relative to each other
    speed = np.array(units.vector(velocity, "velocity", "velocity"))
    spin = np.array(units.vector(angular_velocity, "angular velocity", "angular_velocity"))
    pelvis = poses[system.joint(root).child][0]
    speed = speed + np.cross(spin, pelvis - centre_of_mass(system, poses))
    return start.replace(rates={root: (*speed.tolist(), *spin.tolist())})


def _coordinates(joint: Joint, vector: Sequence[float]) -> tuple[float, ...]:
    """The coordinates of a joint at a rotation vector given in the parent's body frame [rad]."""
    frame = rotation_matrix(joint.frame_parent)
    local = frame.T @ np.array(vector)
    if joint.type == "spherical":
        return quaternion_of_vector(local.tolist())
    return (float(local[2]),)


def _plane(plane: tuple[Sequence[float], Sequence[float]]) -> tuple[Vector, Vector]:
    """Point and unit normal of a plane that can carry a body."""
    px, py, pz = units.vector(plane[0], "length", "plane point")
    normal = np.array(units.vector(plane[1], "dimensionless", "plane normal"))
    length = float(np.linalg.norm(normal))
    if length == 0.0 or normal[2] / length < STEEPEST:
        raise InputError(
            f"plane normal is {tuple(normal.tolist())}; expected one that points upwards (a person is placed "
            "above the plane). For a wall or ceiling, place the person above the ground."
        )
    nx, ny, nz = (normal / length).tolist()
    return (px, py, pz), (nx, ny, nz)

"""Where the bodies of a system are, from the coordinates of its joints. Plain numpy, for building and drawing. SI.

Quaternions are scalar first, body to world.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan2, cos, sin, sqrt

import numpy as np

from .configuration import Configuration
from .frame import IDENTITY, Quaternion, Vector
from .joint import Joint
from .system import System

Pose = tuple[np.ndarray, np.ndarray]


def segment_poses(system: System, configuration: Configuration | None = None) -> dict[str, Pose]:
    """Body name -> position of its centre of mass [m] and rotation matrix, body to world.

    Joints that the configuration does not name are at zero; joints with a prescribed motion are where it starts.
    """
    given = (configuration or Configuration()).checked(system).coordinates
    joint_by_child = {joint.child: joint for joint in system.joints}
    poses: dict[str, Pose] = {}
    for name in system.order:
        joint = joint_by_child[name]
        coordinates = given.get(joint.name) if joint.motion is None else _start(joint)
        shift, turn = _joint_motion(joint.type, coordinates)
        if joint.type == "free" and joint.motion is None:  # its coordinates are those of the centre of mass
            poses[name] = (np.zeros(3) if shift is None else shift, turn)
            continue
        origin, parent = poses[joint.parent] if joint.parent is not None else (np.zeros(3), np.eye(3))
        frame = parent if joint.frame_parent == IDENTITY else parent @ _fixed(joint.frame_parent)
        child = frame @ turn if joint.frame_child == IDENTITY else frame @ turn @ _fixed(joint.frame_child).T
        place = origin + parent @ np.array(joint.point_parent)
        place = place if shift is None else place + frame @ shift
        poses[name] = (place - child @ np.array(joint.point_child), child)
    return poses


def lowest_distance(system: System, poses: dict[str, Pose], point: Vector, normal: Vector) -> float:
    """The smallest signed distance of any shape from a plane [m]; negative inside the solid.

    point   of the plane [m]
    normal  unit vector out of the solid [-]
    """
    n = np.array(normal)
    distances = []
    for body in system.bodies:
        position, turn = poses[body.name]
        for shape in body.shapes:
            axes = turn if shape.rotation == IDENTITY else turn @ shape.turn
            centre = position + turn @ np.array(shape.offset) - np.array(point)
            distances.append(float(n @ centre - shape.reach(axes.T @ n)))
    return min(distances)


def centre_of_mass(system: System, poses: dict[str, Pose]) -> np.ndarray:
    """The centre of mass of all bodies [m]."""
    return sum((body.mass * poses[body.name][0] for body in system.bodies), np.zeros(3)) / system.mass


# rotations


def rotation_matrix(quaternion: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the rotation matrix (3, 3) of a unit quaternion [-], or those (..., 3, 3) of an array of them (..., 4)."""
    several = not isinstance(quaternion, tuple) and np.ndim(quaternion) > 1
    w, x, y, z = np.moveaxis(np.asarray(quaternion), -1, 0) if several else quaternion
    matrix = np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )
    return np.moveaxis(matrix, (0, 1), (-2, -1)) if several else matrix


def quaternion_of_vector(vector: Sequence[float]) -> Quaternion:
    """The unit quaternion of a rotation vector [rad]."""
    x, y, z = vector
    angle = sqrt(x * x + y * y + z * z)
    scale = 0.5 if angle < 1e-8 else sin(0.5 * angle) / angle
    return (cos(0.5 * angle), scale * x, scale * y, scale * z)


def vector_of_quaternion(quaternion: Sequence[float]) -> Vector:
    """The rotation vector [rad] of a unit quaternion, no longer than pi."""
    w, x, y, z = quaternion if quaternion[0] >= 0.0 else tuple(-c for c in quaternion)
    sine = sqrt(x * x + y * y + z * z)
    scale = 2.0 if sine < 1e-8 else 2.0 * atan2(sine, w) / sine
    return (scale * x, scale * y, scale * z)


def quaternion_of_matrix(matrix: np.ndarray) -> Quaternion:
    """The unit quaternion of a rotation matrix, its scalar not negative."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    squares = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    found = np.linalg.eigh(squares)[1][:, -1]
    w, x, y, z = (found if found[0] >= 0.0 else -found).tolist()
    return w, x, y, z


def quaternion_product(first: Sequence[float], second: Sequence[float]) -> Quaternion:
    """The rotation `second` followed by `first`, as matrices multiply."""
    a, b, c, d = first
    w, x, y, z = second
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


# joints


def _joint_motion(kind: str, coordinates: tuple[float, ...] | None) -> tuple[np.ndarray | None, np.ndarray]:
    """Displacement [m], None for none, and rotation matrix of the child's joint frame in the parent's, by type."""
    if coordinates is None or kind == "rigid":
        return None, np.eye(3)
    if kind == "free":
        return np.array(coordinates[:3]), rotation_matrix(coordinates[3:])
    if kind == "spherical":
        return None, _fixed(coordinates)
    if kind == "revolute":
        return None, _turn(2, coordinates[0])
    if kind == "universal":
        return None, _turn(0, coordinates[0]) @ _turn(1, coordinates[1])
    if kind == "cylindrical":
        return np.array([0.0, 0.0, coordinates[1]]), _turn(2, coordinates[0])
    if kind == "prismatic":
        return np.array([0.0, 0.0, coordinates[0]]), np.eye(3)
    if kind == "translational":
        return np.array(coordinates), np.eye(3)
    x, y, angle = coordinates  # planar
    return np.array([x, y, 0.0]), _turn(2, angle)


@lru_cache(maxsize=1024)
def _fixed(quaternion: tuple[float, ...]) -> np.ndarray:
    """Return the rotation matrix of a joint frame or of the posture of a joint, which thousands of cases share."""
    found = rotation_matrix(quaternion)
    found.setflags(write=False)
    return found


def _turn(axis: int, angle: float) -> np.ndarray:
    """Rotation matrix about a coordinate axis [-]."""
    vector = [0.0, 0.0, 0.0]
    vector[axis] = angle
    return rotation_matrix(quaternion_of_vector(vector))


def _start(joint: Joint) -> tuple[float, ...]:
    """The coordinates of a joint with prescribed motion at time zero, quaternions instead of rotation vectors."""
    values = tuple(float(table.at(np.zeros(1))[0]) for table in joint.motion or ())
    if joint.type == "spherical":
        return quaternion_of_vector(values)
    if joint.type == "free":
        return values[:3] + quaternion_of_vector(values[3:])
    return values


__all__ = [
    "Pose",
    "centre_of_mass",
    "lowest_distance",
    "quaternion_of_vector",
    "quaternion_product",
    "rotation_matrix",
    "segment_poses",
    "vector_of_quaternion",
]

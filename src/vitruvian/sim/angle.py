"""Clinical angles of the joints of a person, from recorded rotations. Angles in rad.

flexion, abduction, rotation   angles about three axes one after the other: the flexion axis of the parent, the axis
                               that floats between the two, the long axis of the child (grood1983; the order of the
                               International Society of Biomechanics, wu2002, wu2005). Zero is standing with hanging
                               arms. Not defined where the second angle is 90 degrees: at a shoulder see below.
plane, elevation, rotation     of a shoulder: the plane in which the arm is raised (0 to the side, 90 degrees to the
                               front), how far it is raised from hanging, and its turn about itself (wu2005). Not
                               defined for the hanging arm, where only plane + rotation has a meaning.

Signs are the same on both sides, for the left is mirrored first:

| joint | flexion + | abduction + | rotation + |
|---|---|---|---|
| lumbar, thoracolumbar, lower_neck, upper_neck | forwards | to the right | to the left |
| shoulder, hip | forwards | away from the body | inwards |
| elbow | bends | varus (towards the body) | pronation |
| wrist | towards the palm | ulnar deviation | pronation |
| knee | bends | varus | inwards |
| ankle | dorsiflexion | inversion | toes inwards |
"""

from __future__ import annotations

import numpy as np

from ..model.roster import JOINTS

#: joint -> signs of flexion, abduction and rotation about y, x, z of the right or midline joint
SIGNS: dict[str, tuple[float, float, float]] = {
    "lumbar": (1.0, 1.0, 1.0),
    "thoracolumbar": (1.0, 1.0, 1.0),
    "lower_neck": (1.0, 1.0, 1.0),
    "upper_neck": (1.0, 1.0, 1.0),
    "shoulder": (-1.0, -1.0, 1.0),
    "elbow": (-1.0, 1.0, 1.0),
    "wrist": (1.0, 1.0, 1.0),
    "hip": (-1.0, -1.0, 1.0),
    "knee": (1.0, 1.0, 1.0),
    "ankle": (-1.0, 1.0, 1.0),
}
FLEXES_ABOUT_X = ("wrist",)  # its second axis is y

ANGLES = ("flexion", "abduction", "rotation")
ELEVATION = ("plane", "elevation", "rotation")


def clinical(joint_rotation: np.ndarray, roles: tuple[str, ...], types: tuple[str, ...]) -> np.ndarray:
    """Flexion, abduction and rotation (P, joint, 3) [rad]; NaN where a joint is not one of a person's.

    joint_rotation  rotation vectors, or the angle of a hinge as the first of three (P, joint, 3) [rad]
    roles           of the joints: "left_knee", a key of model.roster.JOINTS for those of people
    """
    found = np.full(joint_rotation.shape, np.nan)
    for i, (role, kind) in enumerate(zip(roles, types, strict=True)):
        if role in JOINTS and kind in ("spherical", "revolute"):
            name, side = JOINTS[role]
            matrix = rotation_matrices(_right(joint_rotation[:, i], side, kind))
            order = cardan_xyz if name in FLEXES_ABOUT_X else cardan_yxz
            found[:, i] = np.array(SIGNS[name]) * order(matrix)
    return found


def elevation(joint_rotation: np.ndarray, roles: tuple[str, ...], types: tuple[str, ...]) -> np.ndarray:
    """Plane, elevation and rotation of the shoulders (P, joint, 3) [rad]; NaN for other joints."""
    found = np.full(joint_rotation.shape, np.nan)
    for i, (role, kind) in enumerate(zip(roles, types, strict=True)):
        if role in JOINTS and JOINTS[role].region == "shoulder" and kind == "spherical":
            matrix = rotation_matrices(_right(joint_rotation[:, i], JOINTS[role].side, kind))
            raised = np.arctan2(np.hypot(matrix[:, 0, 2], matrix[:, 1, 2]), matrix[:, 2, 2])
            plane = np.arctan2(-matrix[:, 0, 2], matrix[:, 1, 2])
            turn = np.arctan2(-matrix[:, 2, 0], -matrix[:, 2, 1])
            found[:, i] = np.stack([plane, raised, turn], axis=-1)
    return found


def cardan_yxz(matrix: np.ndarray) -> np.ndarray:
    """Angles a, b, c [rad] of matrices Ry(a) Rx(b) Rz(c) (..., 3, 3)."""
    a = np.arctan2(matrix[..., 0, 2], matrix[..., 2, 2])
    b = np.arctan2(-matrix[..., 1, 2], np.hypot(matrix[..., 0, 2], matrix[..., 2, 2]))
    c = np.arctan2(matrix[..., 1, 0], matrix[..., 1, 1])
    return np.stack([a, b, c], axis=-1)


def cardan_xyz(matrix: np.ndarray) -> np.ndarray:
    """Angles a, b, c [rad] of matrices Rx(a) Ry(b) Rz(c) (..., 3, 3)."""
    a = np.arctan2(-matrix[..., 1, 2], matrix[..., 2, 2])
    b = np.arctan2(matrix[..., 0, 2], np.hypot(matrix[..., 1, 2], matrix[..., 2, 2]))
    c = np.arctan2(-matrix[..., 0, 1], matrix[..., 0, 0])
    return np.stack([a, b, c], axis=-1)


def rotation_matrices(vectors: np.ndarray) -> np.ndarray:
    """Rotation matrices (P, 3, 3) of rotation vectors (P, 3) [rad]."""
    angle = np.linalg.norm(vectors, axis=-1)[:, None, None]
    skew = np.zeros((len(vectors), 3, 3))
    x, y, z = vectors.T
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -z, y, -x
    skew -= skew.transpose(0, 2, 1)
    half = np.sinc(0.5 * angle / np.pi)
    return np.eye(3) + np.sinc(angle / np.pi) * skew + 0.5 * half**2 * skew @ skew


def _right(rotation: np.ndarray, side: str, kind: str) -> np.ndarray:
    """Rotation vectors (P, 3) of the right or midline joint whose mirror image this is."""
    if kind == "revolute":  # every hinge of a person turns about y
        return np.stack([np.zeros(len(rotation)), rotation[:, 0], np.zeros(len(rotation))], axis=-1)
    return rotation * np.array([-1.0, 1.0, -1.0]) if side == "left" else rotation


#: coordinates of each joint type that are displacements [m]; all others are angles [rad]
_DISPLACEMENTS = {"cylindrical": (1,), "prismatic": (0,), "planar": (0, 1), "translational": (0, 1, 2)}


def displacement_mask(joint_types: tuple[str, ...]) -> np.ndarray:
    """True where a joint's coordinate is a displacement (joint, 3)."""
    mask = np.zeros((len(joint_types), 3), dtype=bool)
    for joint, kind in enumerate(joint_types):
        mask[joint, list(_DISPLACEMENTS.get(kind, ()))] = True
    return mask

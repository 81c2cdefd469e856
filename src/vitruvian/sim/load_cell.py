"""Loads of joints as load cells read them: in axes that turn with a segment, in the signs of SAE J1733. SI units.

Axes (SAE J211, standing): x forward, y to the right, z down. Those of this package are x forward, y left, z up, so a
vector (x, y, z) becomes (x, -y, -z), a moment likewise.

Signs (SAE J1733): a load is what the lower (distal) part does to the upper (proximal) part. Hence

    Fx > 0   the lower part is pushed forward, the upper one rearward          neck: head rearward, chest forward
    Fy > 0   the lower part is pushed to the right, the upper one to the left
    Fz > 0   tension                                                           a hanging head; standing is compression
    Mx > 0   left ear towards the left shoulder                                lateral bending
    My > 0   chin towards the sternum: flexion                                 knee forward, ankle forward in the leg
    Mz > 0   chin towards the left shoulder

A run records the load of a joint on its child. Above the pelvis the child is the upper part and the load is taken as
it is; elsewhere the child is the lower part and the load is taken with the opposite sign. Source: saej1733.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..model.roster import JOINTS

if TYPE_CHECKING:
    from .recording import Recording

#: from the axes of this package to those of SAE J211, and back
TURN = np.array([1.0, -1.0, -1.0])


class Cell(NamedTuple):
    """How a load cell at a joint is mounted: +1 if the child is the upper part, and the segment whose axes it has."""

    sign: float
    axes: str  # "parent" or "child"


class Loads(NamedTuple):
    """Time [s], force [N] and moment [N m] (n, 3) in J1733 axes and signs, and the segment of the axes."""

    time: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    axes: str


#: region of a joint -> its load cell; of all others the child is the lower part and has the axes
CELLS = {
    "upper_neck": Cell(1.0, "child"),
    "lower_neck": Cell(1.0, "parent"),
    "thoracolumbar": Cell(1.0, "parent"),
    "lumbar": Cell(1.0, "parent"),
    "hip": Cell(-1.0, "child"),
    "knee": Cell(-1.0, "child"),
    "ankle": Cell(-1.0, "parent"),
}
OTHER = Cell(-1.0, "child")


def to_j211(vectors: np.ndarray) -> np.ndarray:
    """Return vectors (..., 3) of our axes (y left, z up) in those of SAE J211 (y right, z down), or back."""
    return np.asarray(vectors, dtype=float) * TURN


def to_body_axes(orientation: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return world vectors (..., 3) in the axes of bodies with unit quaternions (..., 4)."""
    w, axis = orientation[..., :1], -orientation[..., 1:]
    twice = 2.0 * cross(axis, vector)
    found: np.ndarray = vector + w * twice + cross(axis, twice)
    return found


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cross product of vectors (..., 3), a few times faster than NumPy's."""
    found = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        found[..., k] = a[..., i] * b[..., j] - a[..., j] * b[..., i]
    return found


def cell(role: str) -> Cell:
    """Return how the load cell of a joint with a role ("left_knee") is mounted."""
    return CELLS[JOINTS[role].region] if role in JOINTS and JOINTS[role].region in CELLS else OTHER


def loads(recording: Recording, joint: str, mounted: Cell | None = None) -> Loads | None:
    """Return the load of a joint in J1733 axes and signs, or None if the run has no such joint or segment.

    mounted  other than `cell` says

    At the full rate; results of earlier versions, which have no load cells, at the rate of the poses.
    """
    if joint not in recording.joints or not recording.parents:
        return None
    mounted = mounted or cell(recording.roster.joint_role(joint))
    at = recording.joints.index(joint)  # joints are in the order of their children
    body = recording.bodies[at] if mounted.axes == "child" else recording.parents[at]
    if body not in recording.bodies:
        return None
    place = recording.bodies.index(body)
    if joint in recording.load_cells:
        row = recording.load_cells.index(joint)
        time, turn = recording.time, recording.attitude[:, place].astype(float)
        force, moment = recording.joint_force_world[:, row], recording.joint_moment_world[:, row]
    else:
        time, turn = recording.pose_time, recording.orientation[:, place]
        force, moment = recording.joint_force[:, at], recording.joint_moment[:, at]
    force, moment = (mounted.sign * to_j211(to_body_axes(turn, load)) for load in (force, moment))
    return Loads(time, force, moment, body)

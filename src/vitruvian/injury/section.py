"""Section loads in the axes and signs of SAE J1733, out of the joint reactions of a run. SI units.

Axes (SAE J211, standing): x forward, y to the right, z down; they turn with the segment. Ours are x forward, y left, z
up, so a vector (x, y, z) becomes (x, -y, -z), a moment likewise.

Signs (SAE J1733): a section load is what the lower (distal) part does to the upper (proximal) part. Hence

    Fx > 0   the lower part is pushed forward, the upper one rearward          neck: head rearward, chest forward
    Fy > 0   the lower part is pushed to the right, the upper one to the left
    Fz > 0   tension                                                           a hanging head; standing is compression
    Mx > 0   left ear towards the left shoulder                                lateral bending
    My > 0   chin towards the sternum: flexion                                 knee forward, ankle forward in the leg
    Mz > 0   chin towards the left shoulder

A run records the load of the joint on its child. Above the pelvis the child is the upper part and the load is taken as
it is; below, the child is the lower part and the load is taken with the opposite sign.

The rigid segments have no section inside, so a load is that of the joint at the end of the segment: the femur at the
hip and at the knee, the tibia at the knee and at the ankle. The upper neck joint lies at the occipital condyles.
Source: saej1733.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..sim.recording import Recording

#: ours to SAE J211, and back
TURN = np.array([1.0, -1.0, -1.0])


class Cut(NamedTuple):
    """Where a section load comes from: the joint, +1 if its child is the upper part, and whose axes it has."""

    joint: str
    sign: float
    axes: str  # "parent" or "child"


class Section(NamedTuple):
    """A section load in J1733 axes and signs: time [s], force [N], moment [N m] (n, 3), and the segment of the axes."""

    time: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    axes: str


def _legs() -> dict[str, Cut]:
    cuts = {}
    for side in ("left", "right"):
        cuts[f"{side}_femur_upper"] = Cut(f"{side}_hip", -1.0, "child")
        cuts[f"{side}_femur_lower"] = Cut(f"{side}_knee", -1.0, "parent")
        cuts[f"{side}_tibia_upper"] = Cut(f"{side}_knee", -1.0, "child")
        cuts[f"{side}_tibia_lower"] = Cut(f"{side}_ankle", -1.0, "parent")
    return cuts


CUTS: dict[str, Cut] = {
    "upper_neck": Cut("upper_neck", 1.0, "child"),
    "lower_neck": Cut("lower_neck", 1.0, "parent"),
    "thoracolumbar": Cut("thoracolumbar", 1.0, "parent"),
    "lumbar": Cut("lumbar", 1.0, "parent"),
    **_legs(),
}


def to_j211(vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) in our axes (y left, z up) in those of SAE J211 (y right, z down), or back."""
    return np.asarray(vectors, dtype=float) * TURN


def section(recording: Recording, name: str, parents: dict[str, str]) -> Section | None:
    """A section load of a run, or None if the run has no such joint.

    name     "upper_neck", "left_femur_upper", ... (CUTS); with the prefix of the person: "anna.upper_neck"
    parents  child -> parent of every joint
    """
    from ..sim.channel import to_body_axes

    prefix, _, bare = name.rpartition(".")
    cut = CUTS[bare]
    joint = f"{prefix}.{cut.joint}" if prefix else cut.joint
    if joint not in recording.joints:
        return None
    at = recording.joints.index(joint)
    child = recording.bodies[at]  # joints are in the order of their children
    body = child if cut.axes == "child" else parents.get(child, "")
    if body not in recording.bodies:
        return None
    orientation = recording.orientation[:, recording.bodies.index(body)]
    force = to_body_axes(orientation, recording.joint_force[:, at])
    moment = to_body_axes(orientation, recording.joint_moment[:, at])
    return Section(recording.pose_time, cut.sign * to_j211(force), cut.sign * to_j211(moment), body)

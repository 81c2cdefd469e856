"""How far a run went beyond what its model means: tissue compressed to nothing, joints bent past all limits. SI units.

A segment's contact is a spring on an ellipsoid that keeps its shape, and a limit of a joint is a stiff spring, not a
stop. Both answer to any load, long after flesh, bone and ligament would have failed. What they then say is not a
motion of a living body any more, and a run says so.
"""

from __future__ import annotations

import numpy as np

from ..model import Cone, Plane, Resistance, System
from ..model.compile import swing_range
from ..model.contact import tissue_share
from ..model.pose import rotation_matrix
from .channel import to_body_axes
from .recording import Recording

MOST_COMPRESSION = 0.5  # of the half-width of a segment [-]
MOST_BEYOND = np.radians(25.0)  # past the limit of a joint [rad]


def compression(recording: Recording, system: System) -> dict[str, float]:
    """Body -> largest compression of its tissue, as a share of its half-width towards the surface [-].

    The half-width is the distance from the centre of the shape to the tangent plane along the normal, a semi-axis
    if it lies flat (the smallest one against a surface that moves). Body and surface share the depth of contact as
    springs in a row do.
    """
    found: dict[str, float] = {}
    surfaces = {surface.name: surface for surface in system.surfaces if isinstance(surface, Plane)}
    for pair, (name, other) in enumerate(recording.pairs):
        touching = recording.contact_depth[:, pair] > 0.0
        if other not in surfaces or not touching.any():
            continue
        surface = surfaces[other]
        # a pair for every point on which a shape stands, in order
        shapes = [shape for shape in system.body(name).shapes for _ in shape.standing_points]
        place = recording.pairs[:pair].count((name, other))
        if place >= len(shapes):
            continue
        shape = shapes[place]
        depth = recording.contact_depth[touching, pair]
        depth = depth * tissue_share(surface.contact, shape.stiffness, depth)
        half_width = np.array(min(shape.half_size))
        if surface.carrier is None:
            orientation = recording.orientation[touching, recording.bodies.index(name)]
            normal = np.broadcast_to(np.array(surface.normal), (len(depth), 3))
            local = to_body_axes(orientation, normal) @ rotation_matrix(shape.rotation)
            half_width = shape.reach(local)
        found[name] = max(found.get(name, 0.0), float((depth / half_width).max()))
    return found


def beyond_limits(recording: Recording, system: System) -> dict[str, float]:
    """Joint -> largest angle past any of its limits [rad], for joints whose resistance has limits on angles."""
    past = past_limits(recording, system)
    usable = np.isfinite(recording.joint_rotation).all(axis=2)
    limited = np.any(past > -np.inf, axis=0)
    return {
        name: max(0.0, float(past[usable[:, place], place].max()))
        for place, name in enumerate(recording.joints)
        if limited[place] and usable[:, place].any()
    }


def past_limits(recording: Recording, system: System) -> np.ndarray:
    """The largest angle of each joint past any of its limits (P, joint) [rad]; negative inside them, -inf without."""
    found = np.full(recording.joint_rotation.shape[:2], -np.inf)
    for place, name in enumerate(recording.joints):
        joint = system.joint(name)
        resistance = joint.resistance
        if resistance is None or joint.type not in ("spherical", "revolute"):
            continue
        angles, lower, upper = _angles(recording.joint_rotation[:, place], resistance)
        count = 1 if joint.type == "revolute" else 3
        found[:, place] = np.maximum(angles - upper, lower - angles)[:, :count].max(axis=1)
        if resistance.cone is not None:
            past = _past_cone(recording.joint_rotation[:, place], resistance.cone)
            found[:, place] = np.maximum(found[:, place], past)
    return found


def warnings(recording: Recording, system: System) -> tuple[str, ...]:
    """A sentence for what went too far, or nothing."""
    sentences = []
    squeezed = {name: share for name, share in compression(recording, system).items() if share > MOST_COMPRESSION}
    if squeezed:
        sentences.append(
            f"Compressed by more than {100.0 * MOST_COMPRESSION:.0f} % of the half-width: "
            + _listed(squeezed, 100.0, "%")
            + ". No tissue stands that: forces and motion from then on are those of springs, not of a body."
        )
    bent = {name: angle for name, angle in beyond_limits(recording, system).items() if angle > MOST_BEYOND}
    if bent:
        sentences.append(
            f"Bent more than {np.degrees(MOST_BEYOND):.0f} degrees past the limit: "
            + _listed(bent, np.degrees(1.0), "degrees")
            + ". No joint stands that: it would be injured, and the motion from then on is not that of a body."
        )
    return tuple(sentences)


def _listed(values: dict[str, float], factor: float, unit: str) -> str:
    worst = sorted(values, key=values.__getitem__, reverse=True)
    return ", ".join(f"{name} {factor * values[name]:.0f} {unit}" for name in worst)


def _angles(rotation: np.ndarray, resistance: Resistance) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The angles that the limits act on (n, 3), lower and upper limits (3) [rad]."""
    lower, upper = np.array(resistance.limit_minus), np.array(resistance.limit_plus)
    if resistance.law not in ("swing_twist", "cone"):
        for axis, curve in enumerate(resistance.curve):
            if curve is not None and curve.range is not None:
                lower[axis], upper[axis] = curve.range
        return rotation, lower, upper
    *centre, lx, ly, lz, ux, uy, uz = swing_range(resistance)
    w, x, y, z = _turned(np.array(centre), rotation).T
    across, along = np.stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x)]), 1.0 - 2.0 * (x * x + y * y)
    sine = np.hypot(*across)
    ratio = np.where(sine > 1e-9, np.arctan2(sine, along) / np.maximum(sine, 1e-9), 1.0)
    twist = 2.0 * np.arctan2(z, w)
    twist = (twist + np.pi) % (2.0 * np.pi) - np.pi
    if resistance.cone is not None:  # its swing is judged by `_past_cone`
        none, free = np.zeros_like(twist), np.inf
        return np.stack([none, none, twist], axis=1), np.array([-free, -free, lz]), np.array([free, free, uz])
    angles = np.stack([-ratio * across[1], ratio * across[0], twist], axis=1)
    return angles, np.array([lx, ly, lz]), np.array([ux, uy, uz])


def _past_cone(rotation: np.ndarray, cone: Cone) -> np.ndarray:
    """Latitude of the limb axis past the rim of its cone [rad]."""
    w, x, y, z = _turned(np.array(cone.frame), rotation).T
    # the limb axis, z of the child, seen from the frame of the cone
    dx, dy, dz = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    return np.arctan2(np.hypot(dx, dy), dz) - cone.limit(np.arctan2(dy, dx))


def _turned(centre: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) of rotation vectors (n, 3) [rad], as seen from an orientation."""
    angle = np.linalg.norm(rotation, axis=1)
    w = np.cos(0.5 * angle)
    v = rotation * (0.5 * np.sinc(0.5 * angle / np.pi))[:, None]
    a, b = centre[0], -centre[1:]
    return np.concatenate([(a * w - v @ b)[:, None], a * v + w[:, None] * b + np.cross(b, v)], axis=1)

"""How far a run went beyond what its model means: tissue compressed to nothing, joints bent past all limits. SI units.

A segment's contact is a spring on an ellipsoid that keeps its shape, and a limit of a joint is a stiff spring, not a
stop. Both answer to any load, long after flesh, bone and ligament would have failed. What they then say is not a
motion of a living body any more, and a run says so.
"""

from __future__ import annotations

import numpy as np

from ..kernels import layout
from ..model import Plane, Resistance, System
from ..model.contact import tissue_share
from ..model.joint import CARDAN_AXES
from ..model.pose import rotation_matrix
from ..model.range import limits, swing_range
from ..model.shape import Shape
from ..model.tissue import depth_of
from .angle import cardan_xyz, cardan_yxz, rotation_matrices
from .bone_load import bones, stretch
from .channel import to_body_axes
from .recording import Recording

MOST_COMPRESSION = 0.5  # of the half-width of a segment whose tissue is a line without end [-]
MOST_LAYERED = 0.45  # of the largest depth of layered tissue, with its core about the width of the segment [-]
MOST_STRETCH = 0.05  # of the length of a bone that bends [-]
MOST_BEYOND = np.radians(25.0)  # past the limit of a joint [rad]
MOST_SHEAR = 0.0125  # past the play of a knee, where the ligaments of a man tear (axial.csv) [m]


def compression(recording: Recording, system: System) -> dict[str, float]:
    """Return body -> largest compression of its tissue in any contact, as a share, see `pair_compression` [-]."""
    found: dict[str, float] = {}
    for pair, shares in zip(recording.pairs, pair_compression(recording, system), strict=True):
        for body, share in zip(pair, shares, strict=True):
            if np.isfinite(share):
                found[body] = max(found.get(body, 0.0), float(share))
    return found


def pair_compression(recording: Recording, system: System) -> np.ndarray:
    """Return the largest compression of the tissue of both bodies of each pair (c, 2), a share of the half-width [-].

    Not a number for a surface and for pairs that never touch. Layered tissue counts over the depth that no force
    exceeds, thickness and core, so its share is at most 1. The half-width is the distance from the centre of the shape
    to the tangent plane along the normal, a semi-axis if it lies flat (the smallest one against a plane that moves,
    faces and bodies). Body and plane share the depth of contact as springs in a row do. On faces and bodies the
    compression is that at which the tissue bears the force of the contact, at most the depth.
    """
    found = np.full((len(recording.pairs), 2), np.nan)
    planes = {surface.name: surface for surface in system.surfaces if isinstance(surface, Plane)}
    forces: dict[tuple[str, str], np.ndarray] = {}  # on a body by all parts of a surface
    for pair, (name, other) in enumerate(recording.pairs):
        touching = recording.contact_depth[:, pair] > 0.0
        if not touching.any():
            continue
        depth = recording.contact_depth[touching, pair]
        if other not in planes:
            group = name, recording.roster.surface(other)
            if group not in forces:
                forces[group] = _force(recording, pair)
            force = forces[group][touching]
            for side, body in enumerate((name, other)):
                if body not in recording.bodies:
                    continue
                own = system.body(body).shapes
                shares = [
                    np.minimum(depth_of(s.soft)(force), depth).max() / (_limit(s) or min(s.half_size)) for s in own
                ]
                found[pair, side] = min(shares, default=0.0)
            continue
        surface = planes[other]
        # a pair for every point on which a shape stands, in order
        shapes = [shape for shape in system.body(name).shapes for _ in surface.met_by(shape)]
        place = recording.pairs[:pair].count((name, other))
        if place >= len(shapes):
            continue
        shape = shapes[place]
        depth = depth * tissue_share(surface.contact, shape.soft, depth)
        half_width = np.array(_limit(shape) or min(shape.half_size))
        if _limit(shape) is not None:
            depth = np.minimum(depth, half_width)  # on a surface with a curve the share is an upper bound
        elif surface.carrier is None:
            orientation = recording.orientation[touching, recording.bodies.index(name)]
            normal = np.broadcast_to(np.array(surface.normal), (len(depth), 3))
            local = to_body_axes(orientation, normal) @ rotation_matrix(shape.rotation)
            half_width = shape.reach(local)
        found[pair, 0] = (depth / half_width).max()
    return found


def with_compression(recording: Recording, system: System) -> Recording:
    """Return a recording that keeps the compression of its pairs for the contact audit (`sim.audit`)."""
    shares = np.nan_to_num(pair_compression(recording.sound(), system)).max(axis=1, initial=0.0)
    return recording.replace(final=recording.final | {"pair_share": shares}) if recording.final else recording


def _limit(shape: Shape) -> float | None:
    """Return the depth [m] that no force exceeds in layered tissue; None in linear tissue, which has no end."""
    if not isinstance(shape.soft, tuple):
        return None
    depth = sum(layer.room for layer in shape.soft)
    return depth if np.isfinite(depth) else None


def _force(recording: Recording, pair: int) -> np.ndarray:
    """Return the size of the force on the body of a pair by all parts of the surface [N]."""
    name, other = recording.pairs[pair]
    surface = recording.roster.surface(other)
    parts = [k for k, (body, label) in enumerate(recording.pairs)
             if body == name and recording.roster.surface(label) == surface]  # fmt: skip
    force: np.ndarray = np.linalg.norm(recording.contact_force[:, parts].sum(axis=1), axis=1)
    return force


def beyond_limits(recording: Recording, system: System, past: np.ndarray | None = None) -> dict[str, float]:
    """Joint -> largest angle past any of its limits [rad], for joints whose resistance has limits on angles.

    past  what `past_limits` returned, if it is known; it may be longer than the recording
    """
    past = past_limits(recording, system) if past is None else past[: len(recording.pose_time)]
    usable = np.isfinite(recording.joint_rotation).all(axis=2)
    limited = np.any(past > -np.inf, axis=0)
    return {
        name: max(0.0, float(past[usable[:, place], place].max()))
        for place, name in enumerate(recording.joints)
        if limited[place] and usable[:, place].any()
    }


def sheared(recording: Recording, system: System) -> dict[str, float]:
    """Joint -> largest displacement across, past its play [m], for slides of segments whose ligaments cannot tear."""
    found = {}
    for place, name in enumerate(recording.joints):
        joint = system.joint(name)
        resistance, moved = joint.resistance, recording.joint_rotation[:, place, :2]
        if joint.type != "translational" or resistance is None or resistance.fails:
            continue
        if system.body(joint.child).shapes and np.isfinite(moved).all(axis=1).any():
            past = np.abs(moved) - np.array(resistance.limit_plus[:2])
            found[name.removesuffix("_slide")] = float(np.nanmax(past))
    return found


def past_limits(recording: Recording, system: System) -> np.ndarray:
    """The largest angle of each joint past any of its limits (P, joint) [rad]; negative inside them, -inf without."""
    found = np.full(recording.joint_rotation.shape[:2], -np.inf)
    for place, name in enumerate(recording.joints):
        joint = system.joint(name)
        resistance = joint.resistance
        if resistance is None or joint.type not in ("spherical", "revolute"):
            continue
        count = 1 if joint.type == "revolute" else 3
        found[:, place] = past_each(recording.joint_rotation[:, place], resistance)[:, :count].max(axis=1)
    return found


def warnings(recording: Recording, system: System, past: np.ndarray | None = None) -> tuple[str, ...]:
    """Return a sentence for each thing that went too far.

    past  what `past_limits` returned, if it is known; it may be longer than the recording
    """
    sentences = []
    shares = compression(recording, system)
    layered = {name for name in shares if any(isinstance(shape.soft, tuple) for shape in system.body(name).shapes)}
    squeezed = {name: share for name, share in shares.items() if share > MOST_COMPRESSION and name not in layered}
    if squeezed:
        sentences.append(
            f"Compressed by more than {100.0 * MOST_COMPRESSION:.0f} % of the half-width: "
            + _listed(squeezed, 100.0, "%")
            + ". No tissue stands that: forces and motion from then on are those of springs, not of a body."
        )
    flat = {name: share for name, share in shares.items() if share > MOST_LAYERED and name in layered}
    if flat:
        sentences.append(
            f"Compressed by more than {100.0 * MOST_LAYERED:.0f} % of the depth of skin, flesh and core: "
            + _listed(flat, 100.0, "%")
            + ". Its stiffness is estimated there; a person would be injured."
        )
    bent = {name: angle for name, angle in beyond_limits(recording, system, past).items() if angle > MOST_BEYOND}
    if bent:
        sentences.append(
            f"Bent more than {np.degrees(MOST_BEYOND):.0f} degrees past the limit: "
            + _listed(bent, np.degrees(1.0), "degrees")
            + ". No joint stands that: it would be injured, and the motion from then on is not that of a body."
        )
    torn = {name: past for name, past in sheared(recording, system).items() if past > MOST_SHEAR}
    if torn:
        sentences.append(
            f"Sheared by more than {1e3 * MOST_SHEAR:.0f} mm past the play: "
            + _listed(torn, 1e3, "mm")
            + ". Ligaments would tear; here they give the energy back. With human.failure = true they tear."
        )
    long = {name: float(stretch(system, recording, name).max()) for name in bones(system) if name in recording.bodies}
    long = {name: share for name, share in long.items() if share > MOST_STRETCH}
    if long:
        sentences.append(
            f"Bones whose ends moved apart by more than {100.0 * MOST_STRETCH:.0f} %: "
            + _listed(long, 100.0, "%")
            + ". Modes do not describe so large a bend: forces and motion from then on are not those of a broken limb."
        )
    return tuple(sentences)


def _listed(values: dict[str, float], factor: float, unit: str) -> str:
    worst = sorted(values, key=values.__getitem__, reverse=True)
    return ", ".join(f"{name} {factor * values[name]:.0f} {unit}" for name in worst)


def past_each(rotation: np.ndarray, resistance: Resistance) -> np.ndarray:
    """Return the angles past the limits of the three components (n, 3) [rad], negative inside them.

    rotation  rotation vectors, or coordinates of a joint with axes (n, 3) [rad]

    Of swing_twist and cone the first two are the angle past the rim of the swing.
    """
    lower, upper = limits(resistance)
    if resistance.law in ("rotation_vector", "coordinate"):
        return np.maximum(rotation - upper, lower - rotation)
    matrices = rotation_matrices(rotation)
    if resistance.law in CARDAN_AXES:
        angles = cardan_yxz(matrices)[:, [1, 0, 2]] if resistance.law == "cardan_yxz" else cardan_xyz(matrices)
        return _past_on_circle(angles, lower, upper)
    past = np.full(rotation.shape, -np.inf)
    swing = swing_range(resistance)
    if swing is not None:
        x, y, z = (matrices[:, :, 2] @ rotation_matrix(swing.centre)).T
        past[:, :2] = (np.arctan2(np.hypot(x, y), z) - swing.rim.at(np.arctan2(y, x)))[:, None]
    twist = np.arctan2(matrices[:, 1, 0] - matrices[:, 0, 1], matrices[:, 0, 0] + matrices[:, 1, 1])
    past[:, 2] = _past_on_circle(twist, lower[2], upper[2])
    # opposite to the zero posture a twist is not limited
    past[(matrices[:, 2, 2] < layout.resistance.FADE_COSINE) & (past[:, 2] > 0.0), 2] = 0.0
    return past


def _past_on_circle(angles: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the smaller of the angles past the upper and past the lower limit [rad], negative between them."""
    if not np.isfinite(upper - lower).all():
        return np.maximum(angles - upper, lower - angles)
    turn = 2.0 * np.pi
    from_lower = (angles - lower) % turn
    inside = np.maximum(from_lower - (upper - lower), -from_lower)
    return np.where(inside <= 0.0, inside, np.minimum((angles - upper) % turn, (lower - angles) % turn))

"""Loads, strain and stress in the bones that bend, from the equilibrium of what lies beyond each section.

Every station of a flexible bone has a load cell: the force and moment that the bone puts on it. Beyond a section their
sum is the load of the section, whatever the number of modes; its strain follows from the section of the bone. A
section is where the bone is bent to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model.body import Bend, Tube
from ..model.flexible import MASS
from ..model.fracture import is_piece
from ..model.joint import Joint
from ..model.system import System
from .load_cell import cross, to_body_axes
from .recording import Event, Recording

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the length of a bone at which it is looked at, from the inner joint
SIDES = {"front": (1.0, 0.0, 0.0), "back": (-1.0, 0.0, 0.0), "left": (0.0, 1.0, 0.0), "right": (0.0, -1.0, 0.0)}


class Motion(NamedTuple):
    """The record of a run: clocks [s], poses (P, body, ...), load cells (N, cell, 6) [N, N m], attitudes (N, n, 4)."""

    pose_time: np.ndarray
    position: np.ndarray
    orientation: np.ndarray
    time: np.ndarray
    load_cell: np.ndarray
    attitude: np.ndarray


class BoneLoads(NamedTuple):
    """Loads and deflection of bones that bend at all their points (N, point).

    strain, stress  along the bone [-], [Pa]
    moment          bending moment that stretches the side of the point [N m]
    shear           shear stress along the circumference, right-handed about the bone [Pa]
    deflection      of the axis of the bone towards the side of the point, from the line between its ends [m]
    """

    strain: np.ndarray
    stress: np.ndarray
    moment: np.ndarray
    shear: np.ndarray
    deflection: np.ndarray


def bones(system: System) -> dict[str, Bend]:
    """Return the bones of a system that bend, by the name of their segment."""
    bent = {body.name: body.bend for body in system.bodies if body.bend is not None and body.bend.tube is not None}
    return {name: bent[name] for name in system.order if name in bent} if bent else {}


def points(system: System) -> tuple[str, ...]:
    """Return the names of the points of all bones: "left_shank.50-front" is half-way along the tibia."""
    return tuple(f"{name}.{round(100 * share)}-{side}" for name in bones(system) for share in SHARES for side in SIDES)


def point_axes(system: System) -> np.ndarray:
    """Return the directions along the bone and out of its surface at all points, axes of the segments (point, 2, 3)."""
    rows = [np.zeros((0, 2, 3))]
    for bend in bones(system).values():
        along = _axis(bend)
        outward = np.tile(directions(along), (len(SHARES), 1))
        rows.append(np.stack([np.broadcast_to(along, outward.shape), outward], axis=1))
    return np.concatenate(rows)


def point_material(system: System) -> dict[str, np.ndarray]:
    """Return Young's modulus [Pa] and Poisson's ratio [-] of the bones at all points (point,), as in a recording."""
    tubes = [bend.tube for bend in bones(system).values() if bend.tube is not None]
    found = {"point_young": [tube.young for tube in tubes], "point_poisson": [tube.poisson for tube in tubes]}
    return {name: np.repeat(np.array(values, float), len(SHARES) * len(SIDES)) for name, values in found.items()}


def bone_loads(system: System, cells: tuple[str, ...], motion: Motion) -> BoneLoads:
    """Return what the bones carry at their points.

    cells  names of the joints with load cells
    """
    if not motion.load_cell.size or not len(motion.pose_time):  # nothing was recorded from which to tell
        return BoneLoads(*np.full((len(BoneLoads._fields), len(motion.time), len(points(system))), np.nan))
    parts = [BoneLoads(*np.zeros((len(BoneLoads._fields), len(motion.time), 0)))]
    for name, bend in bones(system).items():
        tube, axis, found = bend.tube, _axis(bend), section_loads(system, cells, motion, name, bend)
        assert tube is not None
        outward = directions(axis)
        round_it = np.cross(axis, outward)

        def towards(vectors: np.ndarray, ways: np.ndarray) -> np.ndarray:
            """Return the components of vectors of the sections (N, section, 3) along a direction of each side."""
            components: np.ndarray = (vectors @ ways.T).reshape(len(vectors), -1)
            return components

        bending = towards(found.moment, round_it)
        stress = np.repeat(-(found.force @ axis) / tube.area, len(SIDES), axis=1) + bending * tube.outer / tube.second
        twist = np.repeat(-(found.moment @ axis), len(SIDES), axis=1) * tube.outer / (2.0 * tube.second)
        shear = twist - towards(found.force, round_it) * 2.0 / tube.area  # as in a thin tube (`flex.recovery`)
        parts.append(BoneLoads(stress / tube.young, stress, bending, shear, towards(found.bent, outward)))
    return BoneLoads(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))


def directions(axis: np.ndarray) -> np.ndarray:
    """Return the directions of SIDES across the axis of a bone (4, 3) [-]; z replaces one along the axis."""
    sides = np.array([side if abs(axis @ side) < 0.9 else (0.0, 0.0, sum(side)) for side in SIDES.values()])
    across = sides - np.outer(sides @ axis, axis)
    found: np.ndarray = across / np.linalg.norm(across, axis=1)[:, None]
    return found


class Sections(NamedTuple):
    """Force [N] and moment [N m] of sections on what is beyond them, and how far the axis is bent there [m].

    All (N, section, 3), in the axes of the segment; the bend is from the line between the ends of the bone.
    """

    force: np.ndarray
    moment: np.ndarray
    bent: np.ndarray


class Stations(NamedTuple):
    """The stations of one bone over time, in the axes of its segment.

    height         along the bone from its start (N, s) [m]
    place          where they are bent to (N, s, 3) [m]
    force, moment  of the bone on them (N, s, 3) [N], [N m]
    """

    height: np.ndarray
    place: np.ndarray
    force: np.ndarray
    moment: np.ndarray


def section_loads(system: System, cells: tuple[str, ...], motion: Motion, name: str, bend: Bend) -> Sections:
    """Return what the sections of a bone carry, and where they are bent to."""
    ties = [joint for joint in system.joints if joint.type == "modal" and joint.parent == name]
    found = _stations(system, cells, motion, ties, bend)
    moved = _moved(system, motion, ties, bend)
    sections = np.array(SHARES) * _length(bend)
    cut = np.array(bend.line[0]) + sections[:, None] * _axis(bend) + moved[:, :-1]
    riding = [k for k, joint in enumerate(ties) if _rides(joint, bend)]
    beyond = (found.height[0][:, None] > sections).astype(float)
    beyond[riding] = 0.0

    def total(loads: np.ndarray) -> np.ndarray:
        """Sum of loads on stations (N, s, 3) beyond each section (N, section, 3)."""
        found_: np.ndarray = np.tensordot(loads, beyond, ([1], [0])).transpose(0, 2, 1)
        for k in riding:
            found_ = found_ + loads[:, k, None] * (found.height[:, k, None] > sections)[..., None]
        return found_

    force = total(found.force)
    moment = total(found.moment + cross(found.place, found.force)) - cross(cut, force)
    return Sections(force, moment, moved[:, :-1] - np.array(SHARES)[:, None] * moved[:, -1:])


def _moved(system: System, motion: Motion, ties: list[Joint], bend: Bend) -> np.ndarray:
    """Return how far the modes move the axis of a bone at the sections and its end (N, section + 1, 3) [m].

    The modal coordinates are those that move and turn the stations as recorded.
    """
    frame, fixed = system.order.index(ties[0].parent or ""), [joint for joint in ties if not _rides(joint, bend)]
    bodies = [system.order.index(joint.child) for joint in fixed]
    attitude = motion.orientation[:, [frame]]
    place = to_body_axes(attitude, motion.position[:, bodies] - motion.position[:, [frame]])
    place -= np.array([joint.point_parent for joint in fixed])
    turn = _rotation_vector(attitude, motion.orientation[:, bodies])
    shapes = np.concatenate([joint.shape for joint in fixed if joint.shape is not None], axis=1)
    modal = np.concatenate([turn, place], axis=2).reshape(len(place), -1) @ np.linalg.pinv(shapes)
    shares, grid = np.array([*SHARES, 1.0]), bend.along
    assert grid is not None
    number = shares * (len(grid) - 1)
    before = np.minimum(number.astype(int), len(grid) - 2)
    part = (number - before)[:, None, None]
    along = (1.0 - part) * grid[before] + part * grid[before + 1]  # of the centre of the segment
    lever = np.array(bend.line[0]) + shares[:, None, None] * np.subtract(bend.line[1], bend.line[0])
    axis = along[..., 3:] + np.cross(along[..., :3], lever)
    return _sampled(motion, np.einsum("pn,snk->psk", modal, axis))


def _rotation_vector(frame: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Return rotation vectors (..., 3) [rad] of unit quaternions (..., 4) against a frame, in its axes."""
    vector = (
        frame[..., :1] * turned[..., 1:] - turned[..., :1] * frame[..., 1:] - cross(frame[..., 1:], turned[..., 1:])
    )
    scalar = (frame * turned).sum(axis=-1)
    size = np.linalg.norm(vector, axis=-1)
    angle = 2.0 * np.arctan2(size, abs(scalar)) * np.sign(scalar)
    found: np.ndarray = vector * (angle / np.maximum(size, 1e-300))[..., None]
    return found


def station_loads(
    system: System, recording: Recording, name: str, at: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what the stations of a bone put on it at a sample of the load cells.

    Forces (s, 3) [N], moments about the line of the bone (s, 3) [N m], both in axes of the segment, and heights along
    the bone (s,) [m].
    """
    bend = bones(system)[name]
    cells = np.concatenate([recording.joint_force_world, recording.joint_moment_world], axis=2)
    motion = Motion(
        recording.pose_time, recording.position, recording.orientation, recording.time[at : at + 1],
        cells[at : at + 1], recording.attitude[at : at + 1],
    )  # fmt: skip
    ties = [joint for joint in system.joints if joint.type == "modal" and joint.parent == name]
    found = _stations(system, recording.load_cells, motion, ties, bend)
    height = found.height[0]
    line = np.array(bend.line[0]) + height[:, None] * _axis(bend)
    lever = np.array([joint.point_parent for joint in ties]) - line
    return -found.force[0], -found.moment[0] - np.cross(lever, found.force[0]), height


def _stations(system: System, cells: tuple[str, ...], motion: Motion, ties: list[Joint], bend: Bend) -> Stations:
    """Return the stations of one bone, which are tied to it by modal joints."""
    frame = system.order.index(ties[0].parent or "")
    start, axis, count = np.array(bend.line[0]), _axis(bend), len(ties)
    loads = motion.load_cell[:, [cells.index(joint.name) for joint in ties]].astype(float)
    attitude = motion.attitude[:, frame, None].astype(float)
    local = to_body_axes(attitude, loads.reshape(len(loads), 2 * count, 3))
    force, moment = local[:, 0::2], local[:, 1::2]
    apart = motion.position[:, [system.order.index(joint.child) for joint in ties]] - motion.position[:, [frame]]
    place = _sampled(motion, to_body_axes(motion.orientation[:, [frame]], apart))
    height = np.tile((np.array([joint.point_parent for joint in ties]) - start) @ axis, (len(loads), 1))
    for k in (k for k, joint in enumerate(ties) if _rides(joint, bend)):  # it acts where the bone is touched
        lever = cross(axis, force[:, k])
        size = np.maximum((lever**2).sum(axis=1), 1e-12)
        height[:, k] = np.clip(height[:, k] + (moment[:, k] * lever).sum(axis=1) / size, 0.0, _length(bend))
    return Stations(height, place, force, moment)


def _sampled(motion: Motion, poses: np.ndarray) -> np.ndarray:
    """Return values at the times of poses (P, ...) at the times of load cells (N, ...), by straight lines."""
    if len(poses) == 1:
        return np.repeat(poses, len(motion.time), axis=0)
    before = np.clip(np.searchsorted(motion.pose_time, motion.time, "right") - 1, 0, len(poses) - 2)
    span = motion.pose_time[before + 1] - motion.pose_time[before]
    part = np.clip((motion.time - motion.pose_time[before]) / span, 0.0, 1.0).reshape(-1, *(1,) * (poses.ndim - 1))
    found: np.ndarray = poses[before] + part * (poses[before + 1] - poses[before])
    return found


def _rides(joint: Joint, bend: Bend) -> bool:
    return joint.child == f"{joint.parent}.{bend.surface}"


def _length(bend: Bend) -> float:
    return float(np.linalg.norm(np.subtract(bend.line[1], bend.line[0])))


def _axis(bend: Bend) -> np.ndarray:
    line = np.subtract(bend.line[1], bend.line[0])
    found: np.ndarray = line / np.linalg.norm(line)
    return found


def stretch(system: System, recording: Recording, name: str) -> np.ndarray:
    """Return how much farther the ends of a bone are apart than at the start, over the poses [-].

    Modes move points along straight lines, so a bone that bends far becomes longer by about half its squared slope.
    """
    found = [k for k, body in enumerate(recording.bodies) if body.startswith(f"{name}.{MASS}") and body in system.order]
    heights = [system.joint_of(recording.bodies[k]).point_parent @ _axis(bones(system)[name]) for k in found]
    ends = found[int(np.argmin(heights))], found[int(np.argmax(heights))]
    apart = np.linalg.norm(recording.position[:, ends[1]] - recording.position[:, ends[0]], axis=1)
    grown: np.ndarray = apart / apart[0] - 1.0
    return grown


def resultant(moment: np.ndarray) -> np.ndarray:
    """Return the bending moment [N m] of the sections of one bone, from that at its points (N, 4 sections)."""
    sides = moment.reshape(len(moment), len(SHARES), len(SIDES))
    return np.hypot(sides[..., 0], sides[..., 2])


def fractures(system: System, time: np.ndarray, moment: np.ndarray) -> list[Event]:
    """Return an event for each bone that stays whole and whose bending moment [N m] reaches the mean at failure.

    The joint of a bone that may break reports it itself (`model.fracture`).
    """
    found = []
    count = len(SHARES) * len(SIDES)
    for number, (name, bend) in enumerate(bones(system).items()):
        tube: Tube | None = bend.tube
        assert tube is not None
        if is_piece(system, name):
            continue
        largest = resultant(moment[:, number * count : (number + 1) * count]).max(axis=1)
        above = np.flatnonzero(largest >= tube.failure)
        if len(above):
            found.append(Event(float(time[above[0]]), "fracture", name, "", float(largest.max())))
    return found

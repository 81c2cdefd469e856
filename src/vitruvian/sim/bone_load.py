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
    """Strain [-], stress [Pa] and bending moment [N m] at the points of all bones that bend (N, point)."""

    strain: np.ndarray
    stress: np.ndarray
    moment: np.ndarray


def bones(system: System) -> dict[str, Bend]:
    """Return the bones of a system that bend, by the name of their segment."""
    bent = {body.name: body.bend for body in system.bodies if body.bend is not None and body.bend.tube is not None}
    return {name: bent[name] for name in system.order if name in bent} if bent else {}


def points(system: System) -> tuple[str, ...]:
    """Return the names of the points of all bones: "left_shank.50-front" is half-way along the tibia."""
    return tuple(f"{name}.{round(100 * share)}-{side}" for name in bones(system) for share in SHARES for side in SIDES)


def bone_loads(system: System, cells: tuple[str, ...], motion: Motion) -> BoneLoads:
    """Return what the bones carry at their points.

    cells  names of the joints with load cells
    """
    if not motion.load_cell.size or not len(motion.pose_time):  # nothing was recorded from which to tell
        return BoneLoads(*(np.full((len(motion.time), len(points(system))), np.nan) for _ in range(3)))
    parts = [BoneLoads(*(np.zeros((len(motion.time), 0)) for _ in range(3)))]
    for name, bend in bones(system).items():
        tube, axis = bend.tube, _axis(bend)
        assert tube is not None
        force, moment = section_loads(system, cells, motion, name, bend)
        bending = (moment @ np.cross(axis, directions(axis)).T).reshape(len(motion.time), -1)
        stress = np.repeat(-(force @ axis) / tube.area, len(SIDES), axis=1) + bending * (tube.outer / tube.second)
        parts.append(BoneLoads(stress / tube.young, stress, bending))
    return BoneLoads(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))


def directions(axis: np.ndarray) -> np.ndarray:
    """Return the directions of SIDES across the axis of a bone (4, 3) [-]; z replaces one along the axis."""
    sides = np.array([side if abs(axis @ side) < 0.9 else (0.0, 0.0, sum(side)) for side in SIDES.values()])
    across = sides - np.outer(sides @ axis, axis)
    found: np.ndarray = across / np.linalg.norm(across, axis=1)[:, None]
    return found


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


def section_loads(
    system: System, cells: tuple[str, ...], motion: Motion, name: str, bend: Bend
) -> tuple[np.ndarray, np.ndarray]:
    """Return force [N] and moment [N m] of sections on what is beyond them (N, section, 3), axes of the segment."""
    ties = [joint for joint in system.joints if joint.type == "modal" and joint.parent == name]
    found = _stations(system, cells, motion, ties, bend)
    start, axis = np.array(bend.line[0]), _axis(bend)
    fixed = [k for k, joint in enumerate(ties) if not _rides(joint, bend)]
    order = [fixed[k] for k in np.argsort(found.height[0, fixed])]
    heights = np.concatenate([[0.0], found.height[0, order]])
    bent = found.place[:, order] - np.array([ties[k].point_parent for k in order])
    bent = np.concatenate([np.zeros_like(bent[:, :1]), bent], axis=1)
    sections = np.array(SHARES) * _length(bend)
    above = np.clip(np.searchsorted(heights, sections), 1, len(heights) - 1)
    part = ((sections - heights[above - 1]) / np.maximum(np.diff(heights)[above - 1], 1e-9))[:, None]
    cut = start + sections[:, None] * axis + (1.0 - part) * bent[:, above - 1] + part * bent[:, above]
    beyond = (found.height[0][:, None] > sections).astype(float)
    riding = [k for k in range(len(ties)) if k not in fixed]
    beyond[riding] = 0.0

    def total(loads: np.ndarray) -> np.ndarray:
        """Sum of loads on stations (N, s, 3) beyond each section (N, section, 3)."""
        found_: np.ndarray = np.tensordot(loads, beyond, ([1], [0])).transpose(0, 2, 1)
        for k in riding:
            found_ = found_ + loads[:, k, None] * (found.height[:, k, None] > sections)[..., None]
        return found_

    force = total(found.force)
    return force, total(found.moment + cross(found.place, found.force)) - cross(cut, force)


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

"""Loads, strain and stress in the bones that bend, from the equilibrium of what lies beyond each section.

Every station of a flexible bone has a load cell: the force and moment that the bone puts on it. Beyond a section their
sum is the load of the section, whatever the number of modes; its strain follows from the section of the bone. A
section is where the bone is bent to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model.body import Bend, Tube
from ..model.joint import Joint
from ..model.system import System
from .load_cell import to_body_axes
from .recording import Event

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
    found = {name: system.body(name).bend for name in system.order}
    return {name: bend for name, bend in found.items() if bend is not None and bend.tube is not None}


def points(system: System) -> tuple[str, ...]:
    """Return the names of the points of all bones: "left_shank.50-front" is half-way along the tibia."""
    return tuple(f"{name}.{round(100 * share)}-{side}" for name in bones(system) for share in SHARES for side in SIDES)


def bone_loads(system: System, cells: tuple[str, ...], motion: Motion) -> BoneLoads:
    """Return what the bones carry at their points.

    cells  names of the joints with load cells
    """
    strains, stresses, moments = [], [], []
    if not motion.load_cell.size or not len(motion.pose_time):  # nothing was recorded from which to tell
        return BoneLoads(*(np.full((len(motion.time), len(points(system))), np.nan) for _ in range(3)))
    for name, bend in bones(system).items():
        tube = bend.tube
        assert tube is not None
        force, moment = section_loads(system, cells, motion, name, bend)
        axis = _axis(bend)
        for k in range(len(SHARES)):
            turned = -np.cross(axis, moment[:, k])
            for side in SIDES.values():
                outward = np.array(side) - axis * (axis @ np.array(side))
                bending = turned @ (outward / np.linalg.norm(outward))
                stress = -(force[:, k] @ axis) / tube.area + bending * tube.outer / tube.second
                moments.append(bending)
                stresses.append(stress)
                strains.append(stress / tube.young)
    empty = np.zeros((len(motion.time), 0))
    return BoneLoads(*(np.stack(part, axis=1) if part else empty for part in (strains, stresses, moments)))


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
    forces, moments = [], []
    for share in SHARES:
        height = share * _length(bend)
        above = int(np.clip(np.searchsorted(heights, height), 1, len(heights) - 1))
        part = (height - heights[above - 1]) / max(heights[above] - heights[above - 1], 1e-9)
        cut = start + height * axis + (1.0 - part) * bent[:, above - 1] + part * bent[:, above]
        beyond = (found.height > height)[..., None]
        forces.append((found.force * beyond).sum(axis=1))
        levers = found.place - cut[:, None]
        moments.append(((found.moment + np.cross(levers, found.force)) * beyond).sum(axis=1))
    return np.stack(forces, axis=1), np.stack(moments, axis=1)


def _stations(system: System, cells: tuple[str, ...], motion: Motion, ties: list[Joint], bend: Bend) -> Stations:
    """Return the stations of one bone, which are tied to it by modal joints."""
    frame = system.order.index(ties[0].parent or "")
    attitude = motion.attitude[:, frame].astype(float)
    start, axis = np.array(bend.line[0]), _axis(bend)
    rows = []
    for joint in ties:
        load = motion.load_cell[:, cells.index(joint.name)].astype(float)
        apart = motion.position[:, system.order.index(joint.child)] - motion.position[:, frame]
        local = to_body_axes(motion.orientation[:, frame], apart)
        place = np.stack([np.interp(motion.time, motion.pose_time, local[:, k]) for k in range(3)], axis=1)
        force, moment = to_body_axes(attitude, load[:, :3]), to_body_axes(attitude, load[:, 3:])
        height = np.full(len(place), (np.array(joint.point_parent) - start) @ axis)
        if _rides(joint, bend):  # it acts where the bone is touched
            lever = np.cross(axis, force)
            size = np.maximum((lever**2).sum(axis=1), 1e-12)
            height = np.clip(height + (moment * lever).sum(axis=1) / size, 0.0, _length(bend))
        rows.append((height, place, force, moment))
    return Stations(*(np.stack(part, axis=1) for part in zip(*rows, strict=True)))


def _rides(joint: Joint, bend: Bend) -> bool:
    return joint.child == f"{joint.parent}.{bend.surface}"


def _length(bend: Bend) -> float:
    return float(np.linalg.norm(np.subtract(bend.line[1], bend.line[0])))


def _axis(bend: Bend) -> np.ndarray:
    line = np.subtract(bend.line[1], bend.line[0])
    found: np.ndarray = line / np.linalg.norm(line)
    return found


def resultant(moment: np.ndarray) -> np.ndarray:
    """Return the bending moment [N m] of the sections of one bone, from that at its points (N, 4 sections)."""
    sides = moment.reshape(len(moment), len(SHARES), len(SIDES))
    return np.hypot(sides[..., 0], sides[..., 2])


def fractures(system: System, time: np.ndarray, moment: np.ndarray) -> list[Event]:
    """Return an event for each bone whose bending moment [N m] reaches the published mean at failure, at its time."""
    found = []
    count = len(SHARES) * len(SIDES)
    for number, (name, bend) in enumerate(bones(system).items()):
        tube: Tube | None = bend.tube
        assert tube is not None
        largest = resultant(moment[:, number * count : (number + 1) * count]).max(axis=1)
        above = np.flatnonzero(largest >= tube.failure)
        if len(above):
            found.append(Event(float(time[above[0]]), "fracture", name, "", float(largest.max())))
    return found

"""Loads, strain and stress in the bones that bend, from the equilibrium of what lies beyond each section.

Every station of a flexible bone has a load cell: the force and moment that the bone puts on it. Beyond a section their
sum is the load of the section, whatever the number of modes; its strain follows from the section of the bone. A
section is where the bone is bent to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model.body import Bend, Tube
from ..model.system import System
from .load_cell import to_body_axes
from .recording import Event

SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the length of a bone at which it is looked at, from the inner joint
SIDES = {"front": (1.0, 0.0, 0.0), "back": (-1.0, 0.0, 0.0), "left": (0.0, 1.0, 0.0), "right": (0.0, -1.0, 0.0)}


class Motion(NamedTuple):
    """What a run gives: clocks [s], poses (P, body, ...), load cells (N, cell, 6) [N, N m] and attitudes (N, body, 4)."""

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


def section_loads(
    system: System, cells: tuple[str, ...], motion: Motion, name: str, bend: Bend
) -> tuple[np.ndarray, np.ndarray]:
    """Return force [N] and moment [N m] of the sections on what lies beyond them (N, section, 3), axes of the segment."""
    ties = [joint for joint in system.joints if joint.type == "modal" and joint.parent == name]
    frame = system.order.index(name)
    attitude = motion.attitude[:, frame].astype(float)
    start, axis = np.array(bend.line[0]), _axis(bend)
    length = float(np.linalg.norm(np.subtract(bend.line[1], bend.line[0])))
    heights, places, forces, moments = [], [], [], []
    for joint in ties:
        load = motion.load_cell[:, cells.index(joint.name)].astype(float)
        body = system.order.index(joint.child)
        local = to_body_axes(motion.orientation[:, frame], motion.position[:, body] - motion.position[:, frame])
        place = np.stack([np.interp(motion.time, motion.pose_time, local[:, k]) for k in range(3)], axis=1)
        force, moment = to_body_axes(attitude, load[:, :3]), to_body_axes(attitude, load[:, 3:])
        height = np.full(len(place), (np.array(joint.point_parent) - start) @ axis)
        if joint.child == f"{name}.{bend.surface}":  # it acts where the bone is touched
            lever = np.cross(axis, force)
            size = np.maximum((lever**2).sum(axis=1), 1e-12)
            height = np.clip(height + (moment * lever).sum(axis=1) / size, 0.0, length)
        heights.append(height)
        places.append(place)
        forces.append(force)
        moments.append(moment)
    at, place, force, moment = (np.stack(part, axis=1) for part in (heights, places, forces, moments))
    total_force, total_moment = [], []
    for share in SHARES:
        beyond = (at > share * length)[..., None]
        cut = _cut(start, axis, share * length, at, place, ties, name, bend)
        total_force.append((force * beyond).sum(axis=1))
        total_moment.append(((moment + np.cross(place - cut[:, None], force)) * beyond).sum(axis=1))
    return np.stack(total_force, axis=1), np.stack(total_moment, axis=1)


def _cut(start, axis, height, at, place, ties, name, bend):  # type: ignore[no-untyped-def]
    """Return where the section at a height [m] is bent to (N, 3) [m]: between the neighbouring stations."""
    fixed = [k for k, joint in enumerate(ties) if joint.child != f"{name}.{bend.surface}"]
    rest = np.array([ties[k].point_parent for k in fixed])
    order = np.argsort(at[0, fixed])
    heights = np.concatenate([[0.0], at[0, fixed][order]])
    bent = (place[:, fixed] - rest)[:, order]
    bent = np.concatenate([np.zeros_like(bent[:, :1]), bent], axis=1)
    above = int(np.clip(np.searchsorted(heights, height), 1, len(heights) - 1))
    share = (height - heights[above - 1]) / max(heights[above] - heights[above - 1], 1e-9)
    return start + height * axis + (1.0 - share) * bent[:, above - 1] + share * bent[:, above]


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

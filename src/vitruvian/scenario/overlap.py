"""Refusal of people who start inside each other, or inside a plane at rest. SI units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from ..errors import InputError
from ..human import Human
from ..model import Configuration, Plane
from ..model.pose import Pose, segment_poses
from ..model.shape import Shape, spiral
from ..model.system import Surface
from .definition import Row

DEEPEST = 0.05  # depth of a segment in another person or a plane that is still taken for a touch [m]
DIRECTIONS = np.array(spiral(200))
Begun = tuple[str, Human, Configuration]  # name of a person, the person, its start


def refuse_starts(people: list[Begun], contacts: Sequence[Row], surfaces: Sequence[Surface]) -> None:
    """Refuse people who start deep in each other or in a plane at rest."""
    _refuse_overlap(people, contacts)
    _refuse_sunken(people, surfaces)


def _refuse_overlap(people: list[Begun], contacts: Sequence[Row]) -> None:
    """Refuse two people with a contact between them if one starts more than 5 cm inside the other."""
    sides = [[{name.split(".")[0] for name in side} for side in row.between] for row in contacts]
    for (one, first, begun), (other, second, starts) in combinations(people, 2):
        if not any((one in a and other in b) or (one in b and other in a) for a, b in sides):
            continue
        pairs = product(_placed(first, begun), _placed(second, starts))
        depth, a, b = max((_depth(p, q), p[0], q[0]) for p, q in pairs)
        if depth > DEEPEST:
            raise InputError(
                f"{one} and {other} overlap at the start: {a} is {1e3 * depth:.0f} mm inside {b}. Move one of them by "
                "human.start.position."
            )


def _refuse_sunken(people: list[Begun], surfaces: Sequence[Surface]) -> None:
    """Refuse a person of whom a segment starts more than 5 cm inside a plane at rest that it may touch."""
    planes = [surface for surface in surfaces if isinstance(surface, Plane) and surface.carrier is None]
    for name, person, start in people:
        found = [
            (_plane_depth(plane, shape, pose), body, plane.name)
            for body, shape, pose in _placed(person, start)
            for plane in planes
            if plane.only is None or body in plane.only
        ]
        depth, body, surface = max(found, default=(0.0, "", ""))
        if depth > DEEPEST:
            where = "human" if name == "human" else f"human.{name}"
            raise InputError(
                f"{where}: {body} starts {1e3 * depth:.0f} mm inside the surface {surface!r}; accepted up to "
                f"{1e3 * DEEPEST:.0f} mm. Move the person out of it by {where}.start.clearance or "
                f"{where}.start.position."
            )


def _plane_depth(plane: Plane, shape: Shape, pose: Pose) -> float:
    """Return the depth [m] of the deepest point of a shape in a plane at rest; negative outside."""
    place, turn = pose
    normal = np.array(plane.normal)
    centre = place + turn @ np.array(shape.offset) - np.array(plane.point)
    return float(shape.reach((turn @ shape.turn).T @ normal) - normal @ centre)


def _placed(person: Human, start: Configuration) -> Iterator[tuple[str, Shape, Pose]]:
    poses = segment_poses(person.system, start)
    for body in person.system.bodies:
        for shape in body.shapes:
            yield body.name, shape, poses[body.name]


def _depth(one: tuple[str, Shape, Pose], other: tuple[str, Shape, Pose]) -> float:
    """Return the depth [m] of two shapes, the least over many directions; negative apart."""
    (_, a, (place_a, turn_a)), (_, b, (place_b, turn_b)) = one, other
    apart = place_b + turn_b @ np.array(b.offset) - place_a - turn_a @ np.array(a.offset)
    depth = a.bound + b.bound - float(np.linalg.norm(apart))
    if depth <= DEEPEST:
        return depth
    for way in DIRECTIONS:
        reach = a.reach((turn_a @ a.turn).T @ way) + b.reach((turn_b @ b.turn).T @ -way)
        depth = min(depth, float(reach - way @ apart))
        if depth <= DEEPEST:
            break
    return depth

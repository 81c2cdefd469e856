"""The vehicles of a scenario, each at its gap before the people and bodies that are there. SI units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import degrees, radians, sin

from .. import world
from ..errors import InputError
from ..model import Configuration, System
from ..model.pose import segment_poses
from .assembly import named
from .definition import Row


def _refuse_across(table: Row) -> None:
    """Refuse a planar person in whose plane a vehicle does not drive."""
    for row in table.human:
        for vehicle in table.vehicle:
            if row.model == "pedestrian11" and abs(sin(row.start.heading - vehicle.heading)) > ACROSS:
                where = "human" if row.name == "human" else f"human.{row.name}"
                raise InputError(
                    f"{where}.start.heading is {degrees(row.start.heading):g} deg, and {vehicle.name} drives along "
                    f"{degrees(vehicle.heading):g} deg: a planar person moves only in the vertical plane of its "
                    "heading, so a vehicle cannot carry it across. Let both differ by 0 deg (from behind) or 180 deg "
                    '(from the front), or use model = "human17", which moves in space.'
                )


#: sine of the angle between a vehicle and the plane of a planar person, up to which they count as parallel [-]
ACROSS = sin(radians(1.0))


def vehicles(table: Row, others: System, start: Configuration) -> list[world.Vehicle]:
    """Return the vehicles, each where its gap to what stands before it is right."""
    _refuse_across(table)
    if not table.vehicle:
        return []
    fronts = [
        world.front(row.front, grades=row.grades, friction=row.friction, where=f"{_vehicle(row)}.front")
        for row in table.vehicle
    ]
    found = []
    for row, front, position in zip(table.vehicle, fronts, starts_of(table, fronts, others, start), strict=True):
        brake = row.brake and named(_vehicle(row), world.Brake, **row.brake.given())
        options = {"name": row.name, "mass": row.mass, "brake": brake, "rule": row.rule}
        way = {"heading": row.heading, "lateral": row.lateral}
        found.append(named(_vehicle(row), world.vehicle, front, row.speed, position, **way, **options))
    return found


def strips_for(vehicles: Sequence[world.Vehicle], bodies: Sequence[str]) -> list[world.Vehicle]:
    """Return the vehicles with side strips that push only on some bodies: heads, and bodies that are no segments.

    The strips are known from headforms. They are narrower than a trunk, which would leave them sideways.
    """
    return [
        replace(
            vehicle,
            surfaces=tuple(
                replace(surface, only=tuple(bodies)) if surface.name in vehicle.entry.sides else surface
                for surface in vehicle.surfaces
            ),
        )
        for vehicle in vehicles
    ]


def starts_of(table: Row, fronts: Sequence[world.Front], others: System, start: Configuration) -> list[float]:
    """Return where each vehicle starts along its path [m], given its front and the bodies that are there."""
    poses = segment_poses(others, start)
    standing = [(body.name, body.shapes, poses[body.name]) for body in others.bodies]
    found = []
    for row, front in zip(table.vehicle, fronts, strict=True):
        way = {"heading": row.heading, "lateral": row.lateral, "first": row.position is None}
        touching = world.positions(front, standing, **way)
        found.append(named(_vehicle(row), world.placed, touching, gap=row.gap, position=row.position))
    return found


def _vehicle(row: Row) -> str:
    """Return the path of a vehicle."""
    return "vehicle" if row.name == "vehicle" else f"vehicle.{row.name}"

"""From a reduced structure to a flexible body of the engine: its mass points and interfaces as stations. SI units."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import InputError
from ..model.body import Bend
from ..model.flexible import Place, flexed
from ..model.system import System
from .body import FlexibleBody, Interface, reduced
from .modes import Modes
from .structure import Structure

STILL = 1e-9  # largest motion of the inner joint by a mode, over that of the most moved point [-]


def flexible(
    system: System,
    name: str,
    structure: Structure,
    modes: Modes,
    *,
    interfaces: Mapping[str, Interface],
    damping: float = 0.0,
    stiffening: bool = False,
) -> System:
    """Return the system in which one body is a reduced structure.

    The frame of the structure is that of the body; mass and inertia of the body are replaced by those of the structure.

    name        of the body; its inner joint must be where no mode moves or turns it (a clamped node)
    interfaces  nodes with joints, forces or contacts by name; every joint of the body to others needs one
    damping     ratio of critical damping of every mode [-]
    stiffening  whether centrifugal tension stiffens bending
    """
    body = reduced(name, structure, modes, interfaces=interfaces, damping=damping, stiffening=stiffening)
    _refuse_loose(system, name, structure, modes)
    centre = body.moment / body.mass
    inertia = np.trace(body.second) * np.eye(3) - body.second
    inertia -= body.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    bend = Bend(
        body.stiffness,
        body.damping,
        body.geometric if stiffening else None,
        inertia=inertia,
        frequency=np.asarray(modes.frequency),
    )
    places = [*mass_points(structure, modes), *(interface(body, label) for label in interfaces)]
    return flexed(system, name, bend, places)


def mass_points(structure: Structure, modes: Modes) -> list[Place]:
    """Return mass points with the inertia of a structure in the coordinates of its modes, as stations.

    Inertia is a sum of products of the columns 1, x, y, z and the displacements by mode. As many points as columns
    give the same sums: those of the triangular factor, turned so that all have the same mass.
    """
    moved = np.asarray(structure.field @ modes.shapes).reshape(len(structure.root), -1)
    columns = np.column_stack([structure.root, structure.place, moved])
    count = columns.shape[1]
    if len(columns) > count:
        columns = np.array(np.linalg.qr(columns, mode="r"))
        mirror = np.eye(count)[0] - 1.0 / np.sqrt(count)
        columns -= 2.0 / (mirror @ mirror) * np.outer(mirror, mirror @ columns)
    still = np.zeros((modes.count, 3))
    return [
        Place(
            f"mass{k}", row[1:4] / row[0], np.hstack([still, row[4:].reshape(3, modes.count).T / row[0]]), row[0] ** 2
        )
        for k, row in enumerate(columns)
    ]


def interface(body: FlexibleBody, name: str) -> Place:
    """Return a marker of a reduced body as a station without mass."""
    marker = body.marker(name)
    return Place(name, marker.place, np.hstack([marker.rotation.T, marker.shape.T]))


def _refuse_loose(system: System, name: str, structure: Structure, modes: Modes) -> None:
    """Refuse modes that move the inner joint: the frame of the body moves with it."""
    joint = system.joint_of(name)
    if joint.type == "free":
        return
    apart = np.linalg.norm(structure.nodes - np.array(joint.point_child), axis=1)
    node = int(apart.argmin())
    rows = structure.dofs[node]
    largest = float(abs(modes.shapes[rows[rows >= 0]]).max())
    if apart[node] > 1e-6 or largest > STILL * float(abs(modes.shapes).max()):
        raise InputError(
            f"body {name!r}: its joint {joint.name!r} is not at a node that the modes leave still (nearest node "
            f"{apart[node]:.3g} m away, moved by {largest:.3g}); take modes with this node clamped, as "
            'eigenmodes(reference="cantilever") or craig_bampton(clamped=[node]).'
        )

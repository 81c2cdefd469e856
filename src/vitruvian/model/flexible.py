"""Flexible bodies of a system: a frame that owns modes, and stations that ride on them. SI units.

A flexible body is a `Body` with a `Bend`. It has no mass of its own: its mass rides on stations, which are bodies tied
to it by modal joints. The frame moves with the inner joint, where no mode moves or turns anything. Joints, springs,
loads, sensors and belts of the body are attached to the station that is nearest to them; contact shapes ride on the
station of `Bend.surface`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..kernels import layout, types
from .attachment import attached
from .body import Bend, Body, Station
from .frame import Vector
from .joint import Joint

if TYPE_CHECKING:
    from .system import System

BONES = ("thigh", "shank", "upper_arm", "forearm")  # segments whose bone may bend
MASS = "at"  # how stations that carry the mass of a bone are called, before their place in per cent
NEAR = 1e-3  # largest distance of a joint from the station that holds it [m]


@dataclass(frozen=True)
class Place:
    """A station to be: where it is in the frame of the body, what rides there, and how the modes move it.

    point    [m]
    shape    rotation vector and displacement by mode (n, 6)
    mass     [kg]
    inertia  about the point, axes of the body (3, 3) [kg m2]
    """

    name: str
    point: np.ndarray
    shape: np.ndarray
    mass: float = 0.0
    inertia: np.ndarray | None = None


def flexed(system: System, name: str, bend: Bend, places: Sequence[Place]) -> System:
    """Return the system with a body that bends.

    name    of the body, which loses its mass to the stations
    bend    its modes
    places  its stations
    """
    body = system.body(name)
    bend = bend if bend.inertia.any() else replace(bend, inertia=body.inertia)
    stations, ties = [], []
    for place in places:
        label = f"{name}.{place.name}"
        inertia = np.zeros((3, 3)) if place.inertia is None else place.inertia
        stations.append(Station(label, place.mass, inertia, owner=name, whole=bend.inertia))
        point = (float(place.point[0]), float(place.point[1]), float(place.point[2]))
        ties.append(Joint(label, "modal", name, label, point, shape=np.asarray(place.shape, float)))

    def moved(point: Vector, what: str) -> tuple[str, Vector]:
        apart = [float(np.linalg.norm(np.subtract(point, place.point))) for place in places]
        best = int(np.argmin(apart))
        if what and apart[best] > NEAR:
            raise InputError(
                f"{what} is {apart[best]:.3g} m from the nearest interface node of the flexible body {name!r} "
                f"({places[best].name}); every joint needs a node of its own, so give one at {list(point)} m."
            )
        x, y, z = np.subtract(point, places[best].point)
        return ties[best].child, (float(x), float(y), float(z))

    fields = attached(system, name, moved, tuple(station.name for station in stations))
    bent = replace(body, mass=0.0, inertia=np.zeros((3, 3)), bend=bend)
    return system.replace(
        bodies=(*(bent if item.name == name else item for item in system.bodies), *stations),
        **(fields | {"joints": (*fields["joints"], *ties)}),
    )


def carrier(body: Body) -> str:
    """Return the body on which the contact shapes of a body ride: itself, or a station."""
    return f"{body.name}.{body.bend.surface}" if body.bend is not None and body.bend.surface else body.name


def owner(system: System, name: str) -> str:
    """Return the body that a body belongs to: the one that bends for a station, itself for others."""
    body = system.body(name)
    return body.owner if isinstance(body, Station) else name


def share(system: System, body: Body) -> float:
    """Return the weight of a body in means over all bodies [-]: a body that bends counts as one, through its mass."""
    if not isinstance(body, Station):
        return 1.0 if body.bend is None else 0.0
    return body.mass / sum(b.mass for b in system.bodies if isinstance(b, Station) and b.owner == body.owner)


def felt(body: Body) -> np.ndarray:
    """Return the inertia by which the joints of a body are judged stiff or not (3, 3) [kg m2]."""
    if isinstance(body, Station):
        return body.whole
    return body.inertia if body.bend is None else body.bend.inertia


def fill_modes(system: System, joints: list[Joint], arrays: dict[str, np.ndarray]) -> int:
    """Fill the tables of modes and stations; return the number of modes."""
    number = {name: i for i, name in enumerate(system.order)}
    bends = [(body.name, body.bend) for body in map(system.body, system.order) if body.bend is not None]
    most = max((len(bend.stiffness) for _, bend in bends), default=0)
    rows, stiffness, damping, stiffening, first = [], [np.zeros((0, most))], [np.zeros((0, most))], [], 0
    for f, (name, bend) in enumerate(bends):
        n = len(bend.stiffness)
        arrays["joint"][number[name], layout.joint.FLEXIBLE] = f
        rows.append((number[name], first, n, bend.stiffening is not None, -1))
        stiffness.append(_wide(bend.stiffness, most))
        damping.append(_wide(bend.damping, most))
        table = np.zeros((n, most, 6))
        if bend.stiffening is not None:
            upper = np.triu_indices(3)
            table[:, :n] = np.moveaxis(bend.stiffening[upper], 0, -1)
        stiffening.append(table)
        first += n
    arrays["flexible"] = np.array(rows, np.int64).reshape(-1, layout.flexible.COUNT)
    arrays["mode_mass"] = np.zeros((first, most))
    arrays["mode_stiffness"] = np.ascontiguousarray(np.concatenate(stiffness))
    arrays["mode_damping"] = np.ascontiguousarray(np.concatenate(damping))
    arrays["mode_stiffening"] = np.concatenate([np.zeros((0, most, 6)), *stiffening])
    _stations(system, joints, most, arrays)
    return first


def _stations(system: System, joints: list[Joint], most: int, arrays: dict[str, np.ndarray]) -> None:
    """Fill the shapes of the stations, and where along its body the station of a surface may ride."""
    shapes: list[np.ndarray] = []
    rides: list[tuple[int, int, int]] = []
    lines: list[list[float]] = []
    parents, numbers = {joint.parent for joint in joints}, {joint.child: i for i, joint in enumerate(joints)}
    for i, joint in enumerate(joints):
        if joint.type != "modal":
            continue
        assert joint.shape is not None and joint.parent is not None
        bend = system.body(joint.parent).bend
        if bend is None or len(bend.stiffness) != len(joint.shape):
            raise InputError(f"joint {joint.name!r}: its parent {joint.parent!r} has no modes, or another number.")
        alone = joint.child not in parents and joint.child != carrier(system.body(joint.parent))
        arrays["joint"][i, layout.joint.STATION] = len(shapes)
        arrays["joint"][i, layout.joint.ALONE] = alone
        shapes.append(_tall(joint.shape, most))
        row = arrays["flexible"][arrays["joint"][numbers[joint.parent], layout.joint.FLEXIBLE]]
        if alone:
            own = slice(row[layout.flexible.FIRST], row[layout.flexible.FIRST] + len(joint.shape))
            moved = joint.shape[:, 3:]
            arrays["mode_mass"][own, : len(moved)] += system.body(joint.child).mass * moved @ moved.T
        if joint.child == carrier(system.body(joint.parent)) and bend.along is not None:
            row[layout.flexible.RIDE] = len(rides)
            rides.append((i, len(shapes), len(bend.along)))
            lines.append([*bend.line[0], *bend.line[1], *joint.point_parent])
            shapes.extend(_tall(shape, most) for shape in bend.along)
    arrays["station"] = np.array(shapes).reshape(len(shapes), most, 6)
    arrays["ride"] = np.array(rides, np.int64).reshape(-1, 3)
    arrays["ride_line"] = np.array(lines, float).reshape(-1, 9)


def whole_shafts(model: types.Model) -> np.ndarray:
    """Return the memory of bodies that bend before anything touched them, rows of `state.shaft`."""
    memory = np.zeros((len(model.flexible), layout.shaft.MEMORY_COUNT))
    for row, ride in zip(memory, model.flexible[:, layout.flexible.RIDE], strict=True):
        if ride >= 0:
            row[layout.shaft.RIDE] = model.joint[model.ride[ride, 0], layout.joint.STATION]
    return memory


def _wide(matrix: np.ndarray, columns: int) -> np.ndarray:
    return np.pad(matrix, ((0, 0), (0, columns - matrix.shape[1])))


def _tall(matrix: np.ndarray, rows: int) -> np.ndarray:
    return np.pad(matrix, ((0, rows - len(matrix)), (0, 0)))

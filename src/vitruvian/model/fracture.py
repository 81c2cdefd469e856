"""Long bones that break under bending: two pieces, and between them a joint that is a spring until it breaks. SI units.

A body whose bone may break becomes two at a section: the proximal piece keeps its name, the distal one is a body of its
own. The joint between them turns in all directions against a spring of the law "quaternion", with bend a

    moment = k sin(a) until it is M, then M (1 - (a - a_M)/fall), and from there least k_bone sin(a)

k is the stiffness of the bone if the pieces are rigid, k_bone = 3 EI/L: a force on the middle of a beam that rests on
its ends moves it as far as that of two rigid halves on such a spring. Pieces that bend have their own compliance, so
their spring is STIFF times as stiff. The falling share is memory of the joint, as that of joints that fail
(`kernels.joint_torque`); the energy it takes is counted as dissipated.
"""

from __future__ import annotations

from dataclasses import replace
from math import asin, inf
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from .attachment import attached
from .body import Body, Tube
from .common_tissue import CommonTissue
from .frame import Vector
from .joint import Joint, Resistance, frame_with_z
from .shape import Ellipsoid, Shape

if TYPE_CHECKING:
    from .system import System

DISTAL, FRACTURE = "_distal", "_fracture"  # after the name of the body: its distal piece, and the joint between both
STIFF = 300.0  # stiffness of the joint of pieces that bend over that of the bone [-]: 0.3 % more deflection
OVERLAP = 0.5  # by which the ellipsoid of a piece continues beyond the section, over its length up to there [-]
SHARED = 0.9  # of the tissue of the pieces that is common; more would let the less loaded one pull (`common_load`) [-]
SLENDER = 0.05  # least part of the mass on one side of the section [-]


def breakable(system: System, name: str, tube: Tube, line: tuple[np.ndarray, np.ndarray], damping: float) -> System:
    """Return the system in which the bone of one body may break.

    tube     section of the bone, with the moment at which it breaks and its place
    line     start and end of the bone in the frame of its body (3,) [m]
    damping  ratio of critical damping of the joint between rigid pieces [-]

    The pieces bend if the body has a tube.
    """
    body, (start, end) = system.body(name), line
    length = float(np.linalg.norm(end - start))
    axis, section = (end - start) / length, start + tube.section * (end - start)
    pieces, centres = _pieces(body, axis, section)
    if any(surface.carrier == name for surface in system.surfaces):
        raise InputError(f"body {name!r}: a surface rides on it, so its bone cannot break; leave tube.fall out.")
    bends = body.tube is not None
    parts = [
        replace(piece, tube=replace(tube, fall=inf) if bends else None, shapes=shapes)
        for piece, shapes in zip(pieces, _shapes(body, axis, section, centres), strict=True)
    ]
    parts[0] = replace(parts[0], bone=body.bone)

    def shifted(point: Vector, number: int) -> Vector:
        x, y, z = np.subtract(point, centres[number])
        return float(x), float(y), float(z)

    def move(point: Vector, _: str) -> tuple[str, Vector]:
        number = int(np.subtract(point, section) @ axis > 0.0)
        return parts[number].name, shifted(point, number)

    fields = attached(system, name, move, (parts[1].name,))
    bone = 3.0 * tube.young * tube.second / length
    joint = Joint(
        name + FRACTURE, "spherical", name, parts[1].name,
        shifted(_vector(section), 0), shifted(_vector(section), 1),
        frame_with_z(_vector(axis)), frame_with_z(_vector(axis)),
        _spring(name, tube, bone, STIFF if bends else 1.0, damping, _reduced(parts, centres, section, axis)),
    )  # fmt: skip
    inner = (
        replace(item, point_child=shifted(item.point_child, 0)) if item.child == name else item
        for item in fields["joints"]
    )
    fields["joints"] = (*inner, joint)
    return system.replace(
        **fields,
        bodies=(*(parts[0] if item.name == name else item for item in system.bodies), parts[1]),
        surfaces=tuple(replace(item, only=item.only and _with(item.only, name, parts[1])) for item in system.surfaces),
        contacts=tuple(
            replace(item, one=_with(item.one, name, parts[1]), other=_with(item.other, name, parts[1]))
            for item in system.contacts
        ),
        common_tissues=_tissues(system, parts, fields["joints"]),
        roster=replace(
            system.roster,
            people=tuple(
                replace(who, links=(*who.links, parts[1].name)) if name in who.bodies else who
                for who in system.roster.people
            ),
        ),
    )  # fmt: skip


def is_piece(system: System, name: str) -> bool:
    """Return whether a body is a piece of a bone that may break."""
    whole = name.removesuffix(DISTAL)
    return any(joint.name == whole + FRACTURE for joint in system.joints)


def _spring(name: str, tube: Tube, bone: float, factor: float, damping: float, inertia: float) -> Resistance:
    """Return the resistance of the joint between the pieces; `bone` is the stiffness of the bone [N m/rad]."""
    k = factor * bone
    if tube.failure >= k:
        raise InputError(
            f"body {name!r}: its bone would bend by more than a right angle before it breaks at {tube.failure:g} N m; "
            f"expected less than its bending stiffness 3 EI/L, {k:.4g} N m/rad."
        )
    return Resistance(
        "quaternion",
        stiffness=(k, k, k),
        damping=(c := 2.0 * damping * (bone * inertia) ** 0.5, c, c),
        fail_plus=(asin(tube.failure / k), inf, inf),
        fail_width=(tube.fall,) * 3,
        fail_share=(tube.least / factor,) * 3,
        injury=("bone fractured",) * 3,
    )


def _pieces(body: Body, axis: np.ndarray, section: np.ndarray) -> tuple[list[Body], np.ndarray]:
    """Return the proximal and the distal piece without shapes, and their centres in the frame of the body (2, 3) [m].

    The mass is that of a uniform rod about the centre of the body along the bone, with its moment of inertia across;
    what inertia is left belongs to both in proportion to mass. Together they have mass, centre and inertia of the body.
    """
    about = float(axis @ body.inertia @ axis)
    across = 0.5 * (float(np.trace(body.inertia)) - about)
    half = (3.0 * max(across - 0.5 * about, 0.0) / body.mass) ** 0.5
    cut = float(section @ axis)
    share = 0.5 + 0.5 * cut / half if half > 0.0 else -1.0
    if not SLENDER < share < 1.0 - SLENDER:
        raise InputError(
            f"body {body.name!r}: its bone would break {1e3 * cut:.0f} mm from its centre, beyond which there is less "
            f"than {100 * SLENDER:g} % of its mass; give a section nearer to the centre, or a longer body."
        )
    thin = np.eye(3) - np.outer(axis, axis)
    rest = body.inertia - body.mass * half**2 / 3.0 * thin
    pieces, centres = [], []
    for number, (low, high) in enumerate(((-half, cut), (cut, half))):
        part = (high - low) / (2.0 * half)
        inertia = part * (body.mass * (high - low) ** 2 / 12.0 * thin + rest)
        pieces.append(Body(body.name + DISTAL * number, part * body.mass, inertia))
        centres.append(0.5 * (low + high) * axis)
    return pieces, np.array(centres)


def _shapes(
    body: Body, axis: np.ndarray, section: np.ndarray, centres: np.ndarray
) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Return the shapes of both pieces: an ellipsoid through which the section goes becomes two, others stay whole.

    The two are the first shapes of their pieces.
    """
    found: tuple[list[Shape], list[Shape]] = ([], [])
    for shape in body.shapes:
        way = axis @ shape.turn
        k = int(np.argmax(abs(way)))
        cut = float((section - shape.offset) @ axis)
        size = shape.half_size[k]
        if isinstance(shape, Ellipsoid) and abs(way[k]) > 0.9 and abs(cut) < 0.7 * size:
            for number, (low, high) in enumerate(((-size, cut), (cut, size))):
                semi, reach = list(shape.semi_axes), (1.0 + OVERLAP) * (high - low)
                semi[k] = 0.5 * reach
                middle = high - semi[k] if number else low + semi[k]
                place = np.add(shape.offset, middle * np.sign(way[k]) * shape.turn[:, k]) - centres[number]
                found[number].insert(0, replace(shape, semi_axes=_vector(np.array(semi)), offset=_vector(place)))
        else:
            number = int(cut < 0.0)
            found[number].append(replace(shape, offset=_vector(np.subtract(shape.offset, centres[number]))))  # type: ignore[type-var]
    return tuple(found[0]), tuple(found[1])


def _reduced(pieces: list[Body], centres: np.ndarray, section: np.ndarray, axis: np.ndarray) -> float:
    """Return the inertia [kg m2] by which the pieces turn against each other about the section, if free."""
    found = 0.0
    for piece, centre in zip(pieces, centres, strict=True):
        across = 0.5 * (float(np.trace(piece.inertia)) - float(axis @ piece.inertia @ axis))
        found += 1.0 / (across + piece.mass * float((centre - section) @ (centre - section)))
    return 1.0 / found


def _tissues(system: System, pieces: list[Body], joints: tuple[Joint, ...]) -> tuple[CommonTissue, ...]:
    """Return the common tissues between the bodies that joints connect now, and that of the pieces."""
    ends = {joint.name: (joint.parent or "", joint.child) for joint in joints}
    kept = [
        replace(item, one=ends[item.name][0], other=ends[item.name][1]) if item.name in ends else item
        for item in system.common_tissues
    ]
    one, other = (piece.name for piece in pieces)
    left = SHARED - max(sum(item.share for item in kept if piece in (item.one, item.other)) for piece in (one, other))
    shared = left > 0.0 and all(piece.shapes for piece in pieces)
    return (*kept, CommonTissue(one + FRACTURE, one, other, left, first=True)) if shared else tuple(kept)


def _with(names: tuple[str, ...], name: str, piece: Body) -> tuple[str, ...]:
    """Return names with that of the distal piece where the body is among them."""
    return (*names, piece.name) if name in names else names


def _vector(point: np.ndarray) -> Vector:
    x, y, z = np.asarray(point, float).tolist()
    return x, y, z

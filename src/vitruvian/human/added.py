"""Masses that a person carries: a helmet, a backpack, shoes. SI units.

An added mass moves rigidly with its segment and has no surface of its own. The segment with all that it carries is one
body about the common centre of mass,

    m = sum m_k,   c = sum m_k c_k / m,   I = sum [I_k + m_k ((d_k . d_k) 1 - d_k d_k^T)],   d_k = c_k - c

(parallel-axis theorem). Shapes, joints and sensors keep their place on the segment; the body frame moves by c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, nearest
from ..model import Body, Joint, System, ellipsoid_inertia
from ..model.field import field_of
from ..model.value import Components, Text
from .mirror import mirrored_point, plain_name

if TYPE_CHECKING:
    from ..model import Sensor

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Added:
    """A mass that a segment carries; it changes mass, centre of mass and inertia, and has no surface of its own."""

    segment: str = field_of(
        Text(), 'that carries it; "foot" means both feet, each with the whole mass, the left one as the mirror image'
    )
    mass: float = field_of("mass", "of what is carried", above=0.0)
    offset: Vector = field_of(
        Components("length"),
        "of its centre of mass from that of the segment, in the axes of the segment: x forward, y left, z up when the "
        "person stands",
        default=(0.0, 0.0, 0.0),
    )
    semi_axes: Vector | None = field_of(
        Components("length"), "of the solid ellipsoid that it fills, for its own inertia", default=None
    )
    inertia: Vector | None = field_of(
        Components("moment of inertia"),
        "about its own centre of mass in the axes of the segment: three moments; that of the ellipsoid unless given, "
        "and that of a point without one",
        default=None,
    )
    name: str = field_of(Text(), "what it is, for reports", default="added mass")

    @property
    def own_inertia(self) -> np.ndarray:
        """Inertia about its own centre of mass in the axes of the segment [kg m2], 3x3."""
        if self.inertia is not None:
            return np.diag(self.inertia)
        return np.zeros((3, 3)) if self.semi_axes is None else np.diag(ellipsoid_inertia(self.mass, self.semi_axes))


def loaded(system: System, added: Sequence[Added], prefix: str = "", where: str = "added") -> System:
    """Return the system of a person with carried masses; `prefix` precedes the names of the segments."""
    loads: dict[str, list[Added]] = {}
    known = [body.name.removeprefix(prefix) for body in system.bodies if body.shapes]  # links have none
    words = list(dict.fromkeys(name for word in known for name in (word, plain_name(word))))
    for number, one in enumerate(added):
        here = f"{where}[{number}]"
        if one.segment not in words:
            raise InputError(
                f"{here}.segment is {one.segment!r}; accepted: {', '.join(words)}.{nearest(one.segment, words)}"
            )
        if not one.mass > 0.0:
            raise InputError(f"{here}.mass is {one.mass:g} kg; it must be greater than zero.")
        for name in (one.segment, f"left_{one.segment}", f"right_{one.segment}"):
            if name in known:
                mirrored = name.startswith("left_") and name != one.segment
                own = replace(one, offset=mirrored_point(one.offset)) if mirrored else one
                loads.setdefault(prefix + name, []).append(own)
    if not loads:
        return system
    shifts = {name: _shift(system.body(name).mass, carried) for name, carried in loads.items()}
    return system.replace(
        bodies=tuple(
            _carrying(body, loads[body.name], shifts[body.name]) if body.name in loads else body
            for body in system.bodies
        ),
        joints=tuple(_moved_joint(joint, shifts) for joint in system.joints),
        sensors=tuple(_moved_sensor(sensor, shifts) for sensor in system.sensors),
    )


def _shift(mass: float, carried: Sequence[Added]) -> np.ndarray:
    """Return the vector from the centre of mass of a segment of `mass` [kg] to the common one [m]."""
    whole = mass + sum(one.mass for one in carried)
    moment: np.ndarray = sum((one.mass * np.array(one.offset) for one in carried), np.zeros(3))
    return moment / whole


def _carrying(body: Body, carried: Sequence[Added], shift: np.ndarray) -> Body:
    """Return a body with its carried masses, about the common centre of mass."""
    inertia = body.inertia + _apart(body.mass, -shift)
    for one in carried:
        inertia = inertia + one.own_inertia + _apart(one.mass, np.array(one.offset) - shift)
    mass = body.mass + sum(one.mass for one in carried)
    shapes = tuple(replace(shape, offset=_less(shape.offset, shift)) for shape in body.shapes)
    outline = body.outline and replace(body.outline, offset=_less(body.outline.offset, shift))
    return replace(body, mass=mass, inertia=inertia, shapes=shapes, outline=outline)


def _apart(mass: float, arm: np.ndarray) -> np.ndarray:
    """Return the inertia that a mass [kg] adds at an arm [m] by the parallel-axis theorem [kg m2]."""
    tensor: np.ndarray = mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return tensor


def _moved_joint(joint: Joint, shifts: dict[str, np.ndarray]) -> Joint:
    point_parent, point_child = joint.point_parent, joint.point_child
    if joint.parent in shifts:
        point_parent = _less(point_parent, shifts[joint.parent])
    if joint.child in shifts and joint.parent is not None:
        point_child = _less(point_child, shifts[joint.child])
    return replace(joint, point_parent=point_parent, point_child=point_child)


def _moved_sensor(sensor: Sensor, shifts: dict[str, np.ndarray]) -> Sensor:
    return replace(sensor, point=_less(sensor.point, shifts[sensor.body])) if sensor.body in shifts else sensor


def _less(point: Sequence[float], shift: np.ndarray) -> Vector:
    x, y, z = (np.array(point) - shift).tolist()
    return x, y, z

"""A seat: pan, back, head restraint and floor as surfaces of a sled or of the world. SI units.

The frame is that of the carrier: x forward, y left, z up, floor at z = 0. The seat is placed by its bight, the middle
of the line where pan and back meet. The back may yield about a hinge there. All laws are estimates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

import numpy as np

from ..errors import InputError
from ..model import Body, Contact, Extrusion, Joint, Plane, Resistance
from ..model.field import field_of
from ..model.frame import Vector
from ..model.joint import frame_with_z
from ..model.system import Surface
from ..model.value import Choice, Components, Flag, Name, Of, Text

#: a cushion of 15 kN/m that bottoms out with 100 kN/m beyond 80 mm, on a frame of 1 MN/m beyond 90 mm
_FOAM = ((0.0, 0.0), (0.08, 1200.0), (0.09, 2200.0), (0.12, 32200.0))
_FOAM_BACK = ((0.0, 0.0), (0.06, 150.0), (0.08, 400.0), (0.09, 1000.0), (0.12, 25000.0))
#: kind of seat -> laws of pan and back, all estimated
CUSHIONS: dict[str, tuple[Contact, Contact]] = {
    "rigid": (Contact(stiffness=5e5, restitution=0.1, friction=0.3),) * 2,
    "cushion": (
        Contact(law="curve", curve=_FOAM, unloading=_FOAM_BACK, friction=0.5),
        Contact(stiffness=5e4, restitution=0.3, friction=0.5),
    ),
}
FLOOR = Contact(stiffness=3e5, restitution=0.1, friction=0.6)  # floor and toe board, estimated
PADDING = Contact(stiffness=5e4, restitution=0.3, friction=0.5)  # head restraint, as the back; estimated
DEEP = 0.3  # height of the solid below the front edge of the pan; flesh and cushion give way by less [m]
HINGE_AXIS = (0.0, -1.0, 0.0)  # about which a back yields rearwards with a positive angle


@dataclass(frozen=True)
class Recliner:
    """A back that yields about its hinge."""

    moment: float = field_of("moment", "beyond which it yields", default=1500.0)
    stiffness: float = field_of("rotational stiffness", "with which the moment grows", default=3000.0)
    damping: float = field_of("rotational damping", "of the motion", default=50.0)
    mass: float = field_of("mass", "of the back", default=12.0, above=0.0)


@dataclass(frozen=True)
class HeadRestraint:
    """A pad in front of the plane of the back."""

    height: float = field_of("length", "of its middle from the bight, along the back", default=0.75)
    size: float = field_of("length", "of the pad, along the back", default=0.2, above=0.0)
    width: float = field_of("length", "of the pad", default=0.26, above=0.0)
    forward: float = field_of("length", "of its face in front of the plane of the back", default=0.04)


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A seat of a sled, or of the world."""

    name: str = field_of(Name(), "of its own", default="seat")
    occupant: str = field_of(Text(), "name of the person who sits on it", default="human")
    carrier: str | None = field_of(Text(), "body that carries it; the sled, if there is one", default=None)
    place: Vector = field_of(Components("length"), "of the bight, carrier frame", default=(0.0, 0.0, 0.4))
    cushion: str = field_of(Choice(tuple(CUSHIONS)), "laws of pan and back", default="rigid")
    friction: float | None = field_of(
        "dimensionless", "of pan and back; that of the cushion unless given", default=None
    )
    length: float = field_of("length", "of the pan, from the bight forward", default=0.45, above=0.0)
    width: float = field_of("length", "of pan and back", default=0.55, above=0.0)
    pan_angle: float = field_of("angle", "by which the front of the pan is raised", default=0.0)
    back: bool = field_of(Flag(), "whether there is a back", default=True)
    back_angle: float = field_of("angle", "of the back from the vertical, rearwards", default=pi / 18.0)
    back_height: float = field_of("length", "of the back, along it", default=0.6, above=0.0)
    recliner: Recliner | None = field_of(Of(Recliner), "of a back that yields; it is fixed unless given", default=None)
    head_restraint: HeadRestraint | None = field_of(Of(HeadRestraint), "pad behind the head", default=None)
    floor: bool = field_of(Flag(), "whether the carrier has a floor at z = 0", default=True)

    def __post_init__(self) -> None:
        if not -0.6 <= self.pan_angle <= 0.6:
            raise InputError(f"pan_angle is {self.pan_angle:g} rad; accepted -0.6 to 0.6 rad (34 deg).")
        if not -0.1 <= self.back_angle <= 1.3:
            raise InputError(f"back_angle is {self.back_angle:g} rad; accepted -0.1 to 1.3 rad (74 deg).")
        if not self.back and (self.recliner or self.head_restraint):
            raise InputError("recliner and head_restraint belong to a back; leave back = false out.")
        if self.place[2] <= 0.0 and self.floor:
            raise InputError(f"place: the pan is {self.place[2]:g} m above the floor; it must be above it.")

    @property
    def pan_normal(self) -> np.ndarray:
        """Unit normal of the pan, upwards, carrier frame."""
        return np.array([-sin(self.pan_angle), 0.0, cos(self.pan_angle)])

    @property
    def back_normal(self) -> np.ndarray:
        """Unit normal of the back, forwards, carrier frame."""
        return np.array([cos(self.back_angle), 0.0, sin(self.back_angle)])

    def surfaces(self, carrier: str | None, back: str | None, at: Vector = (0.0, 0.0, 0.0)) -> tuple[Surface, ...]:
        """Return its surfaces.

        carrier  body that carries pan and floor, or None for the world
        back     body that carries the back, whose origin is at a place of the carrier [m]
        """
        pan, rear = (self._law(k) for k in (0, 1))
        forward = np.array([cos(self.pan_angle), sin(self.pan_angle)])
        edge = forward * self.length
        lower = edge - np.array([0.02, DEEP])
        behind = -0.12 * forward  # below the back, so that nothing falls between them
        found: list[Surface] = [
            replace(
                self._profile(self.name, (lower, edge, behind), self.width, pan, carrier, (0.0, 0.0, 0.0)),
                solid=self.length + DEEP,
                backing=DEEP,
            )
        ]
        if self.back:
            up = np.array([-sin(self.back_angle), cos(self.back_angle)])
            top = up * self.back_height
            shape = (up * 0.0, top, top + np.array([-0.08, 0.0]))
            found.append(self._profile(f"{self.name}_back", shape, self.width, rear, back, at))
            if self.head_restraint is not None:
                pad = self.head_restraint
                face = np.array([up[1], -up[0]]) * pad.forward
                low, high = (up * (pad.height + side * 0.5 * pad.size) + face for side in (-1.0, 1.0))
                depth = np.array([-0.08, 0.0])
                found.append(
                    self._profile(
                        f"{self.name}_head_restraint",
                        (low + depth, low, high, high + depth),
                        pad.width,
                        PADDING,
                        back,
                        at,
                    )
                )
        if self.floor:
            found.append(Plane(f"{self.name}_floor", contact=FLOOR, carrier=carrier))
        return tuple(found)

    def _law(self, part: int) -> Contact:
        law = CUSHIONS[self.cushion][part]
        return law if self.friction is None else law.replace(friction=self.friction)

    def _profile(
        self, name: str, corners: Any, width: float, law: Contact, carrier: str | None, at: Vector
    ) -> Extrusion:
        """Return a profile given from the bight, for a carrier whose origin is at a place of the seat's carrier."""
        x, y, z = (self.place[k] - at[k] for k in range(3))
        rows = tuple((float(corner[0]), float(corner[1])) for corner in corners)
        return Extrusion(name, contact=law, carrier=carrier, place=(x, y, z), profile=rows, width=width)

    def hinged(self, carrier: str | None) -> tuple[Body, Joint, Vector] | None:
        """Return body, joint and centre (carrier frame) of a back that yields, or None."""
        if self.recliner is None:
            return None
        half = 0.5 * self.back_height
        centre = (
            self.place[0] - sin(self.back_angle) * half,
            self.place[1],
            self.place[2] + cos(self.back_angle) * half,
        )
        mass, (a, b) = self.recliner.mass, (self.back_height, self.width)
        inertia = mass / 12.0 * np.array([a * a + b * b, a * a, b * b])
        name, axis = f"{self.name}_back", frame_with_z(HINGE_AXIS)
        law = Resistance(
            law="coordinate",
            stiffness=(self.recliner.stiffness, 0.0, 0.0),
            damping=(self.recliner.damping, 0.0, 0.0),
            friction=self.recliner.moment,
        )
        x, y, z = (self.place[k] - centre[k] for k in range(3))
        joint = Joint(f"{name}_hinge", "revolute", carrier, name, self.place, (x, y, z), axis, axis, law)
        return Body(name, mass, inertia), joint, centre

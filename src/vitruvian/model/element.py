"""Force elements, sensors and surfaces. Points are given in the body frame, from the centre of mass. SI units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, nearest
from .contact import Contact
from .field import field_of
from .frame import IDENTITY, ZERO, Quaternion, Vector
from .joint import Resistance
from .shape import Ellipsoid, Shape
from .table import FUNCTION, Table, tables
from .validation import finite_vector, not_negative, positive, rotation
from .value import Choice, Components, Count, Flag, ListOf, Name, Of, Rotation, Text

if TYPE_CHECKING:
    from .configuration import Configuration


@dataclass(frozen=True)
class SpringDamper:
    """A spring, damper and actuator along the line between two points."""

    name: str = field_of(Name(), "of its own")
    body_a: str | None = field_of(Text(), "body; the world unless given", implied=True)
    body_b: str | None = field_of(Text(), "body; the world unless given", implied=True)
    point_a: Vector = field_of(Components("length"), "from the centre of mass, or in the world", default=ZERO)
    point_b: Vector = field_of(Components("length"), "from the centre of mass, or in the world", default=ZERO)
    stiffness: float = field_of("stiffness", "of the spring", default=0.0)
    rest_length: float = field_of("length", "at which the spring is without force", default=0.0)
    damping: float = field_of("damping", "of the damper", default=0.0)
    actuator: Table | None = field_of(FUNCTION, "force that pulls the points together [N]", default=None)
    tension_only: bool = field_of(Flag(), "a rope: never pushes", default=False)

    def __post_init__(self) -> None:
        where = f"spring {self.name!r}"
        object.__setattr__(self, "point_a", finite_vector(self.point_a, f"{where}: point_a"))
        object.__setattr__(self, "point_b", finite_vector(self.point_b, f"{where}: point_b"))
        not_negative(self.stiffness, f"{where}: stiffness", "N/m")
        not_negative(self.damping, f"{where}: damping", "N s/m")
        not_negative(self.rest_length, f"{where}: rest_length", "m")
        if self.body_a == self.body_b:
            raise InputError(f"{where}: both ends are on {self.body_a or 'the world'}; give two different bodies.")


@dataclass(frozen=True)
class TorsionSpring:
    """A torsional spring-damper at a joint, in addition to the joint's own resistance."""

    name: str = field_of(Name(), "of its own")
    joint: str = field_of(Text(), "at which it acts")
    resistance: Resistance = field_of(Of(Resistance), "by the law of the joint's coordinates unless given")


@dataclass(frozen=True)
class Tendon:
    """A passive muscle over one or two joints: torque exp(rate (u - slack)), with u = arm a + other_arm b.

    joint, other    names of the joints it crosses; None for no second one
    arm, other_arm  share of their flexion angles (about y of the parent, or of a hinge) in the stretch u [-]
    slack           stretch at which the torque dV/du is `torque` [rad]
    torque          [N m]
    rate            of the exponential [1/rad]
    most            torque from which on it grows straight [N m]
    loss            share of the torque that is added in fast stretching, and missing in fast release [-]
    loss_speed      speed of stretching below which this share is proportional to the speed [rad/s]
    """

    name: str
    joint: str
    arm: float
    torque: float
    rate: float
    slack: float = 0.0
    other: str | None = None
    other_arm: float = 0.0
    most: float = 200.0
    loss: float = 0.0
    loss_speed: float = 1.0

    def __post_init__(self) -> None:
        where = f"tendon {self.name!r}"
        positive(self.loss_speed, f"{where}: loss_speed", "rad/s")
        if not 0.0 <= self.loss <= 1.0:
            raise InputError(f"{where}: loss is {self.loss}; expected 0 to 1, because a muscle cannot push.")
        positive(self.torque, f"{where}: torque", "N m")
        positive(self.rate, f"{where}: rate", "1/rad")
        if not self.torque <= self.most < np.inf:
            raise InputError(f"{where}: most is {self.most} N m; expected a number from torque, {self.torque} N m, on.")
        if self.other == self.joint:
            raise InputError(f"{where}: both joints are {self.joint!r}; give two different ones, or none as other.")


@dataclass(frozen=True)
class Load:
    """An external force or moment on a body."""

    name: str = field_of(Name(), "of its own")
    body: str = field_of(Text(), "on which it acts")
    components: tuple[Table, ...] = field_of(ListOf(FUNCTION), "three functions of time [N or N m]")
    kind: str = field_of(Choice(("force", "moment")), "what the components are", default="force")
    point: Vector = field_of(Components("length"), "where a force acts, body frame", default=ZERO)
    axes: str = field_of(Choice(("world", "body")), "the axes of the components", default="world")

    def __post_init__(self) -> None:
        where = f"load {self.name!r}"
        if self.kind not in ("force", "moment"):
            raise InputError(f"{where}: kind is {self.kind!r}; accepted: force, moment.")
        if self.axes not in ("world", "body"):
            raise InputError(f"{where}: axes is {self.axes!r}; accepted: world, body.")
        object.__setattr__(self, "point", finite_vector(self.point, f"{where}: point"))
        object.__setattr__(self, "components", tables(self.components))
        if len(self.components) != 3:
            raise InputError(f"{where}: {len(self.components)} components; expected three.")


#: filter class of a sensor -> channel frequency class [Hz], or None
FILTERS: dict[str, float | None] = {"none": None, "CFC60": 60.0, "CFC180": 180.0, "CFC600": 600.0, "CFC1000": 1000.0}


@dataclass(frozen=True)
class Sensor:
    """A point on a body with axes of its own, where acceleration and angular motion are recorded at the full rate."""

    name: str = field_of(Name(dots=True), "of its own")
    body: str = field_of(Text(), "that carries it")
    point: Vector = field_of(Components("length"), "body frame", default=ZERO)
    rotation: Quaternion = field_of(Rotation(), "of the sensor axes in the body frame", default=IDENTITY)
    filter: str = field_of(
        Choice(tuple(FILTERS)),
        "channel frequency class of its acceleration and angular motion in tables, criteria and ISO-MME files; "
        "result.nc keeps the raw samples",
        default="none",
    )

    def __post_init__(self) -> None:
        if self.filter not in FILTERS:
            raise InputError(
                f"sensor {self.name!r}: filter is {self.filter!r}; accepted: {', '.join(FILTERS)}."
                + nearest(self.filter, FILTERS)
            )
        object.__setattr__(self, "point", finite_vector(self.point, f"sensor {self.name!r}: point"))
        object.__setattr__(self, "rotation", rotation(self.rotation, f"sensor {self.name!r}: rotation"))


@dataclass(frozen=True)
class Plane:
    """A half-space, fixed in the world or carried by a body, in whose frame point and normal are then given."""

    name: str = field_of(Name(), "of its own")
    point: Vector = field_of(Components("length"), "any point of its surface", default=ZERO)
    normal: Vector = field_of(
        Components("dimensionless"), "out of the solid, made a unit vector", default=(0.0, 0.0, 1.0), implied=True
    )
    contact: Contact = dataclass_field(default_factory=Contact)
    only: tuple[str, ...] | None = field_of(
        ListOf(Text()), "the bodies that may touch it; all unless given", default=None
    )
    carrier: str | None = field_of(Text(), "body that carries it; the world unless given", default=None)
    points: int = field_of(
        Count(),
        "ellipsoids touch it at so many points of their surface, each with a force of its own (thesis, chapter 5), 4 "
        "to 2000: the stiffness then grows with their number (E051); at their deepest point unless given",
        default=0,
        implied=True,
    )

    def __post_init__(self) -> None:
        where = f"surface {self.name!r}"
        object.__setattr__(self, "point", finite_vector(self.point, f"{where}: point"))
        normal = np.array(finite_vector(self.normal, f"{where}: normal"))
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            raise InputError(f"{where}: normal is the zero vector; give the direction out of the solid.")
        object.__setattr__(self, "normal", tuple((normal / length).tolist()))
        if self.points:
            Ellipsoid((1.0, 1.0, 1.0), points=self.points)  # refuses too few and too many

    def met_by(self, shape: Shape) -> tuple[Shape, ...]:
        """Return the shapes that stand for a shape against this plane: points of an ellipsoid, corners of a box."""
        sampled = isinstance(shape, Ellipsoid) and self.points > 0
        return (replace(shape, points=self.points) if sampled else shape).standing_points


@dataclass(frozen=True)
class BodyContact:
    """Contact of the shapes of bodies with each other: two people, a person and a thing, a body's own segments.

    one, other  names of the bodies; the same names in both for self-contact. Joined bodies do not touch each other
    contact     its law; the stiffness is in series with those of both shapes
    rest        postures in which there is no force: what overlaps there is taken off the depth
    """

    name: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    contact: Contact = dataclass_field(default_factory=Contact)
    rest: tuple[Configuration, ...] = ()

    def __post_init__(self) -> None:
        for side in ("one", "other"):
            object.__setattr__(self, side, tuple(getattr(self, side)))
            if not getattr(self, side):
                raise InputError(f"contact {self.name!r}: {side} names no body; give at least one.")

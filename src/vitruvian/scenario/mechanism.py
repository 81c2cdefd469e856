"""The tables of mechanisms: bodies, joints and what acts on them, and functions of time."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from ..errors import InputError, shown
from ..model.element import FILTERS
from ..model.joint import JOINT_TYPES, RESISTANCE_LAWS
from ..model.loop import EQUATIONS
from ..model.table import KINDS
from ..units import parse_unit, quantity, vector
from .quantities import AngularVelocity, Direction, Length, Point, Velocity
from .surroundings import Shape
from .value import (
    EITHER,
    SOME,
    TABLE,
    WHERE,
    WORD,
    Flag,
    Label,
    Name,
    Rotation,
    Table,
    Text,
    choice,
    number,
    refuse,
    told,
)

# motion in time

#: the dimension of every coordinate, by joint type
COORDINATES: dict[str, tuple[str, ...]] = {
    "free": ("length",) * 3 + ("angle",) * 3,
    "spherical": ("angle",) * 3,
    "revolute": ("angle",),
    "universal": ("angle", "angle"),
    "cylindrical": ("angle", "length"),
    "prismatic": ("length",),
    "planar": ("length", "length", "angle"),
    "rigid": (),
}
_RATE = {"angle": "angular velocity", "length": "velocity"}
_ACCELERATION = {"angle": "angular acceleration", "length": "acceleration"}
_STIFFNESS = {"angle": "rotational stiffness", "length": "stiffness"}
_DAMPING = {"angle": "rotational damping", "length": "damping"}
_GROWTH = {"angle": "limit damping", "length": "contact damping"}
_LOAD = {"angle": "moment", "length": "force"}


class TimeTable(Table):
    """A function of time: values at times, or a number alone for a constant.

    The unit of the values follows from what the table drives; `unit` gives another one for all of them.
    """

    times: tuple[Any, ...] = Field(description="knots [s], increasing")
    values: tuple[Any, ...] = Field(description="values at the knots")
    kind: Annotated[str, choice(KINDS)] | None = Field(
        default=None, description="how the values are joined; position for motion, linear for forces"
    )
    unit: Text | None = Field(default=None, description="unit of the values, if not SI")
    start: Any = Field(default=0.0, description="kind acceleration: coordinate at the first knot")
    start_rate: Any = Field(default=0.0, description="kind acceleration: its rate at the first knot")

    def in_si(self, dimension: str, kind: str, where: str) -> TimeTable:
        """The same with numbers in SI; the values are of that dimension."""
        kind = self.kind or kind
        of_values = _ACCELERATION.get(dimension, dimension) if kind == "acceleration" else dimension
        factor = told(_factor, self.unit, of_values, where) if self.unit is not None else 1.0
        for name in ("start", "start_rate"):
            if kind != "acceleration" and getattr(self, name) != 0.0:
                raise refuse(f'{where}.{name} does not fit the kind "{kind}"; it goes with kind = "acceleration".')
        if len(self.times) != len(self.values) or not self.times:
            raise refuse(
                f"{where} has {len(self.times)} times and {len(self.values)} values; expected one for each time."
            )
        return TimeTable(
            times=_each(self.times, "time", f"{where}.times"),
            values=tuple(factor * value for value in _each(self.values, of_values, f"{where}.values")),
            kind=kind,
            start=told(quantity, self.start, dimension, f"{where}.start"),
            start_rate=told(quantity, self.start_rate, _RATE.get(dimension, dimension), f"{where}.start_rate"),
        )


def _factor(unit: str, dimension: str, where: str) -> float:
    try:
        return parse_unit(unit, dimension)[0]
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _each(values: tuple[Any, ...], dimension: str, where: str) -> tuple[float, ...]:
    return tuple(told(quantity, value, dimension, f"{where}[{i}]") for i, value in enumerate(values))


Function = Annotated[Annotated[Any, WORD] | Annotated[TimeTable, TABLE], EITHER]


def _in_si(given: Any, dimension: str, kind: str, where: str) -> Any:
    """A number or a time table in SI."""
    if isinstance(given, TimeTable):
        return given.in_si(dimension, kind, where)
    return told(quantity, given, dimension, where)


# mechanisms


class BodyStart(Table):
    """Where and how fast a body starts that hangs on no joint, or on a free one."""

    position: Point = Field(default=(0.0, 0.0, 0.0), description="of the centre of mass [m]")
    orientation: Rotation = Field(default=(1.0, 0.0, 0.0, 0.0), description="body to world")
    velocity: Velocity = Field(default=(0.0, 0.0, 0.0), description="[m/s]")
    angular_velocity: AngularVelocity = Field(default=(0.0, 0.0, 0.0), description="[rad/s]")


def _inertia(value: Any) -> Any:
    """Three principal moments or a 3x3 tensor, in SI."""
    rows = value if isinstance(value, list | tuple) else [value]
    if len(rows) != 3:
        raise refuse(f"{WHERE} is {shown(value)}; expected three principal moments or a 3x3 tensor [kg m2].")
    if any(isinstance(row, list | tuple) for row in rows):
        return tuple(told(_moments, row, f"{WHERE}[{i}]") for i, row in enumerate(rows))
    return told(_moments, rows, WHERE)


def _moments(value: Any, where: str) -> tuple[float, ...]:
    return vector(value, "moment of inertia", where)


class Body(Table):
    """A rigid body; without a joint it moves freely."""

    name: Name
    mass: Annotated[float, number("mass", above=0.0)] = Field(description="[kg]")
    inertia: Annotated[tuple[Any, ...] | None, BeforeValidator(_inertia)] = Field(
        default=None,
        description="about the centre of mass [kg m2]: three moments or 3x3; of the solid shape if left out",
    )
    shapes: Annotated[tuple[Shape, ...], SOME] = Field(default=(), description="what touches surfaces and other bodies")
    start: BodyStart | None = Field(default=None, description="only for a body without a joint")

    @model_validator(mode="after")
    def _has_inertia(self) -> Self:
        if self.inertia is None and len(self.shapes) != 1:
            raise refuse(f"{WHERE}.inertia is missing; it can be left out only for a body with exactly one shape.")
        return self


class Curve(Table):
    """Torque with which a joint resists over its angle (force over displacement); straight on beyond the last knots."""

    angles: tuple[Any, ...] = Field(default=(), description="knots, increasing [rad or m]")
    torques: tuple[Any, ...] = Field(
        default=(), description="at the knots; positive pushes towards smaller angles [N m or N]"
    )
    kind: Annotated[str, choice(("linear", "cubic"))] = Field(default="linear", description="how they are joined")

    def in_si(self, dimension: str, where: str) -> Curve:
        """The same with numbers in SI; the angles are of that dimension."""
        return Curve(
            angles=_each(self.angles, dimension, f"{where}.angles"),
            torques=_each(self.torques, _LOAD[dimension], f"{where}.torques"),
            kind=self.kind,
        )


class Resistance(Table):
    """Elastic, viscous and dry resistance of a joint; one value a coordinate, or a single one for joints with one."""

    law: Annotated[str, choice(tuple(RESISTANCE_LAWS))] | None = Field(
        default=None, description="rotation_vector for spherical joints, else coordinate"
    )
    limit_minus: Any = Field(default=None, description="end of the range to the negative side [rad or m], or -inf")
    limit_plus: Any = Field(default=None, description="end of the range to the positive side [rad or m], or inf")
    stiffness: Any = Field(default=None, description="inside the range [N m/rad or N/m]")
    stiffness_minus: Any = Field(default=None, description="beyond the negative limit [N m/rad or N/m]")
    stiffness_plus: Any = Field(default=None, description="beyond the positive limit [N m/rad or N/m]")
    damping: Any = Field(default=None, description="[N m s/rad or N s/m]")
    rest: Any = Field(default=None, description="where the inner spring is without torque [rad or m]")
    limit_damping: Any = Field(
        default=None, description="damping gained beyond a limit over the torque of the limit [s/rad or s/m]"
    )
    curve: Annotated[tuple[Curve, ...], SOME] = Field(
        default=(), description="torque over each coordinate, in addition; an empty table for one that has none"
    )
    friction: Any = Field(default=0.0, description="dry torque against the motion [N m or N]")
    friction_speed: Any = Field(default=0.05, description="below which it is viscous [rad/s or m/s]")
    friction_fade: Any = Field(
        default=0.0, description="angle from the start over which it falls to zero [rad or m]; 0: it stays"
    )

    def in_si(self, coordinates: tuple[str, ...], law: str, where: str) -> Resistance:
        """The same in SI, three values each; the coordinates are angles or lengths."""
        inf = float("inf")
        stiff, damp = ([table[c] for c in coordinates] for table in (_STIFFNESS, _DAMPING))
        return Resistance(
            law=self.law or law,
            limit_minus=_three(self.limit_minus, coordinates, -inf, f"{where}.limit_minus"),
            limit_plus=_three(self.limit_plus, coordinates, inf, f"{where}.limit_plus"),
            stiffness=_three(self.stiffness, stiff, 0.0, f"{where}.stiffness"),
            stiffness_minus=_three(self.stiffness_minus, stiff, 0.0, f"{where}.stiffness_minus"),
            stiffness_plus=_three(self.stiffness_plus, stiff, 0.0, f"{where}.stiffness_plus"),
            damping=_three(self.damping, damp, 0.0, f"{where}.damping"),
            rest=_three(self.rest, coordinates, 0.0, f"{where}.rest"),
            limit_damping=_three(self.limit_damping, [_GROWTH[c] for c in coordinates], 0.0, f"{where}.limit_damping"),
            curve=_curves(self.curve, coordinates, f"{where}.curve"),
            friction=told(quantity, self.friction, _LOAD[coordinates[0]], f"{where}.friction"),
            friction_speed=told(quantity, self.friction_speed, _RATE[coordinates[0]], f"{where}.friction_speed"),
            friction_fade=told(quantity, self.friction_fade, coordinates[0], f"{where}.friction_fade"),
        )


def _curves(given: tuple[Curve, ...], dimensions: tuple[str, ...], where: str) -> tuple[Curve, ...]:
    """The curves in SI, one for each coordinate or fewer."""
    if len(given) > len(dimensions):
        raise refuse(f"{where} has {len(given)} curves; expected {len(dimensions)}, one for each coordinate.")
    pairs = enumerate(zip(given, dimensions, strict=False))
    return tuple(curve.in_si(dimension, f"{where}[{i}]") for i, (curve, dimension) in pairs)


def _three(given: Any, dimensions: Any, missing: float, where: str) -> tuple[float, ...]:
    """Three numbers in SI; coordinates that the joint does not have get the value `missing`."""
    dimensions = list(dimensions)
    if given is None:
        return (missing,) * 3
    values = list(given) if isinstance(given, list | tuple) else [given]
    if len(values) not in (len(dimensions), 3):
        raise refuse(
            f"{where} has {len(values)} values; expected {len(dimensions)}, one for each coordinate of the joint."
        )
    si = []
    for place, value in enumerate(values):
        if isinstance(value, int | float) and not isinstance(value, bool) and value == missing:
            si.append(missing)
        elif place >= len(dimensions):  # written out again with every scenario; nothing else may be there
            raise refuse(
                f"{where}[{place}] is {shown(value)}; the joint has {len(dimensions)} coordinates, so leave it out."
            )
        else:
            at = f"{where}[{place}]" if isinstance(given, list | tuple) else where
            si.append(told(quantity, value, dimensions[place], at))
    return tuple(si + [missing] * (3 - len(si)))


class JointStart(Table):
    """Coordinates and rates with which a joint starts."""

    coordinates: Any = Field(default=None, description="angles [rad] and displacements [m]")
    rates: Any = Field(default=None, description="their rates [rad/s, m/s]")
    orientation: Rotation | None = Field(default=None, description="spherical and free joints")
    position: Point | None = Field(default=None, description="free joints [m]")
    velocity: Velocity | None = Field(default=None, description="free joints [m/s]")
    angular_velocity: AngularVelocity | None = Field(default=None, description="spherical and free joints [rad/s]")

    def in_si(self, kind: str, where: str) -> JointStart:
        """The same in SI, with only what this joint type has."""
        accepted = {
            "free": ("position", "orientation", "velocity", "angular_velocity"),
            "spherical": ("orientation", "angular_velocity"),
        }.get(kind, ("coordinates", "rates"))
        for name in self.known_keys():
            if getattr(self, name) is not None and name not in accepted:
                raise refuse(f"{where}.{name} does not fit a {kind} joint; accepted: {', '.join(accepted)}.")
        if kind in ("free", "spherical"):
            return self
        dimensions = COORDINATES[kind]
        return JointStart(
            coordinates=_list(self.coordinates, dimensions, f"{where}.coordinates"),
            rates=_list(self.rates, [_RATE[dimension] for dimension in dimensions], f"{where}.rates"),
        )


def _list(given: Any, dimensions: Any, where: str) -> tuple[float, ...] | None:
    if given is None:
        return None
    values = list(given) if isinstance(given, list | tuple) else [given]
    if len(values) != len(dimensions):
        raise refuse(
            f"{where} has {len(values)} values; expected {len(dimensions)}, one for each coordinate of the joint."
        )
    pairs = enumerate(zip(values, dimensions, strict=True))
    return tuple(told(quantity, value, dimension, f"{where}[{i}]") for i, (value, dimension) in pairs)


class Joint(Table):
    """A joint between a parent (or the world) and a child; it turns about and slides along its axis z."""

    name: Name
    type: Annotated[str, choice(tuple(JOINT_TYPES))]
    parent: Text | None = Field(default=None, description="body; the world unless given")
    child: Text = Field(description="body")
    point_parent: Point = Field(default=(0.0, 0.0, 0.0), description="from the parent's centre of mass; or world [m]")
    point_child: Point = Field(default=(0.0, 0.0, 0.0), description="from the child's centre of mass [m]")
    axis: Direction | None = Field(default=None, description="direction of z in both bodies, in place of the frames")
    frame_parent: Rotation | None = Field(default=None, description="joint frame in the parent")
    frame_child: Rotation | None = Field(default=None, description="joint frame in the child")
    resistance: Resistance | None = Field(default=None)
    motion: tuple[Function, ...] | None = Field(
        default=None, description="one function of time a coordinate, if the motion is prescribed"
    )
    start: JointStart | None = Field(default=None)

    @model_validator(mode="before")
    @classmethod
    def _one_function(cls, given: Any) -> Any:
        if isinstance(given, dict) and "motion" in given and not isinstance(given["motion"], list | tuple):
            return {**given, "motion": [given["motion"]]}
        return given

    @model_validator(mode="after")
    def _by_type(self) -> Self:
        if self.axis is not None and (self.frame_parent is not None or self.frame_child is not None):
            raise refuse(f"{WHERE} has both axis and frame_parent or frame_child; give one of them.")
        dimensions = COORDINATES[self.type]
        if self.resistance is not None:
            if self.type in ("rigid", "free"):
                raise refuse(
                    f"{WHERE}.resistance does not fit a {self.type} joint, which resists nothing; leave it out."
                )
            if self.motion is not None:
                raise refuse(
                    f"{WHERE} has both motion and resistance; a prescribed motion meets none. Give one of them."
                )
            law = "rotation_vector" if self.type == "spherical" else "coordinate"
            object.__setattr__(self, "resistance", self.resistance.in_si(dimensions[:3], law, f"{WHERE}.resistance"))
        if self.start is not None:
            object.__setattr__(self, "start", self.start.in_si(self.type, f"{WHERE}.start"))
        if self.motion is not None:
            if len(self.motion) != len(dimensions):
                raise refuse(
                    f"{WHERE}.motion has {len(self.motion)} functions; a {self.type} joint takes {len(dimensions)}."
                )
            pairs = enumerate(zip(self.motion, dimensions, strict=True))
            motion = tuple(
                _in_si(item, dimension, "position", f"{WHERE}.motion[{i}]") for i, (item, dimension) in pairs
            )
            object.__setattr__(self, "motion", motion)
        return self


class Release(Table):
    """What opens a loop during the run; the first limit that is reached counts."""

    force: Annotated[float, number("force", above=0.0)] | None = Field(default=None, description="of the loop [N]")
    moment: Annotated[float, number("moment", above=0.0)] | None = Field(default=None, description="[N m]")
    time: Annotated[float, number("time", above=0.0)] | None = Field(default=None, description="[s]")


class Loop(Table):
    """A joint that closes a loop: it ties two bodies that hang on joints of their own, until it opens."""

    name: Name
    type: Annotated[str, choice(tuple(EQUATIONS))]
    parent: Text | None = Field(default=None, description="body; the world unless given")
    child: Text = Field(description="body")
    point_parent: Point = Field(default=(0.0, 0.0, 0.0), description="from the parent's centre of mass; or world [m]")
    point_child: Point = Field(default=(0.0, 0.0, 0.0), description="from the child's centre of mass [m]")
    axis: Direction | None = Field(default=None, description="direction of z in both bodies, instead of the frames")
    frame_parent: Rotation | None = Field(default=None, description="joint frame in the parent")
    frame_child: Rotation | None = Field(default=None, description="joint frame in the child")
    release: Release | None = Field(default=None, description="when it opens; never unless given")

    @model_validator(mode="after")
    def _one_frame(self) -> Self:
        if self.axis is not None and (self.frame_parent is not None or self.frame_child is not None):
            raise refuse(f"{WHERE} has both axis and frame_parent or frame_child; give one of them.")
        return self


class Spring(Table):
    """A spring, damper and actuator along the line between two points."""

    name: Name
    body_a: Text | None = Field(default=None, description="the world unless given")
    body_b: Text | None = Field(default=None, description="the world unless given")
    point_a: Point = Field(default=(0.0, 0.0, 0.0), description="from the centre of mass, or in the world [m]")
    point_b: Point = Field(default=(0.0, 0.0, 0.0), description="from the centre of mass, or in the world [m]")
    stiffness: Annotated[float, number("stiffness")] = Field(default=0.0, description="[N/m]")
    rest_length: Length = Field(default=0.0, description="[m]")
    damping: Annotated[float, number("damping")] = Field(default=0.0, description="[N s/m]")
    actuator: Function | None = Field(default=None, description="force that pulls the points together [N]")
    tension_only: Flag = Field(default=False, description="a rope: never pushes")

    @model_validator(mode="after")
    def _actuator_in_si(self) -> Self:
        if self.actuator is not None:
            object.__setattr__(self, "actuator", _in_si(self.actuator, "force", "linear", f"{WHERE}.actuator"))
        return self


class TorsionSpring(Table):
    """A torsional spring-damper at a joint, in addition to the joint's own resistance."""

    name: Name
    joint: Text
    resistance: Resistance

    @model_validator(mode="after")
    def _in_si(self) -> Self:
        law = self.resistance.law
        one = self.resistance.stiffness is not None and not isinstance(self.resistance.stiffness, list | tuple)
        si = self.resistance.in_si(("angle",) if one else ("angle",) * 3, law or "coordinate", f"{WHERE}.resistance")
        object.__setattr__(self, "resistance", si.model_copy(update={"law": law}))
        return self


class Load(Table):
    """An external force or moment on a body."""

    name: Name
    body: Text
    kind: Annotated[str, choice(("force", "moment"))] = Field(default="force")
    components: tuple[Function, ...] = Field(description="three functions of time [N or N m]")
    point: Point = Field(default=(0.0, 0.0, 0.0), description="where a force acts, body frame [m]")
    axes: Annotated[str, choice(("world", "body"))] = Field(default="world", description="the axes of the components")

    @model_validator(mode="after")
    def _components_in_si(self) -> Self:
        if len(self.components) != 3:
            raise refuse(f"{WHERE}.components has {len(self.components)} values; expected three.")
        components = tuple(
            _in_si(item, self.kind, "linear", f"{WHERE}.components[{i}]") for i, item in enumerate(self.components)
        )
        object.__setattr__(self, "components", components)
        return self


class Sensor(Table):
    """A point on a body with axes of its own, recorded at the full rate."""

    name: Label
    body: Text
    point: Point = Field(default=(0.0, 0.0, 0.0), description="body frame [m]")
    rotation: Rotation = Field(default=(1.0, 0.0, 0.0, 0.0), description="of the sensor axes in the body frame")
    filter: Annotated[str, choice(tuple(FILTERS))] = Field(
        default="none",
        description="channel frequency class of its acceleration and angular motion in tables, criteria and ISO-MME "
        "files; result.nc keeps the raw samples",
    )

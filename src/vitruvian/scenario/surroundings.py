"""What people and bodies meet and touch with: contact laws, surfaces, shapes. Names are those of `vitruvian.model`."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from ..data import surface, surfaces
from ..errors import nearest, shown
from ..model.contact import FRICTION_LAWS, REFERENCES
from ..model.contact_law import LAWS
from ..model.patch import TANGENTS
from ..units import quantity, vector
from ..world.front import GRADES, PARTS, front
from ..world.surface import dimensions, with_base
from ..world.vehicle import RULES
from .quantities import Acceleration, Angle, Direction, Length, Moment, Point, Ratio, Speed
from .value import (
    EITHER,
    TABLE,
    WHERE,
    WORD,
    Count,
    File,
    Flag,
    Name,
    Rotation,
    Table,
    Text,
    choice,
    number,
    of_file,
    refuse,
    told,
    word,
)

Stiffness = Annotated[float, number("stiffness")]
Pressure = Annotated[float, number("pressure", unbounded=True)]


def _curve(value: Any) -> Any:
    """Rows of depth [m] and force [N], in SI."""
    rows = (
        [(WHERE, value)] if not isinstance(value, list | tuple) else [(f"{WHERE}[{i}]", r) for i, r in enumerate(value)]
    )
    for where, row in rows:
        if not isinstance(row, list | tuple) or len(row) != 2:
            raise refuse(f"{where} is {shown(row)}; expected rows of depth and force: [[0, 0], [0.01, 500]].")
    return tuple(
        (
            told(quantity, depth, "length", f"{WHERE}[{i}][0]"),
            told(quantity, force, "force", f"{WHERE}[{i}][1]"),
        )
        for i, (depth, force) in enumerate(value)
    )


Curve = Annotated[tuple[tuple[float, float], ...], BeforeValidator(_curve)]


class Contact(Table):
    """How a surface pushes back and rubs; what a law does not take is refused."""

    base: Annotated[str, choice(surfaces)] | None = Field(
        default=None, description="a row of the surface table that gives what is not given here"
    )
    law: Annotated[str, choice(tuple(LAWS))] = Field(default="hunt-crossley", description="normal force law")
    stiffness: Any = Field(default=float("inf"), description="[N/m^n], in series with that of the body; inf is rigid")
    exponent: Ratio | None = Field(default=None, description="n [-], 1 to 4; that of the law unless given")
    restitution: Ratio | None = Field(
        default=None, description="rebound over impact speed [-], 0.01 to 1; 0.1 unless given. Some laws have none"
    )
    friction: Ratio = Field(default=0.6, description="coefficient [-]")
    slip_speed: Speed = Field(default=0.05, description="below which friction is viscous [m/s]")
    damping: Any = Field(default=None, description="[N s/m]; of the law general in its own unit, without one")
    depth_power: Ratio | None = Field(default=None, description="p of the law general [-]")
    rate_power: Ratio | None = Field(default=None, description="q of the law general [-]")
    ramp: Length | None = Field(default=None, description="depth over which the damping grows [m]")
    permanent: Length | None = Field(default=None, description="permanent indentation of hertz-permanent [m]")
    curve: Curve | None = Field(default=None, description="rows of depth [m] and force [N] on the way in")
    unloading: Curve | None = Field(default=None, description="the same on the way out")
    unloading_stiffness: Stiffness | None = Field(default=None, description="slope of the way down from the peak [N/m]")
    tissue_restitution: Ratio | None = Field(
        default=None, description="rebound of the tissue in series with a curve that has a way down [-]; 1 is elastic"
    )
    young: Pressure | None = Field(default=None, description="of the surface, in place of stiffness (Hertz) [Pa]")
    poisson: Ratio | None = Field(default=None, description="of the surface [-]")
    body_young: Pressure | None = Field(default=None, description="of the body [Pa]; rigid unless given")
    body_poisson: Ratio | None = Field(default=None, description="of the body [-]")
    radius: Length | None = Field(default=None, description="of the body at the contact [m]; of the shape if not given")
    density: Annotated[float, number("density")] | None = Field(
        default=None, description="for the speed to which Hertz holds [kg/m3]"
    )
    thickness: Length | None = Field(default=None, description="gap at which the force begins [m]")
    pull: Flag | None = Field(default=None, description="whether the force may pull")
    reference: Annotated[str, choice(tuple(REFERENCES))] | None = Field(
        default=None, description="speed that divides the damping number: largest since onset, or onset"
    )
    friction_law: Annotated[str, choice(tuple(FRICTION_LAWS))] | None = Field(
        default=None, description="coulomb unless given"
    )
    tangent_stiffness: Any = Field(
        default=None, description="of sticking [N/m]; law stronge: over the normal stiffness [-]"
    )
    tangent_damping: Any = Field(default=None, description="of sticking [N s/m]; law stronge: over its stiffness [s]")

    @model_validator(mode="before")
    @classmethod
    def _from_base(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("base"), str) and given["base"] in surfaces():
            return with_base(surface(given["base"]), given)
        return given

    @model_validator(mode="after")
    def _in_si(self) -> Self:
        for name, dimension in dimensions(self.law, self.exponent, self.friction_law).items():
            value = getattr(self, name)
            if value is not None and value != float("inf"):
                object.__setattr__(self, name, told(quantity, value, dimension, f"{WHERE}.{name}"))
        hertz = ("body_young", "body_poisson", "radius", "density") if self.young is None else ()
        coulomb = ("tangent_stiffness", "tangent_damping") if self.friction_law in (None, "coulomb") else ()
        for names, needed in ((hertz, "young"), (coulomb, "another friction_law than coulomb")):
            idle = next((name for name in names if getattr(self, name) is not None), None)
            if idle is not None:
                raise refuse(f"{WHERE}.{idle} has no effect without {needed}; give it, or leave {idle} out.")
        object.__setattr__(self, "base", None)  # everything it gave stands here now
        return self

    def parameters(self) -> dict[str, Any]:
        """The given fields of vitruvian.model.Contact, in SI."""
        return {name: value for name, value in self.model_dump(exclude={"base"}).items() if value is not None}


ContactOf = Annotated[Annotated[str, choice(surfaces), WORD] | Annotated[Contact, TABLE], EITHER]


def _flag_or_surface(value: Any) -> Any:
    """False, true, or the name of a surface."""
    return value if isinstance(value, bool) else choice(surfaces).func(value)  # type: ignore[call-arg]


SelfContact = Annotated[
    Annotated[bool | str, BeforeValidator(_flag_or_surface), WORD] | Annotated[Contact, TABLE], EITHER
]


def _places(columns: int) -> BeforeValidator:
    """Rows of lengths, in SI."""

    def validate(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise refuse(f"{WHERE} is {shown(value)}; expected rows of {columns} lengths.")
        return tuple(told(vector, row, "length", f"{WHERE}[{i}]", columns) for i, row in enumerate(value))

    return BeforeValidator(validate)


#: fields of each kind of surface beside those that all have
SURFACES = {
    "plane": ("point", "normal", "incline", "points"),
    "facet": ("corners", "place", "rotation", "rounding", "backing", "crease"),
    "profile": ("profile", "width", "segments", "contacts", "place", "rotation", "rounding", "backing", "crease"),
    "lines": ("profile", "width", "segments", "contacts", "tangent", "place", "rotation"),
    "mesh": ("file", "unit", "scale", "open", "place", "rotation", "rounding", "backing", "crease"),
}
#: what must be given of them
NEEDED = {"facet": ("corners",), "profile": ("profile", "width"), "lines": ("profile",), "mesh": ("file",)}


class Surface(Table):
    """A surface fixed in the world, or carried by a body, in whose frame its places are then given."""

    name: Name
    shape: Annotated[str, choice(tuple(SURFACES))] = Field(
        default="plane",
        description="a half-space, a flat polygon, a profile drawn out along y, the lines of a profile for motion in a "
        "plane, or a mesh from a file",
    )
    point: Point = Field(default=(0.0, 0.0, 0.0), description="plane: any point of it [m]")
    normal: Direction | None = Field(default=None, description="plane: out of the solid; upwards unless given")
    incline: Angle | None = Field(default=None, description="plane: slope that falls towards x [rad], for normal")
    points: Count | None = Field(
        default=None,
        description="plane: ellipsoids touch it at so many points of their surface, each with a force of its own "
        "(thesis, chapter 5), 4 to 2000; at their deepest point unless given",
    )
    corners: Annotated[tuple[tuple[float, float, float], ...], _places(3)] | None = Field(
        default=None, description="facet: [m], anticlockwise seen from outside"
    )
    profile: Annotated[tuple[tuple[float, float], ...], _places(2)] | None = Field(
        default=None, description="profile, lines: corners (x, z) [m], a front that looks along x from below upwards"
    )
    width: Length | None = Field(default=None, description="profile: along y [m]; lines: only drawn")
    segments: tuple[Text, ...] | None = Field(default=None, description="profile, lines: part of each segment")
    contacts: dict[str, ContactOf] | None = Field(
        default=None, description="profile, lines: a contact for each part, in place of contact"
    )
    tangent: Annotated[str, choice(TANGENTS)] | None = Field(
        default=None, description="lines: outer (along the normal) unless given, or nearest (as the 2D paper has it)"
    )
    file: File | None = Field(
        default=None, description="mesh: STL, OBJ, PLY or OFF; looked up from the folder of the scenario"
    )
    unit: Text | None = Field(default=None, description="mesh: of the file's coordinates; m unless given")
    scale: Ratio | None = Field(default=None, description="mesh: further factor [-]")
    open: Flag | None = Field(default=None, description="mesh: whether it may have a rim")
    place: Point | None = Field(default=None, description="of its frame in that of the carrier [m]; not of a plane")
    rotation: Rotation | None = Field(default=None, description="of its frame in that of the carrier; not of a plane")
    rounding: Length | None = Field(default=None, description="radius by which it grows and is rounded [m]")
    backing: Length | None = Field(default=None, description="depth to which it is solid [m]")
    crease: Angle | None = Field(
        default=None,
        description="angle of a valley about which two sides of it change from sharing the load to pushing each alone "
        "[rad]; 45 degrees unless given",
    )
    contact: ContactOf = Field(
        default_factory=Contact, description="a row of the surface table, or a table of its parameters"
    )
    only: tuple[Text, ...] | None = Field(default=None, description="the bodies that may touch it; all unless given")
    carrier: Text | None = Field(default=None, description="body that carries it; the world unless given")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.normal is not None and self.incline is not None:
            raise refuse(f"{WHERE} has both normal and incline; give one of them.")
        every = dict.fromkeys(name for names in SURFACES.values() for name in names)
        for name in every:
            default = type(self).model_fields[name].default  # written out again with every scenario
            given = name in self.model_fields_set and getattr(self, name) not in (None, default)
            if given and name not in SURFACES[self.shape]:
                fitting = ", ".join(SURFACES[self.shape])
                raise refuse(f"{WHERE}.{name} does not fit the shape {self.shape}; it takes {fitting}.")
        unknown = next((part for part in self.contacts or () if part not in (self.segments or ())), None)
        if unknown is not None:
            parts = tuple(dict.fromkeys(self.segments or ()))
            known = f"accepted: {', '.join(parts)}.{nearest(unknown, parts)}" if parts else "segments names the parts."
            raise refuse(f"{WHERE}.contacts: there is no part {shown(unknown)}; {known}")
        for name in NEEDED.get(self.shape, ()):
            if getattr(self, name) is None:
                raise refuse(f"{WHERE}.{name} is missing; a surface of the shape {self.shape} needs it.")
        return self

    def places(self) -> dict[str, Any]:
        """What was given of the fields of its shape and of those of all shapes, in SI."""
        names = (*SURFACES[self.shape], "only", "carrier")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None and name != "contacts"}


class BodyContact(Table):
    """Contact of bodies with each other."""

    name: Name
    between: tuple[tuple[Text, ...], tuple[Text, ...]] = Field(
        description="two lists of bodies; the name of a person stands for all its segments"
    )
    contact: ContactOf = Field(
        default_factory=Contact, description="a row of the surface table, or a table of its parameters"
    )

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, given: Any) -> Any:
        if isinstance(given, dict) and isinstance(given.get("between"), list | tuple):
            return {**given, "between": [[side] if isinstance(side, str) else side for side in given["between"]]}
        return given


def _front(value: Any, info: ValidationInfo) -> Any:
    """The name of a ready front as it is; a file or a table as a whole table in SI."""
    if isinstance(value, str) and word(value).endswith(".toml"):
        return of_file(lambda path: front(str(path)), value, info).table()
    found = told(lambda: front(value, where=WHERE))
    return value if isinstance(value, str) else found.table()


def _grades(value: Any) -> Any:
    if not isinstance(value, dict):
        raise refuse(f'{WHERE} is {shown(value)}; expected a grade for some parts: {{ bonnet = "soft" }}.')
    for part, grade in value.items():
        if part not in PARTS or not isinstance(grade, str) or grade not in GRADES:
            raise refuse(
                f"{WHERE}.{part} is {shown(grade)}; accepted: {', '.join(GRADES)}, of the parts {', '.join(PARTS)}."
            )
    return value


class Brake(Table):
    """How a vehicle brakes: with a deceleration from a time on, until it stands."""

    deceleration: Acceleration = Field(description="[m/s2]")
    start: Moment = Field(default=0.0, alias="from", description="when the brakes come on [s]")
    pitch: Angle = Field(default=0.0, description="by which the nose goes down, of a vehicle on rails [rad]")


class Vehicle(Table):
    """A vehicle that moves along a straight way with its front ahead."""

    name: Name = Field(default="vehicle", description="of its body; the surface of the first is front")
    front: Annotated[str | dict[str, Any], BeforeValidator(_front)] = Field(
        description="a ready front (small-car, sedan, suv, van, bus, tram), a file, or a table"
    )
    grades: Annotated[dict[str, str], BeforeValidator(_grades)] = Field(
        default_factory=dict, description="part -> soft, medium or stiff: its ready force-penetration curve"
    )
    friction: Ratio | None = Field(default=None, description="of all parts [-]; that of the front unless given")
    speed: Speed = Field(description="[m/s]")
    heading: Angle = Field(default=0.0, description="of its way, to the left about the vertical [rad]; 0 is along x")
    lateral: Length = Field(default=0.0, description="of its way to the left of the origin [m]")
    gap: Length | None = Field(
        default=None, description="from the front to the first that it meets, at the start [m]; just not touching"
    )
    position: Length | None = Field(
        default=None, description="of its foremost point along the way at the start [m], in place of gap"
    )
    mass: Annotated[float, number("mass", above=0.0, unbounded=True)] = Field(
        default=float("inf"), description="[kg]; inf is on rails: nothing slows it"
    )
    brake: Brake | None = Field(default=None)
    rule: Annotated[str, choice(tuple(RULES))] = Field(
        default="surface",
        description="of contact: with the drawn out surface, or line by line for motion in a plane: lines (along the "
        "normal of the line) or lines-nearest (the nearer tangent counts, as in the 2D paper)",
    )


#: fields of each kind of shape beside those that all have, as in vitruvian.model
SHAPES = {
    "ellipsoid": ("semi_axes", "points"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
    "cylinder": ("radius", "length"),
    "box": ("size",),
    "superellipsoid": ("semi_axes", "exponents"),
}


class Shape(Table):
    """A solid fixed to a body, which touches surfaces and other bodies; its length lies along its z axis."""

    kind: Annotated[str, choice(tuple(SHAPES))] = Field(default="ellipsoid")
    semi_axes: Point | None = Field(default=None, description="of an ellipsoid or superellipsoid [m]")
    radius: Length | None = Field(default=None, description="of a sphere, capsule or cylinder [m]")
    length: Length | None = Field(default=None, description="of a capsule (between its balls) or cylinder [m]")
    size: Point | None = Field(default=None, description="three full sides of a box [m]")
    points: Count | None = Field(
        default=None, description="of an ellipsoid: touches planes at so many points of its surface, not at the deepest"
    )
    exponents: tuple[Ratio, Ratio] | None = Field(default=None, description="of a superellipsoid [-]")
    offset: Point = Field(default=(0.0, 0.0, 0.0), description="of its centre from the centre of mass [m]")
    rotation: Rotation = Field(default=(1.0, 0.0, 0.0, 0.0), description="of its axes in the body frame")
    stiffness: Annotated[float, number("stiffness", unbounded=True)] = Field(
        default=float("inf"), description="of its tissue [N/m], linear; inf is rigid"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        every = dict.fromkeys(name for names in SHAPES.values() for name in names)
        for name in every:
            given, wanted = getattr(self, name) is not None, name in SHAPES[self.kind]
            if wanted and not given and name != "points":
                raise refuse(f"{WHERE}.{name} is missing; the shape {self.kind} needs {', '.join(SHAPES[self.kind])}.")
            if given and not wanted:
                raise refuse(
                    f"{WHERE}.{name} does not fit the shape {self.kind}; it takes {', '.join(SHAPES[self.kind])}."
                )
        return self

    def parameters(self) -> dict[str, Any]:
        """The fields of the shape in vitruvian.model, in SI."""
        names = (*SHAPES[self.kind], "offset", "rotation", "stiffness")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

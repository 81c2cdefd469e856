"""What can be written in a scenario: the one source of truth for its keys, units, defaults and errors.

Every quantity is in SI once it is read, so a scenario that is written out again holds SI numbers and means the same.
Names and meanings are those of `vitruvian.model` and `vitruvian.human`.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from ..errors import shown
from ..human import individual, load_measured, load_posture, measured, posture
from ..model.element import FILTERS
from ..model.system import GRAVITY
from ..signals.filter import RATE_PER_CLASS
from ..sim.result import HEAD_CRITERIA
from ..units import quantity, vector
from .mechanism import Body, Joint, Load, Sensor, Spring, TorsionSpring
from .quantities import Age, Angle, AngularVelocity, Frequency, Length, Mass, Percentile, Point, Time, Velocity
from .surroundings import BodyContact, SelfContact, Surface, Vehicle
from .value import (
    SOME,
    WHERE,
    Count,
    Flag,
    Name,
    Prose,
    Table,
    Text,
    Vector,
    choice,
    number,
    numbers,
    of_file,
    refuse,
    told,
    word,
)

SCHEMA = 1
METHODS = ("implicit", "semi-implicit-euler", "rk4", "dormand-prince")
#: [s], the end of a run that is to stop by itself
LONGEST = 10.0

# people


class Push(Table):
    """A velocity given to a group of segments at the start; the joints then make it fit, and the run says how far."""

    segments: tuple[Text, ...] = Field(description='names of the segments; "thigh" means both')
    velocity: Velocity = Field(default=(0.0, 0.0, 0.0), description="of their centres of mass [m/s]")
    angular_velocity: AngularVelocity | None = Field(
        default=None, description="of each of them [rad/s]; that of the body as one piece unless given"
    )


class Start(Table):
    """Where and how fast a person starts."""

    clearance: Length = Field(default=0.0, description="of the lowest point of the body from the first surface [m]")
    position: Annotated[tuple[float, float], numbers("length", 2)] = Field(
        default=(0.0, 0.0), description="x and y of the pelvis [m]"
    )
    heading: Angle = Field(default=0.0, description="turn to the left about the vertical [rad]; 0 looks along x")
    settle: Flag = Field(default=False, description="whether the ground carries the standing person at the start")
    velocity: Velocity = Field(default=(0.0, 0.0, 0.0), description="of the whole body [m/s]")
    angular_velocity: AngularVelocity = Field(default=(0.0, 0.0, 0.0), description="of the body as one piece [rad/s]")
    push: Annotated[tuple[Push, ...], SOME] = Field(
        default=(), description="velocities of groups of segments, in place of that of the whole body"
    )


def _posture(value: Any, info: ValidationInfo) -> Any:
    """The name of a ready posture as it is; a file or a table as a table of rotation vectors [rad]."""
    if isinstance(value, str) and not word(value).endswith(".toml"):
        told(posture, value, WHERE)
        return value
    if isinstance(value, str):
        held = of_file(load_posture, value, info)
    else:
        held = told(posture, value, WHERE)
    table: dict[str, Any] = {"name": held.name} | ({"description": held.description} if held.description else {})
    joints = {joint: list(rotation) for joint, rotation in held.rotations.items()}
    return table | {"orientation": list(held.orientation), "joints": joints}


def _measured(value: Any, info: ValidationInfo) -> Any:
    """The numbers of a measured person, from a file or a table, as a table in SI."""
    if isinstance(value, str):
        return of_file(load_measured, word(value), info).to_table()
    if not isinstance(value, dict):
        raise refuse(f"{WHERE} is {shown(value)}; expected the name of a TOML or CSV file, or a table.")
    return told(measured, value, WHERE).to_table()


def _individual(value: Any, info: ValidationInfo) -> Any:
    """Return the name of an individual as it is, and a file or a table as a table in SI."""
    if isinstance(value, str) and not word(value).endswith(".toml"):
        told(individual, value, WHERE)
        return value
    if isinstance(value, str):
        return of_file(individual, value, info).to_table()
    if not isinstance(value, dict):
        raise refuse(f"{WHERE} is {shown(value)}; expected human50, dummy50, the name of a TOML file, or a table.")
    return told(individual, value, WHERE).to_table()


class Added(Table):
    """What a segment carries: it changes mass, centre of mass and inertia, and has no surface of its own."""

    name: Text = Field(default="added mass", description="what it is")
    segment: Text = Field(description='that carries it; "foot" means both feet, each with the whole mass')
    mass: Annotated[float, number("mass", above=0.0)] = Field(description="[kg]")
    offset: Point = Field(
        default=(0.0, 0.0, 0.0),
        description="of its centre from that of the segment, in the axes of the segment [m]: x forward, y left, z up",
    )
    semi_axes: Annotated[tuple[float, float, float], numbers("length")] | None = Field(
        default=None, description="of the solid ellipsoid that it fills [m], for its own inertia"
    )
    inertia: Annotated[tuple[float, float, float], numbers("moment of inertia")] | None = Field(
        default=None, description="about its own centre [kg m2]; of the ellipsoid if left out, of a point without one"
    )


class Human(Table):
    """A person: height and mass, or sex, age and percentile, or a preset, or measured."""

    name: Name = Field(default="human", description="stands before the names of the segments unless it is human")
    model: Annotated[str, choice(("human17", "pedestrian11", "occupant12"))] = Field(
        default="human17",
        description="human17 (17 segments, 16 joints), pedestrian11 (planar, pairs of limbs as one) or occupant12 "
        "(12 bodies, 11 joints, after SOMLA)",
    )
    individual: Annotated[str | dict[str, Any] | None, BeforeValidator(_individual)] = Field(
        default=None,
        description="occupant12: human50, dummy50, a TOML file or a table; dummy50 with the joints silva-dummy, "
        "otherwise human50, unless given",
    )
    scaling: Text | None = Field(
        default=None, description="pedestrian11: build, which is the default, or segments (as in the 2D paper)"
    )
    height: Length | None = Field(default=None, description="standing [m]")
    mass: Mass | None = Field(default=None, description="of the body [kg]")
    sex: Text | None = Field(default=None, description="male, which is the default, or female")
    age: Age | None = Field(default=None, description="2 to 90 [years]; without one an adult")
    percentile: Percentile | None = Field(
        default=None,
        description="1 to 99, of stature and of mass where they are not given; needs an age, which alone means 50",
    )
    population: Text | None = Field(default=None, description="of the percentile: us, which is the default, or cz")
    preset: Text | None = Field(default=None, description="size of a crash-test dummy: 50M, 5F, 95M or 6YO")
    measured: Annotated[dict[str, Any] | None, BeforeValidator(_measured)] = Field(
        default=None, description="own lengths, masses, inertia and joint ranges: a TOML or CSV file, or a table"
    )
    added: Annotated[tuple[Added, ...], SOME] = Field(default=(), description="what the person carries")
    mass_law: Text = Field(default="by-age", description="by-age, zatsiorsky (regression, men) or fractions (adults)")
    geometry: Text = Field(default="build", description="build (cross-sections follow the mass) or height-only")
    inertia: Text = Field(
        default="ellipsoid",
        description="ellipsoid (solid), zatsiorsky (regression, men) or deleva (radii of gyration, adults)",
    )
    hinges: Text = Field(default="spherical", description="elbow, knee, ankle: spherical (narrow limits) or revolute")
    joints: Text = Field(
        default="recommended",
        description="resistance of the joints: recommended, thesis, thesis-corrected, silva, silva-dummy, or none; "
        "occupant12: silva, which is its default, silva-dummy or none",
    )
    flexibility: Text | None = Field(
        default=None,
        description="limits of the joints: reference, or by age and sex; by age where an age is given or sex is "
        "female; pedestrian11 also flexindex",
    )
    posture: Annotated[str | dict[str, Any], BeforeValidator(_posture)] = Field(
        default="standing", description="a ready posture, a file, or a table of orientation and joints"
    )
    start: Start = Field(default_factory=Start)
    self_contact: SelfContact = Field(
        default=False, description="whether its segments touch each other: true, a row of the surface table, or a table"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.model != "pedestrian11" and self.scaling is not None:
            raise refuse(f'{WHERE}.scaling does not fit the model {self.model}; it goes with model = "pedestrian11".')
        if self.model == "pedestrian11" and self.hinges != "spherical":
            raise refuse(f"{WHERE}.hinges does not fit the model pedestrian11, all of whose joints are hinges.")
        if self.model != "occupant12" and self.individual is not None:
            raise refuse(f'{WHERE}.individual does not fit the model {self.model}; it goes with model = "occupant12".')
        if self.model == "occupant12" and "joints" not in self.model_fields_set:
            object.__setattr__(self, "joints", "silva")
        return self


# the run


class Solver(Table):
    """How long and how exactly to simulate."""

    duration: Time | None = Field(default=None, description="[s]; without it stop must be given")
    stop: Text | None = Field(default=None, description='"at rest" or "<body> contact": ends the run earlier')
    method: Annotated[str, choice(METHODS)] = Field(default="implicit")
    tolerance: Annotated[float, number("dimensionless", above=0.0)] | None = Field(
        default=None, description="relative error of a step [-]"
    )
    step: Time | None = Field(default=None, description="of the methods with fixed step, first step of the others [s]")
    adaptive: Flag | None = Field(
        default=None, description="false: every step as long as step; as the method is, unless given"
    )
    max_step: Time | None = Field(default=None, description="longest step in flight [s]")
    contact_step: Time | None = Field(default=None, description="longest step while anything touches [s]")
    min_step: Time | None = Field(default=None, description="below which the run gives up [s]")
    max_steps: Count | None = Field(default=None)

    @model_validator(mode="after")
    def _has_an_end(self) -> Self:
        if self.stop is not None and self.stop != "at rest" and not self.stop.endswith(" contact"):
            raise refuse(
                f'{WHERE}.stop is {shown(self.stop)}; accepted: "at rest" or "<body> contact", as in "head contact".'
            )
        if self.duration is None:
            if self.stop is None:
                raise refuse(f'{WHERE}.duration is missing; give it ("1.5 s"), or a stop ("at rest").')
            object.__setattr__(self, "duration", LONGEST)
        return self


class Output(Table):
    """What is kept."""

    rate: Frequency = Field(default=10_000.0, description="of the sensors and load cells [Hz]")
    pose_rate: Frequency = Field(default=1_000.0, description="of poses, loads and energies [Hz]")
    criteria: tuple[Annotated[str, choice(tuple(HEAD_CRITERIA))], ...] = Field(
        default=("HIC15", "HIC36"), description="of every head, in the table of a run"
    )


def _gravity(value: Any) -> Any:
    """A vector, or a number that points down."""
    if isinstance(value, list | tuple):
        return told(vector, value, "acceleration", WHERE)
    return (0.0, 0.0, -told(quantity, value, "acceleration", WHERE))


def _version(value: Any) -> Any:
    if value != SCHEMA or not isinstance(value, int) or isinstance(value, bool):
        raise refuse(f"{WHERE} is {shown(value)}; this version of Vitruvian reads schema = {SCHEMA}.")
    return value


class ScenarioTable(Table):
    """A whole scenario."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Vitruvian scenario")

    version: Annotated[int, BeforeValidator(_version)] = Field(alias="schema")
    name: Name | None = Field(default=None, description="names the output folder; that of the file unless given")
    title: Prose = Field(default="")
    description: Prose = Field(default="")
    gravity: Annotated[Vector, BeforeValidator(_gravity)] = Field(
        default=GRAVITY, description="[m/s2]; a number points down"
    )
    human: Annotated[tuple[Human, ...], SOME] = Field(default=())
    vehicle: Annotated[tuple[Vehicle, ...], SOME] = Field(default=())
    surface: Annotated[tuple[Surface, ...], SOME] = Field(default=())
    contact: Annotated[tuple[BodyContact, ...], SOME] = Field(default=())
    body: Annotated[tuple[Body, ...], SOME] = Field(default=())
    joint: Annotated[tuple[Joint, ...], SOME] = Field(default=())
    spring: Annotated[tuple[Spring, ...], SOME] = Field(default=())
    torsion_spring: Annotated[tuple[TorsionSpring, ...], SOME] = Field(default=())
    load: Annotated[tuple[Load, ...], SOME] = Field(default=())
    sensor: Annotated[tuple[Sensor, ...], SOME] = Field(default=())
    solver: Solver
    output: Output = Field(default_factory=Output)

    @model_validator(mode="after")
    def _rate_carries_filters(self) -> Self:
        for row in self.sensor:
            need = RATE_PER_CLASS * (FILTERS[row.filter] or 0.0)
            if self.output.rate < need * (1.0 - 1e-6):
                raise refuse(
                    f"{WHERE}.sensor.{row.name}.filter is {shown(row.filter)}, which needs {need:g} samples per "
                    f"second; output.rate is {self.output.rate:g} Hz. Raise output.rate, or choose a lower class."
                )
        return self

    @model_validator(mode="after")
    def _has_bodies_with_names(self) -> Self:
        if not self.human and not self.body:
            raise refuse(f"{WHERE} has nobody and nothing to simulate; give a [human] or a [[body]].")
        for kind in (
            "human",
            "vehicle",
            "surface",
            "contact",
            "body",
            "joint",
            "spring",
            "torsion_spring",
            "load",
            "sensor",
        ):
            names = [row.name for row in getattr(self, kind)]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise refuse(f"{WHERE}.{kind}: the name {shown(twice)} is used twice; names must be unique.")
        return self

"""The keys of a scenario: which dataclass describes which table.

Every key is a field of a dataclass, of the model, people or surroundings where they own it, else here; a new table
needs a dataclass and a field of `ScenarioKeys` (CONTRIBUTING.md). Every quantity is in SI once it is read, so a
scenario that is written out again holds SI numbers and means the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import human, model
from ..data import surfaces
from ..errors import InputError, shown
from ..human import individual, load_measured, load_posture, measured, posture
from ..human.options import of_body
from ..human.pedestrian11 import SCALINGS
from ..human.placement import Start
from ..model import Contact
from ..model.element import FILTERS
from ..model.field import field_of
from ..model.flexible import BONES
from ..model.mode_choice import Modes, read_modes
from ..model.system import GRAVITY, Surface
from ..model.value import Choice, ListOf, Name, Of, Prose, ReadBy, Text
from ..signals.filter import RATE_PER_CLASS
from ..sim.solver import Solver
from ..sim.summary import HEAD_CRITERIA
from ..units import quantity, vector
from ..world.airbag import AirbagKeys
from ..world.belt import BeltKeys
from ..world.bicycle import Bicycle
from ..world.mesh import MeshFile
from ..world.pulse import Pulse
from ..world.seat import Seat
from ..world.sled import Sled
from ..world.surface import Slope
from ..world.vehicle import Drive
from . import mechanism, surroundings, time_series
from .definition import Changes, Row, Table, Variants, at, define, defined, of_file

SCHEMA = 1
#: [s], the end of a run that is to stop on its own
LONGEST = 10.0

# people


def _posture(value: Any, where: str, folder: Path) -> Any:
    """Return the name of a ready posture as it is; a file or a table as a table of rotation vectors [rad]."""
    if isinstance(value, str) and not Text().read(value, where).endswith(".toml"):
        posture(value, where)
        return value
    held = of_file(load_posture, value, where, folder) if isinstance(value, str) else posture(value, where)
    table: dict[str, Any] = {"name": held.name} | ({"description": held.description} if held.description else {})
    joints = {joint: list(rotation) for joint, rotation in held.rotations.items()}
    return table | {"orientation": list(held.orientation), "joints": joints}


def _measured(value: Any, where: str, folder: Path) -> Any:
    """Return the numbers of a measured person, from a file or a table, as a table in SI."""
    if isinstance(value, str):
        return of_file(load_measured, Text().read(value, where), where, folder).to_table()
    if not isinstance(value, dict):
        raise InputError(f"{where} is {shown(value)}; expected the name of a TOML or CSV file, or a table.")
    return measured(value, where).to_table()


def _individual(value: Any, where: str, folder: Path) -> Any:
    """Return the name of an individual as it is, and a file or a table as a table in SI."""
    if isinstance(value, str) and not Text().read(value, where).endswith(".toml"):
        individual(value, where)
        return value
    if isinstance(value, str):
        return of_file(individual, value, where, folder).to_table()
    if not isinstance(value, dict):
        raise InputError(f"{where} is {shown(value)}; expected human50, dummy50, the name of a TOML file, or a table.")
    return individual(value, where).to_table()


def _self_contact(value: Any, where: str, folder: Path) -> Any:
    return value if isinstance(value, bool) else Choice(surfaces).read(value, where)


@dataclass(frozen=True)
class HumanKeys(human.ToneKeys):
    """Keys of a person in a file beyond those of `human.Options`."""

    model: str = field_of(
        Choice(("human17", "pedestrian11", "occupant12")),
        "human17 (17 segments, 16 joints), pedestrian11 (planar, pairs of limbs as one) or occupant12 (12 bodies, 11 "
        "joints, after SOMLA, whose recommended joints are silva)",
        default="human17",
    )
    individual: Any = field_of(
        ReadBy(_individual),
        "occupant12: human50, dummy50, a TOML file or a table; dummy50 with the joints silva-dummy, otherwise human50, "
        "unless given",
        default=None,
    )
    scaling: str | None = field_of(
        Choice(SCALINGS), "pedestrian11: build, which is the default, or segments (as in the 2D paper)", default=None
    )
    measured: Any = field_of(
        ReadBy(_measured),
        "own lengths, masses, inertia and joint ranges: a TOML or CSV file, or a table",
        default=None,
    )
    posture: Any = field_of(
        ReadBy(_posture), "a ready posture, a file, or a table of orientation and joints", default="standing"
    )
    flexible: tuple[str, ...] = field_of(
        ListOf(Choice((*BONES, *(f"{side}_{bone}" for bone in BONES for side in ("left", "right"))))),
        "long bones that bend: thigh, shank, upper_arm, forearm (both sides), or left_shank",
        default=(),
    )
    modes: Modes = field_of(
        ReadBy(read_modes, ("integer", "array", "string")),
        'of each bone that bends: a number, a list as [1, 2, 5], those below "2 kHz", or with an error of "1 %"',
        default=6,
    )
    start: Start = field_of(Of(Start), "where and how fast the person starts", factory=Start)
    self_contact: Any = field_of(
        Of(Contact, word=ReadBy(_self_contact, ("boolean", "string"))),
        "whether its segments touch each other: true, a row of the surface table, or a table",
        default=False,
    )


def _checked_human(row: Row, where: str) -> Changes:
    if row.model != "pedestrian11" and row.scaling is not None:
        raise InputError(f'{where}.scaling does not fit the model {row.model}; it goes with model = "pedestrian11".')
    if row.model == "pedestrian11" and row.hinges != "spherical":
        raise InputError(f"{where}.hinges does not fit the model pedestrian11, all of whose joints are hinges.")
    if row.model != "occupant12" and row.individual is not None:
        raise InputError(f'{where}.individual does not fit the model {row.model}; it goes with model = "occupant12".')
    if row.model != "human17" and not isinstance(row.tissue, str | None):
        raise InputError(f'{where}.tissue does not fit the model {row.model}; own values go with model = "human17".')
    made = of_body(row.body, row.joints, row.tissue, row.axial, row.mass_law)
    if row.model != "human17":
        made |= {"tissue": "linear-1", "axial": "rigid"}
    if row.model == "occupant12" and row.joints == "recommended":
        made["joints"] = "silva"
    return made


# the run


@dataclass(frozen=True)
class Run:
    """How long and how exactly to simulate."""

    duration: float | None = field_of(
        "time", "without it stop must be given", default=None, above=0.0, drag=("s", 0.05, 5, 0.05)
    )
    stop: str | None = field_of(Text(), '"at rest" or "<body> contact": ends the run earlier', default=None)


def _checked_run(row: Row, where: str) -> Changes:
    if row.stop is not None and row.stop != "at rest" and not row.stop.endswith(" contact"):
        raise InputError(
            f'{where}.stop is {shown(row.stop)}; accepted: "at rest" or "<body> contact", as in "head contact".'
        )
    if row.duration is not None:
        return None
    if row.stop is None:
        raise InputError(f'{where}.duration is missing; give it ("1.5 s"), or a stop ("at rest").')
    return {"duration": LONGEST}


@dataclass(frozen=True)
class Output:
    """Samples that a run keeps."""

    rate: float = field_of("frequency", "of the sensors and load cells", default=10_000.0, above=0.0, at_most=1e7)
    pose_rate: float = field_of("frequency", "of poses, loads and energies", default=1_000.0, above=0.0, at_most=1e7)
    criteria: tuple[str, ...] = field_of(
        ListOf(Choice(tuple(HEAD_CRITERIA))), "of every head, in the table of a run", default=("HIC15", "HIC36")
    )


# the file


def _gravity(value: Any, where: str, folder: Path) -> Any:
    """Return a vector, or a number that points down as one."""
    if isinstance(value, list | tuple):
        return vector(value, "acceleration", where)
    return (0.0, 0.0, -quantity(value, "acceleration", where))


def _version(value: Any, where: str, folder: Path) -> Any:
    if value != SCHEMA or not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{where} is {shown(value)}; this version of Vitruvian reads schema = {SCHEMA}.")
    return value


def _several(of: Any, doc: str) -> Any:
    return field_of(Of(of, several=True), doc, default=())


@dataclass(frozen=True, kw_only=True)
class ScenarioKeys:
    """A whole scenario."""

    version: int = field_of(ReadBy(_version, ("integer",)), f"of the language: {SCHEMA}", key="schema")
    name: str | None = field_of(Name(), "names the output folder; that of the file unless given", default=None)
    title: str = field_of(Prose(), "one line on what is simulated", default="")
    description: str = field_of(Prose(), "a paragraph on it", default="")
    gravity: tuple[float, float, float] = field_of(
        ReadBy(_gravity, ("array", "number", "string")), "a number points down [m/s2]", default=GRAVITY
    )
    human: tuple[Any, ...] = _several(human.Options, "people")
    vehicle: tuple[Any, ...] = _several(Drive, "vehicles")
    sled: Any = field_of(Of(Sled), "sled that carries seats and surfaces", default=None)
    seat: tuple[Any, ...] = _several(Seat, "seats of the sled, or of the world")
    bicycle: tuple[Any, ...] = _several(Bicycle, "bicycles under people")
    surface: tuple[Any, ...] = _several(Surface, "surfaces that bodies touch")
    contact: tuple[Any, ...] = _several(surroundings.BodyContactKeys, "contacts of bodies with each other")
    body: tuple[Any, ...] = _several(model.Body, "rigid bodies")
    joint: tuple[Any, ...] = _several(model.Joint, "joints of bodies")
    loop: tuple[Any, ...] = _several(model.Loop, "joints that close loops")
    spring: tuple[Any, ...] = _several(model.SpringDamper, "springs, dampers and actuators")
    belt: tuple[Any, ...] = _several(model.Belt, "seat belts and other webbing")
    muscle: tuple[Any, ...] = _several(model.Muscle, "muscles along lines")
    airbag: tuple[Any, ...] = _several(model.Airbag, "airbags")
    torsion_spring: tuple[Any, ...] = _several(model.TorsionSpring, "springs at joints")
    load: tuple[Any, ...] = _several(model.Load, "external forces and moments")
    sensor: tuple[Any, ...] = _several(model.Sensor, "sensors")
    solver: Any = field_of(Of(Run), "how long and how exactly to simulate")
    output: Output = field_of(Of(Output), "what is kept", factory=Output)


def _rate_carries_filters(row: Row, where: str) -> Changes:
    for sensor in row.sensor:
        need = RATE_PER_CLASS * (FILTERS[sensor.filter] or 0.0)
        if row.output.rate < need * (1.0 - 1e-6):
            raise InputError(
                f"sensor.{sensor.name}.filter is {shown(sensor.filter)}, which needs {need:g} samples per second; "
                f"output.rate is {row.output.rate:g} Hz. Raise output.rate, or choose a lower class."
            )
    return None


def _has_bodies_with_names(row: Row, where: str) -> Changes:
    if not row.human and not row.body:
        raise InputError("the scenario has no person and no body to simulate; give a [human] or a [[body]].")
    for kind, rows in vars(row).items():
        names = [item.name for item in rows if isinstance(item, Row)] if isinstance(rows, tuple) else []
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"{at(where, kind)}: the name {shown(twice)} is used twice; names must be unique.")
    return None


define(model.Table, mechanism.TimeKeys, name="Function", before=time_series.from_file)
define(model.Muscle, after=(mechanism.checked_muscle,))
define(model.Contact, surroundings.ContactKeys, before=surroundings.from_base, after=(surroundings.checked_contact,))
define(surroundings.BodyContactKeys, name="BodyContact")
define(model.Body, mechanism.BodyKeys, after=(mechanism.checked_body,))
define(model.Joint, mechanism.JointKeys, after=(mechanism.checked_joint,))
define(model.Loop, mechanism.LoopKeys, after=(mechanism.checked_loop,))
define(model.SpringDamper, name="Spring", after=(mechanism.checked_spring,))
define(model.Belt, BeltKeys, after=(surroundings.checked_belt,))
define(model.Airbag, AirbagKeys)
define(model.TorsionSpring, after=(mechanism.checked_torsion_spring,))
define(model.Load, after=(mechanism.checked_load,))
define(human.Options, HumanKeys, name="Human", after=(_checked_human,))
define(Drive, surroundings.VehicleKeys, name="Vehicle")
defined(Pulse, surroundings.PULSE)
define(Sled, after=(surroundings.checked_sled,))
define(Run, Solver, name="Solver", after=(_checked_run,))
SHAPES = Variants(
    "kind",
    "of solid",
    "shape",
    {
        "ellipsoid": (model.Ellipsoid,),
        "sphere": (model.Sphere,),
        "capsule": (model.Capsule,),
        "cylinder": (model.Cylinder,),
        "box": (model.Box,),
        "superellipsoid": (model.Superellipsoid,),
    },
    name="Shape",
    doc="A solid fixed to a body, which touches surfaces and other bodies; its length lies along its z axis.",
)
SURFACES = Variants(
    "shape",
    "a half-space, a flat polygon, a profile drawn out along y, the lines of a profile for motion in a plane, or a "
    "mesh from a file",
    "shape",
    {
        "plane": (model.Plane, Slope),
        "facet": (model.Facet,),
        "profile": (model.Extrusion, surroundings.PartKeys),
        "lines": (model.Lines, surroundings.PartKeys),
        "mesh": (MeshFile, model.Mesh),
    },
    surroundings.ContactKey,
    name="Surface",
    doc="A surface fixed in the world, or carried by a body, in whose frame its places are then given.",
    after=(surroundings.checked_surface,),
)
defined(model.Shape, SHAPES)
defined(Surface, SURFACES)
SCENARIO = define(ScenarioKeys, name="Scenario", after=(_rate_carries_filters, _has_bodies_with_names))


def tables() -> tuple[Table, ...]:
    """Return all tables of a scenario, the whole one first."""
    return tuple(dict.fromkeys((SCENARIO, *SCENARIO.inner())))


def json_schema() -> dict[str, Any]:
    """Return what can be written as JSON Schema, for editors that check and complete TOML files."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Vitruvian scenario",
        **SCENARIO.definition(),
        "$defs": {table.name: table.definition() for table in tables()[1:]},
    }


def unit_of(path: str) -> str:
    """Return the unit of a number of a scenario by its path, as in "vehicle.speed"; "" without a unit."""
    whole = json_schema()
    shapes = _forms(whole, whole)
    for part in path.split("."):
        found = [shape["properties"][part] for shape in shapes if part in shape.get("properties", {})]
        if found:  # otherwise the name of a row, as in surface.ground.contact
            shapes = [form for shape in found for form in _forms(shape, whole)]
    unit = next((shape["x-unit"] for shape in shapes if "x-unit" in shape), "-")
    return "" if unit == "-" else unit


def _forms(shape: dict[str, Any], whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a schema and all that it stands for: references, alternatives, members of lists."""
    inner = [whole["$defs"][shape["$ref"].rpartition("/")[2]]] if "$ref" in shape else []
    inner += [*shape.get("anyOf", ()), *([shape["items"]] if isinstance(shape.get("items"), dict) else [])]
    return [shape, *(form for one in inner for form in _forms(one, whole))]

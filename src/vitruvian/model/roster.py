"""The roster: who and what takes part in a scene, and which body, joint and sensor belongs to whom. SI units.

Nothing else finds a person's head or a vehicle's front by looking at names. A body, joint or sensor
without an owner has its own name as its role: a headform that a user calls "head" is a head.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .system import Surface as ModelSurface
    from .system import System

Vector = tuple[float, float, float]


class Part(NamedTuple):
    """A region of the body, and its side: "left", "right", or "" in the midline and for both limbs in one."""

    region: str
    side: str


def _parts(midline: str, paired: str) -> dict[str, Part]:
    found = {word: Part(word, "") for word in f"{midline} {paired}".split()}
    return found | {f"{side}_{word}": Part(word, side) for word in paired.split() for side in ("left", "right")}


#: role of a person's segment or joint -> region and side
SEGMENTS = _parts("pelvis abdomen thorax neck head", "upper_arm forearm hand thigh shank foot")
JOINTS = _parts("lumbar thoracolumbar lower_neck upper_neck", "shoulder elbow wrist hip knee ankle")
_NO_PART = Part("", "")


@dataclass(frozen=True)
class Participant:
    """A person of a scene: who it is, how it was made, and the names of its parts.

    name           "human", "anna"
    age            [years]; None is an adult whose age is not given
    height, mass   [m], [kg], without what the person carries
    by_percentile  True if height or mass follow from a percentile of a population
    preset         size of a crash-test dummy, "" if none was named
    mass_law, joint_set, flexibility  of the segments and joints, as `human` takes them; "" if joints turn freely
    posture        its name, "" for one of its own
    clearance, velocity, angular_velocity  at the start: height above the ground [m], [m/s], [rad/s]; None if unknown
    segments, joints, sensors  role -> name of the body, joint or sensor: "left_thigh" -> "anna.left_thigh"
    links          further bodies of the person: links of springs along the body, wobbling masses, stations of bones
    """

    name: str
    sex: str
    age: float | None
    height: float
    mass: float
    by_percentile: bool = False
    percentile: float | None = None
    preset: str = ""
    mass_law: str = ""
    joint_set: str = ""
    flexibility: str = ""
    posture: str = ""
    clearance: float | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    segments: dict[str, str] = field(default_factory=dict, repr=False)
    joints: dict[str, str] = field(default_factory=dict, repr=False)
    sensors: dict[str, str] = field(default_factory=dict, repr=False)
    links: tuple[str, ...] = field(default=(), repr=False)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Return the names of all bodies whose mass is part of the person: segments and links."""
        return (*self.segments.values(), *self.links)

    @property
    def prefix(self) -> str:
        """Return what the names of the person's channels start with: "" or "anna."."""
        return "" if self.name == "human" else f"{self.name}."

    def segment(self, role: str) -> str:
        """Return the body with a role: "head", "left_thigh"."""
        return self.segments[role]

    def joint(self, role: str) -> str:
        """Return the joint with a role: "left_knee"."""
        return self.joints[role]


@dataclass(frozen=True)
class Vehicle:
    """A vehicle of a scene.

    body, surface  names of its body and of the surface of its front
    sides          names of the surfaces of its side strips
    front          name of the shape of its front
    speed          at the start [m/s]
    heading        to the left about the vertical [rad]; 0 is along x
    mass           [kg]; None is on rails
    deceleration   of its brakes [m/s2]; None if it does not brake
    profile        corners (x, z) of its front [m], from below, upwards and back
    """

    name: str
    body: str
    surface: str
    front: str
    speed: float
    heading: float = 0.0
    mass: float | None = None
    deceleration: float | None = None
    profile: tuple[tuple[float, float], ...] = field(default=(), repr=False)
    sides: tuple[str, ...] = ()

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return the names of all its surfaces, that of the front first."""
        return (self.surface, *self.sides)


@dataclass(frozen=True)
class Surface:
    """A surface of a scene.

    shape    "plane", "extrusion", "facet", ...
    material its name in the table of surfaces, "" if its law was given by numbers
    law      of its contact, "" if its parts have different ones
    carrier  name of the body that carries it, "" for the world
    parts    name of a part in pairs and events -> its own name: "front.bumper" -> "bumper"
    properties  of a law that was given by numbers, in words; "" for a material, or if its parts have different laws
    """

    name: str
    shape: str = "plane"
    material: str = ""
    law: str = ""
    carrier: str = ""
    parts: dict[str, str] = field(default_factory=dict, repr=False)
    properties: str = ""

    @classmethod
    def of(cls, surface: ModelSurface, material: str = "") -> Surface:
        """Return the entry of a surface of the model."""
        names = getattr(surface, "parts", (surface.name,))
        labels = getattr(surface, "labels", (surface.name,))
        shape, law = type(surface).__name__.lower(), getattr(surface.contact, "law", "")
        parts = dict(zip(labels, names, strict=True))
        properties = "" if material else getattr(surface.contact, "words", "")
        return cls(surface.name, shape, material, law, surface.carrier or "", parts, properties)


class Sensor(NamedTuple):
    """A sensor of a scene and the body that carries it."""

    name: str
    body: str


@dataclass(frozen=True)
class Roster:
    """People, vehicles, surfaces and sensors of a scene."""

    people: tuple[Participant, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    sensors: tuple[Sensor, ...] = ()

    @classmethod
    def of(cls, system: System) -> Roster:
        """Return the roster of a system, with all of its surfaces and sensors."""
        known = {surface.name: surface for surface in system.roster.surfaces}
        return cls(
            system.roster.people,
            system.roster.vehicles,
            tuple(known.get(surface.name) or Surface.of(surface) for surface in system.surfaces),
            tuple(Sensor(sensor.name, sensor.body) for sensor in system.sensors),
        )

    def merged(self, other: Roster) -> Roster:
        """Return the roster of two scenes in one."""
        return Roster(*(getattr(self, item.name) + getattr(other, item.name) for item in fields(self)))

    # bodies and sensors

    @cached_property
    def _members(self) -> dict[str, tuple[str, str]]:
        """Name of a body or sensor -> owner and role; a body goes before a sensor of its name."""
        found: dict[str, tuple[str, str]] = {}
        for person in self.people:
            found |= {name: (person.name, name.removeprefix(person.prefix)) for name in person.links}
            found |= {name: (person.name, role) for role, name in person.sensors.items()}
            found |= {name: (person.name, role) for role, name in person.segments.items()}
        return found | {vehicle.body: (vehicle.name, "vehicle") for vehicle in self.vehicles}

    def owner(self, body: str) -> str:
        """Return the name of the person or vehicle that a body or sensor belongs to; "" if it has no owner."""
        return self._members.get(body, ("", ""))[0]

    def role(self, body: str) -> str:
        """Return what a body or sensor is to its owner: "head", "left_thigh", "vehicle"; its name without an owner."""
        return self._members.get(body, ("", body))[1]

    def part(self, body: str) -> Part:
        """Return the region and side of a segment, both "" for a body that is no segment of a person."""
        return SEGMENTS.get(self.role(body), _NO_PART)

    def segments(self, bodies: tuple[str, ...]) -> list[int]:
        """Return the places of those bodies that are segments of people."""
        return [place for place, name in enumerate(bodies) if self.role(name) in SEGMENTS]

    def both_sides(self, one: str, other: str) -> str:
        """Return the name of a left and a right body of one person together; "" for two other bodies."""
        side, _, region = self.role(one).partition("_")
        opposite, _, same = self.role(other).partition("_")
        owner = self.owner(one)
        if not owner or region != same or owner != self.owner(other) or {side, opposite} != {"left", "right"}:
            return ""
        return f"{self._prefixes.get(owner, '')}left_/right_{region}"

    # joints

    @cached_property
    def _prefixes(self) -> dict[str, str]:
        return {person.name: person.prefix for person in self.people}

    @cached_property
    def _joints(self) -> dict[str, tuple[str, str]]:
        return {name: (person.name, role) for person in self.people for role, name in person.joints.items()}

    def joint_role(self, joint: str) -> str:
        """Return what a joint is to its owner: "left_knee"; its own name if it has no owner."""
        return self._joints.get(joint, ("", joint))[1]

    def joint_part(self, joint: str) -> Part:
        """Return the region and side of a joint, both "" for a joint that is none of a person's."""
        return JOINTS.get(self.joint_role(joint), _NO_PART)

    def joints_by_role(self, joints: tuple[str, ...]) -> dict[str, dict[str, str]]:
        """Return role -> joint for each prefix of channels: "" or "anna."; joints without an owner are under ""."""
        found: dict[str, dict[str, str]] = {}
        for joint in joints:
            owner, role = self._joints.get(joint, ("", joint))
            found.setdefault(self._prefixes.get(owner, ""), {})[role] = joint
        return found

    # surfaces

    @cached_property
    def _labels(self) -> dict[str, tuple[str, str]]:
        return {label: (item.name, part) for item in self.surfaces for label, part in item.parts.items()}

    def surface(self, label: str) -> str:
        """Return the surface that the other side of a pair or event belongs to; the label itself for a body."""
        return self._labels.get(label, (label, ""))[0]

    def surface_part(self, label: str) -> str:
        """Return the part of a surface that a label of a pair or event names: "bumper"."""
        return self._labels.get(label, ("", label))[1]

    def labels(self, *surfaces: str) -> set[str]:
        """Return the labels of all parts of some surfaces in pairs and events."""
        return {label for label, (name, _) in self._labels.items() if name in surfaces}

    # files

    def to_dict(self) -> dict[str, Any]:
        """Return the roster as plain values that JSON can hold."""
        return asdict(self) | {"sensors": [sensor._asdict() for sensor in self.sensors]}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Roster:
        """Return the roster of `to_dict`; values of the wrong kind raise TypeError, KeyError or ValueError."""
        kinds: dict[str, Any] = {"people": Participant, "vehicles": Vehicle, "surfaces": Surface, "sensors": Sensor}
        rows = {name: tuple(kind(**_frozen(row)) for row in given[name]) for name, kind in kinds.items()}
        if set(given) != set(kinds):
            raise ValueError(f"it holds {', '.join(given)}; expected {', '.join(kinds)}")
        return cls(**rows)


def _frozen(value: Any) -> Any:
    """Return a value of JSON with tuples instead of lists."""
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value

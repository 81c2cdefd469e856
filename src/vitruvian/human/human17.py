"""A person: 17 segments, 16 joints, masses, sizes, inertia and joint resistance. SI units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError
from ..model import Body, Ellipsoid, Joint, Resistance, Sensor, System, frame_with_z
from ..units import STANDARD_GRAVITY
from . import segment_size as size
from .added import Added, loaded
from .anthropometry import checked_word
from .dimensions import Dimensions, dimensions
from .flexibility import REFERENCE_AGE
from .individual import Individual
from .mass import MASS_LAWS, SegmentMass, count
from .measured import Measured
from .mirror import mirrored_name, mirrored_point, mirrored_resistance
from .options import FLEXIBILITIES, HINGES, WHO, Options
from .participant import enrolled, participant
from .person import Person, person
from .proportion import ADULT_AGE
from .resistance import JOINT_SETS, SCALED_SETS, aged, hinge_resistance, joint_resistance, printed, ranged

Vector = tuple[float, float, float]

REGRESSION_HEIGHT = (1.60, 1.95)  # [m], where the inertia regression holds
REGRESSION_MASS = (60.0, 100.0)  # [kg]

SENSORS = ("head", "thorax", "pelvis")  # at the centre of mass of the segment
SPINE_SENSORS = {"T1": "lower_neck", "T12": "thoracolumbar"}  # on the thorax, at that joint
AXES: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Human:
    """A person, ready to be put into a scene.

    system          bodies, joints and sensors; the root joint is free and carries the pelvis
    person          who it is: height, mass, sex, age, and where they come from
    dimensions      masses, sizes, places and inertia of the segments, without what the person carries
    added           what the person carries
    measured        what was measured on the person
    individual      tables of an occupant12 at the size of the person; None for the other models
    flexibility     limits of the joints as in the "reference" or by "age"
    """

    name: str
    person: Person
    dimensions: Dimensions = field(repr=False)
    hinges: str
    joints: str | None
    flexibility: str
    system: System = field(repr=False)
    added: tuple[Added, ...] = ()
    measured: Measured | None = field(default=None, repr=False)
    individual: Individual | None = field(default=None, repr=False)

    @property
    def height(self) -> float:
        """Standing [m]."""
        return self.person.height

    @property
    def mass(self) -> float:
        """Of the body, without what the person carries [kg]."""
        return self.person.mass

    @property
    def sex(self) -> str:
        """The sex, "male" or "female"."""
        return self.person.sex

    @property
    def age(self) -> float | None:
        """[years]; None is an adult of no particular age."""
        return self.person.age

    @property
    def mass_remainder(self) -> float:
        """What the segment masses of the law lacked (negative: had too much) to the mass of the body [kg].

        It was distributed in proportion.
        """
        return self.dimensions.mass_remainder

    @property
    def prefix(self) -> str:
        """What stands before the names of this person's bodies, joints and sensors: "" or "anna."."""
        return name_prefix(self.name)

    @property
    def segments(self) -> tuple[str, ...]:
        """The names of the segments, without prefix, in the order of the bodies."""
        return tuple(body.name.removeprefix(self.prefix) for body in self.system.bodies)

    def mass_table(self) -> tuple[SegmentMass, ...]:
        """Segment, how many, mass by the law and mass in the model [kg]; paired segments in one row."""
        return self.dimensions.mass_table()


def human(height: float | str | None = None, mass: float | str | None = None, **options: Any) -> Human:
    """A person: human(1.80, 80), human(sex="female", age=35, percentile=5) or human(preset="5F").

    height   standing [m], or text with a unit: "180 cm"
    mass     [kg]
    options  fields of `vitruvian.human.Options`: sex, age, percentile, population, preset, measured, added, mass_law,
             geometry, inertia, hinges, joints, flexibility, name. The joints None turn freely, as "none" does.
    """
    given = Options(height, mass, **options)
    name, measured, added = given.name, given.measured, given.added
    joints = None if given.joints == "none" else given.joints
    where = "human." if name == "human" else f"human {name!r}: "
    if not name or "." in name:
        raise InputError(f"human.name is {name!r}; expected a word without a dot.")
    who = person(**{key: getattr(given, key) for key in WHO if key != "added"}, where=where)
    checked_word(given.mass_law, MASS_LAWS, f"{where}mass_law")
    checked_word(given.geometry, size.GEOMETRY_LAWS, f"{where}geometry")
    checked_word(given.inertia, size.INERTIA_LAWS, f"{where}inertia")
    checked_word(given.hinges, HINGES, f"{where}hinges")
    if joints is not None:
        checked_word(joints, JOINT_SETS, f"{where}joints")
    _check_laws(who, given.mass_law, given.inertia, where)
    flexibility = _flexibility(given.flexibility, who, joints, where)
    ranges = {} if measured is None else measured.ranges
    if ranges and joints not in SCALED_SETS:
        raise InputError(
            f"{where}measured has joint ranges; they need the joints {' or '.join(SCALED_SETS)}, not {joints!r}."
        )

    sized = dimensions(
        who.height,
        who.mass,
        who.sex,
        who.age,
        mass_law=given.mass_law,
        geometry=given.geometry,
        inertia=given.inertia,
        measured=measured,
    )
    prefix = name_prefix(name)
    tree = data.tree("human17")
    root = Joint(f"{prefix}root", "free", None, prefix + tree["root"])
    weights = holding_torques(tree["joint"], sized)
    built = [_joint(row, sized, joints, weights[row["name"]]) for row in tree["joint"]]
    if flexibility == "age":
        years = REFERENCE_AGE if who.age is None else who.age
        built = [_aged(joint, row["name"], years, who.sex) for joint, row in zip(built, tree["joint"], strict=True)]
    built = [_ranged(joint, ranges.get(row["name"], {})) for joint, row in zip(built, tree["joint"], strict=True)]
    sided = [(joint, row.get("paired", False)) for joint, row in zip(built, tree["joint"], strict=True)]
    limbs = list(both_sides(sided, joints == "thesis"))
    if given.hinges == "revolute":
        axes_of = {row["child"]: row["hinge"] for row in tree["joint"] if "hinge" in row}
        limbs = [
            hinged(joint, axes_of[plain_name(joint.child)]) if plain_name(joint.child) in axes_of else joint
            for joint in limbs
        ]
    places = {joint.name: joint for joint in built}
    spine = {
        sensor: places[joint].point_parent if places[joint].parent == "thorax" else places[joint].point_child
        for sensor, joint in SPINE_SENSORS.items()
    }
    system = System(
        bodies=tuple(
            Body(prefix + body, m, sized.moments[segment], (_ellipsoid(segment, sized.semi_axes[segment]),))
            for segment, m in sized.masses.items()
            for body in sides(segment)
        ),
        joints=(root, *(prefixed(joint, prefix) for joint in limbs)),
        sensors=(
            *(Sensor(prefix + segment, prefix + segment) for segment in SENSORS),
            *(Sensor(prefix + sensor, f"{prefix}thorax", point) for sensor, point in spine.items()),
        ),
    )
    return Human(
        name=name,
        person=who,
        dimensions=sized,
        hinges=given.hinges,
        joints=joints,
        flexibility=flexibility,
        system=enrolled(
            loaded(system, added, prefix, f"{where}added"), participant(name, who, given.mass_law, joints, flexibility)
        ),
        added=tuple(added),
        measured=measured,
    )


# the parts


def _ellipsoid(segment: str, axes: Vector) -> Ellipsoid:
    return Ellipsoid(axes, stiffness=data.values("tissue")[segment]["stiffness"])


def _joint(row: dict[str, Any], sized: Dimensions, joints: str | None, weight: float) -> Joint:
    """A midline or right joint."""
    name, parent, child = row["name"], row["parent"], row["child"]
    place = np.array(sized.place[name])
    point_parent = place - sized.centre[parent]
    point_child = place - sized.centre[child]
    resistance: Resistance | None = None
    if joints is not None:
        resistance = joint_resistance(name, sized.height, sized.mass, row["law"], joints, weight=weight)
    side = "right_" if row.get("paired") else ""
    return Joint(
        name=side + name,
        type="spherical",
        parent=(side if count(parent) == 2 else "") + parent,
        child=side + child,
        point_parent=tuple(point_parent.tolist()),
        point_child=tuple(point_child.tolist()),
        resistance=resistance,
    )


def _ranged(joint: Joint, ranges: Mapping[str, float]) -> Joint:
    """The joint with measured ends of its range: movement -> angle [rad]."""
    if not ranges:
        return joint
    return replace(joint, resistance=joint.resistance and ranged(joint.resistance, plain_name(joint.name), ranges))


def _aged(joint: Joint, name: str, age: float, sex: str) -> Joint:
    """The joint with its limits at an age [years]."""
    return replace(joint, resistance=joint.resistance and aged(joint.resistance, name, age, sex))


def hinged(joint: Joint, axis: str) -> Joint:
    """The same joint as a revolute joint; its angle turns about that axis of the body by the right-hand rule."""
    frame = frame_with_z(AXES[axis])
    resistance = joint.resistance and hinge_resistance(joint.resistance, axis)
    return Joint(
        joint.name,
        "revolute",
        joint.parent,
        joint.child,
        joint.point_parent,
        joint.point_child,
        frame,
        frame,
        resistance,
    )


def holding_torques(tree: list[dict[str, Any]], sized: Dimensions) -> dict[str, float]:
    """Torque of the weight beyond each joint of the tree, the body stretched out level [N m]."""

    def beyond(segment: str) -> Iterator[str]:
        yield segment
        for row in tree:
            if row["parent"] == segment:
                yield from beyond(row["child"])

    found = {}
    for row in tree:
        place, single = np.array(sized.place[row["name"]]), row.get("paired", False)
        moment = np.zeros(3)
        for segment in beyond(row["child"]):
            number = 1 if single else count(segment)
            moment += number * sized.masses[segment] * (np.array(sized.centre[segment]) - place)
        found[row["name"]] = STANDARD_GRAVITY * abs(float(moment[2]))
    return found


def both_sides(joints: list[tuple[Joint, bool]], as_printed: bool) -> Iterator[Joint]:
    """Midline joints once, then the left and the right of each paired one; the left limits as a table prints them."""
    for joint, paired in joints:
        if paired:
            left = _mirrored(joint)
            if as_printed and left.resistance is not None:
                left = replace(left, resistance=printed(left.name, left.resistance))
            yield left
        yield joint


def _mirrored(joint: Joint) -> Joint:
    """The left joint of a right one."""
    return Joint(
        name=mirrored_name(joint.name),
        type=joint.type,
        parent=joint.parent and mirrored_name(joint.parent),
        child=mirrored_name(joint.child),
        point_parent=mirrored_point(joint.point_parent),
        point_child=mirrored_point(joint.point_child),
        frame_parent=joint.frame_parent,
        frame_child=joint.frame_child,
        resistance=joint.resistance and mirrored_resistance(joint.resistance),
    )


def prefixed(joint: Joint, prefix: str) -> Joint:
    """Return the joint with a prefix before its names."""
    return replace(joint, name=prefix + joint.name, parent=prefix + (joint.parent or ""), child=prefix + joint.child)


def sides(segment: str) -> tuple[str, ...]:
    """Return the names of the bodies of a segment: left and right, or the midline one."""
    return (f"left_{segment}", f"right_{segment}") if count(segment) == 2 else (segment,)


def plain_name(name: str) -> str:
    """A name without its side."""
    return name.removeprefix("left_").removeprefix("right_")


def name_prefix(name: str) -> str:
    """Return what stands before the names of a person's bodies and joints."""
    return "" if name == "human" else f"{name}."


# checks


def _check_laws(who: Person, mass_law: str, inertia: str, where: str) -> None:
    """Refuses laws that were not found on people of this kind."""
    child = who.age is not None and who.age < ADULT_AGE
    if child and mass_law != "by-age":
        raise InputError(
            f'{where}mass_law is "{mass_law}", a law of adults, and the person is {who.age:g} years old; use "by-age".'
        )
    if who.sex == "female" and mass_law == "zatsiorsky":
        raise InputError(
            f'{where}mass_law is "zatsiorsky", the regression of men; that of women rests on 15 people and gives '
            'negative feet. Use "by-age" or "fractions".'
        )
    if child and inertia == "deleva":
        raise InputError(
            f'{where}inertia is "deleva", radii of gyration of adults, and the person is {who.age:g} years old; use '
            '"ellipsoid".'
        )
    if inertia != "zatsiorsky":
        return
    (short, tall), (light, heavy) = REGRESSION_HEIGHT, REGRESSION_MASS
    if child or who.sex == "female" or not (short <= who.height <= tall and light <= who.mass <= heavy):
        whom = "a child" if child else "a woman" if who.sex == "female" else "this body"
        raise InputError(
            f'{where}inertia is "zatsiorsky", a regression that holds for men from {short:.2f} m to {tall:.2f} m '
            f"and {light:g} kg to {heavy:g} kg; "
            f'{whom} has {who.height:.4g} m and {who.mass:.4g} kg. Use inertia = "ellipsoid".'
        )


def _flexibility(given: str | None, who: Person, joints: str | None, where: str) -> str:
    """ "reference" or "age"."""
    if given is None:
        return "age" if joints in SCALED_SETS and (who.age is not None or who.sex == "female") else "reference"
    checked_word(given, FLEXIBILITIES, f"{where}flexibility")
    if given == "age" and (who.age is None or joints not in SCALED_SETS):
        raise InputError(
            f'{where}flexibility is "age"; it needs an age and the joints recommended or thesis-corrected, '
            f"not age {who.age} and joints {joints!r}."
        )
    return given

"""A person from height and mass: 17 segments, 16 joints, masses, sizes, inertia and joint resistance. SI units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError, nearest
from ..model import Body, Ellipsoid, Joint, Resistance, Sensor, System, frame_with_z
from ..units import STANDARD_GRAVITY, quantity
from . import geometry as size
from .mass import MASS_LAWS, SegmentMass, count, segment_masses, total
from .mirror import mirrored_name, mirrored_point, mirrored_resistance
from .resistance import JOINT_SETS, aged, hinge_resistance, joint_resistance, printed

Vector = tuple[float, float, float]

HEIGHT_RANGE = (1.45, 2.10)  # [m], adults; the mass regression is not to be used below
MASS_RANGE = (40.0, 160.0)  # [kg]
BMI_RANGE = (15.0, 45.0)  # [kg/m2]
AGE_RANGE = (18.0, 64.0)  # [years]
REGRESSION_HEIGHT = (1.60, 1.95)  # [m], where the inertia regression holds
REGRESSION_MASS = (60.0, 100.0)  # [kg]

HINGES = ("spherical", "revolute")
FLEXIBILITIES = ("reference", "age")
SENSORS = ("head", "thorax", "pelvis")  # at the centre of mass of the segment
SPINE_SENSORS = {"T1": "lower_neck", "T12": "thoracolumbar"}  # on the thorax, at that joint
AXES: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Human:
    """A person, ready to be put into a scene.

    system          bodies, joints and sensors; the root joint is free and carries the pelvis
    height          standing [m]
    mass            [kg]
    mass_remainder  what the segment masses of the law lacked (negative: had too much) to the mass of the body [kg];
                    it was distributed in proportion
    age             [years] or None; it changes the model only with flexibility = "age"
    """

    name: str
    height: float
    mass: float
    sex: str
    age: float | None
    mass_law: str
    geometry: str
    inertia: str
    hinges: str
    joints: str | None
    flexibility: str
    mass_remainder: float
    system: System = field(repr=False)

    @property
    def prefix(self) -> str:
        """What stands before the names of this person's bodies, joints and sensors: "" or "anna."."""
        return _prefix(self.name)

    @property
    def segments(self) -> tuple[str, ...]:
        """The names of the segments, without prefix, in the order of the bodies."""
        return tuple(body.name.removeprefix(self.prefix) for body in self.system.bodies)

    def mass_table(self) -> tuple[SegmentMass, ...]:
        """Segment, how many, mass by the law and mass in the model [kg]; paired segments in one row."""
        return segment_masses(self.height, self.mass, self.mass_law)


def human(
    height: float | str,
    mass: float | str,
    *,
    sex: str = "male",
    age: float | None = None,
    mass_law: str = "zatsiorsky",
    geometry: str = "build",
    inertia: str = "ellipsoid",
    hinges: str = "spherical",
    joints: str | None = "recommended",
    flexibility: str = "reference",
    name: str = "human",
) -> Human:
    """A person of that height and mass.

    height    standing [m], or text with a unit: "180 cm"
    mass      [kg]
    sex       "male"; others are not there yet
    age       [years], 18 to 64 or None; changes the model only with flexibility="age"
    mass_law  of the segments: "zatsiorsky" (regression on height and mass) or "fractions" (of the mass)
    geometry  "build" (cross-sections follow the mass) or "height-only" (every dimension follows the height)
    inertia   of the segments: "ellipsoid" (solid, of even density) or "zatsiorsky" (regression; 1.60-1.95 m, 60-100 kg)
    hinges    elbow, knee and ankle as "spherical" joints with narrow limits, or "revolute"
    joints    resistance of the joints: "recommended", "thesis", "thesis-corrected", "silva" or "silva-dummy" (see
              `human.resistance`), or None for joints that turn freely
    flexibility  limits of the joints as in the "reference" (men of 20-44 years) or scaled by "age" (human.flexibility)
    name      "human" leaves the names of bodies and joints bare; any other stands before them: anna.left_thigh
    """
    where = "human." if name == "human" else f"human {name!r}: "
    if not name or "." in name:
        raise InputError(f"human.name is {name!r}; expected a word without a dot.")
    height, mass = _checked_size(height, mass, where)
    age = _checked_person(sex, age, where)
    _choice(mass_law, MASS_LAWS, f"{where}mass_law")
    _choice(geometry, size.GEOMETRY_LAWS, f"{where}geometry")
    _choice(inertia, size.INERTIA_LAWS, f"{where}inertia")
    _choice(hinges, HINGES, f"{where}hinges")
    if joints is not None:
        _choice(joints, JOINT_SETS, f"{where}joints")
    _choice(flexibility, FLEXIBILITIES, f"{where}flexibility")
    if flexibility == "age" and (age is None or joints not in ("recommended", "thesis-corrected")):
        raise InputError(
            f'{where}flexibility is "age"; it needs an age and the joints recommended or thesis-corrected, '
            f"not age {age} and joints {joints!r}."
        )
    if inertia == "zatsiorsky":
        _check_regression(height, mass, where)

    # masses, sizes and moments of the midline and right segments
    rows = segment_masses(height, mass, mass_law)
    masses = {row.segment: row.mass for row in rows}
    axes = {segment: size.semi_axes(segment, height, m, geometry) for segment, m in masses.items()}
    if inertia == "ellipsoid":
        moments = size.inertia_ellipsoid(masses, axes)
    else:
        moments = size.inertia_regression(masses, axes, height, mass)

    prefix = _prefix(name)
    tree = data.tree("human17")
    root = Joint(f"{prefix}root", "free", None, prefix + tree["root"])
    weights = _weights(tree["joint"], masses, height)
    built = [_joint(row, height, mass, joints, weights[row["name"]]) for row in tree["joint"]]
    if flexibility == "age" and age is not None:
        built = [_aged(joint, row["name"], age, sex) for joint, row in zip(built, tree["joint"], strict=True)]
    sided = [(joint, row.get("paired", False)) for joint, row in zip(built, tree["joint"], strict=True)]
    limbs = list(_both_sides(sided, joints == "thesis"))
    if hinges == "revolute":
        axes_of = {row["child"]: row["hinge"] for row in tree["joint"] if "hinge" in row}
        limbs = [
            _hinged(joint, axes_of[_plain(joint.child)]) if _plain(joint.child) in axes_of else joint for joint in limbs
        ]
    places = {joint.name: joint for joint in built}
    spine = {
        sensor: places[joint].point_parent if places[joint].parent == "thorax" else places[joint].point_child
        for sensor, joint in SPINE_SENSORS.items()
    }
    system = System(
        bodies=tuple(
            Body(prefix + body, masses[segment], moments[segment], (_ellipsoid(segment, axes[segment]),))
            for segment in masses
            for body in _sides(segment)
        ),
        joints=(root, *(_prefixed(joint, prefix) for joint in limbs)),
        sensors=(
            *(Sensor(prefix + segment, prefix + segment) for segment in SENSORS),
            *(Sensor(prefix + sensor, f"{prefix}thorax", point) for sensor, point in spine.items()),
        ),
    )
    return Human(
        name=name,
        height=height,
        mass=mass,
        sex=sex,
        age=age,
        mass_law=mass_law,
        geometry=geometry,
        inertia=inertia,
        hinges=hinges,
        joints=joints,
        flexibility=flexibility,
        mass_remainder=mass - total({row.segment: row.by_law for row in rows}),
        system=system,
    )


# the parts


def _ellipsoid(segment: str, axes: Vector) -> Ellipsoid:
    return Ellipsoid(axes, stiffness=data.values("tissue")[segment]["stiffness"])


def _joint(row: dict[str, Any], height: float, mass: float, joints: str | None, weight: float) -> Joint:
    """A midline or right joint."""
    name, parent, child = row["name"], row["parent"], row["child"]
    place = np.array(size.joint_place(name, height))
    point_parent = place - size.centre(parent, height)
    point_child = place - size.centre(child, height)
    resistance: Resistance | None = None
    if joints is not None:
        resistance = joint_resistance(name, height, mass, row["law"], joints, weight=weight)
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


def _aged(joint: Joint, name: str, age: float, sex: str) -> Joint:
    """The joint with its limits at an age [years]."""
    return replace(joint, resistance=joint.resistance and aged(joint.resistance, name, age, sex))


def _hinged(joint: Joint, axis: str) -> Joint:
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


def _weights(tree: list[dict[str, Any]], masses: Mapping[str, float], height: float) -> dict[str, float]:
    """Torque of the weight beyond each joint of the tree, the body stretched out level [N m]."""

    def beyond(segment: str) -> Iterator[str]:
        yield segment
        for row in tree:
            if row["parent"] == segment:
                yield from beyond(row["child"])

    found = {}
    for row in tree:
        place, single = np.array(size.joint_place(row["name"], height)), row.get("paired", False)
        moment = np.zeros(3)
        for segment in beyond(row["child"]):
            number = 1 if single else count(segment)
            moment += number * masses[segment] * (np.array(size.centre(segment, height)) - place)
        found[row["name"]] = STANDARD_GRAVITY * abs(float(moment[2]))
    return found


def _both_sides(joints: list[tuple[Joint, bool]], as_printed: bool) -> Iterator[Joint]:
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


def _prefixed(joint: Joint, prefix: str) -> Joint:
    return replace(joint, name=prefix + joint.name, parent=prefix + (joint.parent or ""), child=prefix + joint.child)


def _sides(segment: str) -> tuple[str, ...]:
    return (f"left_{segment}", f"right_{segment}") if count(segment) == 2 else (segment,)


def _plain(name: str) -> str:
    """A name without its side."""
    return name.removeprefix("left_").removeprefix("right_")


def _prefix(name: str) -> str:
    return "" if name == "human" else f"{name}."


# checks


def _checked_size(height: float | str, mass: float | str, where: str) -> tuple[float, float]:
    """Height [m] and mass [kg], inside the range of the data."""
    metres = quantity(height, "length", f"{where}height")
    kilograms = quantity(mass, "mass", f"{where}mass")
    low, high = HEIGHT_RANGE
    if not low <= metres <= high:
        hint = ""
        for unit, factor in (("cm", 100.0), ("mm", 1000.0)):
            if not isinstance(height, str) and low <= metres / factor <= high:
                hint = f' Did you mean "{metres:g} {unit}"?'
        raise InputError(f"{where}height is {metres:g} m; accepted {low:.2f} m to {high:.2f} m for adults.{hint}")
    low, high = MASS_RANGE
    if not low <= kilograms <= high:
        hint = (
            f' Did you mean "{kilograms:g} lb"?'
            if high < kilograms <= high / 0.45359237 and not isinstance(mass, str)
            else ""
        )
        raise InputError(f"{where}mass is {kilograms:g} kg; accepted {low:g} kg to {high:g} kg for adults.{hint}")
    low, high = BMI_RANGE
    bmi = kilograms / metres**2
    if not low <= bmi <= high:
        raise InputError(
            f"{where}mass is {kilograms:g} kg at a height of {metres:g} m, a body mass index of {bmi:.1f} kg/m2; "
            f"accepted {low:g} to {high:g}, at this height {low * metres**2:.1f} kg to {high * metres**2:.1f} kg."
        )
    return metres, kilograms


def _checked_person(sex: str, age: float | None, where: str) -> float | None:
    """The age [years]; refuses whom the data do not describe yet."""
    if sex == "female":
        raise InputError(
            f'{where}sex is "female"; women come with the pedestrian model and are not there yet. Accepted now: male.'
        )
    _choice(sex, ("male",), f"{where}sex")
    if age is None:
        return None
    years = quantity(age, "dimensionless", f"{where}age")
    low, high = AGE_RANGE
    if not low <= years <= high:
        raise InputError(
            f"{where}age is {years:g}; children and the elderly come with the pedestrian model and are not there yet. "
            f"Accepted now: {low:g} to {high:g} years, or leave it out (it changes only the flexibility, if asked for)."
        )
    return years


def _check_regression(height: float, mass: float, where: str) -> None:
    (short, tall), (light, heavy) = REGRESSION_HEIGHT, REGRESSION_MASS
    if not (short <= height <= tall and light <= mass <= heavy):
        raise InputError(
            f'{where}inertia is "zatsiorsky", a regression that holds from {short:.2f} m to {tall:.2f} m '
            f"and {light:g} kg to {heavy:g} kg; "
            f'this body has {height:g} m and {mass:g} kg. Use inertia = "ellipsoid".'
        )


def _choice(value: object, accepted: tuple[str, ...], where: str) -> None:
    if value not in accepted:
        raise InputError(f"{where} is {value!r}; accepted: {', '.join(accepted)}.{nearest(str(value), accepted)}")

"""The occupant of 12 bodies and 11 joints (silva1997, after SOMLA). SI units.

Lower torso (pelvis), upper torso (thorax), neck, head, upper arms, forearms with hands, thighs, shanks with feet. Back,
C7/T1, shoulders and hips are spherical; elbows, knees and the occipital condyles are hinges: 29 degrees of freedom.
The numbers are those of an individual (human.individual), scaled to the person:

    lengths, masses  times those of the same segments of `human.dimensions` for the person, over those for a person of
                     the individual's own size; then all lengths to the height and all masses to the mass
    radii            so that the density stays: times sqrt(mass ratio / length ratio)
    inertia          the second moment along the segment goes with mass x length^2, those across with mass x radius^2

A person of the individual's own height, mass, sex and age has the numbers of its tables unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError
from ..model import Body, Cylinder, Ellipsoid, Joint, Resistance, Sensor, Shape, System
from .added import loaded
from .anthropometry import checked_word
from .dimensions import Dimensions, dimensions
from .human17 import Human, name_prefix
from .individual import LINKS, SEGMENTS, Individual, default_individual, individual, own_size
from .joint_tree import SENSORS, SPINE_SENSORS, both_sides, hinged, holding_torques, prefixed, sides
from .mass import total
from .mirror import plain_name
from .options import Who
from .participant import enrolled, participant
from .person import Person, described
from .resistance import HEIGHT_REFERENCE, MASS_REFERENCE, joint_resistance

Vector = tuple[float, float, float]

JOINT_SETS = ("silva", "silva-dummy")
#: segment -> segments of human17 with whose size it is scaled
PARTS = {name: (name,) for name in SEGMENTS} | {
    "pelvis": ("pelvis", "abdomen"),
    "forearm": ("forearm", "hand"),
    "shank": ("shank", "foot"),
}
_DEFAULTS: dict[str, Any] = {
    "measured": None, "geometry": "build", "inertia": "ellipsoid", "hinges": "spherical", "flexibility": None,
    "wobble": False, "failure": False, "share_load": False, "breaks_at": 0.5,
}  # fmt: skip


def occupant12(
    height: float | str | None = None,
    mass: float | str | None = None,
    *,
    individual: Any = None,
    joints: str | None = "silva",
    mass_law: str = "by-age",
    added: Any = (),
    name: str = "human",
    **more: Any,
) -> Human:
    """Return an occupant: occupant12(), occupant12(1.80, 80), occupant12(preset="5F", joints="silva-dummy").

    height, mass  [m], [kg]; without any size those of the individual
    individual    "human50", "dummy50", a TOML file or a table (human.individual); by the joints unless given
    joints        "silva", which is also the recommended set, "silva-dummy", or None for joints that turn freely
    mass_law      as in `human`, for the ratios with which masses are scaled
    added         what the person carries (human.added)
    more          sex, age, percentile, population and preset, as in `human`
    """
    where = "human." if name == "human" else f"human {name!r}: "
    if not name or "." in name:
        raise InputError(f"human.name is {name!r}; expected a word without a dot.")
    joints = {"none": None, "recommended": "silva"}.get(joints or "none", joints)
    if joints is not None:
        checked_word(joints, JOINT_SETS, f"{where}joints of the model occupant12")
    for key, default in _DEFAULTS.items():
        if more.pop(key, default) not in (None, default, "reference" if key == "flexibility" else default):
            raise InputError(f"{where}{key} does not fit the model occupant12, whose tables have no such choice.")
    base = _individual(individual, joints, where)
    who = described(Who(**own_size({**more, "height": height, "mass": mass}, base)), where)
    own = scaled(base, who, mass_law)
    sized = standing(own, who, mass_law)
    system = _system(own, base, sized, joints, name_prefix(name))
    return Human(
        name=name,
        person=who,
        dimensions=sized,
        hinges="revolute",
        joints=joints,
        flexibility="reference",
        system=enrolled(
            loaded(system, added, name_prefix(name), f"{where}added"),
            participant(name, who, mass_law, joints, "reference"),
        ),
        added=tuple(added),
        individual=own,
    )


def _individual(given: Any, joints: str | None, where: str) -> Individual:
    return individual(default_individual(joints) if given is None else given, f"{where}individual")


def scaled(base: Individual, who: Person, mass_law: str = "by-age") -> Individual:
    """Return the individual at the size of a person."""
    if (who.height, who.mass, who.sex, who.age) == (base.height, base.whole_mass, base.sex, base.age):
        return base
    theirs = dimensions(who.height, who.mass, who.sex, who.age, mass_law=mass_law)
    ours = dimensions(base.height, base.whole_mass, base.sex, base.age)

    def ratio(of: str, segment: str) -> float:
        return sum(getattr(theirs, of)[part] for part in PARTS[segment]) / sum(
            getattr(ours, of)[part] for part in PARTS[segment]
        )

    length = {name: value * ratio("length", name) for name, value in base.length.items()}
    mass = {name: value * ratio("masses", name) for name, value in base.mass.items()}
    taller, heavier = who.height / sum(length[name] for name in LINKS), who.mass / total(mass)
    length = {name: value * taller for name, value in length.items()}
    mass = {name: value * heavier for name, value in mass.items()}
    along = {name: length[name] / base.length[name] for name in SEGMENTS}
    across = {name: sqrt(mass[name] / base.mass[name] / along[name]) for name in SEGMENTS}

    def wider(joint: str) -> float:
        return theirs.place[joint][1] / ours.place[joint][1]

    return replace(
        base,
        length=MappingProxyType(length),
        mass=MappingProxyType(mass),
        centre=MappingProxyType({name: value * along[name] for name, value in base.centre.items()}),
        radius=MappingProxyType({name: value * across[name] for name, value in base.radius.items()}),
        inertia=MappingProxyType(
            {
                name: _stretched(base.inertia[name], mass[name] / base.mass[name], across[name], along[name])
                for name in SEGMENTS
            }
        ),
        shoulder_half_width=base.shoulder_half_width * wider("shoulder"),
        hip_half_width=base.hip_half_width * wider("hip"),
        shoulder_drop=base.shoulder_drop * along["thorax"],
        sex=who.sex,
        age=who.age,
    )


def _stretched(moments: Vector, heavier: float, across: float, along: float) -> Vector:
    """Return the moments [kg m2] of a body whose mass, breadth and length along z change by these factors."""
    second = 0.5 * sum(moments) - np.array(moments)
    second = second * heavier * np.array([across, across, along]) ** 2
    x, y, z = (second.sum() - second).tolist()
    return x, y, z


def standing(own: Individual, who: Person, mass_law: str = "by-age") -> Dimensions:
    """Return the dimensions of an individual in the standing frame: x forward, y left, z up from the floor."""
    length, centre = own.length, own.centre
    knee = length["shank"]
    hip = knee + length["thigh"]
    back = hip + length["pelvis"]
    neck = back + length["thorax"]
    condyles = neck + length["neck"]
    shoulder = neck - own.shoulder_drop
    elbow = shoulder - length["upper_arm"]
    arm, leg = -own.shoulder_half_width, -own.hip_half_width
    head = centre["head"] if own.head_centre == "condyles" else length["head"] - centre["head"]
    heights: dict[str, tuple[float, float]] = {
        "pelvis": (0.0, hip + centre["pelvis"]),
        "thorax": (0.0, back + centre["thorax"]),
        "neck": (0.0, neck + centre["neck"]),
        "head": (0.0, condyles + head),
        "upper_arm": (arm, shoulder - centre["upper_arm"]),
        "forearm": (arm, elbow - centre["forearm"]),
        "thigh": (leg, hip - centre["thigh"]),
        "shank": (leg, knee - centre["shank"]),
    }
    places: dict[str, tuple[float, float]] = {
        "thoracolumbar": (0.0, back),
        "lower_neck": (0.0, neck),
        "upper_neck": (0.0, condyles),
        "shoulder": (arm, shoulder),
        "elbow": (arm, elbow),
        "hip": (leg, hip),
        "knee": (leg, knee),
    }
    masses = MappingProxyType(dict(own.mass))
    return Dimensions(
        height=who.height,
        mass=who.mass,
        sex=who.sex,
        age=who.age,
        mass_law=mass_law,
        geometry="occupant12",
        inertia="occupant12",
        masses=masses,
        by_law=masses,
        centre=MappingProxyType({name: (0.0, y, z) for name, (y, z) in heights.items()}),
        semi_axes=MappingProxyType({name: contact_surface(own, name)[0].half_size for name in SEGMENTS}),
        place=MappingProxyType({name: (0.0, y, z) for name, (y, z) in places.items()}),
        length=MappingProxyType(dict(length)),
        moments=MappingProxyType({name: np.array(values) for name, values in own.inertia.items()}),
    )


def contact_surface(own: Individual, segment: str) -> tuple[Shape, float]:
    """Return the contact surface of a segment, and its middle above the lower end of the segment, standing [m].

    Table V prints one radius for each: the depth of an ellipsoid, the radius of a cylinder. The other semi-axes are
    estimates: the torso is as broad as the hips with the thighs, and as the shoulders; the lower torso reaches below
    the line of the hips by the radius of the thigh, so that a seated occupant rests on pelvis and thighs.
    """
    radius, length = own.radius[segment], own.length[segment]
    stiffness = data.values("tissue")[segment]["stiffness"]
    if segment == "pelvis":
        under = own.radius["thigh"]
        half = (radius, own.hip_half_width + under, 0.5 * (length + under))
        return Ellipsoid(half, stiffness=stiffness), 0.5 * (length - under)
    if segment in ("thorax", "head"):
        breadth = own.shoulder_half_width if segment == "thorax" else radius
        return Ellipsoid((radius, breadth, 0.5 * length), stiffness=stiffness), 0.5 * length
    return Cylinder(radius, length, stiffness=stiffness), 0.5 * length


# the system


def _system(own: Individual, base: Individual, sized: Dimensions, joints: str | None, prefix: str) -> System:
    tree = data.tree("occupant12")
    weights = holding_torques(tree["joint"], sized)
    ratios = sized.height / base.height, sized.mass / base.whole_mass
    built = []
    for row in tree["joint"]:
        resistance = None if joints is None else _resistance(row, own, joints, weights[row["name"]], ratios)
        built.append(_joint(row, sized, resistance))
    # hinges are made of mirrored joints, because the coordinate of a hinge has no axes to be mirrored
    axis = {row["child"]: row["hinge"] for row in tree["joint"] if "hinge" in row}
    limbs = [
        hinged(joint, axis[plain_name(joint.child)]) if plain_name(joint.child) in axis else joint
        for joint in both_sides(built, False)
    ]
    thorax = np.array(sized.centre["thorax"])
    spine = {sensor: np.array(sized.place[joint]) - thorax for sensor, joint in SPINE_SENSORS.items()}
    return System(
        bodies=tuple(
            Body(prefix + body, sized.masses[segment], sized.moments[segment], (_shape(own, sized, segment),))
            for segment in SEGMENTS
            for body in sides(segment)
        ),
        joints=(
            Joint(f"{prefix}root", "free", None, prefix + tree["root"]),
            *(prefixed(joint, prefix) for joint in limbs),
        ),
        sensors=(
            *(Sensor(prefix + segment, prefix + segment) for segment in SENSORS),
            *(Sensor(prefix + name, f"{prefix}thorax", tuple(point.tolist())) for name, point in spine.items()),
        ),
    )


def _shape(own: Individual, sized: Dimensions, segment: str) -> Shape:
    """Return the contact surface of a segment, placed from its centre of mass."""
    shape, middle = contact_surface(own, segment)
    lower = {"pelvis": "hip", "thorax": "thoracolumbar", "neck": "lower_neck", "head": "upper_neck"}.get(segment)
    if lower is not None:
        bottom = sized.place[lower][2]
    else:
        upper = {"upper_arm": "shoulder", "forearm": "elbow", "thigh": "hip", "shank": "knee"}[segment]
        bottom = sized.place[upper][2] - own.length[segment]
    return replace(shape, offset=(0.0, 0.0, bottom + middle - sized.centre[segment][2]))  # type: ignore[type-var]


def _joint(row: Mapping[str, Any], sized: Dimensions, resistance: Resistance | None) -> Joint:
    """Return a midline or right joint as a spherical one."""
    parent, child = row["parent"], row["child"]
    place = np.array(sized.place[row["name"]])
    right = sides(child)[-1]
    points: dict[str, Any] = {
        "point_parent": tuple((place - sized.centre[parent]).tolist()),
        "point_child": tuple((place - sized.centre[child]).tolist()),
    }
    name = f"right_{row['name']}" if row.get("paired") else row["name"]
    return Joint(name, "spherical", sides(parent)[-1], right, **points, resistance=resistance)


def _resistance(
    row: Mapping[str, Any], own: Individual, joints: str, weight: float, ratios: tuple[float, float]
) -> Resistance:
    """Return the resistance of a joint; Table VI holds at the size of the individual itself.

    ratios  height and mass of the person over those of the individual [-]
    """
    taller, heavier = ratios
    height, mass = HEIGHT_REFERENCE * taller, MASS_REFERENCE * heavier
    found = joint_resistance(
        row["name"], height, mass, row["law"], joints, weight=own.holding * weight, reach=own.limits
    )
    if row["name"] == "upper_neck" and own.upper_neck_damping is not None:
        found = replace(found, damping=(own.upper_neck_damping * taller * heavier,) * 3)
    return found

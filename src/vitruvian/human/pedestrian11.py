"""The planar pedestrian of 11 segments and 10 hinges (hyncik2011, sections 3.1 to 3.3). SI units.

Foot, shank, thigh, pelvis, abdomen, thorax, neck and head form a chain; upper arm, forearm and hand hang from the
shoulder, which has its own place on the thorax. Both limbs of a pair are one: twice the mass, twice the stiffness of
soft tissue and joint. The motion is in the vertical plane through the person's heading: 13 degrees of freedom.

A segment has its ellipse between its two joints, K_i-1 and K_i+1: centre S = (K_i-1 + K_i+1) / 2, semi-axis a along
them half their distance, semi-axis b the depth of the segment (eqs 1, 2, Fig. 3). Its mass is elsewhere, at the centre
of mass of the segment. Head, hand and foot have an artificial second joint: the vertex, the fingertips, and the tip of
the toes at the height at which the ellipse touches the floor. The paper's foot ends at the ankle; a ball under the heel
is ours; without it the body cannot stand.

Two scalings:

    build     masses, sizes and inertia are those of the person (human.dimensions)
    segments  as in the paper: k_i is the height of the segment, standing, over that of the average adult of the sex;
              lengths and depth scale with k_i, the mass with k_i^3, the inertia with k_i^5; the segments are joined
              again. The mass of the person then follows from the heights (E121)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import atan2, hypot, pi
from typing import Any

import numpy as np

from .. import data
from ..errors import InputError
from ..model import Body, Ellipsoid, Joint, Resistance, Sphere, System, frame_with_z
from ..model.pose import quaternion_of_vector, quaternion_product
from ..units import quantity
from .added import Added, loaded
from .anthropometry import checked_word
from .dimensions import Dimensions
from .flexibility import REFERENCE_AGE, flexindex_ratio
from .human17 import DEFAULT_NAME, Human, human, place_of
from .joint_tree import prefixed, sensors
from .mass import count
from .mirror import plain_name
from .muscle import passive_muscles
from .participant import enrolled
from .resistance import hinge_resistance

Point = tuple[float, float]

SCALINGS = ("build", "segments")
#: segment -> its joints from the ground up and down the arm; None is artificial
CHAIN: dict[str, tuple[str | None, str | None]] = {
    "foot": (None, "ankle"),
    "shank": ("ankle", "knee"),
    "thigh": ("knee", "hip"),
    "pelvis": ("hip", "lumbar"),
    "abdomen": ("lumbar", "thoracolumbar"),
    "thorax": ("thoracolumbar", "lower_neck"),
    "neck": ("lower_neck", "upper_neck"),
    "head": ("upper_neck", None),
    "upper_arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "wrist"),
    "hand": ("wrist", None),
}
#: joint -> parent and child; the pelvis is the root
TREE: dict[str, tuple[str, str]] = {
    "lumbar": ("pelvis", "abdomen"),
    "thoracolumbar": ("abdomen", "thorax"),
    "lower_neck": ("thorax", "neck"),
    "upper_neck": ("neck", "head"),
    "shoulder": ("thorax", "upper_arm"),
    "elbow": ("upper_arm", "forearm"),
    "wrist": ("forearm", "hand"),
    "hip": ("pelvis", "thigh"),
    "knee": ("thigh", "shank"),
    "ankle": ("shank", "foot"),
}
PAIRED = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
AVERAGE_AGE = 30.0  # [years], of the average adult whose segments are scaled
_LEFT = frame_with_z((0.0, 1.0, 0.0))
_PLANE = quaternion_of_vector((-0.5 * pi, 0.0, 0.0))  # of the root joint: x forward, y down, z to the left


@dataclass(frozen=True)
class PlanarSegment:
    """A segment in the plane of a person that stands: x forward from the ankle line, z up from the floor.

    start, end      its joints K_i-1 and K_i+1 [m]
    centre_of_mass  [m]
    depth           semi-axis b of its ellipse, across the line of the joints [m]
    breadth         semi-axis of its ellipsoid along y [m], for pictures
    mass            [kg], of both limbs of a pair
    moments         of inertia about x, y, z through the centre of mass [kg m2]; in the plane that about y counts
    stiffness       of the flesh [N/m^n]
    """

    name: str
    start: Point
    end: Point
    centre_of_mass: Point
    depth: float
    breadth: float
    mass: float
    moments: np.ndarray = field(repr=False)
    stiffness: float = float("inf")

    @property
    def half_length(self) -> float:
        """The semi-axis a [m]."""
        return 0.5 * hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    @property
    def centre(self) -> Point:
        """S, half-way between the joints and centre of the ellipse [m]."""
        return 0.5 * (self.start[0] + self.end[0]), 0.5 * (self.start[1] + self.end[1])

    @property
    def direction(self) -> Point:
        """e1, unit vector from the first to the second joint [-]."""
        length = 2.0 * self.half_length
        return (self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length

    def local(self, point: Point) -> Point:
        """Return a point along e1 and e2 from S [m]; e1, e2 and y, to the left, are right-handed (E107)."""
        (x, z), (sx, sz), (cx, cz) = point, self.centre, self.direction
        return (x - sx) * cx + (z - sz) * cz, (x - sx) * cz - (z - sz) * cx

    @property
    def offset(self) -> Point:
        """xbar and ybar, the centre of mass along e1 and e2 from S [m]."""
        return self.local(self.centre_of_mass)

    def ellipsoid(self) -> Ellipsoid:
        """Return the ellipsoid of the segment, from its centre of mass."""
        (x, z), (cx, cz), (ex, ez) = self.centre, self.centre_of_mass, self.direction
        turn = quaternion_of_vector((0.0, atan2(ex, ez), 0.0))
        axes = (self.depth, self.breadth, self.half_length)
        return Ellipsoid(axes, (x - cx, 0.0, z - cz), turn, self.stiffness)


def pedestrian11(
    *person: Any, scaling: str = "build", heading: float | str = 0.0, flexibility: str | None = None, **more: Any
) -> Human:
    """Return a planar pedestrian, described as in `human`: pedestrian11(1.80, 80), pedestrian11(preset="5F").

    scaling      "build" or "segments", see above
    heading      of the plane, to the left about the vertical [rad]; 0 looks along x, 180 deg against it
    flexibility  as in `human`, or "flexindex": all ranges times the Flexindex over that of the same sex at 32 years, as
                 in the paper
    more         as in `human`; the joints "recommended", "thesis-corrected" or None; hinges is left out
    """
    where = place_of(more.get("name", DEFAULT_NAME))
    checked_word(scaling, SCALINGS, f"{where}scaling")
    added = tuple(more.pop("added", ()))
    for option in ("wobble", "share_load"):
        if more.get(option):
            raise InputError(f"{where}{option} does not fit the model pedestrian11; take human17.")
    by_index = flexibility == "flexindex"
    whole = human(*person, flexibility="reference" if by_index else flexibility, **more)
    if whole.joints is not None and whole.joints.startswith("silva"):
        raise InputError(
            f"{where}joints is {whole.joints!r}, whose cones are not hinges; in the plane: recommended, "
            "thesis-corrected, thesis or none."
        )
    sized = whole.dimensions if scaling == "build" else segment_scaled(whole.dimensions)
    factor = 1.0
    if by_index:
        factor = flexindex_ratio(REFERENCE_AGE if whole.age is None else whole.age, whole.sex)
    joints = {name: _hinge(name, sized, _resistance(name, whole, factor)) for name in TREE}
    system = _assembled(sized, joints, whole.prefix, quantity(heading, "angle", f"{where}heading"), whole.joints)
    system = loaded(system, [_both(one) for one in added], whole.prefix, f"{where}added")
    flexibility = "flexindex" if by_index else whole.flexibility
    (who,) = whole.system.roster.people
    return replace(
        whole,
        dimensions=sized,
        hinges="revolute",
        flexibility=flexibility,
        system=enrolled(system, replace(who, flexibility=flexibility)),
        added=added,
    )


def _assembled(
    sized: Dimensions, joints: dict[str, Joint], prefix: str, heading: float, joint_set: str | None
) -> System:
    """Return bodies, joints and sensors of a planar pedestrian that looks along a heading [rad]."""
    turn = quaternion_of_vector((0.0, 0.0, heading))
    root = Joint(
        f"{prefix}root", "planar", None, f"{prefix}pelvis",
        frame_parent=quaternion_product(turn, _PLANE), frame_child=_PLANE,
    )  # fmt: skip
    return System(
        bodies=tuple(
            Body(
                prefix + part.name,
                part.mass,
                part.moments,
                (part.ellipsoid(), *((heel(sized),) if part.name == "foot" else ())),
            )
            for part in planar_segments(sized).values()
        ),
        joints=(root, *(prefixed(joint, prefix) for joint in joints.values())),
        sensors=sensors(joints, prefix),
        tendons=passive_muscles(joint_set, sized.mass, prefix, sides=("",), number=2.0),
    )


def _both(added: Added) -> Added:
    """Return a carried mass on the lumped segment: twice if it is on both sides."""
    lumped = replace(added, segment=plain_name(added.segment))
    if count(lumped.segment) == 1 or lumped.segment != added.segment:
        return lumped
    inertia = None if added.inertia is None else _times(added.inertia, 2.0)
    return replace(lumped, mass=2.0 * added.mass, inertia=inertia)


def planar_segments(sized: Dimensions) -> dict[str, PlanarSegment]:
    """Return the segments by name, from the foot to the head and from the upper arm to the hand; pairs as one."""
    found = {}
    for name, (first, last) in CHAIN.items():
        number = count(name)
        x, _, z = sized.centre[name]
        depth, breadth, tall = sized.semi_axes[name]
        start = _flat(sized.place[first]) if first else toe(sized)
        end = _flat(sized.place[last]) if last else _tip(name, sized)
        found[name] = PlanarSegment(
            name,
            start,
            end,
            (x, z),
            tall if name == "foot" else depth,
            breadth,
            number * sized.masses[name],
            number * np.asarray(sized.moments[name]),
            number * data.values("tissue")[name]["stiffness"],
        )
    return found


def toe(sized: Dimensions) -> Point:
    """Return the artificial joint of the foot [m]: the tip of the toes, so high that the ellipse touches the floor.

    With K the ankle, A the toe and b the depth of the foot, the lowest point of the ellipse is
    (z_K + z_A) / 2 - sqrt(((z_K - z_A) / 2)^2 + b^2 c^2), c the cosine of its slope: zero for z_K z_A = b^2 c^2.
    """
    (x, z), (centre, _, _), (long, _, tall) = _flat(sized.place["ankle"]), sized.centre["foot"], sized.semi_axes["foot"]
    ahead, height = centre + long, 0.0
    for _ in range(50):
        cosine = (ahead - x) / hypot(ahead - x, z - height)
        height = (tall * cosine) ** 2 / z
    return ahead, height


def heel(sized: Dimensions) -> Sphere:
    """Return a ball under the heel, from the centre of mass of the foot; its stiffness is that of both feet."""
    (_, _, z), (long, _, tall) = sized.centre["foot"], sized.semi_axes["foot"]
    return Sphere(tall, (tall - long, 0.0, tall - z), stiffness=2.0 * data.values("tissue")["foot"]["stiffness"])


def segment_scaled(sized: Dimensions) -> Dimensions:
    """Return the dimensions by the rule of the paper: the average adult of the sex, segments scaled by their height."""
    average = human(sex=sized.sex, age=AVERAGE_AGE, percentile=50.0).dimensions
    ratio = {name: sized.length[name] / average.length[name] for name in average.masses}
    centre = {}
    for name in average.masses:
        first, last = CHAIN[name]
        held = first or last
        assert held is not None
        move = ratio[name] * (np.array(average.centre[name]) - np.array(average.place[held]))
        x, _, z = (np.array(sized.place[held]) + move).tolist()
        centre[name] = (x, sized.centre[name][1], z)
    masses = {name: ratio[name] ** 3 * m for name, m in average.masses.items()}
    return replace(
        average,
        height=sized.height,
        mass=sum(count(name) * m for name, m in masses.items()),
        age=sized.age,
        masses=masses,
        by_law=masses,
        centre=centre,
        semi_axes={name: _times(axes, ratio[name]) for name, axes in average.semi_axes.items()},
        place=sized.place,  # joined again at the heights of the person
        length=sized.length,
        moments={name: ratio[name] ** 5 * np.asarray(values) for name, values in average.moments.items()},
    )


# --- parts


def _hinge(name: str, sized: Dimensions, resistance: Resistance | None) -> Joint:
    """Return a joint in the plane; its angle turns about y by the right-hand rule."""
    parent, child = TREE[name]
    above, below = (_from(sized.place[name], _flat(sized.centre[body])) for body in (parent, child))
    return Joint(name, "revolute", parent, child, above, below, _LEFT, _LEFT, resistance)


def _resistance(name: str, whole: Human, factor: float) -> Resistance | None:
    """Return the resistance of a joint about y, doubled for a pair, with its limits times a factor."""
    side = "right_" if name in PAIRED else ""
    given = whole.system.joint(f"{whole.prefix}{side}{name}").resistance
    if given is None:
        return None
    hinge = hinge_resistance(given, "y") if given.law != "coordinate" else given
    number = 2.0 if name in PAIRED else 1.0
    return replace(
        hinge,
        limit_minus=_times(hinge.limit_minus, factor),
        limit_plus=_times(hinge.limit_plus, factor),
        stiffness=_times(hinge.stiffness, number),
        stiffness_minus=_times(hinge.stiffness_minus, number),
        stiffness_plus=_times(hinge.stiffness_plus, number),
        damping=_times(hinge.damping, number),
        curve=tuple(curve and curve.scaled(number) for curve in hinge.curve),
        friction=number * hinge.friction,
    )


def _tip(name: str, sized: Dimensions) -> Point:
    """Return the artificial joint of head and hand [m]: the vertex, the fingertips."""
    joint = "upper_neck" if name == "head" else "wrist"
    x, z = _flat(sized.place[joint])
    return (x, z + sized.length[name]) if name == "head" else (x, z - sized.length[name])


def _flat(point: tuple[float, float, float]) -> Point:
    return point[0], point[2]


def _from(point: tuple[float, float, float], origin: Point) -> tuple[float, float, float]:
    return point[0] - origin[0], 0.0, point[2] - origin[1]


def _times(values: Any, factor: float) -> tuple[float, float, float]:
    x, y, z = (value * factor if value else value for value in values)
    return x, y, z

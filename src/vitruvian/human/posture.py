"""Postures: joint angles and orientation of a person, independent of the position. Angles in rad.

A posture is a table, in a file or in Python, of

    orientation  of the pelvis: { roll, pitch, yaw } (yaw about z first, then pitch about y, then roll about x) or a
                 rotation vector; pitch = "90 deg" lies on the face
    joints       joint -> { flexion = "90 deg", abduction = ... } in the clinical words of the joint table, or a
                 rotation vector of the child relative to the parent in the parent's frame. "hip" means both hips,
                 mirrored; "right_hip" and "left_hip" one of them
    base         a ready posture to start from
    mirror       true: the mirror image of the base

Several words together are the components of the joint's own measure. At shoulder and hip that is a swing about x and y
after a twist about z. At other joints the child turns about the flexion axis of the parent, then about the floating
axis, then about its own long axis (grood1983): the angles that results report.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from .. import data, units
from .._files import write_text
from ..errors import InputError, located, nearest, shown, spelled
from ..model.pose import quaternion_of_vector, quaternion_product, rotation_matrix, vector_of_quaternion
from .mirror import mirrored_name, mirrored_rotation, plain_name

Vector = tuple[float, float, float]

SCHEMA = 1
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Posture:
    """How a person holds the body.

    orientation  of the pelvis in the world before heading: rotation vector [rad]
    rotations    joint -> rotation vector of the child relative to the parent, parent frame [rad]; others are at zero
    """

    name: str = "custom"
    orientation: Vector = ZERO
    rotations: Mapping[str, Vector] = field(default_factory=dict)
    description: str = ""

    def __post_init__(self) -> None:
        where = f"posture {self.name!r}"
        object.__setattr__(self, "orientation", units.vector(self.orientation, "angle", f"{where}: orientation"))
        rotations = {}
        for joint, vector in self.rotations.items():
            if joint not in joint_names():
                raise InputError(f"{where}: there is no joint {joint!r}.{nearest(joint, joint_names())}")
            rotations[joint] = units.vector(vector, "angle", f"{where}: {joint}")
        object.__setattr__(self, "rotations", rotations)

    def rotation(self, joint: str) -> Vector:
        """Return the rotation vector of a joint [rad]."""
        return self.rotations.get(joint, ZERO)

    def replace(self, rotations: Mapping[str, Vector], name: str = "custom") -> Posture:
        """Return a copy in which the given joints are changed."""
        return Posture(name, self.orientation, {**self.rotations, **rotations}, "")

    def mirrored(self, name: str | None = None) -> Posture:
        """Return the mirror image, in which left and right are exchanged."""
        rotations = {mirrored_name(joint): mirrored_rotation(vector) for joint, vector in self.rotations.items()}
        return Posture(name or self.name, mirrored_rotation(self.orientation), rotations, self.description)


@cache
def joint_names() -> tuple[str, ...]:
    """Return the names of the sixteen joints of a person, left before right."""
    return tuple(name for row in data.tree("human17")["joint"] for name in _named(row["name"]))


def postures() -> tuple[str, ...]:
    """Return the names of the ready postures."""
    return tuple(data.tree("postures"))


def posture(given: str | Mapping[str, Any] | Posture, where: str = "posture") -> Posture:
    """Return a posture from the name of a ready posture, from a table, or unchanged.

    where  the dotted path shown in errors
    """
    if isinstance(given, Posture):
        return given
    if isinstance(given, str):
        ready = data.tree("postures")
        if given not in ready:
            raise InputError(f"{where} is {shown(given)}; accepted: {', '.join(ready)}.{nearest(given, ready)}")
        return _ready(given)
    if isinstance(given, Mapping):
        return _from_table(given, "custom", where)
    raise InputError(f"{where} is {shown(given)}; expected the name of a posture or a table of orientation and joints.")


@cache
def _ready(name: str) -> Posture:
    return _from_table(data.tree("postures")[name], name, "posture")


def load_posture(path: str | Path) -> Posture:
    """Return the posture in a TOML file."""
    path = Path(path)
    table = data.read_toml(path)
    with located(path):
        return _from_table(table, path.stem, "posture")


def save_posture(posture: Posture, path: str | Path) -> None:
    """Write a posture to a TOML file, as rotation vectors in rad, which read back to the same numbers."""
    import tomli_w

    table: dict[str, Any] = {"schema": SCHEMA, "name": posture.name}
    if posture.description:
        table["description"] = posture.description
    table["orientation"] = list(posture.orientation)
    table["joints"] = {joint: list(vector) for joint, vector in posture.rotations.items()}
    write_text(path, tomli_w.dumps(table), new_folder=False)


# reading a table

_KEYS = ("schema", "name", "description", "base", "mirror", "orientation", "joints")


def _from_table(table: Mapping[str, Any], name: str, where: str) -> Posture:
    for key in table:
        if key not in _KEYS:
            raise InputError(
                f"{where}.{spelled(key)} is not known; accepted: {', '.join(_KEYS)}.{nearest(str(key), _KEYS)}"
            )
    for key, kind, words in (("name", str, "text"), ("description", str, "text"), ("mirror", bool, "true or false")):
        if not isinstance(table.get(key, kind()), kind):
            raise InputError(f"{where}.{key} is {shown(table[key])}; expected {words}.")
    data.refuse_schema(table, SCHEMA, where)
    base = posture(table["base"], f"{where}.base") if "base" in table else Posture()
    if table.get("mirror", False):
        base = base.mirrored()
    orientation = base.orientation
    if "orientation" in table:
        orientation = _orientation(table["orientation"], f"{where}.orientation")
    joints = table.get("joints", {})
    if not isinstance(joints, Mapping):
        raise InputError(f"{where}.joints is {shown(joints)}; expected a table of joints.")
    rotations = dict(base.rotations)
    # one side, named alone, has priority over both sides by one name
    for joint in sorted(joints, key=lambda joint: joint.startswith(("left_", "right_"))):
        rotations.update(_sided(joint, joints[joint], f"{where}.joints"))
    return Posture(table.get("name", name), orientation, rotations, table.get("description", base.description))


def _sided(joint: str, given: Any, where: str) -> dict[str, Vector]:
    """Return the rotation vectors [rad] of an entry: of one joint, or of both joints of a pair."""
    plain = plain_name(joint)
    known = [name for row in data.tree("human17")["joint"] for name in {row["name"], *_named(row["name"])}]
    if joint not in known:
        raise InputError(f"{where}.{spelled(joint)} is not known: there is no such joint.{nearest(joint, known)}")
    where = f"{where}.{joint}"
    if not isinstance(given, Mapping):
        right = _vector(given, where)
        names = _named(plain)
        if joint == plain and len(names) == 2:
            return {f"left_{plain}": mirrored_rotation(right), f"right_{plain}": right}
        return {joint: right}
    right = _clinical(plain, given, where)
    return {
        name: mirrored_rotation(right) if name.startswith("left_") else right
        for name in _named(plain)
        if joint in (name, plain)
    }


def _clinical(joint: str, words: Mapping[str, Any], where: str) -> Vector:
    """Return the rotation vector of a midline or right joint from clinical words [rad]."""
    known = data.movements()[joint]
    components = [0.0, 0.0, 0.0]
    for word, value in words.items():
        if word == "rotation":  # internal, to the left, or pronation
            axis, sign = 2, 1
        elif word in known:
            axis, sign = known[word]
        else:
            raise InputError(
                f"{where}.{spelled(word)} is not known: no motion of this joint; accepted: {', '.join(known)}."
                f"{nearest(word, known)}"
            )
        angle = units.quantity(value, "angle", f"{where}.{word}")
        if abs(angle) > math.pi:
            raise InputError(
                f"{where}.{word} is {math.degrees(angle):.4g} degrees; accepted -180 to 180 degrees. Larger angles "
                "would start in the same posture as one a full turn smaller."
            )
        components[axis] += sign * angle
    return _rotation(_law(joint), *components)


def _rotation(law: str, x: float, y: float, z: float) -> Vector:
    """Return the rotation vector [rad] of three components [rad] in the measure of a law."""
    if [x, y, z].count(0.0) >= 2:  # about one axis all measures are the same
        return x, y, z
    about_x, about_y, about_z = (quaternion_of_vector(v) for v in ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))
    if law == "swing_twist":
        swing = quaternion_of_vector((x, y, 0.0))
    elif law == "cardan_yxz":
        swing = quaternion_product(about_y, about_x)
    else:
        swing = quaternion_product(about_x, about_y)
    return vector_of_quaternion(quaternion_product(swing, about_z))


def _components(law: str, rotation: Vector) -> Vector:
    """Return the three components [rad] of a rotation vector [rad] in the measure of a law."""
    w, x, y, z = quaternion_of_vector(rotation)
    if law == "swing_twist":
        size = math.hypot(w, z)
        twist = (w / size, 0.0, 0.0, -z / size) if size > 0.0 else (1.0, 0.0, 0.0, 0.0)
        swing = vector_of_quaternion(quaternion_product((w, x, y, z), twist))
        return swing[0], swing[1], 2.0 * math.atan2(z, w)
    m = rotation_matrix((w, x, y, z))
    if law == "cardan_yxz":
        about_x = math.atan2(-m[1, 2], math.hypot(m[0, 2], m[2, 2]))
        return about_x, math.atan2(m[0, 2], m[2, 2]), math.atan2(m[1, 0], m[1, 1])
    about_y = math.atan2(m[0, 2], math.hypot(m[1, 2], m[2, 2]))
    return math.atan2(-m[1, 2], m[2, 2]), about_y, math.atan2(-m[0, 1], m[0, 0])


def clinical_angles(joint: str, rotation: Vector) -> dict[str, float]:
    """Return the clinical angle of each axis [rad] of a joint's rotation vector [rad], by clinical word.

    The word of an axis is flexion or abduction if the joint has it, otherwise that of the positive direction.
    """
    plain = plain_name(joint)
    if joint.startswith("left_"):
        rotation = mirrored_rotation(rotation)
    components = _components(_law(plain), rotation)
    words = {}
    for axis in (1, 0, 2):
        senses = {word: sign for word, (its, sign) in data.movements()[plain].items() if its == axis}
        word = next((name for name in ("flexion", "abduction") if name in senses), max(senses, key=senses.__getitem__))
        angle = senses[word] * components[axis]
        words[word] = math.remainder(angle, math.tau)
    return words


def _orientation(given: Any, where: str) -> Vector:
    """Return the rotation vector of an orientation given by angles or as a rotation vector [rad]."""
    if not isinstance(given, Mapping):
        return _vector(given, where)
    accepted = ("roll", "pitch", "yaw")
    for key in given:
        if key not in accepted:
            raise InputError(
                f"{where}.{spelled(key)} is not known; accepted: {', '.join(accepted)}.{nearest(str(key), accepted)}"
            )
    roll, pitch, yaw = (units.quantity(given.get(key, 0.0), "angle", f"{where}.{key}") for key in accepted)
    turn = quaternion_product(quaternion_of_vector((0.0, 0.0, yaw)), quaternion_of_vector((0.0, pitch, 0.0)))
    return vector_of_quaternion(quaternion_product(turn, quaternion_of_vector((roll, 0.0, 0.0))))


def _vector(given: Any, where: str) -> Vector:
    x, y, z = units.vector(given, "angle", where)
    return x, y, z


def _named(joint: str) -> tuple[str, ...]:
    """Return the full names of a joint of the tree: left and right, or the midline one."""
    for row in data.tree("human17")["joint"]:
        if row["name"] == joint:
            return (f"left_{joint}", f"right_{joint}") if row.get("paired") else (joint,)
    return ()


def _law(joint: str) -> str:
    return next(row["law"] for row in data.tree("human17")["joint"] if row["name"] == joint)
